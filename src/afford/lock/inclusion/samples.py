"""Values of schemas, for showing that one accepts what another refuses. They are guesses; whoever uses one tries it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Final

from afford.errors import JsonObject, JsonValue
from afford.lock.inclusion import arrays, objects
from afford.lock.inclusion.gaps import Flaw
from afford.lock.inclusion.leaves import Leaf, exact, finite, is_number, leaves, lower, upper

_DEEPEST: Final = 8
_LONGEST: Final = 2000
"""Letters of a text, or items of a list."""
_MOST: Final = 12
"""Guesses per place."""
_MOST_GUESSES: Final = 40
_TEXTS: Final = (
    "",
    "a",
    "0",
    " ",
    "A1",
    "2030-01-31",
    "2030-01-31T12:00:00Z",
    "12:00:00Z",
    "a@example.com",
    "https://example.com/a",
    "550e8400-e29b-41d4-a716-446655440000",
    "P1D",
    "127.0.0.1",
    "::1",
    "/a",
)


@dataclass(frozen=True, slots=True)
class Frame:
    """A value around the one at hand."""

    leaf: Leaf
    where: str | int
    """Name of the member, or position of the item."""


def candidates(leaf: Leaf, flaw: Flaw) -> Iterator[JsonValue]:
    """Values of a leaf that may break what a flaw is about."""
    yield from flaw.values
    if leaf.kind == "number":
        yield from _near(leaf, flaw)
    elif leaf.kind == "string":
        yield from _around(leaf, flaw)
    elif leaf.kind == "array":
        yield from _lists(leaf, flaw)
    elif leaf.kind == "object":
        yield from _objects(leaf, flaw)
    yield from samples(leaf)


def embedded(value: JsonValue, frames: Sequence[Frame]) -> Iterator[JsonValue]:
    """Whole values that have this one at its place."""
    if not frames:
        yield value
        return
    frame = frames[-1]
    for around in islice(samples(frame.leaf), 3):
        if isinstance(around, dict) and isinstance(frame.where, str):
            yield from embedded({**around, frame.where: value}, frames[:-1])
        elif isinstance(around, list) and isinstance(frame.where, int):
            padding = [next(_of(frame.leaf, place), None) for place in range(len(around), frame.where)]
            items = [*around, *padding]
            yield from embedded([*items[: frame.where], value, *items[frame.where + 1 :]], frames[:-1])


def samples(leaf: Leaf, depth: int = 0) -> Iterator[JsonValue]:
    """Some values that a leaf accepts, the smallest first."""
    guesses = islice(_guesses(leaf, depth), _MOST_GUESSES)
    yield from (value for value in guesses if all(part.accepts(value) for part in leaf.parts))


def _guesses(leaf: Leaf, depth: int) -> Iterator[JsonValue]:
    values = finite(leaf)
    if values is not None:
        yield from values[:_MOST]
        return
    told = [value for keyword in ("default", "examples") for value in leaf.said(keyword)]
    yield from (item for value in told for item in (value if isinstance(value, list) else [value]))
    if leaf.kind == "number":
        yield from _numbers(leaf)
    elif leaf.kind == "string":
        least = int(max(leaf.numbers("minLength"), default=Fraction(0)))
        yield from ["a" * least] if least <= _LONGEST else []
        yield from _TEXTS
    elif leaf.kind == "array" and depth < _DEEPEST:
        least = int(max(leaf.numbers("minItems"), default=Fraction(0)))
        yield [next(_of(leaf, place, depth + 1), None) for place in range(min(least, _LONGEST))]
    elif leaf.kind == "object" and depth < _DEEPEST:
        yield from _smallest(leaf, depth)


def _smallest(leaf: Leaf, depth: int) -> Iterator[JsonObject]:
    needed = sorted(leaf.names("required"))
    yield {name: next(_member(leaf, name, depth + 1), None) for name in needed}
    least = int(max(leaf.numbers("minProperties"), default=Fraction(0)))
    if least > len(needed):
        more = [
            *needed,
            *sorted(leaf.names("properties") - set(needed)),
            *(f"{objects.UNNAMED}{n}" for n in range(least)),
        ]
        yield {name: next(_member(leaf, name, depth + 1), None) for name in more[:least]}


def _member(leaf: Leaf, name: str, depth: int = 0) -> Iterator[JsonValue]:
    for inner in leaves(objects.member(leaf, name)):
        yield from samples(inner, depth)


def _of(leaf: Leaf, position: int, depth: int = 0) -> Iterator[JsonValue]:
    for inner in leaves(arrays.items_of(leaf, position)):
        yield from samples(inner, depth)


def _numbers(leaf: Leaf) -> Iterator[JsonValue]:
    least, most = lower(leaf), upper(leaf)
    starts = [Fraction(0), Fraction(1), *(bound[0] for bound in (least, most) if bound)]
    steps = [Fraction(0), *leaf.numbers("multipleOf"), Fraction(1), Fraction(1, 2)]
    yield from (_number(start + sign * step) for start in starts for step in steps for sign in (1, -1))


def _near(leaf: Leaf, flaw: Flaw) -> Iterator[JsonValue]:
    yield from _numbers(leaf)
    if is_number(flaw.right):
        bound = exact(flaw.right)
        yield from (_number(bound + step) for step in (0, -1, 1, Fraction(-1, 2), Fraction(1, 2)))


def _around(leaf: Leaf, flaw: Flaw) -> Iterator[JsonValue]:
    if is_number(flaw.right):
        sizes = {int(exact(flaw.right)) + step for step in (-1, 1)}
        yield from ("a" * size for size in sorted(sizes) if 0 <= size <= _LONGEST)
    yield from samples(leaf)


def _lists(leaf: Leaf, flaw: Flaw) -> Iterator[JsonValue]:
    sizes = [1, 2]
    if is_number(flaw.right):
        sizes = [int(exact(flaw.right)) + step for step in (-1, 1)]
    for size in sizes:
        if 0 <= size <= _LONGEST:
            items = [[*islice(_of(leaf, place), _MOST)] or [None] for place in range(size)]
            yield [item[0] for item in items]
            yield [item[place % len(item)] for place, item in enumerate(items)]


def _objects(leaf: Leaf, flaw: Flaw) -> Iterator[JsonValue]:
    for around in samples(leaf):
        if isinstance(around, dict):
            yield from _changed(leaf, flaw, around)


def _changed(leaf: Leaf, flaw: Flaw, around: JsonObject) -> Iterator[JsonValue]:
    """Neighbours of an object that lack, or have, what a flaw names."""
    if flaw.member is not None:
        yield {name: value for name, value in around.items() if name != flaw.member}
        yield from ({**around, flaw.member: value} for value in islice(_member(leaf, flaw.member), _MOST))
    if is_number(flaw.right):
        size = int(exact(flaw.right)) + (1 if flaw.keyword.startswith("max") else -1)
        names = [*around, *sorted(leaf.names("properties") - set(around)), *(f"{objects.UNNAMED}{n}" for n in range(9))]
        yield {name: next(_member(leaf, name), None) for name in names[: max(size, 0)]}


def _number(value: Fraction) -> JsonValue:
    return int(value) if value.denominator == 1 else float(value)
