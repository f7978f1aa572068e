"""A catalog that costs more than most."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from afford.lint.cost import costs
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import clean, with_reports
from afford.lint.target import Target

MANY: Final = 5_000
"""Tokens from which a catalog is worth a look."""
TOO_MANY: Final = 10_000
"""Tokens from which it is more than clients like; another rule's."""


def check(found: Target) -> Iterator[Finding]:
    """All tools together, with the most expensive one."""
    listed = costs(found)
    total = sum(cost.total for cost in listed)
    if MANY < total <= TOO_MANY:
        dearest = listed[0]
        most = f"the most expensive is `{dearest.name}` with {dearest.total:,}"
        yield Finding(subject="", message=f"all tools together cost some {total:,} tokens, over {MANY:,}; {most}")


RULE: Final = Rule(
    code="CST102",
    name="heavy-catalog",
    severity=Severity.INFO,
    what="All tools together cost more than 5,000 tokens.",
    why="Every conversation pays for them before anything is said.",
    fix="Look at `afford lint --cost`, and begin with the most expensive ones.",
    source="limit of 5,000 tokens to a server, of mcp-toolgauge",
    bad=with_reports(9, 10),
    good=clean(),
    check=check,
)
