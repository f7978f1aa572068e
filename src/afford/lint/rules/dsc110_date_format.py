"""A description that says how dates or times are written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from afford.lint.prose import each_match, sentence_at
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import BOOK, with_change
from afford.lint.target import Target

_FORMAT: Final = re.compile(
    r"(?<![\w-])(?:YYYY[-/.]?MM(?:[-/.]?DD)?(?:T?[ ]?HH:MM(?::SS)?Z?)?|DD[-/.]MM[-/.]YYYY|MM[-/.]DD[-/.]YYYY"
    r"|YYYY(?= format)|HH:MM(?::SS)?|ISO[ -]?8601|(?<=in )ISO format|ISO date(?:time)?s?(?: format)?|"
    r"RFC[ -]?3339|(?:unix|epoch) (?:timestamps?|(?:milli)?seconds)"
    r"|seconds since the epoch)(?![\w-])",
    re.IGNORECASE,
)
_FORMATS: Final = re.compile(
    r"\b(?:convert|pars|reformat|translat|normali[sz]|validat|recogni[sz])(?:s|e|es|ing|ting|ion)?\b", re.IGNORECASE
)


def check(found: Target) -> Iterator[Finding]:
    """Patterns and standards for dates; an operation that converts dates has to name them."""
    yield from each_match(found, _FORMAT, "`{}` is the format of a field, and belongs to that field", but=_is_subject)


def _is_subject(text: str, match: re.Match[str]) -> bool:
    """Whether the sentence is about turning one form into another."""
    return _FORMATS.search(sentence_at(text, match.start()).partition(match.group())[0]) is not None


RULE: Final = Rule(
    code="DSC110",
    name="date-format",
    severity=Severity.ERROR,
    what="A description says how dates or times are written.",
    why="The format belongs to one field, where it is checked; prose says it about all of them and drifts.",
    fix="Declare `format` on the field, and say the form in the field's own description.",
    source="house style checklist, item 2",
    bad=with_change("book_room", description=f"{BOOK.description} Dates are YYYY-MM-DD."),
    good=with_change("book_room", description=f"{BOOK.description} Dates are those of the hotel's own calendar."),
    check=check,
)
