"""A description that says of what JSON type something is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from afford.lint.prose import each_match
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import BOOK, with_change
from afford.lint.target import Target

_TYPE: Final = re.compile(
    r"(?<![\w-])(integer|boolean|nullable|uuid)(?![\w-])"
    r"(?!\s+(?:operators?|expressions?|quer(?:y|ies)|search\w*|logic|algebra|arithmetic|overflows?|division|programming|"
    r"factori[sz]ation|sequences?|operations?|blocks?|formulas?))"
    r"|\((string|number|object|float|int|bool|str)\)|(?<=: )(string|float|bool|str|int)(?![\w-]| \w)"
    r"|(?<![\w-])(?:as|is|be|are|takes|accepts|expects)\s+an?\s+(string|number|float|JSON object)(?![\w-])"
    r"(?!\s+(?:of|between|from|that|which|\w+ed\b))"
    r"|(?<![\w-])(?:is|are)\s+(integers|strings|numbers|floats|booleans|uuids)(?=\s*(?:[.,;:)]|$|and\b|or\b))"
    r"|(?<![\w-])(?:returns?|answers?(?: with)?)\s+an?\s+(string|number|float)(?=\s*(?:[.,;:)]|$|and\b|or\b))",
    re.IGNORECASE,
)
_MAKES: Final = re.compile(
    r"\b(?:generat|creat|mak|convert|pars|factor|comput|calculat|round|draw|roll)\w*\b", re.IGNORECASE
)


def check(found: Target) -> Iterator[Finding]:
    """Words for scalar types; `array` is left alone, for it says what an answer is."""
    message = "the description names the type `{}`, which a schema declares"
    yield from each_match(found, _TYPE, message, but=_is_subject)


def _is_subject(text: str, match: re.Match[str]) -> bool:
    """Whether the operation is about the type itself, as in "generate a UUID"."""
    return _MAKES.search(text[max(0, match.start() - 40) : match.start()]) is not None


RULE: Final = Rule(
    code="DSC106",
    name="type-word",
    severity=Severity.WARNING,
    what="A description says of what type something is.",
    why="The schema says it where it is checked; in prose it is duplication, and duplication drifts.",
    fix="Take it out; the schema declares the type.",
    source="house style checklist, item 2",
    bad=with_change("book_room", description=f"{BOOK.description} The length of the stay is an integer."),
    good=with_change("book_room", description=f"{BOOK.description} Part of a night cannot be booked."),
    check=check,
)
