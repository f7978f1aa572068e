"""How each input of a query travels in a query string, decided once per operation from the published input schema.

Knows JSON Schema (draft 2020-12) and the one spelling that each scalar type has; nothing of requests, handlers or
surfaces. The build asks here whether a schema can travel at all, the HTTP surface reads by the shape that it answers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import reduce
from math import isfinite
from typing import Final, TypeAlias
from urllib.parse import quote, unquote

from afford.errors import JsonObject, JsonValue

ScalarReader: TypeAlias = Callable[[str], str | int | float | bool | None]
"""From decoded text to the value that it spells exactly; None where it spells none."""

# The length is Python's own limit on digits, stated here so that it holds where the interpreter's was lifted.
_match_integer: Final = re.compile(r"-?(?:0|[1-9][0-9]{0,4299})").fullmatch
_match_number: Final = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?").fullmatch
_SHORT: Final = 16
"""Digits that any interpreter reads, whatever its limit."""
_EVERY_TYPE: Final = frozenset({"string", "integer", "number", "boolean", "null", "array", "object"})
_ACTION: Final = "flatten it, or make the operation an action, whose input is a JSON body"
_ONE_TYPE: Final = "declare one type for it"


class Scalar(StrEnum):
    """The types whose values one piece of text can spell."""

    STRING = "string"
    INTEGER = "integer"
    NUMBER = "number"
    BOOLEAN = "boolean"


class Form(StrEnum):
    """How an input is written: `n=v`; `n[]=v` once per element; `n[key]=v` once per member."""

    SCALAR = "scalar"
    ARRAY = "array"
    OBJECT = "object"


@dataclass(frozen=True, slots=True)
class QueryInput:
    """How one input travels."""

    form: Form
    scalar: Scalar = Scalar.STRING
    """Of the value, or of each element; says nothing about an object."""
    members: Mapping[str, Scalar] = field(default_factory=dict[str, Scalar])
    """What an object may hold, by key."""


@dataclass(frozen=True, slots=True)
class Slot:
    """One name that a pair may have, and where its value goes."""

    spelling: str
    """The name, decoded: `n`, `n[]` or `n[key]`."""
    name: str
    """Of the input."""
    key: str
    """Of the member of an object, else empty."""
    form: Form
    scalar: Scalar
    read: ScalarReader
    pointer: str
    """RFC 6901 pointer to the value; of an array, to the array."""


@dataclass(frozen=True, slots=True)
class QueryShape:
    """How every input of one operation travels."""

    inputs: Mapping[str, QueryInput]
    """By name, in the schema's order."""
    slots: Mapping[str, Slot]
    """By decoded spelling."""
    wire: Mapping[str, Slot]
    """By the spellings that arrive most: unencoded where that is unambiguous, and percent-encoded."""


class ShapeError(Exception):
    """An input cannot travel in a query string.

    Attributes:
        pointer: RFC 6901 pointer to the input, such as `/opts/key`; empty for the schema as a whole.
        message: why it cannot.
        fix: what the author can do about it.
    """

    def __init__(self, pointer: str, message: str, fix: str) -> None:
        """Keep what the author is told."""
        super().__init__(f"`{pointer or '/'}`: {message}; {fix}")
        self.pointer = pointer
        self.message = message
        self.fix = fix


def query_shape(schema: JsonObject) -> QueryShape:
    """How the inputs that `schema` publishes travel.

    Args:
        schema: a closed object schema; `$ref`s are local.

    Raises:
        ExceptionGroup: of every `ShapeError` that `shape_errors` answers.
    """
    inputs, slots, errors = _read_schema(schema)
    if errors:
        raise ExceptionGroup("the input schema does not fit a query string", errors)
    wire = {raw: slot for spelling, slot in slots.items() for raw in _raw_spellings(spelling)}
    return QueryShape(inputs, slots, wire)


def shape_errors(schema: JsonObject) -> list[ShapeError]:
    """Everything about `schema` that cannot travel in a query string, in the schema's order; empty if it can."""
    return _read_schema(schema)[2]


def pointer_to(*path: str) -> str:
    """The RFC 6901 pointer along `path`."""
    return "".join(f"/{step.replace('~', '~0').replace('/', '~1')}" for step in path)


def scalar_slot(name: str, scalar: Scalar) -> Slot:
    """The slot of the plain spelling `name=value`."""
    return Slot(name, name, "", Form.SCALAR, scalar, _READERS[scalar], pointer_to(name))


def _read_integer(text: str) -> int | None:
    # Most are short and in plain digits, which is seen sooner than matched.
    if text.isdigit() and text.isascii() and len(text) < _SHORT and (text[0] != "0" or text == "0"):
        return int(text)
    if _match_integer(text) is None:
        return None
    try:
        return int(text)
    except ValueError:
        # The interpreter's limit on digits was set lower than usual.
        return None


