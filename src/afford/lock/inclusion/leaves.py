"""`Leaf`: values of one JSON type under one conjunction of schemas; every schema comes apart into leaves.

What comes out holds at least every value that went in: an alternative that cannot be followed counts as accepting
everything, so that nothing is proved about values that were overlooked.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from afford.errors import JsonValue
from afford.lock.inclusion.documents import RUN_TIME_SET, Part, Place

KINDS: Final = ("null", "boolean", "number", "string", "array", "object")
_MOST_ALTERNATIVES: Final = 64
"""Combinations of alternatives that are followed; with more, further ones count as accepting everything."""
_MOST_VALUES: Final = 200
"""Integers that are tried one by one."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """Values of one type that every part accepts."""

    kind: str
    """One of `KINDS`."""
    is_integer: bool
    parts: tuple[Part, ...]

    def said(self, keyword: str) -> Iterator[JsonValue]:
        """What the parts say under a keyword."""
        return (part.said(keyword) for part in self.parts if part.says(keyword))

    def numbers(self, keyword: str) -> list[Fraction]:
        """The same, of a keyword that takes numbers."""
        return [exact(value) for value in self.said(keyword) if is_number(value)]

    def names(self, keyword: str) -> frozenset[str]:
        """All names that the parts list, or give schemas to, under a keyword."""
        found: set[str] = set()
        for value in self.said(keyword):
            if isinstance(value, list | dict):
                found.update(map(str, value))
        return frozenset(found)


def leaves(parts: tuple[Part, ...]) -> list[Leaf]:
    """The leaves that a conjunction comes apart into; none where nothing can satisfy it."""
    return [leaf for conjunction in _alternatives(parts) for leaf in _of_kinds(conjunction)]


def finite(leaf: Leaf) -> list[JsonValue] | None:
    """Every value of a leaf; None where they are not few."""
    if any(part.says(RUN_TIME_SET) for part in leaf.parts):
        return None
    values = _candidates(leaf)
    if values is None:
        return None
    return [
        value
        for value in values
        if _is_of(leaf, value) and all(part.accepts(value) is not False for part in leaf.parts)
    ]


def lower(leaf: Leaf) -> tuple[Fraction, bool] | None:
    """The greatest lower bound of a number, and whether it is excluded itself."""
    bounds = [(value, False) for value in leaf.numbers("minimum")]
    bounds += [(value, True) for value in leaf.numbers("exclusiveMinimum")]
    if not bounds:
        return None
    value, is_open = max(bounds)
    if leaf.is_integer:
        return Fraction(math.floor(value) + 1 if is_open else math.ceil(value)), False
    return value, is_open


def upper(leaf: Leaf) -> tuple[Fraction, bool] | None:
    """The least upper bound, likewise."""
    bounds = [(-value, False) for value in leaf.numbers("maximum")]
    bounds += [(-value, True) for value in leaf.numbers("exclusiveMaximum")]
    if not bounds:
        return None
    value, is_open = max(bounds)
    if leaf.is_integer:
        return -Fraction(math.floor(value) + 1 if is_open else math.ceil(value)), False
    return -value, is_open


def is_number(value: JsonValue) -> bool:
    """Whether it is a JSON number."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def exact(value: JsonValue) -> Fraction:
    """A JSON number as it is written, in decimals."""
    return Fraction(str(value))


def _alternatives(parts: tuple[Part, ...]) -> list[tuple[Part, ...]]:
    """Conjunctions that together accept at least what the parts accept."""
    found: list[tuple[Part, ...]] = [()]
    for part in parts:
        found = [(*held, *more) for held in found for more in _flat(part, frozenset())]
        if len(found) > _MOST_ALTERNATIVES:
            return [parts]
    return [_unique(conjunction) for conjunction in found]


def _flat(part: Part, followed: frozenset[Place]) -> list[tuple[Part, ...]]:
    """The alternatives of one part: itself, with what its references and combinations add."""
    if part.schema is False:
        return []
    if part.schema is True or part.place in followed:
        return [()]
    followed |= {part.place}
    found: list[tuple[Part, ...]] = [(part,)]
    referred = part.referred
    for also in [*([referred] if referred else []), *part.children("allOf")]:
        found = [(*held, *more) for held in found for more in _flat(also, followed)]
    for keyword in ("anyOf", "oneOf"):
        branches = part.children(keyword)
        if not branches or len(found) * len(branches) > _MOST_ALTERNATIVES:
            continue
        each = [alternative for branch in branches for alternative in _flat(branch, followed)]
        if len(found) * len(each) <= _MOST_ALTERNATIVES:
            found = [(*held, *more) for held in found for more in each]
    return found


def _unique(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    return tuple({part.place: part for part in parts}.values())


def _of_kinds(parts: tuple[Part, ...]) -> Iterator[Leaf]:
    allowed: set[str] = {*KINDS, "integer"}
    for part in parts:
        stated = part.said("type")
        names = {stated} if isinstance(stated, str) else set(map(str, stated)) if isinstance(stated, list) else None
        if names is not None:
            allowed &= names | ({"integer"} if "number" in names else set())
    for kind in KINDS:
        if kind in allowed:
            yield Leaf(kind, is_integer=False, parts=parts)
        elif kind == "number" and "integer" in allowed:
            yield Leaf(kind, is_integer=True, parts=parts)


def _candidates(leaf: Leaf) -> list[JsonValue] | None:
    """Values among which all of the leaf's are; None where they are not few."""
    for part in leaf.parts:
        if part.says("const"):
            return [part.said("const")]
        stated = part.said("enum")
        if isinstance(stated, list):
            return stated
    if leaf.kind == "null":
        return [None]
    if leaf.kind == "boolean":
        return [False, True]
    if leaf.kind == "number" and leaf.is_integer:
        least, most = lower(leaf), upper(leaf)
        if least and most and most[0] - least[0] < _MOST_VALUES:
            return [*range(int(least[0]), int(most[0]) + 1)]
    return None


def _is_of(leaf: Leaf, value: JsonValue) -> bool:
    """Whether a value has the leaf's type."""
    if is_number(value):
        return leaf.kind == "number" and (not leaf.is_integer or exact(value).denominator == 1)
    types: dict[str, type | tuple[type, ...]] = {"string": str, "array": list, "object": dict, "boolean": bool}
    return value is None if leaf.kind == "null" else isinstance(value, types.get(leaf.kind, ()))
