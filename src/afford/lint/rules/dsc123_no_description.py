"""An operation without a description."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from afford.lint.prose import about
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import clean, with_change
from afford.lint.target import Origin, Target


def check(found: Target) -> Iterator[Finding]:
    """Blank text is no description."""
    for item in found.operations:
        if not item.text.strip():
            yield about(item, "there is no description")


RULE: Final = Rule(
    code="DSC123",
    name="no-description",
    severity=Severity.ERROR,
    what="An operation has no description.",
    why="The description is all that an assistant has to choose by.",
    fix="Say what it is for, when to call it, and what the answer means.",
    source="house style checklist, item 1; an app's own are reported as gaps",
    origins=frozenset(Origin) - {Origin.APP},
    bad=with_change("hotel_detail", Origin.CATALOG, description=" "),
    good=clean(Origin.CATALOG),
    check=check,
)
