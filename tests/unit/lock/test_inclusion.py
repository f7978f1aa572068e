"""Whether one schema accepts whatever another does, against the engine that judges values."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.unit.lock.schemas import SCHEMAS, VALUES, pairs, values_of

from afford.lock.inclusion import gaps_between
from afford.schema.engine import accepts, compiled

TREE = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "below": {"type": "array", "items": {"$ref": "#"}}},
    "required": ["name"],
    "additionalProperties": False,
}
SHAPES = {
    "oneOf": [
        {"type": "object", "properties": {"kind": {"const": kind}, "size": {"type": "integer"}}, "required": ["kind"]}
        for kind in ("round", "square")
    ]
}


def only(left: Any, right: Any) -> Any:
    (gap,) = gaps_between(left, right)
    return gap


@pytest.mark.requirement("LOCK-05")
@given(data=st.data(), pair=pairs())
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
def test_what_is_proved_holds_for_every_value_that_is_tried(data: st.DataObject, pair: tuple[Any, Any]) -> None:
    left, right = pair
    gaps = gaps_between(left, right)
    judges = compiled(left), compiled(right)
    for gap in gaps:
        if gap.is_shown:
            assert accepts(judges[0], gap.witness)
            assert not accepts(judges[1], gap.witness)
    if not gaps:
        for value in data.draw(st.lists(st.one_of(values_of(left, left), VALUES), min_size=6, max_size=10)):
            assert not accepts(judges[0], value) or accepts(judges[1], value)


@given(schema=SCHEMAS)
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_every_schema_accepts_what_it_accepts(schema: Any) -> None:
    assert gaps_between(schema, schema) == ()


PROVED = [
    ({"type": "integer"}, {"type": "number"}),
    ({"type": "integer", "minimum": 2}, {"type": "integer", "exclusiveMinimum": 1}),
    ({"type": "number", "multipleOf": 6}, {"type": "integer", "multipleOf": 3}),
    ({"type": "integer", "minimum": 1, "maximum": 3}, {"enum": [3, 2, 1, 0]}),
    ({"const": "a"}, {"enum": ["a", "b"]}),
    ({"type": "string", "maxLength": 3}, {"type": ["string", "null"], "maxLength": 4}),
    ({"type": "string"}, {"anyOf": [{"type": "null"}, {"type": "string"}]}),
    ({"anyOf": [{"const": 1}, {"const": "a"}]}, {"type": ["integer", "string"]}),
    ({"type": "array", "items": {"const": 1}, "maxItems": 1}, {"type": "array", "uniqueItems": True}),
    ({"type": "array", "prefixItems": [{"const": 1}], "items": False}, {"type": "array", "maxItems": 1}),
    ({"type": "object", "properties": {"a": True}, "additionalProperties": False}, {"maxProperties": 1}),
    ({"allOf": [{"minimum": 3}, {"type": "integer"}]}, {"type": "number", "minimum": 2}),
    ({"$ref": "#/$defs/A", "$defs": {"A": {"type": "string", "format": "date"}}}, {"type": "string"}),
    (TREE, {**TREE, "properties": {**TREE["properties"], "note": {"type": "string"}}}),
    (SHAPES["oneOf"][0], SHAPES),
    (SHAPES, {"type": "object"}),
    ({"type": "object", "required": ["a"], "properties": {"a": False}}, {"const": "nothing can be the left one"}),
]


@pytest.mark.parametrize(("left", "right"), PROVED, ids=range(len(PROVED)))
def test_an_inclusion_is_proved(left: Any, right: Any) -> None:
    assert gaps_between(left, right) == ()


REFUTED = [
    ({"type": "number"}, {"type": "integer"}, "/type"),
    ({"type": "integer"}, {"type": "integer", "maximum": 9}, "/maximum"),
    ({"type": "string", "maxLength": 9}, {"type": "string", "maxLength": 5}, "/maxLength"),
    ({"type": "string"}, {"type": "string", "format": "uuid"}, "/format"),
    ({"enum": ["a", "b"]}, {"enum": ["a"]}, "/enum"),
    ({"type": ["string", "null"]}, {"type": "string"}, "/type"),
    ({"type": "object"}, {"type": "object", "required": ["a"]}, "/required"),
    (
        {"type": "object", "properties": {"a": {"type": "string"}}},
        {"type": "object", "additionalProperties": False},
        "/properties",
    ),
    ({"type": "array", "items": {"type": "number"}}, {"items": {"multipleOf": 2}}, "/items/multipleOf"),
    ({"type": "array"}, {"type": "array", "minItems": 1}, "/minItems"),
    (TREE, {**TREE, "properties": {**TREE["properties"], "name": {"type": "string", "minLength": 1}}}, ""),
    ({"type": "integer"}, {"not": {"const": 7}}, "/not"),
]


@pytest.mark.requirement("LOCK-05")
@pytest.mark.parametrize(("left", "right", "place"), REFUTED, ids=range(len(REFUTED)))
def test_what_is_narrower_is_shown_by_a_value(left: Any, right: Any, place: str) -> None:
    found = [gap for gap in gaps_between(left, right) if gap.is_shown or place == "/not"]
    assert found
    if place:
        assert "".join(f"/{step}" for step in (*found[0].at, found[0].flaw.keyword)) == place


def test_a_witness_reaches_down_into_what_is_inside() -> None:
    left = {
        "type": "object",
        "properties": {"stays": {"type": "array", "items": {"$ref": "#/$defs/Stay"}}, "who": {"type": "string"}},
        "required": ["who"],
        "$defs": {"Stay": {"type": "object", "properties": {"nights": {"type": "integer"}}, "required": ["nights"]}},
    }
    right = {**left, "$defs": {"Stay": {**left["$defs"]["Stay"], "properties": {"nights": {"maximum": 7}}}}}
    gap = only(left, right)
    assert gap.at == ("properties", "stays", "items", "properties", "nights")
    assert gap.witness["stays"][0]["nights"] > 7


CANNOT_TELL = [
    ({"type": "string", "pattern": "^a+$"}, {"type": "string", "pattern": "^a*$"}),
    ({"type": "object"}, {"type": "object", "propertyNames": {"pattern": "^x"}}),
    ({"type": "string"}, {"type": "string", "x-choices": True}),
    ({"type": "string", "x-choices": True}, {"enum": ["a"]}),
    ({"$ref": "https://example.com/elsewhere"}, {"type": "string"}),
    ({"type": "wrong"}, {"type": "string"}),
    ({"type": "string"}, {"$id": "x", "properties": {"a": {"$anchor": "b"}}}),
    ({"type": "string"}, {"anyOf": [{"$ref": "#"}, {"type": "null"}]}),
]


@pytest.mark.requirement("LOCK-05")
@pytest.mark.parametrize(("left", "right"), CANNOT_TELL, ids=range(len(CANNOT_TELL)))
def test_what_nobody_can_tell_is_said_with_the_reason(left: Any, right: Any) -> None:
    gap = only(left, right)
    assert gap.flaw.reason
    assert not gap.is_shown or gap.flaw.keyword == "propertyNames"


def test_the_same_words_are_the_same_also_where_nobody_can_tell_what_they_mean() -> None:
    opaque = {"type": "object", "properties": {"a": {"if": {"const": 1}, "then": {"minimum": 3}}}, "maxProperties": 2}
    assert gaps_between({**opaque, "maxProperties": 1}, opaque) == ()


def test_texts_assert_nothing() -> None:
    assert gaps_between({"type": "string"}, {"type": "string", "description": "A name.", "title": "x"}) == ()


def test_a_schema_of_many_alternatives_ends() -> None:
    wide = {"anyOf": [{"type": "object", "properties": {f"p{n}": {"$ref": "#"}}} for n in range(30)]}
    other = {"anyOf": [{"type": "object", "properties": {f"q{n}": {"$ref": "#"}}} for n in range(30)]}
    assert gaps_between(wide, other)
