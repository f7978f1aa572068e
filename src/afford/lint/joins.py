"""How operations hand ids to each other: by equal names of a field of one answer and an input of another."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from afford.errors import JsonObject
from afford.lint.fields import is_identifier, snake
from afford.lint.nodes import nodes
from afford.lint.schemas import places, types_of
from afford.lint.target import Described, Target


@dataclass(frozen=True, slots=True, kw_only=True)
class Joins:
    """What is taken and what is published, by name, at any depth."""

    taken: frozenset[str]
    published: frozenset[str]
    is_complete: bool
    """Whether every answer says all its fields, so that what is not there cannot be obtained."""


def joins(found: Target) -> Joins:
    """The names of a target that ids can travel by."""
    return Joins(
        taken=frozenset(place.name for item in found.operations for place in places(item.input_schema)),
        published=frozenset(name for item in found.operations for name in fields_of(item)),
        is_complete=all(is_told(item) for item in found.operations),
    )


def fields_of(item: Described) -> frozenset[str]:
    """Names in an answer, at any depth."""
    return frozenset(place.name for place in places(item.output_schema))


def is_told(item: Described) -> bool:
    """Whether the answer says all its fields."""
    if item.output_schema is None:
        return False
    return not any(_is_blank(node.schema) for node in nodes(item.output_schema))


def matches(name: str, others: Collection[str]) -> bool:
    """Whether an id is among others: under its name, as a list of them, or in a role, as `home_address_id` is."""
    own = snake(name)
    for other in map(snake, others):
        if other in {own, f"{own}s"} or own == f"{other}s":
            return True
        if is_identifier(other) and is_identifier(own) and (own.endswith(f"_{other}") or other.endswith(f"_{own}")):
            return True
    return False


def _is_blank(schema: JsonObject) -> bool:
    """Whether it is an object that names no members, and may have any."""
    named = any(key in schema for key in ("properties", "$ref", "anyOf", "oneOf", "allOf"))
    return "object" in types_of(schema) and not named and schema.get("additionalProperties", True) in (True, {})
