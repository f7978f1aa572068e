"""Two operations that take the same and say nearly the same."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from afford.lint.prose import about
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import CLEAN, SEARCH
from afford.lint.siblings import NEAR, pairs
from afford.lint.target import Origin, Target, target

_STRANGERS: Final = 0.85
"""The same for two whose names have no word in common, and so say something of their own."""


def check(found: Target) -> Iterator[Finding]:
    """Pairs with the same inputs and most words in common, that neither their names nor a reference tell apart."""
    for pair in pairs(found):
        one, other = pair.one, pair.other
        least = NEAR if one.name & other.name else _STRANGERS
        if pair.likeness >= least and one.inputs == other.inputs:
            for item, twin in ((one.item, other.item), (other.item, one.item)):
                message = (
                    f"it has most words and all inputs in common with `{twin.name}`, and neither says which to take"
                )
                yield about(item, message)


_NEARLY: Final = SEARCH.description.replace("Safe to call freely.", "Free to call.")

RULE: Final = Rule(
    code="SIB102",
    name="near-duplicate",
    severity=Severity.WARNING,
    what="Two operations take the same inputs and say nearly the same.",
    why="Nothing tells a model which of them to call, so it takes either.",
    fix="Say in each what it is for that the other is not, and name the other; or offer one of them.",
    source="word-set Jaccard of 0.70 or more is a near-duplicate (threshold of mcp-toolgauge)",
    bad=target(Origin.APP, *CLEAN, replace(SEARCH, name="find_hotels", description=_NEARLY), name="hotels"),
    good=target(
        Origin.APP,
        *CLEAN,
        replace(SEARCH, name="find_hotels", description=f"{_NEARLY} For a group of ten or more take `search_hotels`."),
        name="hotels",
    ),
    check=check,
)
