"""The comparison itself: every leaf of the left schema against every keyword of the right one, and down into both.

Recursion is sound because a pair that is met again further down, at a smaller value, may be taken for granted; a pair
that is met again at the same value may not.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final, TypeAlias

from afford.errors import JsonObject, JsonValue
from afford.lock.inclusion import arrays, objects, scalars
from afford.lock.inclusion.disjoint import is_apart, is_empty
from afford.lock.inclusion.documents import RUN_TIME_SET, Document, Likeness, Part, Place, subschemas
from afford.lock.inclusion.gaps import Flaw, Gap
from afford.lock.inclusion.leaves import Leaf, finite, leaves
from afford.lock.inclusion.samples import Frame, candidates, embedded
from afford.lock.inclusion.steps import Inner

_MOST_STEPS: Final = 20_000
_DEEPEST: Final = 60
_MOST_TRIES: Final = 60
"""Values that are tried for one gap."""
_MOST_TRIES_OF_ALL: Final = 1000
_MOST_LEAVES: Final = 3
"""Leaves at which one gap is tried to be shown."""
_LONGEST_WITNESS: Final = 200
"""Characters of a witness that is worth showing, more or less."""
_OPAQUE: Final = {
    "array": (("contains", "minContains", "maxContains"), ("unevaluatedItems",)),
    "object": (("propertyNames",), ("dependentSchemas",), ("unevaluatedProperties",)),
}
"""Groups of keywords that are compared word for word alone."""
_SEES_NEIGHBOURS: Final = frozenset({"unevaluatedItems", "unevaluatedProperties"})
_TOO_LARGE: Final = "the schemas are too large to be compared"
Steps: TypeAlias = tuple[str, ...]


def gaps_between(left: JsonObject, right: JsonObject) -> tuple[Gap, ...]:
    """Where `left` may accept what `right` refuses; none: it is proved that it does not.

    Args:
        left: a schema.
        right: a schema.
    """
    return _Walk(Document(left), Document(right)).run()


@dataclass(frozen=True, slots=True)
class _Found:
    """A gap before anybody looked for a value that shows it."""

    at: Steps
    flaw: Flaw
    leaf: Leaf | None = None
    """The values around it; None: it is not worth looking."""
    frames: tuple[Frame, ...] = ()


class _Walk:
    def __init__(self, left: Document, right: Document) -> None:
        self._left = left
        self._right = right
        self._likeness = Likeness(left, right)
        self._open: dict[tuple[frozenset[Place], Place], int] = {}
        self._steps = 0
        self._tries = 0
        self._has_run_time_sets = any(RUN_TIME_SET in schema for _, schema in subschemas(left.root))

    def run(self) -> tuple[Gap, ...]:
        left, right = self._left, self._right
        if self._likeness.same(left.whole, right.whole):
            return ()
        obstacle = left.obstacle or right.obstacle
        if obstacle:
            return (Gap(at=(), flaw=Flaw(keyword="", reason=obstacle)),)
        found: dict[tuple[Steps, str, str | None], list[_Found]] = {}
        for item in self._between((left.whole,), right.whole, (), ()):
            found.setdefault((item.at, item.flaw.keyword, item.flaw.member), []).append(item)
        return tuple(self._shown(items) for items in found.values())

    def _between(self, parts: tuple[Part, ...], target: Part, at: Steps, frames: tuple[Frame, ...]) -> list[_Found]:
        """Gaps between everything that the parts accept together, and a schema."""
        self._steps += 1
        if self._steps > _MOST_STEPS or len(frames) > _DEEPEST:
            return [_Found(at, Flaw(keyword="", reason=_TOO_LARGE))]
        if target.schema is True or any(self._likeness.same(part, target) for part in parts):
            return []
        pair = (frozenset(part.place for part in parts), target.place)
        entered = self._open.get(pair)
        if entered is not None:
            circle = Flaw(keyword="$ref", reason="one of the schemas refers to itself")
            return [] if entered < len(frames) else [_Found(at, circle)]
        self._open[pair] = len(frames)
        try:
            return [found for leaf in leaves(parts) for found in self._of_leaf(leaf, target, at, frames)]
        finally:
            del self._open[pair]

    def _of_leaf(
        self, leaf: Leaf, target: Part, at: Steps, frames: tuple[Frame, ...], followed: frozenset[Place] = frozenset()
    ) -> list[_Found]:
        self._steps += 1
        if self._steps > _MOST_STEPS:
            return [_Found(at, Flaw(keyword="", reason=_TOO_LARGE))]
        if target.schema is True or is_empty(leaf) or any(self._likeness.same(part, target) for part in leaf.parts):
            return []
        if target.schema is False:
            return [_Found(at, Flaw(keyword="not", left=leaf.kind, right="nothing"), leaf, frames)]
        if target.place in followed:
            return [_Found(at, Flaw(keyword="$ref", reason="one of the schemas refers to itself"))]
        values = None if target.says(RUN_TIME_SET) else finite(leaf)
        if values is not None and _is_listed(leaf):
            return self._of_values(leaf, values, target, at, frames)
        found = self._by_keywords(leaf, target, at, frames, followed)
        if found and values is not None and all(target.accepts(value) for value in values):
            return []
        return found

    def _by_keywords(
        self, leaf: Leaf, target: Part, at: Steps, frames: tuple[Frame, ...], followed: frozenset[Place]
    ) -> list[_Found]:
        """Gaps under each keyword of a schema."""
        if not _allows(target, leaf):
            flaw = Flaw(keyword="type", left=_type_of(leaf), right=target.said("type"))
            return [_Found(at, flaw, leaf, frames)]
        local = [*_scalar_flaws(leaf, target), *self._opaque(leaf, target)]
        found = [_Found(at, flaw, leaf, frames) for flaw in local]
        found += self._combined(leaf, target, at, frames, followed | {target.place})
        for inner in _inner(leaf, target):
            frame = Frame(leaf, inner.where)
            found += self._between(inner.parts, inner.target, (*at, *inner.steps), (*frames, frame))
        return found

    def _of_values(
        self, leaf: Leaf, values: list[JsonValue], target: Part, at: Steps, frames: tuple[Frame, ...]
    ) -> list[_Found]:
        verdicts = [(value, target.accepts(value)) for value in values]
        if any(verdict is None for _, verdict in verdicts):
            return [_Found(at, Flaw(keyword="", reason="the engine cannot read one of the schemas"))]
        refused = tuple(value for value, verdict in verdicts if not verdict)
        if not refused:
            return []
        keyword = next((key for key in ("enum", "const") if target.says(key)), "type" if target.says("type") else "")
        flaw = Flaw(keyword=keyword or "enum", left=[*values], right=target.said(keyword), values=refused)
        return [_Found(at, flaw, leaf, frames)]

    def _combined(
        self, leaf: Leaf, target: Part, at: Steps, frames: tuple[Frame, ...], followed: frozenset[Place]
    ) -> list[_Found]:
        """Gaps under the keywords that combine schemas."""
        found: list[_Found] = []
        referred = target.referred
        if referred is not None:
            found += self._of_leaf(leaf, referred, at, frames, followed)
        for position, part in enumerate(target.children("allOf")):
            found += self._of_leaf(leaf, part, (*at, "allOf", str(position)), frames, followed)
        for keyword in ("anyOf", "oneOf"):
            if target.says(keyword):
                found += self._alternatives(leaf, target, keyword, at, frames, followed)
        forbidden = target.child("not")
        if forbidden is not None and not is_apart(leaf, forbidden):
            found.append(_Found(at, Flaw(keyword="not"), leaf, frames))
        if target.says("if") and not self._has(leaf, target, ("if", "then", "else")):
            found.append(_Found(at, _untold("if")))
        return found

    def _alternatives(
        self, leaf: Leaf, target: Part, keyword: str, at: Steps, frames: tuple[Frame, ...], followed: frozenset[Place]
    ) -> list[_Found]:
        """Gaps to the alternative that comes nearest; one that has none may still not be the only one that accepts."""
        branches = target.children(keyword)
        tried: list[list[_Found]] = []
        for position, branch in enumerate(branches):
            gaps = self._of_leaf(leaf, branch, (*at, keyword, str(position)), frames, followed)
            if not gaps:
                others = [other for other in branches if other.place != branch.place]
                if keyword == "anyOf" or all(is_apart(leaf, other) for other in others):
                    return []
                return [_Found(at, Flaw(keyword="oneOf", reason="another alternative may accept it too"), leaf, frames)]
            tried.append(gaps)
        near = [gaps for gaps in tried if not any(gap.flaw.keyword in {"type", "not"} for gap in gaps)]
        if len(near) == 1:
            return near[0]
        flaw = Flaw(keyword=keyword, left=_type_of(leaf), right=f"{len(branches)} alternatives")
        return [_Found(at, flaw, leaf, frames)]

    def _opaque(self, leaf: Leaf, target: Part) -> Iterator[Flaw]:
        """Keywords that are compared word for word, and differ."""
        for group in _OPAQUE.get(leaf.kind, ()):
            if target.says(group[0]) and (group[0] in _SEES_NEIGHBOURS or not self._has(leaf, target, group)):
                yield _untold(group[0])
        if leaf.kind == "object" and not objects.patterns_are_known(leaf, target):
            yield _untold("patternProperties")
        if target.says("enum") or target.says("const"):
            right = target.said("enum") if target.says("enum") else target.said("const")
            reason = (
                "the set of values is known only while the application runs" if any(leaf.said(RUN_TIME_SET)) else ""
            )
            yield Flaw(keyword="enum" if target.says("enum") else "const", right=right, reason=reason)

    def _has(self, leaf: Leaf, target: Part, keywords: tuple[str, ...]) -> bool:
        return any(self._likeness.same_keywords(part, target, keywords) for part in leaf.parts)

    def _shown(self, items: list[_Found]) -> Gap:
        """The gap that all of these are, with a value that shows it where one of a few guesses does."""
        if not self._has_run_time_sets:
            for item in items[:_MOST_LEAVES]:
                for value in islice(_whole_values(item), _MOST_TRIES):
                    self._tries += 1
                    if self._tries > _MOST_TRIES_OF_ALL:
                        break
                    if len(str(value)) <= _LONGEST_WITNESS and self._shows(value):
                        return Gap(at=item.at, flaw=item.flaw, is_shown=True, witness=value)
        return Gap(at=items[0].at, flaw=items[0].flaw)

    def _shows(self, value: JsonValue) -> bool:
        return self._right.accepts((), value) is False and self._left.accepts((), value) is True


def _whole_values(item: _Found) -> Iterator[JsonValue]:
    """Values of the whole left schema that may show a gap."""
    if item.leaf is not None:
        for guess in islice(candidates(item.leaf, item.flaw), _MOST_TRIES):
            yield from embedded(guess, item.frames)


def _scalar_flaws(leaf: Leaf, target: Part) -> list[Flaw]:
    if leaf.kind == "array":
        return [*arrays.flaws(leaf, target)]
    return [*(objects.flaws(leaf, target) if leaf.kind == "object" else scalars.flaws(leaf, target))]


def _inner(leaf: Leaf, target: Part) -> Iterator[Inner]:
    if leaf.kind == "array":
        yield from arrays.inner(leaf, target)
    elif leaf.kind == "object":
        yield from objects.inner(leaf, target)


def _allows(target: Part, leaf: Leaf) -> bool:
    """Whether the type of a leaf is one that a schema names, or it names none."""
    stated = target.said("type")
    if stated is None:
        return True
    names = {stated} if isinstance(stated, str) else set(map(str, stated)) if isinstance(stated, list) else set[str]()
    if leaf.kind in names:
        return True
    whole = leaf.is_integer or any(step.denominator == 1 for step in leaf.numbers("multipleOf"))
    return leaf.kind == "number" and "integer" in names and whole


def _type_of(leaf: Leaf) -> str:
    return "integer" if leaf.is_integer else leaf.kind


def _is_listed(leaf: Leaf) -> bool:
    """Whether a schema lists the values."""
    return any(part.says("enum") or part.says("const") for part in leaf.parts)


def _untold(keyword: str) -> Flaw:
    return Flaw(keyword=keyword, reason=f"`{keyword}` is compared word for word, and differs")
