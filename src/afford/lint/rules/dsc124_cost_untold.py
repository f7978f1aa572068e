"""A read that computes something, with a description that says nothing of freshness or cost."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from afford.lint.prose import about
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import DETAIL, with_change
from afford.lint.signals import opening
from afford.lint.target import Target

_COMPUTES: Final = re.compile(
    r"\b(?:summari[sz]\w+|reports?|statistics|metrics|analy[sz]\w+|aggregat\w+|forecast\w*|estimat\w+|snapshots?|"
    r"recomput\w+|benchmark\w*|crawl\w*|scans?|simulat\w+)\b",
    re.IGNORECASE,
)
_SAID: Final = re.compile(
    r"\b(?:safe to call|freely|costs?|expensive|cheap\w*|slow\w*|fast|quick\w*|seconds?|minutes?|hours?|once per|"
    r"once a|cached?|fresh\w*|current\w*|live|latest|up to date|as of|real[ -]time|daily|hourly|nightly|updated|"
    r"refreshed|billed|charged|quota|sparingly|last|recent)\b",
    re.IGNORECASE,
)


def check(found: Target) -> Iterator[Finding]:
    """Reads whose own words say that something is computed."""
    for item in found.operations:
        first = opening(item) if item.reads else None
        match = _COMPUTES.match(first.text) if first is not None else None
        if match and not _SAID.search(item.description):
            yield about(item, f"`{match.group()}` computes something, and nothing says how fresh or how dear it is")


RULE: Final = Rule(
    code="DSC124",
    name="cost-untold",
    severity=Severity.INFO,
    what="A description of something computed does not say how fresh or how expensive it is.",
    why="An assistant that knows the cost budgets its calls; else it calls too often, or not at all.",
    fix='Add it: "safe to call freely", "expensive, call once per session", "as of last night".',
    source="writing conventions: state freshness and cost",
    bad=with_change("hotel_detail", description=f"Analyse one hotel in depth. {DETAIL.description}"),
    good=with_change("hotel_detail", description=f"Analyse one hotel in depth; expensive. {DETAIL.description}"),
    check=check,
)
