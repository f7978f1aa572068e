"""A description that opens with what comes back, rather than with what the operation does."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from afford.lint.prose import at
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import clean, with_change
from afford.lint.signals import opening
from afford.lint.target import Target

_ANSWER: Final = re.compile(
    r"(?:(?:this|the) (?:tool|operation|query|endpoint|function|method|api|call)\s+)?(?:returns?|returned|"
    r"responds with|outputs|yields|contains|represents)\b(?!\s+(?:to|from)\b)|(?:an? |the )?(?:list|array|details|"
    r"information|object|collection)\s+(?:of|on|about|with|containing)\b",
    re.IGNORECASE,
)


def check(found: Target) -> Iterator[Finding]:
    """Reads only: to return a book is something to do."""
    for item in found.operations:
        first = opening(item)
        match = _ANSWER.match(first.text) if first is not None and item.reads is not False else None
        if first is None or match is None:
            continue
        if item.reads or match.group().lower() != "return":
            place = (first.start, first.start + match.end())
            yield at(item, place, f"the description opens with the answer, `{match.group()} ...`")


RULE: Final = Rule(
    code="DSC119",
    name="opens-with-the-answer",
    severity=Severity.WARNING,
    what="A description opens with what comes back.",
    why="A description is read to decide when to call: one that opens with its result is passed over.",
    fix="Open with what it does for the caller and when to call it; then say what the answer means.",
    source="writing conventions: lead with the action and the trigger",
    bad=with_change(
        "hotel_detail",
        description=(
            "Returns the full record of one hotel: where it stands and what it offers. Call it for the few that were "
            "shortlisted, then `book_room` for the one that was chosen."
        ),
    ),
    good=clean(),
    check=check,
)
