"""More tools than some clients take."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import with_reports
from afford.lint.target import Origin, Target

MOST: Final = 40
"""Tools that every client takes."""


def check(found: Target) -> Iterator[Finding]:
    """How many there are."""
    if len(found.operations) > MOST:
        yield Finding(subject="", message=f"there are {len(found.operations)} tools, and some clients take {MOST}")


RULE: Final = Rule(
    code="CST104",
    name="too-many-tools",
    severity=Severity.WARNING,
    # Nobody is offered everything that an app declares.
    by_origin={Origin.APP: Severity.INFO, Origin.OPENAPI: Severity.INFO, Origin.CATALOG: Severity.INFO},
    what="There are more than 40 tools.",
    why="Some clients drop what comes after the fortieth without a word, and selection gets worse with every one.",
    fix="Offer each caller only what its role needs, split the server, or defer; `App(tool_budget=...)` defers.",
    source="client limit of 40 tools; accuracy falls with the number of tools",
    bad=with_reports(37, 0),
    good=with_reports(36, 0),
    check=check,
)
