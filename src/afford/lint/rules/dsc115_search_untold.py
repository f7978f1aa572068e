"""A search with a description that does not tell to narrow it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from afford.lint.answers import filters, is_list
from afford.lint.prose import about, may_judge
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import clean, with_change
from afford.lint.target import Target

_NARROW: Final = re.compile(
    r"\b(?:narrow\w*|filter\w*|constrain\w*|criteri\w+|refin\w+|restrict\w*|match\w*|fit|fits|fitting|asked for|"
    r"wants?|wish\w*|limit(?:s|ed)? (?:it |them )?to|only (?:those|the|what)|keywords?|search(?:es|ing)? (?:terms?|"
    r"by|for)|look(?:s|ing)? for|specific|particular|conditions?)\b"
    r"|\bby (?:its |their )?\w+(?:,| and\b| or\b)",
    re.IGNORECASE,
)
_FEW: Final = 2
"""One filter is a switch; two and more make a search."""


def check(found: Target) -> Iterator[Finding]:
    """Lists with filters and nothing that has to be sent."""
    for item in found.operations:
        is_search = is_list(item) and not item.required and len(filters(item)) >= _FEW
        if is_search and may_judge(item) and not _NARROW.search(item.description):
            yield about(
                item, "it can be filtered, and the description does not tell to narrow rather than read everything"
            )


RULE: Final = Rule(
    code="DSC115",
    name="search-untold",
    severity=Severity.WARNING,
    what="A description of a search does not tell to narrow it.",
    why="An assistant reads the whole list and picks from it, which costs time and tokens and misses what is cut off.",
    fix="Say that filters combine, and that the person's constraints belong into the call.",
    source="house style checklist, item 5",
    bad=with_change(
        "search_hotels",
        description=(
            "Find hotels for the person, best first. Each row is a summary for a shortlist; once one is picked, "
            "`hotel_detail` has the rest. Safe to call freely."
        ),
    ),
    good=clean(),
    check=check,
)