def _read_number(text: str) -> int | float | None:
    """The number; an integer where it is written as one, as in a JSON body."""
    match = _match_number(text)
    if match is None:
        return None
    number = float(text)
    if not isfinite(number):
        return None
    return number if match.lastindex else int(text)


_READERS: Final[Mapping[Scalar, ScalarReader]] = {
    Scalar.STRING: str,
    Scalar.INTEGER: _read_integer,
    Scalar.NUMBER: _read_number,
    Scalar.BOOLEAN: {"true": True, "false": False}.get,
}


def _raw_spellings(spelling: str) -> set[str]:
    encoded = quote(spelling, safe="")
    is_safe = encoded.replace("%5B", "[").replace("%5D", "]") == spelling
    return {spelling, encoded} if is_safe else {encoded}


@dataclass(frozen=True, slots=True)
class _Extent:
    """What a schema lets through, as far as the spelling depends on it."""

    types: frozenset[str]
    """By JSON Schema's names, where `number` stands for the numbers that are no integers."""
    items: JsonValue = True
    """The schema that every element of an array follows."""
    members: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    """The schema of every member that an object names."""
    is_closed: bool = False
    """Whether an object has no members but these."""


class _ReferenceError(Exception):
    """A `$ref` leads nowhere that a query string could follow."""


_Reading: TypeAlias = tuple[dict[str, QueryInput], dict[str, Slot], list[ShapeError]]


def _read_schema(schema: JsonObject) -> _Reading:
    inputs: dict[str, QueryInput] = {}
    slots: dict[str, Slot] = {}
    errors: list[ShapeError] = []
    try:
        members = _members_of(_extent_at(schema, schema, ""), "")
    except ShapeError as error:
        return inputs, slots, [error]
    for name, member in members.items():
        try:
            inputs[name] = _read_input(member, schema, pointer_to(name))
        except ShapeError as error:
            errors.append(error)
            continue
        for slot in _slots_of(name, inputs[name]):
            other = slots.setdefault(slot.spelling, slot)
            if other is not slot:
                text = f"`{slot.spelling}` would spell both `{other.name}` and `{name}`"
                errors.append(ShapeError(pointer_to(name), text, "rename one of them"))
    return inputs, slots, errors


def _read_input(schema: JsonValue, root: JsonObject, pointer: str) -> QueryInput:
    extent = _extent_at(schema, root, pointer)
    kind = _kind_of(extent, pointer)
    if isinstance(kind, Scalar):
        return QueryInput(Form.SCALAR, kind)
    if kind is Form.ARRAY:
        element = _kind_of(_extent_at(extent.items, root, pointer), pointer, "each element")
        if isinstance(element, Form):
            raise ShapeError(pointer, f"an array of {element}s does not fit a query string", _ACTION)
        return QueryInput(Form.ARRAY, element)
    members: dict[str, Scalar] = {}
    for key, member in _members_of(extent, pointer).items():
        place = pointer + pointer_to(key)
        leaf = _kind_of(_extent_at(member, root, place), place)
        if isinstance(leaf, Form):
            raise ShapeError(place, f"an {leaf} inside an object does not fit a query string", _ACTION)
        members[key] = leaf
    if not members:
        raise ShapeError(pointer, "an object without members has no spelling in a query string", "leave it out")
    return QueryInput(Form.OBJECT, members=members)


def _slots_of(name: str, declared: QueryInput) -> Iterable[Slot]:
    if declared.form is Form.SCALAR:
        return [scalar_slot(name, declared.scalar)]
    if declared.form is Form.ARRAY:
        read, pointer = _READERS[declared.scalar], pointer_to(name)
        spellings = (f"{name}[]", name)
        return [Slot(spelling, name, "", Form.ARRAY, declared.scalar, read, pointer) for spelling in spellings]
    return [
        Slot(f"{name}[{key}]", name, key, Form.OBJECT, scalar, _READERS[scalar], pointer_to(name, key))
        for key, scalar in declared.members.items()
    ]


def _kind_of(extent: _Extent, pointer: str, subject: str = "it") -> Scalar | Form:
    """The scalar type, `ARRAY` or `OBJECT`: whichever is the only one left, null aside, which has no spelling."""
    types = extent.types - {"null"}
    if types and types <= {"integer", "number"}:
        return Scalar.NUMBER if "number" in types else Scalar.INTEGER
    if len(types) == 1:
        (only,) = types
        return Form(only) if only in {"array", "object"} else Scalar(only)
    if not types:
        raise ShapeError(pointer, f"{subject} has no value that a query string could spell", _ONE_TYPE)
    if extent.types == _EVERY_TYPE:
        raise ShapeError(pointer, f"{subject} has no single type, so no single spelling", _ONE_TYPE)
    named = ", ".join(sorted(types - {"integer"} if "number" in types else types))
    raise ShapeError(pointer, f"{subject} is a union of types with different spellings ({named})", _ONE_TYPE)


