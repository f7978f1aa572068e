"""What comes back: rows of reads, values of writes, and nothing outside the published contract."""

from __future__ import annotations

import logging
import math
from collections import Counter, OrderedDict, UserList, defaultdict
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from enum import IntEnum, StrEnum
from typing import Annotated, NotRequired
from uuid import UUID

import pytest
from pydantic import BaseModel, Field, computed_field, field_serializer
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from tests.contracts.links import MCP, Over, client
from typing_extensions import TypedDict

from afford import App, Page, PageRequest, anyone
from afford.errors import JsonValue


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


class Paint(BaseModel):
    paint_id: int
    colour: Colour
    price: Annotated[Decimal, Field(decimal_places=2)]


@dataclass
class PaintRecord:
    paint_id: int
    colour: Colour
    price: Decimal


class PaintDict(TypedDict):
    paint_id: int
    colour: Colour
    price: Decimal


class Base(DeclarativeBase):
    pass


class PaintRow(Base):
    __tablename__ = "paints"

    paint_id: Mapped[int] = mapped_column(primary_key=True)
    colour: Mapped[str]
    price: Mapped[Decimal]
    supplier: Mapped[str]


WRITTEN: JsonValue = {"paint_id": 1, "colour": "red", "price": "2.50"}


def new_app() -> App:
    return App("paints", access=anyone())


@pytest.mark.requirement("ANS-01")
@pytest.mark.parametrize("returned", [list[Paint], tuple[Paint, ...], Sequence[Paint], Page[Paint]], ids=str)
async def test_a_query_of_several_rows_answers_a_bare_array(over: Over, returned: object):
    app = new_app()
    paints = [Paint(paint_id=number, colour=Colour.RED, price=Decimal("2.50")) for number in (1, 2)]

    async def paints_in_stock() -> object:
        return tuple(paints)

    async def page_of_paints(page: PageRequest[int]) -> object:
        return Page(paints)

    handler = page_of_paints if returned == Page[Paint] else paints_in_stock
    handler.__annotations__["return"] = returned
    app.query(id="list_paints", description="See what is in stock.")(handler)
    async with client(app, over=over) as caller:
        answer = await caller.call("list_paints")
    assert answer.rows == [WRITTEN, {"paint_id": 2, "colour": "red", "price": "2.50"}]
    schema = app.build().operations["list_paints"].output.schema
    assert schema["type"] == "array"
    assert "items" in schema


@pytest.mark.requirement("ANS-01")
async def test_a_detail_query_answers_an_array_of_one_and_says_so(over: Over):
    app = new_app()

    @app.query(description="Look at one paint.")
    async def one() -> Paint:
        return Paint(paint_id=1, colour=Colour.RED, price=Decimal("2.50"))

    @app.query(description="Look at one number.")
    async def number() -> int:
        return 7

    @app.static(description="See the shop's motto.")
    async def motto() -> str:
        return "dry quickly"

    async with client(app, over=over) as caller:
        assert (await caller.call("one")).value == [WRITTEN]
        assert (await caller.call("number")).value == [7]
        assert (await caller.call("motto")).value == ["dry quickly"]
        manifest = await caller.manifest()
    operations = manifest["operations"]
    assert isinstance(operations, list)
    for operation in operations:
        assert isinstance(operation, dict)
        output = operation["output_schema"]
        assert isinstance(output, dict)
        assert output["type"] == ("object" if over in MCP else "array")


@pytest.mark.requirement("ANS-02")
async def test_an_action_answers_its_own_value_and_null_where_it_has_none(over: Over):
    app = new_app()

    @app.action(description="Mix one paint.")
    async def mix() -> Paint:
        return Paint(paint_id=1, colour=Colour.RED, price=Decimal("2.50"))

    @app.action(description="Count what is left.")
    async def count() -> int:
        return 3

    @app.action(description="Mix several.")
    async def mix_all() -> list[Paint]:
        return []

    @app.action(description="Find a leftover, if there is one.")
    async def leftover() -> Paint | None:
        return None

    @app.action(description="Throw one away.")
    async def discard() -> None:
        return None

    async with client(app, over=over) as caller:
        assert (await caller.call("mix")).value == WRITTEN
        assert (await caller.call("count")).value == 3
        assert (await caller.call("mix_all")).value == []
        assert [await caller.call(name) for name in ("leftover", "discard")] == [await caller.call("discard")] * 2
        assert (await caller.call("discard")).ok


@pytest.mark.requirement("DECL-05")
async def test_an_event_answers_only_that_it_ran(over: Over):
    app = new_app()
    seen: list[str] = []

    @app.event(description="Tell that a tin was opened.")
    async def opened(tin: str) -> None:
        seen.append(tin)

    async with client(app, over=over) as caller:
        answer = await caller.call("opened", tin="a")
    assert (answer.ok, answer.value, seen) == (True, None, ["a"])


