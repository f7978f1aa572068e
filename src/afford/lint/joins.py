"""How operations hand ids to each other: by equal names of a field of one answer and an input of another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from afford.errors import JsonObject
from afford.lint.fields import is_identifier, snake
from afford.lint.nodes import nodes
from afford.lint.schemas import places, types_of
from afford.lint.target import Described, Target


class Names:
    """Names that an id may be among: as it is, as a list of ids, or in a role, as `home_address_id` is an address."""

    __slots__ = ("_in_full", "_parts", "exact")

    def __init__(self, names: Iterable[str]) -> None:
        """Take the names as they are spelled."""
        self.exact = frozenset(names)
        self._in_full = frozenset(map(snake, self.exact))
        self._parts = frozenset(part for name in self._in_full for part in _roles(name))

    def has(self, name: str) -> bool:
        """Whether a name is among them in one of these ways."""
        own = snake(name)
        forms = {own, f"{own}s", own.removesuffix("s")}
        return bool(forms & self._in_full) or own in self._parts or any(part in self._in_full for part in _roles(own))


@dataclass(frozen=True, slots=True, kw_only=True)
class Joins:
    """What is taken and what is published, at any depth."""

    taken: Names
    published: Names
    is_complete: bool
    """Whether every answer says all its fields, so that what is not there cannot be obtained."""


def joins(found: Target) -> Joins:
    """The names of a target that ids can travel by."""
    return Joins(
        taken=Names(place.name for item in found.operations for place in places(item.input_schema)),
        published=Names(name for item in found.operations for name in fields_of(item)),
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


def _roles(name: str) -> Iterator[str]:
    """What an id in snake case is an id of, without its roles: `address_id` of `home_address_id`."""
    words = name.split("_") if is_identifier(name) else []
    return ("_".join(words[start:]) for start in range(1, len(words) - 1))


def _is_blank(schema: JsonObject) -> bool:
    """Whether it is an object that names no members, and may have any."""
    named = any(key in schema for key in ("properties", "$ref", "anyOf", "oneOf", "allOf"))
    return "object" in types_of(schema) and not named and schema.get("additionalProperties", True) in (True, {})
