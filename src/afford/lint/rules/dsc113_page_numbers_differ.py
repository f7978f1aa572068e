"""A description with page sizes that are not the declared ones."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from afford.lint.prose import at
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import SEARCH, with_change
from afford.lint.target import Target
from afford.lint.words import Span, sentences

_NAMED: Final = re.compile(r"\bpage[ -]?sizes?\b|`limit`|\bpages? (?:of|holds?)\b", re.IGNORECASE)
_BEFORE: Final = re.compile(r"(?<![\w.])(\d+)(?= (?:[a-z]+ ){0,2}(?:per|a) page\b)", re.IGNORECASE)
_NUMBER: Final = re.compile(r"(?<![\w.])\d+|(?<=\.\.)\d+")


def check(found: Target) -> Iterator[Finding]:
    """Numbers in what a sentence says of page sizes, where both declared numbers are known."""
    for item in found.operations:
        pages = item.pages
        if pages is None or pages.default is None or pages.most is None:
            continue
        known = {0, 1, pages.default, pages.most}
        for sentence in sentences(item.description):
            for number in _sizes(sentence):
                if int(number.text) not in known:
                    message = f"pages have {pages.default} rows, and {pages.most} at most, not {number.text}"
                    yield at(item, number.place, message)


def _sizes(sentence: Span) -> Iterator[Span]:
    named = _NAMED.search(sentence.text)
    found = list(_BEFORE.finditer(sentence.text))
    if named:
        found = list(_NUMBER.finditer(sentence.text, named.end())) or found
    for match in found:
        yield Span(match.group(), sentence.start + match.start(), sentence.start + match.end())


RULE: Final = Rule(
    code="DSC113",
    name="page-numbers-differ",
    severity=Severity.ERROR,
    what="A description says page sizes that are not the declared ones.",
    why="An assistant plans with the wrong number of calls, or takes a short page for the last one.",
    fix="Take the numbers out where the server writes them, or write the declared ones.",
    source="house style checklist, item 4",
    bad=with_change(
        "search_hotels", description=f"{SEARCH.description} Page size defaults to 20 and is held to 1..100."
    ),
    good=with_change(
        "search_hotels", description=f"{SEARCH.description} Page size defaults to 20 and is held to 1..50."
    ),
    check=check,
)
