"""Objects: which members there may be and must be, and the schemas of each."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from afford.errors import JsonObject, JsonValue
from afford.lock.inclusion.documents import Part, plain
from afford.lock.inclusion.gaps import Flaw
from afford.lock.inclusion.leaves import Leaf, exact, is_number, leaves
from afford.lock.inclusion.scalars import over
from afford.lock.inclusion.steps import Inner

UNNAMED: Final = "another"
"""Stands for a member that no schema names."""


def flaws(leaf: Leaf, part: Part) -> Iterator[Flaw]:
    """What a leaf of objects does not imply about the presence of members."""
    needed, wanted = leaf.names("required"), part.said("required")
    for name in wanted if isinstance(wanted, list) else []:
        if name not in needed:
            known = any(item.child("properties", str(name)) for item in leaf.parts)
            yield Flaw(keyword="required", member=str(name), left=known, right=True)
    yield from _counts(leaf, part)
    yield from _dependencies(leaf, part)
    for name in sorted(leaf.names("properties")):
        if _of(part, name, leaf) is not None and is_refused(part, name, leaf) and leaves(member(leaf, name)):
            yield Flaw(keyword="properties", member=name, left=True, right=False)


def inner(leaf: Leaf, part: Part) -> Iterator[Inner]:
    """Each member that the schema says something about, with what stands there on both sides."""
    named = leaf.names("properties") | Leaf(leaf.kind, leaf.is_integer, (part,)).names("properties")
    for name in sorted(named):
        target = _of(part, name, leaf)
        if target is None or (is_refused(part, name, leaf) and name in leaf.names("properties")):
            continue
        steps = ("properties", name) if part.child("properties", name) else ("additionalProperties",)
        yield Inner(member(leaf, name), target, steps, name)
    rest = part.child("additionalProperties")
    if rest is not None:
        yield Inner(member(leaf, None, part), rest, ("additionalProperties",), _fresh(named))


def is_empty(leaf: Leaf) -> bool:
    """Whether a member that has to be there cannot be."""
    if leaf.kind != "object":
        return False
    if over(leaf.numbers("minProperties"), leaf.numbers("maxProperties")):
        return True
    return any(any(part.schema is False for part in member(leaf, name)) for name in leaf.names("required"))


def member(leaf: Leaf, name: str | None, like: Part | None = None) -> tuple[Part, ...]:
    """Everything that a member has to satisfy; what patterns of names ask is left out.

    Args:
        leaf: the object.
        name: of the member; None: one that nobody names.
        like: for such a member, a schema none of whose patterns matches the name either.
    """
    found = (_member(part, name, like) for part in leaf.parts)
    return tuple(part for part in found if part is not None)


def _member(part: Part, name: str | None, like: Part | None) -> Part | None:
    named = None if name is None else part.child("properties", name)
    if named is not None:
        return named
    if part.says("patternProperties") and not (like and _same_patterns(part, like)):
        return None
    return part.child("additionalProperties")


def _of(part: Part, name: str, leaf: Leaf) -> Part | None:
    """What a schema asks of a member with a name; None: nothing, or only what the leaf's own patterns ask too."""
    named = part.child("properties", name)
    if named is None and name in leaf.names("properties") | leaf.names("required"):
        return part.child("additionalProperties")
    return named


def is_refused(part: Part, name: str, leaf: Leaf) -> bool:
    """Whether a schema forbids a member outright."""
    target = _of(part, name, leaf)
    return target is not None and target.schema is False


def patterns_are_known(leaf: Leaf, part: Part) -> bool:
    """Whether the patterns of names that a schema has are the leaf's as well."""
    return not part.says("patternProperties") or any(_same_patterns(own, part) for own in leaf.parts)


def _same_patterns(one: Part, other: Part) -> bool:
    """Whether both have the same patterns of names, without references."""
    left, right = _patterns(one), _patterns(other)
    return left == right and '"$ref"' not in left


def _patterns(part: Part) -> str:
    found: JsonObject = {"patternProperties": part.said("patternProperties")}
    return json.dumps(plain(found), sort_keys=True)


def _counts(leaf: Leaf, part: Part) -> Iterator[Flaw]:
    least, most = part.said("minProperties"), part.said("maxProperties")
    sure = max([Fraction(len(leaf.names("required"))), *leaf.numbers("minProperties")])
    if is_number(least) and sure < exact(least):
        yield Flaw(keyword="minProperties", left=next(leaf.said("minProperties"), None), right=least)
    closed = [Fraction(len(_names(item))) for item in leaf.parts if _is_closed(item)]
    if is_number(most) and not any(bound <= exact(most) for bound in (*closed, *leaf.numbers("maxProperties"))):
        yield Flaw(keyword="maxProperties", left=next(leaf.said("maxProperties"), None), right=most)


def _dependencies(leaf: Leaf, part: Part) -> Iterator[Flaw]:
    stated = part.said("dependentRequired")
    for name, names in (stated if isinstance(stated, dict) else {}).items():
        wanted = set(map(str, names)) if isinstance(names, list) else set[str]()
        own = [value.get(name) for value in leaf.said("dependentRequired") if isinstance(value, dict)]
        known = {str(item) for value in own if isinstance(value, list) for item in value} | leaf.names("required")
        if not wanted <= known and not any(item.schema is False for item in member(leaf, name)):
            yield Flaw(
                keyword="dependentRequired", member=name, left=[*sorted(known & wanted)], right=[*sorted(wanted)]
            )


def _is_closed(part: Part) -> bool:
    return part.said("additionalProperties") is False and not part.says("patternProperties")


def _names(part: Part) -> JsonObject:
    found: JsonValue = part.said("properties")
    return found if isinstance(found, dict) else {}


def _fresh(named: frozenset[str]) -> str:
    """A name that is not among some."""
    name = UNNAMED
    while name in named:
        name += "_"
    return name
