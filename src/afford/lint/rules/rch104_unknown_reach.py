"""A reach that is none of the words there are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from afford.declare.vocabulary import Reach
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import with_change
from afford.lint.target import Origin, Target


def check(found: Target) -> Iterator[Finding]:
    """Where a reach is stated; left out it is the caller's own rows."""
    for item in found.operations:
        if item.reach and item.reach not in [*Reach]:
            known = ", ".join(f"`{word}`" for word in Reach)
            yield Finding(subject=item.name, message=f"the reach `{item.reach}` is none of {known}")


RULE: Final = Rule(
    code="RCH104",
    name="unknown-reach",
    severity=Severity.ERROR,
    what="A reach is stated that nobody knows.",
    why="An assistant cannot tell an open board from a mistake in scoping.",
    fix="Say what gives the caller the rows: `principal`, `published`, `consented` or `role`; split what needs two.",
    source="house style checklist, item 13",
    origins=frozenset(Origin) - {Origin.APP},
    bad=with_change("search_hotels", Origin.CATALOG, reach="public"),
    good=with_change("search_hotels", Origin.CATALOG, reach="published"),
    check=check,
)
