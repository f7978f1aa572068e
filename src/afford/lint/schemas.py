"""Walking schemas: every place that has a name, with its pointer; local references followed once."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from afford.errors import JsonObject, JsonValue

_ALTERNATIVES = ("anyOf", "oneOf", "allOf")
_MOST_HOPS = 8
"""References to references; more are a circle."""
_DEEPEST = 3
"""Alternatives of alternatives; nobody reads deeper ones."""
KEPT: Final = 1 << 13
"""Walks of schemas that are remembered: every rule walks the same ones. Holds a catalog of some thousands."""


@dataclass(frozen=True, slots=True)
class Place:
    """One named member of an object, somewhere in a schema."""

    name: str
    pointer: str
    """RFC 6901, from the root of the schema."""
    schema: JsonObject
    """With a local reference replaced by what it names; what stood beside the reference wins."""
    is_required: bool
    depth: int
    """0: a member of the root (or of its items)."""


@dataclass(frozen=True, slots=True, eq=False)
class Same:
    """A schema as a key: the very same one, since it cannot be hashed."""

    schema: JsonObject

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and other.schema is self.schema

    def __hash__(self) -> int:
        return id(self.schema)


def places(schema: JsonObject | None) -> tuple[Place, ...]:
    """Every member at every depth, each schema once however often it is referred to."""
    return () if schema is None else _walked(Same(schema))


@functools.lru_cache(maxsize=KEPT)
def _walked(key: Same) -> tuple[Place, ...]:
    return tuple(_places(key.schema, key.schema, "", 0, set()))


def resolved(schema: JsonValue, root: JsonObject) -> JsonObject:
    """The schema with local references at its top followed; empty where it is no object."""
    if not isinstance(schema, dict):
        return {}
    for _ in range(_MOST_HOPS):
        reference = schema.get("$ref")
        if not isinstance(reference, str) or not reference.startswith("#/"):
            break
        value: JsonValue = root
        for step in reference[2:].split("/"):
            value = value.get(step.replace("~1", "/").replace("~0", "~")) if isinstance(value, dict) else None
        beside = {key: item for key, item in schema.items() if key != "$ref"}
        schema = {**value, **beside} if isinstance(value, dict) else beside
    return schema


def types_of(schema: JsonObject) -> frozenset[str]:
    """The JSON types that a schema names at its top; empty where it names none."""
    stated = schema.get("type")
    if isinstance(stated, str):
        return frozenset({stated})
    return frozenset(map(str, stated)) if isinstance(stated, list) else frozenset()


def kinds_of(schema: JsonValue, root: JsonObject) -> frozenset[str]:
    """The JSON types that a value may have by `type`, or by the alternatives; empty where nothing says so."""
    return _kinds(schema, root, _DEEPEST)


def is_nullable(schema: JsonObject, root: JsonObject) -> bool:
    """Whether null is one of several things that it takes."""
    return len(kinds_of(schema, root)) > 1 and "null" in kinds_of(schema, root)


def texts_of(schema: JsonObject, root: JsonObject) -> str:
    """Everything that a schema says of itself in words, its alternatives and items included."""
    parts = [schema, *_branches(schema, root)]
    items = resolved(schema.get("items"), root)
    return " ".join(str(part["description"]) for part in [*parts, items] if part.get("description"))


def states(schema: JsonObject, root: JsonObject, *keywords: str) -> bool:
    """Whether one of the keywords stands in a schema, in its alternatives or in its items."""
    parts = [schema, *_branches(schema, root), resolved(schema.get("items"), root)]
    return any(key in part for part in parts for key in keywords)


def _branches(schema: JsonObject, root: JsonObject) -> list[JsonObject]:
    listed = [schema.get(key) for key in _ALTERNATIVES]
    return [resolved(branch, root) for branches in listed if isinstance(branches, list) for branch in branches]


def _kinds(schema: JsonValue, root: JsonObject, hops: int) -> frozenset[str]:
    followed = resolved(schema, root)
    stated = types_of(followed)
    if stated or hops == 0:
        return stated
    found = [_kinds(branch, root, hops - 1) for branch in _branches(followed, root)]
    return frozenset[str]().union(*found)


def escaped(step: str) -> str:
    """One step of an RFC 6901 pointer."""
    return step.replace("~", "~0").replace("/", "~1")


def _places(schema: JsonObject, root: JsonObject, pointer: str, depth: int, seen: set[str]) -> Iterator[Place]:
    reference = schema.get("$ref")
    if isinstance(reference, str):
        if reference in seen:
            return
        seen.add(reference)
        schema, pointer = resolved(schema, root), reference.removeprefix("#")
    properties, required = schema.get("properties"), schema.get("required")
    needed = set(map(str, required)) if isinstance(required, list) else set[str]()
    for name, part in (properties if isinstance(properties, dict) else {}).items():
        if isinstance(part, dict):
            place = f"{pointer}/properties/{escaped(name)}"
            yield Place(name, place, resolved(part, root), name in needed, depth)
            yield from _places(part, root, place, depth + 1, seen)
    for key in ("items", "additionalProperties"):
        inner = schema.get(key)
        if isinstance(inner, dict):
            yield from _places(inner, root, f"{pointer}/{key}", depth, seen)
    for key in _ALTERNATIVES:
        branches = schema.get(key)
        for position, branch in enumerate(branches if isinstance(branches, list) else []):
            if isinstance(branch, dict):
                yield from _places(branch, root, f"{pointer}/{key}/{position}", depth, seen)
