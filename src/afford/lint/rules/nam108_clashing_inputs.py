"""Inputs of one operation that differ by case and separators alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from afford.lint.naming import clashes
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import with_input
from afford.lint.schemas import escaped
from afford.lint.target import Target


def check(found: Target) -> Iterator[Finding]:
    """Inputs at the top."""
    for item in found.operations:
        for name, other in clashes(item.inputs).items():
            message = f"the inputs `{name}` and `{other}` differ by case and separators alone"
            yield Finding(subject=item.name, message=message, pointer=f"/input_schema/properties/{escaped(name)}")


RULE: Final = Rule(
    code="NAM108",
    name="clashing-inputs",
    severity=Severity.WARNING,
    what="Two inputs of an operation differ by case and separators alone.",
    why="A model sends the value of one under the name of the other.",
    fix="Keep one of them, or give them names that differ in their words.",
    source="house conventions for names",
    bad=with_input("book_room", "Nights", {"type": "integer", "description": "How many suites."}),
    good=with_input("book_room", "suites", {"type": "integer", "description": "How many suites."}),
    check=check,
)
