"""A description that never says when to call the operation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from afford.lint.prose import about, may_judge
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.rules import dsc118_thin
from afford.lint.samples import clean, with_change
from afford.lint.signals import TRIGGER
from afford.lint.target import Target


def check(found: Target) -> Iterator[Finding]:
    """Descriptions without any word for an occasion. Most tools have none and work, so this counts for nothing."""
    for item in found.operations:
        is_told = TRIGGER.search(item.description) or dsc118_thin.is_thin(item)
        if may_judge(item) and not is_told:
            yield about(item, "nothing says when to call it")


RULE: Final = Rule(
    code="DSC120",
    name="no-trigger",
    severity=Severity.INFO,
    what="A description does not say when to call the operation.",
    why="An assistant that is told the occasion calls without being asked; else it waits to be told.",
    fix="Add the occasion: before what, after what, or for what question to call it.",
    source="writing conventions: lead with the action and the trigger",
    bad=with_change(
        "hotel_detail",
        description="Read all there is to know about one hotel: where it stands, what it offers, and its price.",
    ),
    good=clean(),
    check=check,
)
