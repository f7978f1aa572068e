"""Which input schemas can travel in a query string, and as what."""

from __future__ import annotations

import pytest

from afford.errors import JsonObject, JsonValue
from afford.schema.query_string import Form, QueryInput, Scalar, ShapeError, query_shape, shape_errors

STRING: JsonObject = {"type": "string"}
INTEGER: JsonObject = {"type": "integer"}
ROOM: JsonObject = {"type": "object", "additionalProperties": False, "properties": {"beds": INTEGER, "view": STRING}}
ROOT: JsonObject = {"$ref": "#"}


def closed(properties: JsonObject, **rest: JsonValue) -> JsonObject:
    return {"type": "object", "additionalProperties": False, "properties": properties, "required": [], **rest}


def array(items: JsonValue) -> JsonObject:
    return {"type": "array", "items": items}


DEFS: JsonObject = {
    "$defs": {
        "Count": INTEGER,
        "a/b%": {"oneOf": [INTEGER]},
        "Room": ROOM,
        "Loop": {"anyOf": [{"$ref": "#/$defs/Loop"}, STRING]},
        "Node": closed({"next": {"$ref": "#/$defs/Node"}}),
    }
}


def travel_of(kind: JsonObject) -> QueryInput:
    return query_shape(closed({"n": kind}) | DEFS).inputs["n"]


@pytest.mark.parametrize(
    ("kind", "scalar"),
    [
        ({"type": ["integer", "null"]}, "integer"),
        ({"anyOf": [{"type": "null"}, {"type": "boolean"}]}, "boolean"),
        ({"oneOf": [{"type": "integer"}, {"type": "number"}]}, "number"),
        ({"type": ["number", "integer"]}, "number"),
        ({"enum": ["a", "b"]}, "string"),
        ({"enum": [1, 2.0, None]}, "integer"),
        ({"enum": [1.5, 2]}, "number"),
        ({"const": True}, "boolean"),
        ({"const": "5"}, "string"),
        ({"type": "number", "enum": [1, 2]}, "number"),
        ({"type": "integer", "const": 1}, "integer"),
        ({"type": ["string", "integer"], "enum": ["1", "2"]}, "string"),
        ({"$ref": "#/$defs/Count"}, "integer"),
        ({"allOf": [{"$ref": "#/$defs/Count"}, {"minimum": 1}], "description": "How many."}, "integer"),
        ({"allOf": [{"type": ["integer", "string"]}, {"type": ["string", "boolean"]}]}, "string"),
        ({"$ref": "#/$defs/a~1b%25/oneOf/0"}, "integer"),
    ],
)
def test_a_schema_that_leaves_one_scalar_type_travels_as_that_type(kind: JsonObject, scalar: str) -> None:
    assert travel_of(kind) == QueryInput(Form.SCALAR, Scalar(scalar))


@pytest.mark.parametrize(
    "kind",
    [
        array({"type": ["integer", "null"]}),
        {"anyOf": [array(INTEGER), {"type": "null"}]},
        {"type": "array", "prefixItems": [INTEGER, INTEGER], "maxItems": 2},
        {"type": "array", "prefixItems": [INTEGER], "items": INTEGER},
        {"type": "array", "prefixItems": [INTEGER], "items": False},
        {"allOf": [{"type": "array"}, {"items": {"$ref": "#/$defs/Count"}}]},
    ],
)
def test_a_schema_that_leaves_an_array_of_one_scalar_type_travels_as_one(kind: JsonObject) -> None:
    assert travel_of(kind) == QueryInput(Form.ARRAY, Scalar.INTEGER)


@pytest.mark.parametrize(
    "kind",
    [
        {"anyOf": [ROOM, {"type": "null"}]},
        {"anyOf": [ROOM, closed({"kind": {"const": "suite"}, "beds": {"type": ["integer", "null"]}})]},
        {"$ref": "#/$defs/Room"},
        {"type": "object", "properties": {"beds": INTEGER}, "unevaluatedProperties": False},
    ],
)
def test_a_schema_that_leaves_a_closed_object_of_scalars_travels_as_one(kind: JsonObject) -> None:
    travel = travel_of(kind)
    assert travel.form is Form.OBJECT
    assert travel.members["beds"] is Scalar.INTEGER


