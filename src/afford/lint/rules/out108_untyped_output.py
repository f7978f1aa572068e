"""A field of an answer without a type."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import with_output
from afford.lint.schemas import kinds_of, places
from afford.lint.target import SERVED_BY_US, Target


def check(found: Target) -> Iterator[Finding]:
    """At any depth, also beside `enum` and `const`."""
    for item in found.operations:
        for place in places(item.output_schema):
            if not kinds_of(place.schema, item.output_schema or {}):
                message = f"`{place.name}` has no `type`"
                yield Finding(subject=item.name, message=message, pointer=f"/output_schema{place.pointer}")


RULE: Final = Rule(
    code="OUT108",
    name="untyped-output",
    severity=Severity.ERROR,
    what="A field of an answer has no type.",
    why="Some clients refuse the tool, and whoever computes with the value guesses what it is.",
    fix="Declare `type`, also beside `enum` and `const`.",
    source="house style checklist, item 11",
    origins=SERVED_BY_US,
    bad=with_output("hotel_detail", "kind", {"const": "hotel", "description": "What it is."}, "hotel"),
    good=with_output(
        "hotel_detail", "kind", {"type": "string", "const": "hotel", "description": "What it is."}, "hotel"
    ),
    check=check,
)
