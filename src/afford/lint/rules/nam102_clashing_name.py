"""Names that differ by case and separators alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from afford.lint.naming import clashes
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import CLEAN, SEARCH, closed
from afford.lint.target import Described, Origin, Target, target

_OFFERS: Final = (
    "See which offers are on this week, when the person asks for a bargain and not for a place. The list is complete "
    "and short; safe to call freely."
)


def check(found: Target) -> Iterator[Finding]:
    """Every name of a group that becomes one name when case and separators are forgotten."""
    clashing = clashes(item.name for item in found.operations)
    for item in found.operations:
        if item.name in clashing:
            message = f"it differs from `{clashing[item.name]}` by case and separators alone"
            yield Finding(subject=item.name, message=message)


def _offers(name: str) -> Described:
    inputs = closed({"week": {"type": "integer", "minimum": 1, "maximum": 53, "description": "Week of the year."}})
    return replace(
        SEARCH,
        name=name,
        title="Offers",
        description=_OFFERS,
        input_schema=inputs,
        example_params={"week": 12},
        pages=None,
    )


RULE: Final = Rule(
    code="NAM102",
    name="clashing-name",
    severity=Severity.ERROR,
    what="Two names differ by case and separators alone.",
    why="A model mixes them up, and a client that lowers case or rewrites separators keeps one of the two.",
    fix="Give them names that differ in their words.",
    source="clients fold case and separators of names; house conventions for names",
    bad=target(Origin.APP, *CLEAN, _offers("Search_Hotels"), name="hotels"),
    good=target(Origin.APP, *CLEAN, _offers("list_offers"), name="hotels"),
    check=check,
)
