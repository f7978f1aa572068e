"""An input without a type."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import with_input
from afford.lint.schemas import kinds_of, places
from afford.lint.target import ELSEWHERE, SERVED_BY_US, Origin, Target

_CHOICES: Final = ("enum", "const")


def check(found: Target) -> Iterator[Finding]:
    """At any depth. Elsewhere a closed set is as good as a type: clients that want one can derive it."""
    for item in found.operations:
        for place in places(item.input_schema):
            chosen = any(key in place.schema for key in _CHOICES)
            if kinds_of(place.schema, item.input_schema or {}) or (chosen and found.origin not in SERVED_BY_US):
                continue
            message = f"`{place.name}` has no `type`"
            yield Finding(subject=item.name, message=message, pointer=f"/input_schema{place.pointer}")


RULE: Final = Rule(
    code="INP104",
    name="untyped-input",
    severity=Severity.ERROR,
    by_origin=dict.fromkeys(ELSEWHERE, Severity.WARNING),
    what="An input has no type.",
    why="Some clients leave out the whole tool, and an assistant guesses what to send.",
    fix="Declare `type`, also beside `enum` and `const`.",
    source="house style checklist, item 11",
    bad=with_input("book_room", "floor", {"description": "Floor to be on."}),
    good=with_input("book_room", "floor", {"type": "integer", "description": "Floor to be on."}, Origin.MCP),
    check=check,
)
