"""From judged arguments to what a handler is called with."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Annotated, Any, Literal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import AfterValidator, BaseModel, Field, SecretStr, field_validator, model_validator
from tests.unit.schema.sample_types import VALUES, Address, Cat, Color, Dog, Guest, Level, Node, Pair, Pet, Point

from afford.errors import FaultCode
from afford.schema import (
    InputDecoder,
    InputField,
    OutputDumper,
    RuleViolation,
    check_defaults,
    derive_inputs,
    derive_model_inputs,
    derive_output,
    judge_for,
)


def decoded(annotation: object, value: Any) -> Any:
    fields = [InputField("value", annotation)]
    assert judge_for(derive_inputs(fields).schema).faults({"value": value}) == ()
    return InputDecoder.for_fields(fields).decode({"value": value})["value"]


@pytest.mark.parametrize(
    ("annotation", "sent", "value"),
    [
        (int, 3.0, 3),
        (int, 1e2, 100),
        (float, 3, 3.0),
        (Decimal, "10.10", Decimal("10.10")),
        (date, "2026-03-14", date(2026, 3, 14)),
        (datetime, "2026-03-14T09:30:00.5Z", datetime(2026, 3, 14, 9, 30, 0, 500_000, tzinfo=UTC)),
        (timedelta, "-P1DT0.5S", -timedelta(days=1, seconds=0.5)),
        (Color, "red", Color.RED),
        (Level, 2, Level.HIGH),
        (set[int], [1, 2], {1, 2}),
        (tuple[int, ...], [1, 2], (1, 2)),
        (Sequence[int], [1, 2], [1, 2]),
        (dict[int, str], {"5": "a"}, {5: "a"}),
        (Pair, [1, "a"], Pair(1, "a")),
        (Pet, {"kind": "cat", "lives": 3}, Cat(lives=3)),
        (Guest, {"name": "Ada", "eMail": "x"}, Guest(name="Ada", eMail="x")),
        (Point, {"x": 1}, Point(1.0)),
    ],
)
def test_json_becomes_the_declared_type(annotation: object, sent: Any, value: object) -> None:
    got = decoded(annotation, sent)
    assert got == value
    assert type(got) is type(value)


@pytest.mark.requirement("CASE-K23")
@pytest.mark.parametrize(
    ("annotation", "sent", "value"),
    [
        (str, '{"a":1}', '{"a":1}'),
        (int | str, "[1]", "[1]"),
        (int | str, "5", "5"),
        (int | str, 5.0, 5),
        (int | Decimal, "5", Decimal(5)),
        (bool | Decimal, "1", Decimal(1)),
        (bool | int, 1, 1),
        (float | int, 3, 3),
        (int | float, 3.5, 3.5),
        (date | str, "2026-03-14", "2026-03-14"),
        (list[int] | list[Decimal], ["5"], [Decimal(5)]),
        (Cat | Dog, {"kind": "dog", "name": "Rex"}, Dog(kind="dog", name="Rex")),
        (Address | dict[str, int], {"street": 1}, {"street": 1}),
    ],
)
def test_a_branch_takes_only_what_its_own_schema_accepts(annotation: object, sent: Any, value: object) -> None:
    got = decoded(annotation, sent)
    assert got == value
    assert type(got) is type(value)


def test_absent_inputs_stay_absent_and_parameters_get_their_own_names() -> None:
    fields = [
        InputField("from_", Annotated[date, Field(alias="from")]),
        InputField("limit", int, 20),
        InputField("self", str | None, None),
        InputField("model_config", bool, default=False),
    ]
    decoder = InputDecoder.for_fields(fields)
    assert decoder.decode({"from": "2026-03-14"}) == {"from_": date(2026, 3, 14)}
    assert decoder.decode({"from": "2026-03-14", "self": "x", "model_config": True}) == {
        "from_": date(2026, 3, 14),
        "self": "x",
        "model_config": True,
    }
    assert InputDecoder.for_fields([]).decode({}) == {}


def test_a_default_that_only_the_field_knows_is_filled_in_freshly() -> None:
    fields = [
        InputField("a", int, Field(default=3, ge=1)),
        InputField("b", Annotated[list[int], Field(default_factory=list)]),
        InputField("c", Annotated[str | None, Field(default=None, description="c")]),
        InputField("d", Annotated[int, Field(default=7)], 8),
    ]
    schema = derive_inputs(fields).schema
    assert schema["required"] == []
    assert [part.get("default") for part in schema["properties"].values()] == [3, None, None, 8]
    assert check_defaults(fields, schema) == []
    decoder = InputDecoder.for_fields(fields)
    first, second = decoder.decode({}), decoder.decode({})
    assert first == {"a": 3, "b": [], "c": None}
    assert first["b"] is not second["b"]
    assert decoder.without_omitted_nulls({"c": None}) == {}


def test_one_model_is_decoded_into_an_instance_under_the_empty_name() -> None:
    assert InputDecoder.for_model(Address).decode({"street": "High"}) == {"": Address(street="High")}
    assert InputDecoder.for_model(Point).decode({"x": 1}) == {"": Point(1.0)}


@pytest.mark.parametrize("name", VALUES)
@settings(max_examples=25, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_what_is_written_can_be_sent_back_and_is_the_same(name: str, data: st.DataObject) -> None:
    annotation, values = VALUES[name]
    value = data.draw(values)
    fields = [InputField("value", annotation)]
    arguments = {"value": OutputDumper(annotation).dump(value)}
    decoder = InputDecoder.for_fields(fields)
    arguments = decoder.without_omitted_nulls(arguments)
    assert judge_for(derive_inputs(fields).schema).faults(arguments) == ()
    got = decoder.decode(arguments)["value"]
    if value is not None and not isinstance(value, dict):
        assert type(got) is type(value)
    assert got == value


@pytest.mark.requirement("TYPE-08")
@pytest.mark.parametrize("name", [name for name in VALUES if name not in ("typed dict", "named tuple")])
@settings(max_examples=15, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_every_default_is_accepted_and_sending_it_equals_leaving_it_out(name: str, data: st.DataObject) -> None:
    annotation, values = VALUES[name]
    default = data.draw(values)
    fields = [InputField("value", annotation, default)]
    schema = derive_inputs(fields).schema
    assert check_defaults(fields, schema) == []
    part = schema["properties"]["value"]
    assert schema["required"] == []
    if default is None:
        assert "default" not in part
        return
    judge, decoder = judge_for(schema), InputDecoder.for_fields(fields)
    assert judge.accepts({})
    assert judge.faults({"value": part["default"]}) == ()
    assert decoder.decode({"value": part["default"]})["value"] == default


@pytest.mark.requirement("TYPE-02")
def test_null_for_an_optional_input_counts_as_left_out_inside_models_too() -> None:
    fields = [
        InputField("guest", Guest),
        InputField("pets", list[Pet]),
        InputField("nodes", dict[str, Node]),
        InputField("near", Address | Point),
        InputField("note", str | None, None),
        InputField("limit", int, 3),
        InputField("until", date | None),
    ]
    decoder, judge = InputDecoder.for_fields(fields), judge_for(derive_inputs(fields).schema)
    arguments = {
        "guest": {"name": "Ada", "eMail": "x", "born": None, "address": {"street": "High", "zip": None}},
        "pets": [{"kind": "dog", "name": "Rex", "weight": None}, {"kind": "cat"}],
        "nodes": {"a": {"value": 1, "next": {"value": 2, "next": None}}},
        "near": {"x": 1, "label": None},
        "note": None,
        "until": None,
    }
    cleaned = decoder.without_omitted_nulls(arguments)
    assert cleaned == {
        "guest": {"name": "Ada", "eMail": "x", "address": {"street": "High"}},
        "pets": [{"kind": "dog", "name": "Rex"}, {"kind": "cat"}],
        "nodes": {"a": {"value": 1, "next": {"value": 2}}},
        "near": {"x": 1},
        "until": None,
    }
    assert arguments["note"] is None
    assert arguments["guest"]["born"] is None
    assert judge.accepts(cleaned)
    assert decoder.decode(cleaned)["guest"].born is None


@pytest.mark.parametrize(
    "arguments",
    [
        {"limit": None},
        {"guest": {"name": None, "eMail": "x"}},
        {"guest": {"name": "Ada", "eMail": "x", "address": {"street": "a", "floor": None}}},
        {"guest": {"name": "Ada", "eMail": "x", "email": None}},
    ],
)
def test_null_for_anything_else_is_left_for_the_judge_to_refuse(arguments: dict[str, Any]) -> None:
    fields = [InputField("guest", Guest | None, None), InputField("limit", int, 3)]
    cleaned = InputDecoder.for_fields(fields).without_omitted_nulls(arguments)
    assert cleaned is arguments
    assert not judge_for(derive_inputs(fields).schema).accepts(cleaned)


@pytest.mark.parametrize("arguments", [{}, {"value": 5}, {"value": [1, {"a": "b"}]}, {"value": [[None]]}])
def test_arguments_without_such_nulls_come_back_as_they_are(arguments: dict[str, Any]) -> None:
    decoder = InputDecoder.for_fields([InputField("value", list[list[int | None]] | int | None, None)])
    assert decoder.without_omitted_nulls(arguments) is arguments


def test_a_null_in_a_model_alone_counts_as_left_out() -> None:
    decoder, judge = InputDecoder.for_model(Address), judge_for(derive_model_inputs(Address).schema)
    cleaned = decoder.without_omitted_nulls({"street": "High", "zip": None})
    assert cleaned == {"street": "High"}
    assert judge.accepts(cleaned)


class Period(BaseModel):
    start: date
    end: date

    @field_validator("start")
    @classmethod
    def not_on_a_sunday(cls, start: date) -> date:
        if start.isoweekday() == 7:
            raise ValueError("closed on Sundays")
        return start

    @model_validator(mode="after")
    def in_order(self) -> Period:
        if self.start > self.end:
            raise AssertionError("the end is before the start")
        return self


def even(number: int) -> int:
    if number % 2:
        raise ValueError("must be even")
    return number


@pytest.mark.requirement("TYPE-09")
def test_refusals_of_the_authors_validators_keep_their_words_and_get_a_place() -> None:
    fields = [
        InputField("periods", list[Period]),
        InputField("either", Annotated[int, AfterValidator(even)] | Literal["none"]),
        InputField("odd/name", Annotated[int, AfterValidator(even)]),
    ]
    arguments = {
        "periods": [{"start": "2026-03-15", "end": "2026-03-16"}, {"start": "2026-03-14", "end": "2026-03-13"}],
        "either": 3,
        "odd/name": 5,
    }
    assert judge_for(derive_inputs(fields).schema).faults(arguments) == ()
    with pytest.raises(RuleViolation) as caught:
        InputDecoder.for_fields(fields).decode(arguments)
    faults = caught.value.faults
    assert {fault.code for fault in faults} == {FaultCode.RULE}
    assert [(fault.pointer, fault.message) for fault in faults][:3] == [
        ("/periods/0/start", "closed on Sundays"),
        ("/periods/1", "the end is before the start"),
        ("/either", "must be even"),
    ]
    assert faults[-1].pointer == "/odd~1name"


def test_a_rule_of_the_model_alone_is_about_the_whole_input() -> None:
    with pytest.raises(RuleViolation) as caught:
        InputDecoder.for_model(Period).decode({"start": "2026-03-14", "end": "2026-03-13"})
    assert [fault.pointer for fault in caught.value.faults] == [""]


def test_an_exception_of_a_validator_that_is_no_refusal_passes_through() -> None:
    def broken(_: int) -> int:
        raise KeyError("x")

    decoder = InputDecoder.for_fields([InputField("value", Annotated[int, AfterValidator(broken)])])
    with pytest.raises(KeyError):
        decoder.decode({"value": 1})


def test_strict_settings_change_nothing_about_what_is_accepted() -> None:
    class Strict(BaseModel, strict=True):
        day: date
        count: Annotated[int, Field(strict=True)]

    assert decoded(Strict, {"day": "2026-03-14", "count": 3.0}) == Strict(day=date(2026, 3, 14), count=3)


def test_patterns_are_judged_in_one_dialect() -> None:
    digits = Annotated[str, Field(pattern=r"^\d$")]
    schema = derive_inputs([InputField("value", digits)]).schema
    assert not judge_for(schema).accepts({"value": "٣"})
    assert decoded(Annotated[str, Field(pattern=r"^.$")], "\u0085") == "\u0085"


def test_a_secret_arrives_wrapped() -> None:
    assert decoded(SecretStr, "x").get_secret_value() == "x"


def test_an_answer_and_an_input_of_the_same_type_are_published_alike_where_nothing_is_optional() -> None:
    class Plain(BaseModel):
        a: int
        b: list[Color]

    assert derive_output(Plain).schema == derive_model_inputs(Plain).schema
