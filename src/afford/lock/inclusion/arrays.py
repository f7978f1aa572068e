"""Arrays: their counts, and the schemas of their items at each position."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from afford.lock.inclusion.documents import Part
from afford.lock.inclusion.gaps import Flaw
from afford.lock.inclusion.leaves import Leaf
from afford.lock.inclusion.scalars import least_and_most, over
from afford.lock.inclusion.steps import Inner


def flaws(leaf: Leaf, part: Part) -> Iterator[Flaw]:
    """Keywords that count, which a leaf of arrays does not imply."""
    most = _most(leaf)
    for flaw in least_and_most(leaf, part, "minItems", "maxItems"):
        wanted = flaw.right
        if flaw.keyword == "maxItems" and most is not None and isinstance(wanted, int) and most <= wanted:
            continue
        yield flaw
    if part.said("uniqueItems") is True and not (True in leaf.said("uniqueItems") or (most is not None and most <= 1)):
        yield Flaw(keyword="uniqueItems", left=False, right=True)


def inner(leaf: Leaf, part: Part) -> Iterator[Inner]:
    """Each position that the schema says something about, with what stands there on both sides."""
    if not (part.says("items") or part.says("prefixItems")):
        return
    most = _most(leaf)
    listed = max(len(item.children("prefixItems")) for item in (*leaf.parts, part))
    for position in range(listed):
        target = item_of(part, position)
        if target is not None and (most is None or position < most):
            yield Inner(items_of(leaf, position), target, _steps(part, position), position)
    rest = item_of(part, listed)
    if rest is not None and (most is None or listed < most):
        yield Inner(items_of(leaf, listed), rest, ("items",), listed)


def is_empty(leaf: Leaf) -> bool:
    """Whether counts alone leave no value."""
    return leaf.kind == "array" and over(leaf.numbers("minItems"), leaf.numbers("maxItems"))


def items_of(leaf: Leaf, position: int) -> tuple[Part, ...]:
    """Everything that the item at a position has to satisfy."""
    return tuple(found for part in leaf.parts if (found := item_of(part, position)) is not None)


def item_of(part: Part, position: int) -> Part | None:
    """What a schema says of the item at a position; None: nothing."""
    return part.child("prefixItems", str(position)) or part.child("items")


def _steps(part: Part, position: int) -> tuple[str, ...]:
    return ("prefixItems", str(position)) if part.child("prefixItems", str(position)) else ("items",)


def _most(leaf: Leaf) -> Fraction | None:
    """The most items that there may be; None: any number."""
    closed = [Fraction(len(part.children("prefixItems"))) for part in leaf.parts if part.said("items") is False]
    return min([*closed, *leaf.numbers("maxItems")], default=None)