@pytest.mark.requirement("OUT-01")
@pytest.mark.parametrize("declared", [Paint, PaintRecord, PaintDict])
@pytest.mark.parametrize(
    "make",
    [
        lambda: Paint(paint_id=1, colour=Colour.RED, price=Decimal("2.50")),
        lambda: PaintRecord(1, Colour.RED, Decimal("2.50")),
        lambda: {"paint_id": 1, "colour": Colour.RED, "price": Decimal("2.50")},
        lambda: {"paint_id": 1, "colour": "red", "price": "2.50"},
        lambda: PaintRow(paint_id=1, colour="red", price=Decimal("2.50"), supplier="secret"),
    ],
    ids=["model", "dataclass", "dict", "json", "orm row"],
)
async def test_whatever_holds_a_row_is_written_by_the_declared_type(
    over: Over, declared: object, make: Callable[[], object]
):
    app = new_app()

    async def handler() -> object:
        return [make()]

    handler.__annotations__["return"] = list[declared]
    app.query(id="paints", description="See what is in stock.")(handler)
    async with client(app, over=over) as caller:
        assert (await caller.call("paints")).row == WRITTEN


@pytest.mark.requirement("OUT-01")
async def test_plain_values_are_written_in_their_one_form(over: Over):
    app = new_app()

    class Everything(BaseModel):
        day: date
        moment: datetime
        key: UUID
        share: float
        tags: set[str]
        nested: dict[str, list[PaintRecord]]
        nothing: None

    @app.query(description="See every kind of value.")
    async def everything() -> Everything:
        return Everything(
            day=date(2031, 2, 3),
            moment=datetime(2031, 2, 3, 4, 5, 6, tzinfo=UTC),
            key=UUID(int=5),
            share=0.5,
            tags={"a"},
            nested={"x": [PaintRecord(1, Colour.BLUE, Decimal(3))]},
            nothing=None,
        )

    async with client(app, over=over) as caller:
        assert (await caller.call("everything")).row == {
            "day": "2031-02-03",
            "moment": "2031-02-03T04:05:06Z",
            "key": "00000000-0000-0000-0000-000000000005",
            "share": 0.5,
            "tags": ["a"],
            "nested": {"x": [{"paint_id": 1, "colour": "blue", "price": "3"}]},
            "nothing": None,
        }


@pytest.mark.requirement("OUT-02")
async def test_a_detail_query_that_finds_nothing_is_not_found(over: Over):
    app = new_app()

    @app.query(description="Look at one paint.")
    async def one(paint_id: int) -> Paint | None:
        return Paint(paint_id=paint_id, colour=Colour.RED, price=Decimal(1)) if paint_id == 1 else None

    async with client(app, over=over) as caller:
        assert (await caller.call("one", paint_id=1)).row["paint_id"] == 1
        missing = await caller.call("one", paint_id=2)
    assert missing.code == "not_found"
    assert missing.error is not None
    assert "trace" not in missing.error


@pytest.mark.requirement("OUT-03", "TEXT-01")
async def test_a_field_that_is_excluded_from_publication_reaches_nobody(over: Over):
    app = new_app()

    class Account(BaseModel):
        name: str
        password_digest: Annotated[str, Field(exclude=True)]

    class Shelf(BaseModel):
        accounts: list[Account]

    @app.query(description="See the accounts.")
    async def accounts() -> list[Shelf]:
        return [Shelf(accounts=[Account(name="Ada", password_digest="topsecret")])]

    @app.query(description="See the accounts as dicts.")
    async def dicts() -> list[Account]:
        return [{"name": "Ada", "password_digest": "topsecret"}]

    async with client(app, over=over) as caller:
        assert (await caller.call("accounts")).row == {"accounts": [{"name": "Ada"}]}
        assert (await caller.call("dicts")).row == {"name": "Ada"}
        assert "password_digest" not in str(await caller.manifest())


class Broken(BaseModel):
    sku: str

    @computed_field
    @property
    def length(self) -> int:
        raise RuntimeError("password=hunter2")


class Ragged(BaseModel):
    value: int

    @field_serializer("value")
    def shorten(self, value: int) -> int:
        raise RuntimeError("password=hunter2")


async def endless_stream() -> AsyncIterator[int]:
    yield 1


def failing_rows() -> Iterator[int]:
    yield 1
    raise RuntimeError("password=hunter2")


