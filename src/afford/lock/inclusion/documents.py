"""`Document` and `Part`: a schema that is compared, its places, and what its engine says of values there."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeAlias
from urllib.parse import unquote

from afford.errors import JsonObject, JsonValue
from afford.schema.engine import UNREADABLE, Engine, Registry, accepts, compiled_place, is_valid_schema, places_of

Place: TypeAlias = tuple[str, ...]
"""Steps from the root of a schema."""

RUN_TIME_SET: Final = "x-choices"
"""Stands in a record where a closed set is derived while the application runs."""
_ANNOTATIONS: Final = frozenset(
    {
        "$comment",
        "$schema",
        "default",
        "deprecated",
        "description",
        "example",
        "examples",
        "readOnly",
        "title",
        "writeOnly",
    }
)
_MAPS: Final = frozenset({"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"})
_LISTS: Final = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
_SINGLE: Final = frozenset(
    {
        "additionalProperties",
        "contains",
        "else",
        "if",
        "items",
        "not",
        "propertyNames",
        "then",
        "unevaluatedItems",
        "unevaluatedProperties",
    }
)
_SAME_VALUE_LISTS: Final = ("allOf", "anyOf", "oneOf")
_SAME_VALUE: Final = ("not", "if", "then", "else")
_MOVES_REFERENCES: Final = frozenset({"$anchor", "$dynamicAnchor", "$dynamicRef", "$id", "$recursiveRef"})


class Document:
    """One schema that is compared."""

    def __init__(self, schema: JsonObject) -> None:
        """Take a schema, which must not be changed from now on."""
        self.root = schema
        self._plain: dict[Place, str] = {}
        self._engines: dict[Place, Engine | None] = {}

    @cached_property
    def whole(self) -> Part:
        """The root."""
        return Part(self, self.root, ())

    @cached_property
    def obstacle(self) -> str:
        """Why it cannot be compared piece by piece; empty: it can."""
        if not is_valid_schema(self.root):
            return "one of the schemas is none of draft 2020-12"
        for place, schema in subschemas(self.root):
            if any(key in schema for key in _MOVES_REFERENCES if key != "$id" or place):
                return "one of the schemas moves what references mean"
            reference = schema.get("$ref")
            if isinstance(reference, str) and self.referred(reference) is None:
                return f"the reference `{reference}` leads nowhere"
        if _is_endless(self):
            return "one of the schemas asks of a value what it asks of it"
        return ""

    def referred(self, reference: str) -> Part | None:
        """What a local reference names."""
        if reference != "#" and not reference.startswith("#/"):
            return None
        steps = tuple(unquote(step).replace("~1", "/").replace("~0", "~") for step in reference[1:].split("/")[1:])
        value: JsonValue = self.root
        for step in steps:
            value = _below(value, step)
        return Part(self, value, steps) if isinstance(value, dict | bool) else None

    def at(self, place: Place) -> Part | None:
        """The subschema at a place."""
        return self.whole.child(*place)

    def accepts(self, place: Place, value: JsonValue) -> bool | None:
        """Whether the schema at a place accepts a value; None: the engine cannot read the schema."""
        if place not in self._engines:
            try:
                self._engines[place] = compiled_place(self._registry, place)
            except UNREADABLE:
                self._engines[place] = None
        engine = self._engines[place]
        return None if engine is None else accepts(engine, value)

    def text(self, part: Part) -> str:
        """What a part asserts, in a form that is equal for equal assertions."""
        if part.place not in self._plain:
            self._plain[part.place] = json.dumps(plain(part.schema), sort_keys=True)
        return self._plain[part.place]

    @cached_property
    def _registry(self) -> Registry:
        return places_of(self.root)


@dataclass(frozen=True, slots=True)
class Part:
    """A subschema and where it stands."""

    document: Document
    schema: JsonObject | bool
    place: Place

    def says(self, keyword: str) -> bool:
        """Whether a keyword stands in it."""
        return isinstance(self.schema, dict) and keyword in self.schema

    def said(self, keyword: str) -> JsonValue:
        """A keyword's value; None where it does not stand there."""
        return self.schema.get(keyword) if isinstance(self.schema, dict) else None

    def child(self, *steps: str) -> Part | None:
        """A subschema below; None where there is none."""
        value: JsonValue = self.schema
        for step in steps:
            value = _below(value, step)
        return Part(self.document, value, (*self.place, *steps)) if isinstance(value, dict | bool) else None

    def children(self, keyword: str) -> list[Part]:
        """The subschemas in a list."""
        listed = self.said(keyword)
        found = [self.child(keyword, str(index)) for index in range(len(listed) if isinstance(listed, list) else 0)]
        return [part for part in found if part is not None]

    def accepts(self, value: JsonValue) -> bool | None:
        """Whether it accepts a value; None: the engine cannot read it."""
        return self.document.accepts(self.place, value)

    @property
    def referred(self) -> Part | None:
        """What its reference names; None where there is no reference."""
        reference = self.said("$ref")
        return self.document.referred(reference) if isinstance(reference, str) else None


