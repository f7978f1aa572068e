"""The values of this package, and how a JSON Schema document is walked.

Knows the shape of JSON Schema (draft 2020-12) and nothing of Python types, pydantic or how a value is judged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from afford.errors import JsonObject, JsonValue
from afford.schema.markers import Choices

CHOICES_KEY: Final = "x-afford-choices"
"""Stands, with an index into `TypeSchema.choices`, where `resolve_choices` puts `enum`."""

USER_TEXT_KEY: Final = "x-user-text"
"""Published as true where the application's own users wrote the text."""

REF_PREFIX: Final = "#/$defs/"

_SCHEMA_KEYS: Final = (
    "additionalProperties",
    "contains",
    "contentSchema",
    "else",
    "if",
    "items",
    "not",
    "propertyNames",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
)
_LIST_KEYS: Final = ("allOf", "anyOf", "oneOf", "prefixItems")
_MAP_KEYS: Final = ("$defs", "dependentSchemas", "patternProperties", "properties")


class _Ranks(dict[str, tuple[int, str]]):
    """Where a key stands; keys without a place of their own come last, by name."""

    def __missing__(self, key: str) -> tuple[int, str]:
        return len(self), key


_RANKS: Final = _Ranks(
    (key, (rank, ""))
    for rank, key in enumerate(
        (
            "$schema",
            "$ref",
            "type",
            "format",
            "title",
            "description",
            "const",
            "enum",
            CHOICES_KEY,
            "pattern",
            "minLength",
            "maxLength",
            "minimum",
            "exclusiveMinimum",
            "maximum",
            "exclusiveMaximum",
            "multipleOf",
            "properties",
            "required",
            "additionalProperties",
            "patternProperties",
            "propertyNames",
            "minProperties",
            "maxProperties",
            "prefixItems",
            "items",
            "minItems",
            "maxItems",
            "uniqueItems",
            "anyOf",
            "oneOf",
            "allOf",
            "default",
            "examples",
            "deprecated",
            "readOnly",
            "writeOnly",
            USER_TEXT_KEY,
        )
    )
)

# A place with one of these says something about its value; one with none of them takes anything.
_CONSTRAINING: Final = frozenset(
    {
        "$dynamicRef",
        "$ref",
        "additionalProperties",
        "allOf",
        "anyOf",
        "const",
        "enum",
        "if",
        "items",
        "not",
        "oneOf",
        "patternProperties",
        "prefixItems",
        "properties",
        "type",
    }
)


_CLOSING: Final = frozenset({"$ref", "additionalProperties", "allOf", "anyOf", "oneOf", "unevaluatedProperties"})
# What these say is about names, or about values that other keywords describe.
_NOT_VALUES: Final = frozenset({"contains", "if", "not", "propertyNames"})


class Direction(StrEnum):
    """Whether values come in from a caller or go out to one."""

    INPUT = "input"
    OUTPUT = "output"


class _Required:
    """The type of `REQUIRED`: no default, where None is one."""

    def __repr__(self) -> str:
        return "REQUIRED"


REQUIRED: Final = _Required()


class SchemaError(Exception):
    """A type or a schema that cannot be published and enforced as it stands.

    Attributes:
        message: what is wrong, one clause that starts in lower case.
        fix: what the author can do about it, one imperative clause.
        path: the place inside the type: published names joined by dots, `*` for the items of an array and the values
            of a map; empty for the type itself.
    """

    def __init__(self, message: str, *, fix: str, path: str = "") -> None:
        """Keep what the author is told."""
        where = f" at `{path}`" if path else ""
        super().__init__(f"{message}{where}; {fix}")
        self.message = message
        self.fix = fix
        self.path = path

    def inside(self, path: str) -> SchemaError:
        """The same error, seen from outside `path`."""
        return SchemaError(self.message, fix=self.fix, path=joined(path, self.path))


