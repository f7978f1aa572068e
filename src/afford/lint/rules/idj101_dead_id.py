"""An answer with a bare `id` that no operation takes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from afford.lint.fields import snake
from afford.lint.joins import joins
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import with_output
from afford.lint.schemas import Place, places
from afford.lint.target import ELSEWHERE, SERVED_BY_US, Described, Target

_OWNER: Final = re.compile(r"/(?:properties|\$defs|definitions|schemas)/([^/]+)(?:/items|/\d+|/anyOf|/oneOf|/allOf)*$")


def check(found: Target) -> Iterator[Finding]:
    """The id of a row where nothing takes an `id`.

    Elsewhere, and deeper in a row, an id counts only where an operation takes it under its full name.
    """
    taken = joins(found).taken.exact
    by_meaning = {snake(name): name for name in sorted(taken, reverse=True)}
    ours = found.origin in SERVED_BY_US
    for item in found.operations if not ours or "id" not in taken else ():
        for place in places(item.output_schema):
            if place.name != "id" or "id" in item.inputs:
                continue
            fuller = _fuller(item, place, by_meaning)
            if fuller or (ours and place.depth == 0):
                fix = f"call it `{fuller}`, as the operation does that takes it" if fuller else None
                message = f"what is an `id` here is taken as `{fuller}`" if fuller else "no operation takes an `id`"
                pointer = f"/output_schema{place.pointer}"
                yield Finding(subject=item.name, message=message, pointer=pointer, fix=fix)


def _fuller(item: Described, place: Place, taken: Mapping[str, str]) -> str | None:
    """The input that takes this id, going by what the object is called."""
    owner = _OWNER.search(place.pointer.removesuffix("/properties/id"))
    words = {snake(owner.group(1))} if owner else set[str]()
    if place.depth == 0:
        words |= set(snake(item.name).split("_"))
    stems = words | {word.removesuffix("s") for word in words} | {f"{word.removesuffix('ies')}y" for word in words}
    return next((taken[f"{stem}_id"] for stem in sorted(stems) if f"{stem}_id" in taken), None)


RULE: Final = Rule(
    code="IDJ101",
    name="dead-id",
    severity=Severity.ERROR,
    by_origin=dict.fromkeys(ELSEWHERE, Severity.WARNING),
    what="An answer has a bare `id` that no operation takes.",
    why="An assistant has to guess which input it is meant for, or that it is meant for none.",
    fix="Call it what the operation calls it that takes it, such as `order_id`; take it out if none does.",
    source="house style checklist, item 16",
    bad=with_output("book_room", "id", {"type": "integer", "description": "Number of the booking."}, 7),
    good=with_output("book_room", "number", {"type": "integer", "description": "Number of the booking."}, 7),
    check=check,
)
