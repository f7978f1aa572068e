"""A field of an answer without a description."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import with_output
from afford.lint.schemas import places, states, texts_of
from afford.lint.target import SERVED_BY_US, Target


def check(found: Target) -> Iterator[Finding]:
    """At any depth; a constant speaks for itself."""
    for item in found.operations:
        for place in places(item.output_schema):
            root = item.output_schema or {}
            if not texts_of(place.schema, root).strip() and not states(place.schema, root, "const"):
                message = f"`{place.name}` has no description"
                yield Finding(subject=item.name, message=message, pointer=f"/output_schema{place.pointer}")


RULE: Final = Rule(
    code="OUT102",
    name="undescribed-output",
    severity=Severity.WARNING,
    what="A field of an answer has no description.",
    why="Its unit and its meaning are said nowhere, and an assistant tells its person what it guessed.",
    fix="Describe it in one line: what it means, its unit, and for an id who takes it.",
    source="house style checklist, item 11",
    origins=SERVED_BY_US,
    bad=with_output("hotel_detail", "floors", {"type": "integer"}, 3),
    good=with_output("hotel_detail", "floors", {"type": "integer", "description": "Floors above the ground."}, 3),
    check=check,
)