@dataclass(frozen=True, slots=True)
class InputField:
    """One parameter of a handler that is an input."""

    name: str
    """The parameter's name; published unless `Field(alias=...)` names another."""
    annotation: object
    default: object = REQUIRED
    """The parameter's own default, which may be a `Field(...)`."""


@dataclass(frozen=True, slots=True)
class TypeSchema:
    """What is published for a type."""

    schema: JsonObject
    """Closed at every depth; definitions only at the root. Not to be changed."""
    choices: tuple[Choices, ...] = ()
    """Derived closed sets, by the index that stands at their places."""
    is_open: bool = False
    """Some place takes any value, so what stands there has to be walked for what is not JSON."""


def joined(*parts: str) -> str:
    """A dotted path from its parts; empty parts add nothing."""
    return ".".join(part for part in parts if part)


def subschemas(schema: JsonObject) -> Iterator[tuple[tuple[str, ...], JsonValue]]:
    """The schemas directly inside a schema, each with the keys that lead to it; boolean schemas too."""
    for key in _SCHEMA_KEYS:
        if key in schema:
            yield (key,), schema[key]
    for key in _LIST_KEYS:
        listed = schema.get(key)
        if isinstance(listed, list):
            for index, inner in enumerate(listed):
                yield (key, str(index)), inner
    for key in _MAP_KEYS:
        named = schema.get(key)
        if isinstance(named, dict):
            for name, inner in named.items():
                yield (key, name), inner


def transformed(schema: JsonObject, change: Callable[[JsonObject], JsonObject]) -> JsonObject:
    """A copy of the schema with `change` applied to every object schema in it, innermost first."""
    copy = dict(schema)
    for key in _SCHEMA_KEYS:
        inner = copy.get(key)
        if isinstance(inner, dict):
            copy[key] = transformed(inner, change)
    for key in _LIST_KEYS:
        listed = copy.get(key)
        if isinstance(listed, list):
            copy[key] = [transformed(inner, change) if isinstance(inner, dict) else inner for inner in listed]
    for key in _MAP_KEYS:
        named = copy.get(key)
        if isinstance(named, dict):
            copy[key] = {
                name: transformed(inner, change) if isinstance(inner, dict) else inner for name, inner in named.items()
            }
    return change(copy)


def every_schema(schema: JsonObject) -> Iterator[JsonObject]:
    """The schema and all object schemas in it, at any depth."""
    yield schema
    for _, inner in subschemas(schema):
        if isinstance(inner, dict):
            yield from every_schema(inner)


def ordered(schema: JsonObject) -> JsonObject:
    """The schema with its own keys in publishing order: what it is, what it says, what it allows, the rest by name."""
    return {key: schema[key] for key in sorted(schema, key=_RANKS.__getitem__)}


def is_open(schema: JsonValue) -> bool:
    """Whether some place of the schema takes any value at all."""
    if not isinstance(schema, dict):
        return schema is True
    return _takes_anything(schema) or any(
        is_open(inner) for keys, inner in subschemas(schema) if keys[0] not in _NOT_VALUES
    )


def is_open_object(schema: JsonObject) -> bool:
    """Whether an object schema says nothing about members that it does not name."""
    return schema.get("type") == "object" and _CLOSING.isdisjoint(schema)


def properties_of(schema: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """The `properties` of a schema; empty where it has none."""
    named = schema.get("properties")
    return named if isinstance(named, dict) else {}


def pointer_token(name: str) -> str:
    """One reference token of a JSON pointer (RFC 6901 section 3)."""
    return name.replace("~", "~0").replace("/", "~1")


def _takes_anything(schema: JsonObject) -> bool:
    if _CONSTRAINING.isdisjoint(schema):
        return True
    if schema.get("type") == "array":
        fixed = schema.get("prefixItems")
        listed = len(fixed) if isinstance(fixed, list) else 0
        limit = schema.get("maxItems")
        return "items" not in schema and not (isinstance(limit, int) and limit <= listed)
    return is_open_object(schema)