def _members_of(extent: _Extent, pointer: str) -> Mapping[str, JsonValue]:
    if "object" not in extent.types:
        raise ShapeError(pointer, "the input is not an object", "declare an object schema")
    if not extent.is_closed:
        raise ShapeError(
            pointer,
            "an object with open names does not fit a query string",
            "close it by `additionalProperties: false`",
        )
    return extent.members


def _extent_at(schema: JsonValue, root: JsonObject, pointer: str) -> _Extent:
    try:
        return _extent(schema, root)
    except _ReferenceError as error:
        raise ShapeError(pointer, str(error), _ONE_TYPE) from None


def _extent(schema: JsonValue, root: JsonObject, followed: tuple[str, ...] = ()) -> _Extent:
    """What `schema` lets through. Keywords that only narrow the values of a type do not matter here."""
    if not isinstance(schema, dict):
        return _Extent(frozenset() if schema is False else _EVERY_TYPE)
    extent = _own_extent(schema)
    reference = schema.get("$ref")
    if isinstance(reference, str):
        if reference in followed:
            raise _ReferenceError(f"`{reference}` refers to itself")
        extent = _meet(extent, _extent(_resolved(reference, root), root, (*followed, reference)))
    for part in _schemas(schema.get("allOf")):
        extent = _meet(extent, _extent(part, root, followed))
    for keyword in ("anyOf", "oneOf"):
        branches = [_extent(part, root, followed) for part in _schemas(schema.get(keyword))]
        if branches:
            extent = _meet(extent, reduce(_join, branches))
    return extent


def _own_extent(schema: JsonObject) -> _Extent:
    properties = schema.get("properties")
    closes = schema.get("additionalProperties") is False or schema.get("unevaluatedProperties") is False
    return _Extent(
        types=_own_types(schema),
        items=_own_items(schema),
        members=properties if isinstance(properties, dict) else {},
        is_closed=closes and not schema.get("patternProperties"),
    )


def _own_types(schema: JsonObject) -> frozenset[str]:
    declared = schema.get("type")
    names: list[JsonValue] = declared if isinstance(declared, list) else [declared]
    types = _EVERY_TYPE.intersection(name for name in names if isinstance(name, str)) if declared else _EVERY_TYPE
    if "number" in types:
        types |= {"integer"}
    for choices in (schema.get("enum"), [schema["const"]] if "const" in schema else None):
        if isinstance(choices, list):
            chosen = {_type_of(choice) for choice in choices}
            # A declared number stays one, even if every choice happens to be whole: `1.0` spells it too.
            types &= chosen | {"number"} if "number" in types and declared and "integer" in chosen else chosen
    return types


def _type_of(value: JsonValue) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int) or (isinstance(value, float) and value.is_integer()):
        return "integer"
    if isinstance(value, float):
        return "number"
    if isinstance(value, str):
        return "string"
    return "array" if isinstance(value, list) else "object"


def _own_items(schema: JsonObject) -> JsonValue:
    prefix, longest = schema.get("prefixItems"), schema.get("maxItems")
    rest = schema.get("items", True)
    if not isinstance(prefix, list):
        return rest
    ends = isinstance(longest, int) and longest <= len(prefix)
    return {"anyOf": [*prefix, False if ends else rest]}


def _meet(one: _Extent, other: _Extent) -> _Extent:
    """What both let through."""
    return _Extent(
        types=one.types & other.types,
        items={"allOf": [one.items, other.items]},
        members=_merged("allOf", [one.members, other.members]),
        is_closed=one.is_closed or other.is_closed,
    )


def _join(one: _Extent, other: _Extent) -> _Extent:
    """What at least one lets through."""
    arrays = [extent for extent in (one, other) if "array" in extent.types]
    objects = [extent for extent in (one, other) if "object" in extent.types]
    return _Extent(
        types=one.types | other.types,
        items={"anyOf": [extent.items for extent in arrays]} if arrays else True,
        members=_merged("anyOf", [extent.members for extent in objects]),
        is_closed=all(extent.is_closed for extent in objects),
    )


def _merged(keyword: str, sides: Sequence[Mapping[str, JsonValue]]) -> Mapping[str, JsonValue]:
    names = dict.fromkeys(name for side in sides for name in side)
    return {name: {keyword: [side[name] for side in sides if name in side]} for name in names}


def _schemas(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else []


def _resolved(reference: str, root: JsonObject) -> JsonValue:
    """The schema at a local JSON pointer in URI form (RFC 6901 section 6)."""
    if reference != "#" and not reference.startswith("#/"):
        raise _ReferenceError(f"`{reference}` is not a local JSON pointer")
    place: JsonValue = root
    for step in unquote(reference).split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        if isinstance(place, dict) and name in place:
            place = place[name]
        elif isinstance(place, list) and name.isdecimal() and int(name) < len(place):
            place = place[int(name)]
        else:
            raise _ReferenceError(f"`{reference}` leads nowhere")
    return place