def _below(value: JsonValue, step: str) -> JsonValue:
    """What one step of a pointer leads to; None where there is nothing."""
    if isinstance(value, dict):
        return value.get(step)
    is_there = isinstance(value, list) and step.isdecimal() and int(step) < len(value)
    return value[int(step)] if is_there and isinstance(value, list) else None


def _is_endless(document: Document) -> bool:
    """Whether judging a value leads back to the same schema at the same value."""
    done: set[Place] = set()

    def is_circle(part: Part, above: frozenset[Place]) -> bool:
        if part.place in above:
            return True
        if part.place in done:
            return False
        referred = part.referred
        found = [*([referred] if referred else []), *(item for key in _SAME_VALUE_LISTS for item in part.children(key))]
        found += [item for key in _SAME_VALUE if (item := part.child(key)) is not None]
        circles = any(is_circle(item, above | {part.place}) for item in found)
        done.add(part.place)
        return circles

    places = [place for place, _ in subschemas(document.root)]
    return any(part is not None and is_circle(part, frozenset()) for part in map(document.at, places))


def mapped(schema: JsonValue, change: Callable[[JsonObject], JsonObject]) -> JsonValue:
    """A copy of a schema with every subschema that is an object changed, the inner ones first."""
    if not isinstance(schema, dict):
        return schema
    found: JsonObject = {}
    for key, value in schema.items():
        if key in _MAPS and isinstance(value, dict):
            found[key] = {name: mapped(item, change) for name, item in value.items()}
        elif key in _LISTS and isinstance(value, list):
            found[key] = [mapped(item, change) for item in value]
        else:
            found[key] = mapped(value, change) if key in _SINGLE else value
    return change(found)


def ordered(schema: JsonObject) -> JsonObject:
    """A schema with what is a set written as a list in one order."""
    sets = {key: schema[key] for key in ("required", "type") if isinstance(schema.get(key), list)}
    return {**schema, **{key: [*sorted(map(str, value))] for key, value in sets.items() if isinstance(value, list)}}


def plain(schema: JsonValue) -> JsonValue:
    """A schema without what only tells people something, and with the members of sets in one order."""
    return mapped(schema, lambda found: ordered({key: value for key, value in found.items() if not _only_tells(key)}))


def _only_tells(key: str) -> bool:
    return key in _ANNOTATIONS or (key.startswith("x-") and key != RUN_TIME_SET)


def subschemas(schema: JsonValue, place: Place = ()) -> Iterator[tuple[Place, JsonObject]]:
    """Every schema that is an object, from the root down, with its place; references are not followed."""
    if not isinstance(schema, dict):
        return
    yield place, schema
    for key, value in schema.items():
        if key in _MAPS and isinstance(value, dict):
            for name, item in value.items():
                yield from subschemas(item, (*place, key, name))
        elif key in _LISTS and isinstance(value, list):
            for position, item in enumerate(value):
                yield from subschemas(item, (*place, key, str(position)))
        elif key in _SINGLE:
            yield from subschemas(value, (*place, key))


class Likeness:
    """Which parts of two documents assert the same."""

    def __init__(self, left: Document, right: Document) -> None:
        """Find the references that mean the same in both."""
        named = {
            reference: (one, other)
            for reference in _references(left.root) & _references(right.root)
            if (one := left.referred(reference)) is not None and (other := right.referred(reference)) is not None
        }
        alike = {reference for reference, (one, other) in named.items() if left.text(one) == right.text(other)}
        while changed := {name for name in alike if not _references(named[name][0].schema) <= alike}:
            alike -= changed
        self._alike = alike

    def same(self, left: Part, right: Part) -> bool:
        """Whether both assert the same, word for word."""
        return left.document.text(left) == right.document.text(right) and _references(left.schema) <= self._alike

    def same_keywords(self, left: Part, right: Part, keywords: tuple[str, ...]) -> bool:
        """Whether some keywords of both have equal values."""
        one: JsonObject = {key: left.said(key) for key in keywords if left.says(key)}
        other: JsonObject = {key: right.said(key) for key in keywords if right.says(key)}
        equal = json.dumps(plain(one), sort_keys=True) == json.dumps(plain(other), sort_keys=True)
        return equal and _references(one) <= self._alike


def _references(schema: JsonValue) -> frozenset[str]:
    found = (inner.get("$ref") for _, inner in subschemas(schema))
    return frozenset(reference for reference in found if isinstance(reference, str))
