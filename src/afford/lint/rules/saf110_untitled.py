"""A tool without a title, or a read that does not deny being destructive."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import HINTS, with_change
from afford.lint.target import Origin, Target


def check(found: Target) -> Iterator[Finding]:
    """What some directories demand beyond what clients need."""
    for item in found.operations:
        hints = item.hints or {}
        if not item.title.strip():
            yield Finding(subject=item.name, message="it has no title for people")
        if hints.get("readOnlyHint") is True and "destructiveHint" not in hints:
            yield Finding(subject=item.name, message="it only reads, and has no `destructiveHint` all the same")


RULE: Final = Rule(
    code="SAF110",
    name="untitled",
    severity=Severity.INFO,
    what="A tool has no title, or a read-only one no `destructiveHint`.",
    why="Some directories list a server only when every tool has both.",
    fix="Give it a title, and `destructiveHint: false` where it only reads.",
    source="rules of tool directories",
    origins=frozenset({Origin.MCP}),
    bad=with_change("search_hotels", Origin.MCP, title=""),
    good=with_change("search_hotels", Origin.MCP, hints=HINTS["read"]),
    check=check,
)
