"""What a handler returns is written as its type says, whatever form it has, and only that passes the judge."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Mapping
from datetime import UTC, date, datetime
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import (
    AliasChoices,
    BaseModel,
    ConfigDict,
    Field,
    JsonValue,
    PlainSerializer,
    SecretStr,
    computed_field,
    field_serializer,
    model_serializer,
)
from sqlalchemy import Column, Integer, MetaData, Numeric, String, Table, create_engine, select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column, relationship
from tests.unit.schema.sample_types import VALUES, Address, Booking, Cat, Color, Dog, Guest, Pet, Point, Stay

from afford.schema import DumpError, OutputDumper, SchemaError, derive_output, is_json, judge_for

DUMPERS = {
    name: (OutputDumper(annotation), judge_for(derive_output(annotation).schema))
    for name, (annotation, _) in VALUES.items()
}


@pytest.mark.parametrize("name", VALUES)
@settings(max_examples=40, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_value_of_the_declared_type_is_written_as_published(name: str, data: st.DataObject) -> None:
    dumper, judge = DUMPERS[name]
    dumped = dumper.dump(data.draw(VALUES[name][1]))
    assert judge.faults(dumped) == ()
    assert is_json(dumped)


@pytest.mark.requirement("OUT-01")
@pytest.mark.parametrize("name", VALUES)
@settings(max_examples=25, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_mappings_and_attribute_objects_are_written_like_instances(name: str, data: st.DataObject) -> None:
    dumper, _ = DUMPERS[name]
    value = data.draw(VALUES[name][1])
    expected = _without_order(dumper.dump(value))
    assert _without_order(dumper.dump(_as_mapping(value))) == expected
    assert _without_order(dumper.dump(_as_object(value))) == expected


@pytest.mark.parametrize("name", VALUES)
@settings(max_examples=25, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_what_was_written_already_is_written_the_same_again(name: str, data: st.DataObject) -> None:
    dumper, judge = DUMPERS[name]
    dumped = dumper.dump(data.draw(VALUES[name][1]))
    assert judge.accepts(dumper.dump(dumped))


@pytest.mark.parametrize("name", ["address", "guest", "node", "pet", "dataclass", "frozen dataclass", "booking"])
@settings(max_examples=15, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_record_that_lost_or_gained_a_member_is_refused(name: str, data: st.DataObject) -> None:
    dumper, judge = DUMPERS[name]
    dumped = dumper.dump(data.draw(VALUES[name][1]))
    assert isinstance(dumped, dict)
    assert not judge.accepts({**dumped, "unknown": 1})
    for member in dumped:
        assert not judge.accepts({key: value for key, value in dumped.items() if key != member})
        assert not judge.accepts({**dumped, member: object()})
        assert not judge.accepts({**dumped, member: {"neither": "nor"}})


def _as_mapping(value: Any) -> Any:
    if isinstance(value, BaseModel):
        if hasattr(value, "root"):
            return value.root
        return {name: _as_mapping(getattr(value, name)) for name in type(value).model_fields}
    if dataclasses.is_dataclass(value):
        return {field.name: _as_mapping(getattr(value, field.name)) for field in dataclasses.fields(value)}
    return [_as_mapping(item) for item in value] if isinstance(value, list) else value


def _as_object(value: Any) -> Any:
    made = _as_mapping(value)
    if isinstance(made, dict) and not isinstance(value, Mapping):
        return types.SimpleNamespace(**{name: _as_object(item) for name, item in made.items()})
    return [_as_object(item) for item in made] if isinstance(made, list) else made


def _without_order(value: Any) -> Any:
    """Sets have no order, and their lists differ in it."""
    if isinstance(value, dict):
        return {key: _without_order(item) for key, item in value.items()}
    if isinstance(value, list):
        return sorted(map(_without_order, value), key=repr)
    return value


class Base(DeclarativeBase):
    pass


class RoomRow(Base):
    __tablename__ = "rooms"
    id: Mapped[int] = mapped_column(primary_key=True)
    title: Mapped[str] = mapped_column(String)
    price: Mapped[Decimal] = mapped_column(Numeric(8, 2))
    secret: Mapped[str] = mapped_column(String)
    notes: Mapped[list[NoteRow]] = relationship(back_populates="room")


class NoteRow(Base):
    __tablename__ = "notes"
    id: Mapped[int] = mapped_column(primary_key=True)
    room_id: Mapped[int] = mapped_column(__import__("sqlalchemy").ForeignKey("rooms.id"))
    text: Mapped[str] = mapped_column(String)
    room: Mapped[RoomRow] = relationship(back_populates="notes")


class Note(BaseModel):
    text: str


class Room(BaseModel):
    id: int
    title: str
    price: Annotated[Decimal, Field(decimal_places=2)]
    owner: Annotated[str | None, Field(exclude=True)] = None
    notes: list[Note] = []


@pytest.mark.requirement("OUT-01")
def test_rows_of_a_database_are_read_by_their_attributes() -> None:
    engine = create_engine("sqlite://")
    Base.metadata.create_all(engine)
    with Session(engine) as session:
        session.add(RoomRow(id=1, title="Sea", price=Decimal("10.50"), secret="x", notes=[NoteRow(text="quiet")]))
        session.flush()
        row = session.scalars(select(RoomRow)).one()
        expected = {"id": 1, "title": "Sea", "price": "10.50", "notes": [{"text": "quiet"}]}
        assert OutputDumper(Room).dump(row) == expected
        assert OutputDumper(list[Room]).dump([row]) == [expected]


def test_rows_and_row_mappings_of_a_query_are_read_by_their_columns() -> None:
    engine = create_engine("sqlite://")
    # A column may be called like a method of the row.
    table = Table("counts", MetaData(), Column("count", Integer), Column("index", String))
    table.metadata.create_all(engine)

    class Counted(BaseModel):
        count: int
        index: str

    with engine.connect() as connection:
        connection.execute(table.insert().values(count=3, index="a"))
        row = connection.execute(select(table)).one()
        mapping = connection.execute(select(table)).mappings().one()
    assert OutputDumper(Counted).dump(row) == {"count": 3, "index": "a"}
    assert OutputDumper(Counted).dump(mapping) == {"count": 3, "index": "a"}


def test_an_object_is_asked_for_declared_members_only_and_a_mapping_keeps_the_rest_for_the_judge() -> None:
    class Hotel(BaseModel):
        id: int

    dumper, judge = OutputDumper(Hotel), judge_for(derive_output(Hotel).schema)
    assert dumper.dump(types.SimpleNamespace(id=1, password="x")) == {"id": 1}
    dumped = dumper.dump({"id": 1, "password": "x"})
    assert not judge.accepts(dumped)


def test_absent_members_get_their_declared_default_and_absent_others_are_refused() -> None:
    dumper, judge = OutputDumper(Guest), judge_for(derive_output(Guest).schema)
    dumped = dumper.dump({"name": "Ada", "email": "a@example.org"})
    assert dumped == {"name": "Ada", "eMail": "a@example.org", "born": None, "address": None, "tags": []}
    assert judge.accepts(dumped)
    assert not judge.accepts(dumper.dump({"name": "Ada"}))


@pytest.mark.requirement("OUT-03")
def test_excluded_members_are_neither_published_nor_written() -> None:
    class Account(BaseModel):
        id: int
        owner: Annotated[str, Field(exclude=True)]
        hint: Annotated[str, Field(exclude_if=lambda text: not text)] = ""

    schema = derive_output(Account).schema
    assert set(schema["properties"]) == {"id", "hint"}
    assert schema["required"] == ["id"]
    for value in (Account(id=1, owner="x"), {"id": 1, "owner": "x"}, types.SimpleNamespace(id=1, owner="x", hint="")):
        assert OutputDumper(Account).dump(value) == {"id": 1}
    assert OutputDumper(Account).native is False


def test_published_names_are_aliases_in_every_form_of_a_value() -> None:
    class Order(BaseModel):
        order_id: Annotated[int, Field(alias="orderId")]
        note: Annotated[str, Field(serialization_alias="remark", validation_alias=AliasChoices("n"))] = ""

    expected = {"orderId": 1, "remark": "x"}
    dumper = OutputDumper(Order)
    assert set(derive_output(Order).schema["properties"]) == set(expected)
    assert dumper.dump(Order(orderId=1, n="x")) == expected
    assert dumper.dump({"order_id": 1, "note": "x"}) == expected
    assert dumper.dump({"orderId": 1, "remark": "x"}) == expected
    assert dumper.dump(types.SimpleNamespace(order_id=1, note="x")) == expected


def test_computed_members_and_serializers_of_a_model_work_for_mappings_and_objects_too() -> None:
    class Priced(BaseModel):
        model_config = ConfigDict(from_attributes=True)
        net: int

        @computed_field
        def gross(self) -> int:
            return self.net * 2

        @field_serializer("net")
        def write_net(self, net: int) -> str:
            return f"{net} EUR"

    dumper, judge = OutputDumper(Priced | None), judge_for(derive_output(Priced | None).schema)
    for value in (Priced(net=2), {"net": 2}, types.SimpleNamespace(net=2)):
        assert dumper.dump(value) == {"net": "2 EUR", "gross": 4}
        assert judge.accepts(dumper.dump(value))
    assert dumper.dump(None) is None


def test_a_serializer_of_the_author_decides_what_is_published_and_written() -> None:
    class Temperature(BaseModel):
        celsius: float

        @model_serializer
        def write(self) -> str:
            return f"{self.celsius} C"

    cents = Annotated[int, PlainSerializer(lambda amount: f"{amount / 100:.2f}", return_type=str)]
    annotation = dict[str, Temperature | cents]
    assert derive_output(Temperature).schema == {"type": "string"}
    assert derive_output(list[cents]).schema == {"type": "array", "items": {"type": "string"}}
    assert OutputDumper(list[cents]).dump([150]) == ["1.50"]
    assert OutputDumper(Temperature).dump({"celsius": 1.5}) == "1.5 C"
    assert OutputDumper(annotation).dump({"t": Temperature(celsius=1)}) == {"t": "1.0 C"}


def test_branches_of_a_union_are_found_by_class_tag_and_members() -> None:
    annotation = Pet | Point | Address | date
    dumper, judge = OutputDumper(list[annotation]), judge_for(derive_output(list[annotation]).schema)
    values = [
        Cat(lives=3),
        {"kind": "cat", "lives": 3},
        types.SimpleNamespace(kind="dog", name="Rex", weight=None),
        {"x": 1.5, "y": 2.0, "label": None},
        types.SimpleNamespace(street="High", zip=None, floor=1),
        date(2026, 3, 14),
        Dog(kind="dog", name="Rex"),
    ]
    dumped = dumper.dump(values)
    assert judge.accepts(dumped)
    assert dumped[2] == {"kind": "dog", "name": "Rex", "weight": None}
    assert dumped[5] == "2026-03-14"


@pytest.mark.parametrize(
    "value",
    [
        datetime(2026, 3, 14, 9, 30),  # noqa: DTZ001 - the case
        datetime(2026, 3, 14, 9, 30, tzinfo=UTC).replace(tzinfo=None).isoformat(),
        "yesterday",
        5,
    ],
)
def test_an_instant_without_an_offset_is_refused(value: object) -> None:
    judge = judge_for(derive_output(datetime).schema)
    assert not judge.accepts(OutputDumper(datetime).dump(value))


@pytest.mark.parametrize(
    ("annotation", "value"),
    [(float, float("nan")), (float, float("inf")), (int, 2**53), (int, "3"), (int, "x"), (str, 3)],
)
def test_a_value_of_another_type_is_not_bent_into_shape(annotation: type, value: object) -> None:
    assert not judge_for(derive_output(annotation).schema).accepts(OutputDumper(annotation).dump(value))


@pytest.mark.parametrize(
    ("annotation", "value"),
    [
        (int, object()),
        (list[int], 5),
        (list[int], {"a": 1}),
        (list[str], "abc"),
        (dict[str, int], [1]),
        (dict[str, int], {(1, 2): 3}),
        (Address, 5),
        (Address, [1]),
        (Address, None),
        (Stay, "x"),
        (JsonValue | None, object()),
    ],
)
def test_what_has_no_json_form_raises(annotation: object, value: object) -> None:
    with pytest.raises(DumpError):
        OutputDumper(annotation).dump(value)


def test_a_value_that_holds_itself_raises() -> None:
    node: dict[str, Any] = {"value": 1, "children": []}
    node["next"] = node
    with pytest.raises(DumpError):
        OutputDumper(VALUES["node"][0]).dump(node)


@pytest.mark.parametrize(
    ("value", "text"),
    [("1E+2", "100"), ("0E-8", "0.00000000"), ("-0", "0"), ("10.10", "10.10"), ("-1.5", "-1.5")],
)
def test_a_decimal_is_written_in_plain_notation(value: str, text: str) -> None:
    assert OutputDumper(Decimal).dump(Decimal(value)) == text


@pytest.mark.parametrize("value", ["NaN", "Infinity"])
def test_a_decimal_that_is_no_number_is_refused(value: str) -> None:
    assert not judge_for(derive_output(Decimal).schema).accepts(OutputDumper(Decimal).dump(Decimal(value)))


def test_subclasses_of_text_and_numbers_are_written_as_plain_ones() -> None:
    class Name(str):
        __slots__ = ()

    class Kind(StrEnum):
        A = "a"

    dumped = OutputDumper(dict[str, str]).dump({Name("n"): Name("x"), Kind.A: Kind.A})
    assert dumped == {"n": "x", "a": "a"}
    assert is_json(dumped)
    assert OutputDumper(float).dump(Decimal("1.5")) == 1.5


@pytest.mark.parametrize(
    "annotation", [list[str], Address, Point, dict[str, Address], Pet, int | None, list[JsonValue]]
)
def test_types_of_json_leaves_alone_are_native(annotation: object) -> None:
    native = OutputDumper(annotation).native
    assert native is (annotation not in (Pet, list[JsonValue]))


@pytest.mark.parametrize(
    "annotation", [date, Guest, list[Decimal], dict[int, str], set[int], Booking, Color, tuple[int, str]]
)
def test_types_that_need_writing_or_renaming_are_not_native(annotation: object) -> None:
    assert not OutputDumper(annotation).native


def test_a_secret_cannot_be_answered() -> None:
    class Login(BaseModel):
        name: str
        password: SecretStr

    with pytest.raises(SchemaError) as caught:
        derive_output(list[Login])
    assert caught.value.path in ("*.password", "Login.password")


def test_an_answer_publishes_no_defaults_and_requires_what_is_always_written() -> None:
    schema = derive_output(Address).schema
    assert schema["required"] == ["street", "zip", "floor"]
    assert "default" not in schema["properties"]["floor"]
