"""A tool that is read-only and destructive at once, by its own hints."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import HINTS, with_change
from afford.lint.target import Origin, Target


def check(found: Target) -> Iterator[Finding]:
    """Both stated as true; what is not stated says nothing."""
    for item in found.operations:
        hints = item.hints or {}
        if hints.get("readOnlyHint") is True and hints.get("destructiveHint") is True:
            yield Finding(subject=item.name, message="its hints say that it only reads, and that it destroys")


RULE: Final = Rule(
    code="SAF107",
    name="hints-contradict",
    severity=Severity.ERROR,
    what="The hints of a tool say that it only reads and that it is destructive.",
    why="Some clients let it pass and others ask each time: nobody knows which of the two hints is true.",
    fix="Set `destructiveHint` to false on what only reads.",
    source="MCP, tool annotations",
    origins=frozenset({Origin.MCP}),
    bad=with_change("search_hotels", Origin.MCP, hints={**HINTS["read"], "destructiveHint": True}),
    good=with_change("search_hotels", Origin.MCP, hints=HINTS["read"]),
    check=check,
)
