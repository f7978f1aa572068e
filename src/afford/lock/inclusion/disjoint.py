"""Whether no value can satisfy two schemas at once: by type, values, bounds, or a member that tells them apart."""

from __future__ import annotations

from typing import Final

from afford.lock.inclusion import arrays, objects, scalars
from afford.lock.inclusion.documents import Part
from afford.lock.inclusion.leaves import Leaf, finite, leaves, lower, upper

_DEEPEST: Final = 4


def is_apart(leaf: Leaf, part: Part, depth: int = 0) -> bool:
    """Whether it is proved that no value of a leaf satisfies a schema."""
    return all(_are_apart(leaf, other, depth) for other in leaves((part,)))


def is_empty(leaf: Leaf) -> bool:
    """Whether it is proved that a leaf has no value."""
    return scalars.is_empty(leaf) or arrays.is_empty(leaf) or objects.is_empty(leaf)


def _are_apart(one: Leaf, other: Leaf, depth: int) -> bool:
    if one.kind != other.kind or is_empty(one) or is_empty(other):
        return True
    for left, right in ((one, other), (other, one)):
        values = finite(left)
        if values is not None and all(any(part.accepts(value) is False for part in right.parts) for value in values):
            return True
    if one.kind == "number":
        return _is_below(one, other) or _is_below(other, one)
    return one.kind == "object" and depth < _DEEPEST and _members_are_apart(one, other, depth)


def _is_below(one: Leaf, other: Leaf) -> bool:
    most, least = upper(one), lower(other)
    if most is None or least is None:
        return False
    return most[0] < least[0] or (most[0] == least[0] and (most[1] or least[1]))


def _members_are_apart(one: Leaf, other: Leaf, depth: int) -> bool:
    """Whether a member that one of them requires cannot be what both ask for."""
    for name in sorted(one.names("required") | other.names("required")):
        left, right = objects.member(one, name), objects.member(other, name)
        pairs = [(mine, yours) for mine in leaves(left) for yours in leaves(right)]
        if all(_are_apart(mine, yours, depth + 1) for mine, yours in pairs):
            return True
    return False
