"""Values and mistakes that are made from a schema alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.cold.shop import DETAIL, LIST

from afford.cold.mutations import MOST, Mistake, edges, mutations
from afford.cold.values import value_for
from afford.errors import JsonObject, JsonValue
from afford.lint.judging import refuses
from afford.lint.samples import BOOK, SEARCH
from afford.lint.target import Described

SCHEMAS: list[JsonObject] = [
    {"const": 7},
    {"enum": ["a", "b"]},
    {"type": "string", "minLength": 9},
    {"type": "string", "maxLength": 2},
    {"type": "string", "format": "date"},
    {"type": "string", "format": "uuid"},
    {"type": "integer", "minimum": -9, "maximum": -2},
    {"type": "number", "exclusiveMinimum": 4},
    {"type": "integer", "exclusiveMaximum": 1},
    {"type": "boolean"},
    {"type": "array", "items": {"type": "integer"}, "minItems": 3},
    {"type": "object", "properties": {"a": {"type": "string"}, "b": {}}, "required": ["a"]},
    {"anyOf": [{"type": "null"}, {"type": "integer"}]},
    {"$ref": "#/$defs/N", "$defs": {"N": {"type": "integer", "minimum": 12}}},
]


@pytest.mark.parametrize("schema", SCHEMAS, ids=str)
def test_a_value_is_made_that_the_schema_accepts(schema: JsonObject) -> None:
    made = value_for(schema, schema)
    assert made is not None
    assert not refuses(schema, schema, made.value)


@pytest.mark.parametrize(
    "schema", [{"type": "string", "pattern": "^bk_"}, {"type": "integer", "multipleOf": 7}], ids=str
)
def test_nothing_is_made_up_where_that_would_be_refused(schema: JsonObject) -> None:
    assert value_for(schema, schema) is None


def test_a_schema_that_refers_to_itself_ends() -> None:
    schema: JsonObject = {"$ref": "#/$defs/T", "$defs": {"T": {"type": "array", "items": {"$ref": "#/$defs/T"}}}}
    assert value_for(schema, schema) is not None


@pytest.mark.requirement("COLD-05")
@pytest.mark.parametrize("operation", [LIST, DETAIL, SEARCH, BOOK], ids=lambda item: item.name)
def test_every_mistake_is_one_by_the_schema_and_names_its_input(operation: Described) -> None:
    base = {key: value for key, value in (operation.example_params or {}).items() if key in operation.inputs}
    schema = operation.input_schema or {}
    made = list(mutations(operation, base))
    assert made
    assert len(made) <= MOST
    assert all(refuses(schema, schema, item.arguments) for item in made)
    assert all(item.names for item in made)


def test_each_kind_of_mistake_is_made_where_the_schema_has_a_place_for_it() -> None:
    made = {item.mistake for item in mutations(BOOK, dict(BOOK.example_params or {}))}
    made |= {item.mistake for item in mutations(LIST, {"size": "small"})}
    assert made == set(Mistake)


def test_edges_are_accepted_by_the_schema() -> None:
    schema = LIST.input_schema or {}
    tried = [arguments for _, arguments in edges(LIST, {"size": "small"})]
    assert [item["least"] for item in tried if "least" in item] == [0, 50]
    assert [item["size"] for item in tried if item["size"] != "small"] == ["big"]
    assert not any(refuses(schema, schema, item) for item in tried)


VALUES: st.SearchStrategy[JsonValue] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(VALUES)
def test_no_published_schema_however_odd_ends_a_run(schema: JsonValue) -> None:
    operation = Described(name="odd", input_schema={"type": "object", "properties": {"x": schema}, "required": ["x"]})
    value_for(schema, operation.input_schema or {})
    list(mutations(operation, {"x": 1}))
    list(edges(operation, {"x": 1}))
