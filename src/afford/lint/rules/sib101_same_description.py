"""Two operations with one description."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from afford.lint.prose import about
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import CLEAN, SEARCH
from afford.lint.siblings import said
from afford.lint.target import Origin, Target, target


def check(found: Target) -> Iterator[Finding]:
    """Descriptions of the same words in the same order, whatever stands between them."""
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for item in found.operations:
        groups[said(item.description)].append(item.name)
    for item in found.operations:
        others = sorted(set(groups[said(item.description)]) - {item.name})
        if item.description.strip() and others:
            yield about(item, f"it is described in the same words as `{others[0]}`")


_OTHER: Final = (
    "Find hostels for a small purse, cheapest first. Narrow by area when the person named one. Each row is a summary; "
    "once one is picked, `hotel_detail` has the rest. Safe to call freely."
)

RULE: Final = Rule(
    code="SIB101",
    name="same-description",
    severity=Severity.ERROR,
    by_origin={Origin.OPENAPI: Severity.WARNING},
    what="Two operations have the same description.",
    why="Nothing tells a model which of them to call, so it takes either.",
    fix="Say in each what it is for that the other is not, or offer one of them.",
    source="confusable siblings halve the rate of right selections",
    bad=target(Origin.APP, *CLEAN, replace(SEARCH, name="search_hostels"), name="hotels"),
    good=target(Origin.APP, *CLEAN, replace(SEARCH, name="search_hostels", description=_OTHER), name="hotels"),
    check=check,
)