@pytest.mark.requirement("EXEC-04", "CASE-K27")
@pytest.mark.parametrize(
    ("declared", "make", "code"),
    [
        (Broken, lambda: Broken(sku="a"), "internal"),
        (Ragged, lambda: Ragged(value=1), "output_contract"),
        (list[int], failing_rows, "internal"),
        (list[int], endless_stream, "output_contract"),
        (list[str], lambda: ["\ud800"], "output_contract"),
    ],
    ids=["computed field", "serializer", "generator", "async generator", "lone surrogate"],
)
async def test_an_exception_after_the_handler_is_contained(
    over: Over, declared: object, make: Callable[[], object], code: str, caplog: pytest.LogCaptureFixture
):
    app = new_app()

    async def handler() -> object:
        return make()

    handler.__annotations__["return"] = declared
    app.query(id="rows", description="See the rows.")(handler)
    with caplog.at_level(logging.ERROR):
        async with client(app, over=over) as caller:
            answer = await caller.call("rows")
    assert answer.error is not None
    assert answer.code == code
    assert "hunter2" not in str(answer.error)
    assert str(answer.error["trace"]) in caplog.text


class Item(BaseModel):
    sku: str


class Partial(TypedDict):
    sku: str
    note: NotRequired[str]


@pytest.mark.requirement("CASE-K28")
@pytest.mark.parametrize(
    ("declared", "result"),
    [
        (int, "x"),
        (int, True),
        (int, 2**60),
        (int, None),
        (list[Item], [{"sku": 1}]),
        (list[Item], [{}]),
        (list[Item], {"sku": "a"}),
        (list[Item], "sku"),
        (list[Item], None),
        (list[Item], [Item.model_construct(sku=1)]),
        (list[Partial], [{"sku": "a", "note": None}]),
        (float, math.nan),
        (float, math.inf),
        (Annotated[str, Field(max_length=3)], "four"),
        (datetime, datetime(2031, 1, 1)),  # noqa: DTZ001 - an instant without offset is what the contract refuses
        (Colour, "green"),
        (Page[Item], [Item(sku="a")]),
    ],
    ids=repr,
)
async def test_a_result_outside_the_published_schema_never_leaves(
    over: Over, declared: object, result: object, caplog: pytest.LogCaptureFixture
):
    app = new_app()

    async def plain() -> object:
        return result

    async def paged(page: PageRequest[int]) -> object:
        return result

    handler = paged if declared == Page[Item] else plain
    handler.__annotations__["return"] = declared
    app.query(id="broken", description="See what is there.")(handler)
    with caplog.at_level(logging.ERROR):
        async with client(app, over=over) as caller:
            answer = await caller.call("broken")
    assert answer.code == "output_contract"
    assert answer.value is None
    assert answer.error is not None
    assert str(answer.error["trace"]) in caplog.text


@pytest.mark.requirement("CASE-K28")
async def test_the_log_says_where_a_result_broke_its_contract(caplog: pytest.LogCaptureFixture):
    app = new_app()

    @app.query(description="See what is there.")
    async def broken() -> list[Item]:
        return [Item(sku="a"), {"sku": 1}]

    async with client(app) as caller:
        await caller.call("broken")
    assert "/1/sku" in caplog.text


@pytest.mark.requirement("CASE-K28")
async def test_an_action_that_says_nothing_comes_back_may_not_answer(over: Over):
    app = new_app()

    @app.action(description="Forget it.")
    async def forget() -> None:
        return "but"

    async with client(app, over=over) as caller:
        assert (await caller.call("forget")).code == "output_contract"


class Level(IntEnum):
    LOW = 1


@pytest.mark.requirement("OUT-01")
@pytest.mark.parametrize(
    ("declared", "value", "written"),
    [
        (dict[str, int], Counter(a=1), {"a": 1}),
        (dict[str, list[int]], defaultdict(list, a=[1]), {"a": [1]}),
        (dict[int, int], OrderedDict({1: 2}), {"1": 2}),
        (str, Colour.RED, "red"),
        (int, Level.LOW, 1),
        (list[str], UserList([Colour.RED]), ["red"]),
        (list[list[int]], [(1, 2)], [[1, 2]]),
    ],
    ids=str,
)
async def test_a_value_that_only_behaves_like_json_is_written_as_json(
    over: Over, declared: object, value: object, written: object
):
    app = new_app()

    async def handler() -> object:
        return value

    handler.__annotations__["return"] = declared
    app.action(id="answer", description="Answer.")(handler)
    async with client(app, over=over) as caller:
        assert (await caller.call("answer")).value == written


@pytest.mark.requirement("OUT-01")
async def test_a_raw_output_schema_is_enforced_as_it_stands(over: Over):
    app = new_app()
    schema = {
        "type": "array",
        "items": {
            "type": "object",
            "additionalProperties": False,
            "properties": {"n": {"type": "integer", "maximum": 5}, "any": True},
            "required": ["n"],
        },
    }

    @app.query(description="See numbers.", output_schema=schema)
    async def numbers(upper: int) -> object:
        return [{"n": upper, "any": date(2031, 1, 1) if upper == 4 else [1, {"a": None}]}]

    async with client(app, over=over) as caller:
        assert (await caller.call("numbers", upper=5)).row == {"n": 5, "any": [1, {"a": None}]}
        assert (await caller.call("numbers", upper=6)).code == "output_contract"
        assert (await caller.call("numbers", upper=4)).code == "output_contract"
