"""A tool that does not say whether it writes, or whether what it writes destroys."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import HINTS, with_change
from afford.lint.target import Described, Origin, Target


def check(found: Target) -> Iterator[Finding]:
    """One finding per tool, with everything that is missing."""
    for item in found.operations:
        missing = [*_missing(item)]
        if missing:
            yield Finding(subject=item.name, message=f"it has no {' and no '.join(f'`{name}`' for name in missing)}")


def _missing(item: Described) -> Iterator[str]:
    hints = item.hints or {}
    if "readOnlyHint" not in hints:
        yield "readOnlyHint"
    if "destructiveHint" not in hints and hints.get("readOnlyHint") is not True:
        yield "destructiveHint"


RULE: Final = Rule(
    code="SAF109",
    name="unhinted",
    severity=Severity.INFO,
    what="A tool does not say whether it writes, or whether what it writes is destructive.",
    why="Clients then take it for destructive and ask each time, and directories refuse to list the server.",
    fix="State `readOnlyHint`, and `destructiveHint` where it writes.",
    source="MCP, tool annotations; rules of tool directories",
    origins=frozenset({Origin.MCP}),
    bad=with_change("book_room", Origin.MCP, hints={"title": "Book a room"}),
    good=with_change("book_room", Origin.MCP, hints=HINTS["action"]),
    check=check,
)
