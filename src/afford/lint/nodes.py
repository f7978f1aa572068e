"""Walking schemas: every subschema that describes a value, named or not, each once."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass

from afford.errors import JsonObject, JsonValue
from afford.lint.schemas import KEPT, Same, escaped, resolved


@dataclass(frozen=True, slots=True)
class Node:
    """One subschema."""

    pointer: str
    """RFC 6901, from the root of the schema."""
    schema: JsonObject
    is_branch: bool
    """Whether it is one of the alternatives of another, which may say the rest."""


def nodes(schema: JsonObject | None) -> tuple[Node, ...]:
    """The root and everything below it; local references are followed once."""
    return () if schema is None else _walked(Same(schema))


@functools.lru_cache(maxsize=KEPT)
def _walked(key: Same) -> tuple[Node, ...]:
    return tuple(_nodes(key.schema, key.schema, "", set(), is_branch=False))


def _nodes(schema: JsonObject, root: JsonObject, pointer: str, seen: set[str], *, is_branch: bool) -> Iterator[Node]:
    reference = schema.get("$ref")
    if isinstance(reference, str):
        if reference in seen:
            return
        seen.add(reference)
        schema, pointer = resolved(schema, root), reference.removeprefix("#")
    yield Node(pointer, schema, is_branch)
    for place, inner, branches in _inner(schema):
        yield from _nodes(inner, root, pointer + place, seen, is_branch=branches)


def _inner(schema: JsonObject) -> Iterator[tuple[str, JsonObject, bool]]:
    """Pointer from here, subschema, and whether it is an alternative."""
    properties = schema.get("properties")
    parts: list[tuple[str, JsonValue, bool]] = []
    if isinstance(properties, dict):
        parts += [(f"/properties/{escaped(name)}", part, False) for name, part in properties.items()]
    parts += [(f"/{key}", schema.get(key), False) for key in ("items", "additionalProperties")]
    for key in ("prefixItems", "anyOf", "oneOf", "allOf"):
        listed = schema.get(key)
        for position, part in enumerate(listed if isinstance(listed, list) else []):
            parts.append((f"/{key}/{position}", part, key != "prefixItems"))
    return ((place, part, branches) for place, part, branches in parts if isinstance(part, dict))


def required_and_undeclared(node: Node) -> list[str]:
    """Names that an object requires and does not declare; one of several alternatives may rely on what is beside it."""
    required, properties = node.schema.get("required"), node.schema.get("properties")
    alone = not node.is_branch and not {"allOf", "anyOf", "oneOf"} & node.schema.keys()
    if not alone or not isinstance(required, list) or not isinstance(properties, dict):
        return []
    return sorted(set(map(str, required)) - properties.keys())
