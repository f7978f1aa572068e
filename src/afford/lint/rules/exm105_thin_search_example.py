"""An example of a search that filters by one thing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from afford.lint.answers import filters, is_list
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import with_change
from afford.lint.target import SERVED_BY_US, Target

_FEW: Final = 2


def check(found: Target) -> Iterator[Finding]:
    """Lists with two filters and more that require nothing."""
    for item in found.operations:
        offered = filters(item)
        if item.example_params is None or not is_list(item) or item.required or len(offered) < _FEW:
            continue
        if len(offered & item.example_params.keys()) < _FEW:
            message = "the example does not show that filters combine"
            yield Finding(subject=item.name, message=message, pointer="/example_params")


RULE: Final = Rule(
    code="EXM105",
    name="thin-search-example",
    severity=Severity.INFO,
    what="An example of a search sets fewer than two filters.",
    why="An assistant does not see that several constraints are one call.",
    fix="Show two or three filters together.",
    source="house style, section 5",
    origins=SERVED_BY_US,
    bad=with_change("search_hotels", example_params={"min_stars": 4}),
    good=with_change("search_hotels", example_params={"min_stars": 4, "neighbourhood": "Kadikoy"}),
    check=check,
)
