"""Values that a schema accepts, made from the schema alone as a reader without data makes them. Always the same."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from afford.errors import JsonObject, JsonValue
from afford.lint.judging import refuses
from afford.lint.schemas import kinds_of, resolved

_BY_FORMAT: Final = {
    "date": "2030-06-12",
    "date-time": "2030-06-12T12:00:00Z",
    "time": "12:00:00Z",
    "duration": "P1D",
    "email": "somebody@example.com",
    "uuid": "7d1f0e0c-5b1e-4b5e-9d55-1b1f5a0b7c3a",
    "uri": "https://example.com/",
    "url": "https://example.com/",
    "hostname": "example.com",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
}
_TEXT: Final = "sample"
_ALTERNATIVES: Final = ("anyOf", "oneOf", "allOf")
_NULL: Final = frozenset({"null"})
_DEEPEST: Final = 5
_BOUNDS: Final[dict[str, Callable[[float, float], float]]] = {
    "minimum": max,
    "exclusiveMinimum": lambda number, bound: max(number, bound + 1),
    "maximum": min,
    "exclusiveMaximum": lambda number, bound: min(number, bound - 1),
}


@dataclass(frozen=True, slots=True)
class Made:
    """A value; null is one too."""

    value: JsonValue


def value_for(schema: JsonValue, root: JsonObject) -> Made | None:
    """A value that the schema accepts; None where none can be made up, as for a pattern."""
    made = _made(schema, root, _DEEPEST)
    if made is None or not isinstance(schema, dict) or refuses(schema, root, made.value):
        return None
    return made


def _made(schema: JsonValue, root: JsonObject, depth: int) -> Made | None:
    found = resolved(schema, root)
    stated = _stated(found)
    if stated is not None or depth == 0:
        return stated
    for key in _ALTERNATIVES:
        branches = found.get(key)
        for branch in branches if isinstance(branches, list) else []:
            if kinds_of(branch, root) != _NULL:
                return _made(branch, root, depth - 1)
    return _of_kind(found, root, depth)


def _stated(schema: JsonObject) -> Made | None:
    """What the schema itself shows."""
    if "const" in schema:
        return Made(schema["const"])
    for key in ("examples", "enum"):
        shown = schema.get(key)
        if isinstance(shown, list) and shown:
            return Made(shown[0])
    return Made(schema["default"]) if "default" in schema else None


def _of_kind(schema: JsonObject, root: JsonObject, depth: int) -> Made | None:
    kinds = kinds_of(schema, root)
    if "string" in kinds:
        return _text(schema)
    if kinds & {"integer", "number"}:
        return Made(_number(schema))
    if "boolean" in kinds:
        return Made(value=False)
    if "array" in kinds:
        return _array(schema, root, depth)
    if "object" in kinds or "properties" in schema:
        return _object(schema, root, depth)
    return None if kinds else Made(_TEXT)


def _text(schema: JsonObject) -> Made | None:
    form, least, most = schema.get("format"), schema.get("minLength"), schema.get("maxLength")
    if isinstance(form, str) and form in _BY_FORMAT:
        return Made(_BY_FORMAT[form])
    if "pattern" in schema:
        return None
    text = _TEXT.ljust(least, "x") if isinstance(least, int) else _TEXT
    return Made(text[:most] if isinstance(most, int) else text)


def _number(schema: JsonObject) -> JsonValue:
    """One, or what is closest to it within the bounds."""
    number: float = 1
    for key, closest in _BOUNDS.items():
        bound = schema.get(key)
        if isinstance(bound, (int, float)) and not isinstance(bound, bool):
            number = closest(number, bound)
    return number


def _array(schema: JsonObject, root: JsonObject, depth: int) -> Made:
    item, least = _made(schema.get("items"), root, depth - 1), schema.get("minItems")
    return Made([] if item is None else [item.value] * (least if isinstance(least, int) else 1))


def _object(schema: JsonObject, root: JsonObject, depth: int) -> Made | None:
    properties, required = schema.get("properties"), schema.get("required")
    parts = properties if isinstance(properties, dict) else {}
    members: JsonObject = {}
    for name in map(str, required if isinstance(required, list) else []):
        made = _made(parts.get(name), root, depth - 1)
        if made is None:
            return None
        members[name] = made.value
    return Made(members)