@pytest.mark.parametrize(
    ("kind", "pointer"),
    [
        (array(ROOM), "/n"),
        (array(array(STRING)), "/n"),
        (array({}), "/n"),
        ({"type": "array"}, "/n"),
        ({"type": "array", "prefixItems": [STRING], "maxItems": 2}, "/n"),
        ({"type": "array", "prefixItems": [STRING, INTEGER], "maxItems": 2}, "/n"),
        (array({"type": ["integer", "string"]}), "/n"),
        (closed({"inner": ROOM}), "/n/inner"),
        (closed({"list": array(STRING)}), "/n/list"),
        (closed({"a/b": {"type": ["boolean", "string"]}}), "/n/a~1b"),
        (closed({}), "/n"),
        ({"type": "object"}, "/n"),
        ({"type": "object", "properties": {"a": STRING}}, "/n"),
        ({"type": "object", "additionalProperties": STRING}, "/n"),
        (closed({"a": STRING}, patternProperties={"^x-": STRING}), "/n"),
        ({"anyOf": [ROOM, {"type": "object"}]}, "/n"),
        ({"type": ["integer", "string"]}, "/n"),
        ({"type": ["boolean", "string"]}, "/n"),
        ({"anyOf": [STRING, array(STRING)]}, "/n"),
        ({"enum": ["a", 1]}, "/n"),
        ({"type": "null"}, "/n"),
        ({"allOf": [STRING, INTEGER]}, "/n"),
        ({"type": "text"}, "/n"),
        ({"const": {"a": 1}}, "/n"),
        ({"const": ["a"]}, "/n"),
        ({}, "/n"),
        (True, "/n"),
        (False, "/n"),
        ({"$ref": "#/$defs/Gone"}, "/n"),
        ({"$ref": "#/$defs/Loop"}, "/n"),
        ({"$ref": "#/$defs/Node"}, "/n/next"),
        ({"$ref": "#/$defs/a~1b%25/oneOf/7"}, "/n"),
        ({"$ref": "https://example.com/schema"}, "/n"),
        ({"$ref": "#anchor"}, "/n"),
        (array(ROOT), "/n"),
    ],
)
def test_a_schema_that_a_query_string_cannot_carry_is_an_error_at_the_place(kind: JsonValue, pointer: str) -> None:
    (error,) = shape_errors(closed({"n": kind}) | DEFS)
    assert error.pointer == pointer
    assert error.message
    assert error.fix


@pytest.mark.parametrize("schema", [{}, {"type": "object"}, {"type": "object", "properties": {}}, array(STRING), ROOT])
def test_a_schema_that_is_no_closed_object_is_an_error_as_a_whole(schema: JsonObject) -> None:
    assert [error.pointer for error in shape_errors(schema)] == [""]


@pytest.mark.parametrize(
    "properties",
    [
        {"a": array(STRING), "a[]": STRING},
        {"room[beds]": STRING, "room": ROOM},
        {"a": array(STRING), "a[]": array(STRING)},
    ],
)
def test_two_inputs_with_one_spelling_are_an_error(properties: JsonObject) -> None:
    (error,) = shape_errors(closed(properties))
    assert error.pointer == list(properties)[1].join(["/", ""])


def test_every_error_of_a_schema_is_raised_at_once() -> None:
    schema = closed({"a": array(ROOM), "b": STRING, "c": {"type": ["integer", "string"]}})
    with pytest.raises(ExceptionGroup) as caught:
        query_shape(schema)
    errors = [error for error in caught.value.exceptions if isinstance(error, ShapeError)]
    assert [error.pointer for error in errors] == ["/a", "/c"]
    assert [str(error) for error in errors] == [str(error) for error in shape_errors(schema)]


def test_a_root_made_of_parts_has_the_inputs_of_all() -> None:
    part: JsonObject = {"type": "object", "properties": {"b": STRING}}
    schema: JsonObject = {"allOf": [part, {"properties": {"a": INTEGER}}], "unevaluatedProperties": False}
    assert query_shape(schema).inputs == {
        "b": QueryInput(Form.SCALAR, Scalar.STRING),
        "a": QueryInput(Form.SCALAR, Scalar.INTEGER),
    }
