"""Random small schemas, schemas near them, and values that are likely to satisfy them."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import strategies as st

Schema = Any

NAMES = ("a", "b", "c")
TEXTS = ("", "a", "b", "ab", "abc", "2030-01-31", "a@example.com")
SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 6), st.sampled_from([0.5, -0.5, 1.0, 2.5]), st.sampled_from(TEXTS)
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.sampled_from((*NAMES, "d")), inner, max_size=3)
    ),
    max_leaves=6,
)


def some(**keywords: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({}, optional=keywords)


NUMBERS = st.builds(
    lambda kind, rest: {"type": kind, **rest},
    st.sampled_from(["integer", "number"]),
    some(
        minimum=st.sampled_from([-2, 0, 1, 1.5, 3]),
        maximum=st.sampled_from([0, 1, 2, 2.5, 5]),
        exclusiveMinimum=st.sampled_from([-1, 0, 1, 2.5]),
        exclusiveMaximum=st.sampled_from([1, 2, 3.5, 6]),
        multipleOf=st.sampled_from([0.5, 1, 2, 3]),
    ),
)
STRINGS = st.builds(
    lambda rest: {"type": "string", **rest},
    some(
        minLength=st.integers(0, 3),
        maxLength=st.integers(0, 4),
        pattern=st.sampled_from(["^a", "b$", "^a*$"]),
        format=st.sampled_from(["date", "email", "int32"]),
    ),
)
PLAIN = st.one_of(
    st.booleans(),
    st.just({}),
    NUMBERS,
    STRINGS,
    st.sampled_from(
        [{"type": "null"}, {"type": "boolean"}, {"type": ["string", "null"]}, {"type": ["integer", "string"]}]
    ),
    st.builds(lambda values: {"enum": values}, st.lists(SCALARS, min_size=1, max_size=3)),
    st.builds(lambda value: {"const": value}, SCALARS),
    st.sampled_from([{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}]),
)


def _composed(inner: st.SearchStrategy[Schema]) -> st.SearchStrategy[Schema]:
    objects = st.builds(
        lambda rest: {"type": "object", **rest},
        some(
            properties=st.dictionaries(st.sampled_from(NAMES), inner, max_size=3),
            required=st.lists(st.sampled_from(NAMES), max_size=2, unique=True),
            additionalProperties=inner,
            patternProperties=st.dictionaries(st.sampled_from(["^a", "b"]), inner, min_size=1, max_size=1),
            propertyNames=st.sampled_from([{"maxLength": 1}, {"pattern": "^a"}]),
            minProperties=st.integers(0, 2),
            maxProperties=st.integers(0, 3),
            dependentRequired=st.sampled_from([{"a": ["b"]}, {"b": ["c"]}]),
        ),
    )
    arrays = st.builds(
        lambda rest: {"type": "array", **rest},
        some(
            items=inner,
            prefixItems=st.lists(inner, min_size=1, max_size=2),
            minItems=st.integers(0, 2),
            maxItems=st.integers(0, 3),
            uniqueItems=st.booleans(),
            contains=inner,
        ),
    )
    several = st.lists(inner, min_size=1, max_size=3)
    combined = st.builds(
        lambda keyword, parts, beside: {keyword: parts, **beside},
        st.sampled_from(["anyOf", "oneOf", "allOf"]),
        several,
        some(type=st.sampled_from(["integer", "string", "object"])),
    )
    return st.one_of(objects, objects, arrays, combined, st.builds(lambda part: {"not": part}, inner))


INNER = st.recursive(PLAIN, _composed, max_leaves=5)
SCHEMAS = st.builds(
    lambda root, one, other: {
        **(root if isinstance(root, dict) else {"allOf": [root]}),
        "$defs": {"A": one, "B": other},
    },
    INNER,
    INNER,
    INNER,
)


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Schema, Schema]:
    """Two schemas: unrelated, or the second made of the first by a few changes."""
    left = draw(SCHEMAS)
    if draw(st.integers(0, 3)) == 0:
        return left, draw(SCHEMAS)
    right = copy.deepcopy(left)
    for _ in range(draw(st.integers(1, 3))):
        _change(draw, right)
    return (left, right) if draw(st.booleans()) else (right, left)


def _change(draw: st.DrawFn, schema: Schema) -> None:
    places = [place for place in _dicts(schema) if place]
    place = draw(st.sampled_from(places)) if places else schema
    keys = [key for key in place if key not in ("$defs", "A", "B")]
    if not keys:
        return
    key = draw(st.sampled_from(sorted(keys)))
    what = draw(st.integers(0, 3))
    value = place[key]
    if what == 0 and key != "properties":
        del place[key]
    elif isinstance(value, int | float) and not isinstance(value, bool) and key not in ("const", "multipleOf"):
        place[key] = max(value + draw(st.sampled_from([-1, 1])), 0 if key[0] == "m" else -9)
    elif key in ("enum", "required", "anyOf", "oneOf", "allOf") and len(value) > 1:
        value.pop()
    elif key == "properties" and isinstance(value, dict):
        value[draw(st.sampled_from(NAMES))] = copy.deepcopy(draw(PLAIN))
    elif key in ("items", "additionalProperties", "not"):
        place[key] = copy.deepcopy(draw(PLAIN))


def _dicts(schema: Schema) -> list[dict[str, Any]]:
    found = []
    if isinstance(schema, dict):
        found.append(schema)
        for key, value in schema.items():
            if key not in ("enum", "const"):
                found.extend(_dicts(value))
    elif isinstance(schema, list):
        for value in schema:
            found.extend(_dicts(value))
    return found


@st.composite
def values_of(draw: st.DrawFn, schema: Schema, root: Schema, depth: int = 0) -> Any:
    """A value that may satisfy a schema; whoever draws one asks the engine."""
    if not isinstance(schema, dict) or depth > 4 or draw(st.integers(0, 9)) == 0:
        return draw(VALUES)
    if "$ref" in schema:
        return draw(values_of(root["$defs"][schema["$ref"][-1]], root, depth + 1))
    if "const" in schema or "enum" in schema:
        return schema["const"] if "const" in schema else draw(st.sampled_from(schema["enum"]))
    for key in ("anyOf", "oneOf", "allOf"):
        if key in schema:
            return draw(values_of(draw(st.sampled_from(schema[key])), root, depth + 1))
    kinds = schema.get("type", "any")
    kind = draw(st.sampled_from(kinds)) if isinstance(kinds, list) else kinds
    if kind in {"object", "array"}:
        return draw((_objects if kind == "object" else _arrays)(schema, root, depth))
    return draw(OF_KIND.get(kind, VALUES))


OF_KIND = {
    "integer": st.integers(-3, 7),
    "number": st.one_of(st.integers(-3, 7), st.sampled_from([0.5, 1.5, 2.5, 3.5, -0.5])),
    "string": st.one_of(st.sampled_from(TEXTS), st.text("ab", max_size=5)),
}


@st.composite
def _objects(draw: st.DrawFn, schema: Schema, root: Schema, depth: int) -> dict[str, Any]:
    properties = schema.get("properties", {})
    names = set(schema.get("required", ())) | set(draw(st.sets(st.sampled_from((*NAMES, "ab", "d")), max_size=3)))
    patterns = [*schema.get("patternProperties", {}).values()]
    other = schema.get("additionalProperties", patterns[0] if patterns else True)
    return {name: draw(values_of(properties.get(name, other), root, depth + 1)) for name in sorted(names)}


@st.composite
def _arrays(draw: st.DrawFn, schema: Schema, root: Schema, depth: int) -> list[Any]:
    prefix, items = schema.get("prefixItems", []), schema.get("items", True)
    size = draw(st.integers(min(schema.get("minItems", 0), 3), 3))
    return [draw(values_of(prefix[n] if n < len(prefix) else items, root, depth + 1)) for n in range(size)]
