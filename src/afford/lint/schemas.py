"""Walking schemas: every place that has a name, with its pointer; local references followed once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from afford.errors import JsonObject, JsonValue

_ALTERNATIVES = ("anyOf", "oneOf", "allOf")


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


def places(schema: JsonObject | None) -> Iterator[Place]:
    """Every member at every depth, each schema once however often it is referred to."""
    if schema is not None:
        yield from _places(schema, schema, "", 0, frozenset())


def resolved(schema: JsonValue, root: JsonObject) -> JsonObject:
    """The schema with a local reference at its top followed; empty where it is no object."""
    if not isinstance(schema, dict):
        return {}
    reference = schema.get("$ref")
    if not isinstance(reference, str) or not reference.startswith("#/"):
        return schema
    value: JsonValue = root
    for step in reference[2:].split("/"):
        value = value.get(step.replace("~1", "/").replace("~0", "~")) if isinstance(value, dict) else None
    beside = {key: item for key, item in schema.items() if key != "$ref"}
    return {**value, **beside} if isinstance(value, dict) else beside


def types_of(schema: JsonObject) -> frozenset[str]:
    """The JSON types that a schema names at its top; empty where it names none."""
    stated = schema.get("type")
    if isinstance(stated, str):
        return frozenset({stated})
    return frozenset(map(str, stated)) if isinstance(stated, list) else frozenset()


def escaped(step: str) -> str:
    """One step of an RFC 6901 pointer."""
    return step.replace("~", "~0").replace("/", "~1")


def _places(schema: JsonObject, root: JsonObject, pointer: str, depth: int, seen: frozenset[str]) -> Iterator[Place]:
    reference = schema.get("$ref")
    if isinstance(reference, str):
        if reference in seen:
            return
        seen |= {reference}
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
