"""Schemas that an author wrote: what can be published and enforced as it stands, and what cannot."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from tests.unit.schema.sample_types import EVERY

from afford.errors import JsonObject
from afford.schema import Direction, InputField, check_raw_schema, derive_inputs, derive_output, exact_integers

CLOSED = {"type": "object", "additionalProperties": False}


def paths(schema: Any, direction: Direction = Direction.INPUT) -> list[str]:
    return [error.path for error in check_raw_schema(schema, direction)]


def of(**properties: Any) -> dict[str, Any]:
    return {**CLOSED, "properties": properties}


@pytest.mark.requirement("TYPE-06")
@pytest.mark.parametrize(
    "schema",
    [
        CLOSED,
        {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "https://example.org/a", **CLOSED},
        of(a={"type": "string", "pattern": "^a+$"}, b={"type": "array", "items": {"$ref": "#/$defs/B"}})
        | {"$defs": {"B": CLOSED}},
        of(a={"$ref": "#/properties/b"}, b={"type": "integer"}),
        of(a={"type": "object", "additionalProperties": {"type": "integer"}}),
        of(a={"type": "object", "additionalProperties": {}}),
        of(a={"type": "object", "patternProperties": {"^x": {}}, "additionalProperties": False}),
        of(a={}, b=True, c={"description": "anything"}),
        {
            **of(a={"type": "integer"}, b={"type": "integer"}),
            "anyOf": [{"required": ["a"]}, {"properties": {"b": {"minimum": 1}}}],
        },
        {"type": "object", "allOf": [{"properties": {"a": {"type": "integer"}}}], "unevaluatedProperties": False},
        of(**{"a b": {"type": "string"}, "$ref": {"type": "string"}}),
        of(node={"$ref": "#/$defs/N"}) | {"$defs": {"N": of(next={"$ref": "#/$defs/N"})}},
    ],
)
def test_a_closed_valid_schema_is_taken_as_it_stands(schema: dict[str, Any]) -> None:
    before = copy.deepcopy(schema)
    assert check_raw_schema(schema, Direction.INPUT) == []
    assert schema == before


@pytest.mark.parametrize("direction", Direction)
@pytest.mark.parametrize("name", EVERY)
def test_every_derived_schema_would_be_taken(name: str, direction: Direction) -> None:
    field = InputField("value", EVERY[name])
    schema = derive_inputs([field]).schema if direction is Direction.INPUT else derive_output(EVERY[name]).schema
    assert check_raw_schema(schema, direction) == []


@pytest.mark.parametrize(
    ("schema", "where"),
    [
        ([], [""]),
        ("object", [""]),
        ({"type": "object", "additionalProperties": False, "default": {1}}, [""]),
        ({"type": "objekt"}, ["/type"]),
        ({"$schema": "http://json-schema.org/draft-07/schema#", **CLOSED}, ["/$schema"]),
        ({"type": "array"}, [""]),
        ({"type": "object"}, [""]),
        ({"type": "object", "additionalProperties": True}, [""]),
        ({"type": "object", "additionalProperties": {"type": "string"}}, [""]),
        (of(a={"type": "object"}), ["/properties/a"]),
        (of(a={"properties": {"b": {}}}), ["/properties/a"]),
        (of(a={"type": ["object", "null"]}), ["/properties/a"]),
        (of(a={"type": "array", "items": {"type": "object", "additionalProperties": True}}), ["/properties/a/items"]),
        (of(a={"anyOf": [{"type": "object"}, {"type": "null"}]}), ["/properties/a/anyOf/0"]),
        (of(**{"a/b": {"type": "object"}}), ["/properties/a~1b"]),
        ({**of(a={"$ref": "#/$defs/A"}), "$defs": {"A": {"type": "object"}}}, ["/$defs/A"]),
        (of(a={"$ref": "#/$defs/Missing"}), ["/properties/a"]),
        (of(a={"$ref": "https://example.org/a.json"}), ["/properties/a"]),
        (of(a={"$ref": "other.json#/$defs/A"}), ["/properties/a"]),
        (of(a={"$ref": "#anchor"}), ["/properties/a"]),
        (of(a={"$dynamicRef": "#a"}), ["/properties/a"]),
        (of(a={"$id": "https://example.org/b", "type": "string"}), ["/properties/a"]),
        (of(a={"type": "string", "pattern": "(?=a)"}), ["/properties/a"]),
        (of(a={**CLOSED, "patternProperties": {"(?!a)": {}}}), ["/properties/a"]),
        (of(a={"type": "object"}, b={"$ref": "#/x"}), ["/properties/a", "/properties/b"]),
    ],
)
def test_what_cannot_be_enforced_is_reported_with_its_place(schema: Any, where: list[str]) -> None:
    assert paths(schema) == where


@pytest.mark.parametrize("schema", [{"type": "array", "items": {"type": "integer"}}, {"type": "string"}, {}])
def test_an_answer_need_not_be_an_object(schema: dict[str, Any]) -> None:
    assert paths(schema, Direction.OUTPUT) == []


def test_an_open_answer_is_reported() -> None:
    assert paths({"type": "array", "items": {"type": "object"}}, Direction.OUTPUT) == ["/items"]
    assert paths({"type": "object"}, Direction.OUTPUT) == [""]


def test_integers_without_bounds_are_published_with_those_that_json_readers_keep() -> None:
    schema: JsonObject = {
        "type": "object",
        "additionalProperties": False,
        "properties": {"n": {"type": "integer"}, "m": {"type": ["integer", "null"], "minimum": 0}},
    }
    assert exact_integers(schema)["properties"] == {
        "n": {"type": "integer", "minimum": -(2**53 - 1), "maximum": 2**53 - 1},
        "m": {"type": ["integer", "null"], "minimum": 0, "maximum": 2**53 - 1},
    }
    assert "minimum" not in schema["properties"]["n"]  # type: ignore[index,call-overload]
