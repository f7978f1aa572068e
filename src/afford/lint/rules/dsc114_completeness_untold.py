"""A list that is not paged, with a description that does not say whether it is complete."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from afford.lint.answers import is_list
from afford.lint.fields import snake
from afford.lint.prose import about, may_judge
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import SEARCH, closed, with_change
from afford.lint.target import Origin, Target

_SAID: Final = re.compile(
    r"\b(?:whole|entire|complete\w*|all|every|everything|full|unpaged|paged|pages?|paginat\w*|at once|"
    r"in one (?:answer|go)|nothing (?:is )?(?:left out|missing|omitted)|no (?:more|others?)|"
    r"top|first|latest|newest|last|most recent|at most|up to|sample|some of)\b",
    re.IGNORECASE,
)
_MANY: Final = re.compile(r"^(?:list|search|find|browse|query)\b|(?<![suis])s$")
"""Names of what answers many rows also where something has to be sent: `list_rooms`, `open_orders`."""
_TEXT: Final = (
    "Find hotels of one area that match what the person asked for. Narrow with the person's own constraints. "
    "Each row is "
    "a summary for a shortlist; once one is picked, `hotel_detail` has the rest. Safe to call freely."
)
_INPUTS: Final = closed(SEARCH.inputs, "neighbourhood")


def check(found: Target) -> Iterator[Finding]:
    """Lists that declare no pages; what stands behind one row is no list."""
    for item in found.operations:
        answers_many = is_list(item) and (not item.required or _MANY.search(_first_and_last(item.name)))
        if answers_many and item.pages is None and may_judge(item) and not _SAID.search(item.text):
            yield about(item, "the answer is a list, and nothing says whether it is complete")


def _first_and_last(name: str) -> str:
    """The words of a name that say whether it answers many: what it does, and what it does it with."""
    words = snake(name).split("_")
    return f"{words[0]} {words[-1]}"


RULE: Final = Rule(
    code="DSC114",
    name="completeness-untold",
    severity=Severity.INFO,
    what="A description of a list does not say whether the answer is complete.",
    why="An assistant cannot tell a whole list from a part of one, and asks again or stops too early.",
    fix="Say that it is the whole list, or which part of it.",
    source="house style checklist, item 3",
    origins=frozenset({Origin.APP, Origin.CATALOG}),
    bad=with_change("search_hotels", description=_TEXT, pages=None, input_schema=_INPUTS),
    good=with_change("search_hotels", description=f"{_TEXT} The list is complete.", pages=None, input_schema=_INPUTS),
    check=check,
)
