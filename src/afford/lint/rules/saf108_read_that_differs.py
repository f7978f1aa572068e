"""A tool that only reads, and whose repetition is said to have an effect."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import HINTS, with_change
from afford.lint.target import Origin, Target


def check(found: Target) -> Iterator[Finding]:
    """Both stated: what only reads has no effect, and none the second time."""
    for item in found.operations:
        hints = item.hints or {}
        if hints.get("readOnlyHint") is True and hints.get("idempotentHint") is False:
            yield Finding(
                subject=item.name, message="its hints say that it only reads, and that repeating it has effects"
            )


RULE: Final = Rule(
    code="SAF108",
    name="read-that-differs",
    severity=Severity.INFO,
    what="The hints of a tool say that it only reads and that it is not idempotent.",
    why="A client that looks at `idempotentHint` alone does not repeat a read that failed.",
    fix="Set `idempotentHint` to true on what only reads, or leave it out.",
    source="MCP, tool annotations",
    origins=frozenset({Origin.MCP}),
    bad=with_change("search_hotels", Origin.MCP, hints={**HINTS["read"], "idempotentHint": False}),
    good=with_change("search_hotels", Origin.MCP, hints=HINTS["read"]),
    check=check,
)
