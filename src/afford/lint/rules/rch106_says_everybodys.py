"""A text that promises the rows of others, with a reach of the caller's own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from afford.lint.phrases import is_denied
from afford.lint.prose import at, sentence_at
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import SEARCH, with_change
from afford.lint.target import Target

_PEOPLE: Final = (
    r"(?:users|people|members|customers|guests|patients|employees|tenants|students|clients|residents|sellers|buyers|"
    r"applicants|donors|colleagues|drivers|riders|subscribers)"
)
_OF_OTHERS: Final = re.compile(
    rf"\b(?:other|all|all other|all the|any|every other)\s+{_PEOPLE}(?:'|\u2019)s?(?=\s\w)|\b(?:of|by|from)\s+(?:all|"
    rf"other|all other)\s+{_PEOPLE}\b|\b(?:everyone|everybody|anyone|anybody|somebody else|someone else|"
    r"another\s+(?:user|person|member|customer|guest))(?:'|\u2019)s\s+(?!own\b)\w+|\b(?:posted|written|shared|"
    rf"uploaded|offered|listed|published|placed)\s+by\s+(?:other\s+{_PEOPLE}|others|everyone|everybody|anyone|"
    r"anybody)\b",
    re.IGNORECASE,
)
_LEFT_OUT: Final = re.compile(
    r"\b(?:(?:is|are|were|be|do|does|will)\s+(?:not|never)|(?:is|are|do|does|wo)n't|(?:stays?|remains?|is|"
    r"are)\s+(?:private|hidden|excluded|left\s+out|out\s+of\s+reach|unaffected))\b",
    re.IGNORECASE,
)


def check(found: Target) -> Iterator[Finding]:
    """Reads with principal reach, as it is stated."""
    for item in found.operations:
        for match in _OF_OTHERS.finditer(item.description) if item.reads and item.reach == "principal" else ():
            is_left_out = _LEFT_OUT.search(sentence_at(item.description, match.start()))
            if not is_left_out and not is_denied(item.description.lower(), match.start()):
                yield at(item, match.span(), f"`{match.group()}` is said, and the reach is `principal`")


RULE: Final = Rule(
    code="RCH106",
    name="says-everybodys",
    severity=Severity.WARNING,
    what="A text promises rows of others, and the reach is the caller's own.",
    why="Rows of others that nothing declares are what a mistake in scoping looks like, and nobody reviews them.",
    fix="Declare the reach that authorises them, or say whose rows these are.",
    source="house style checklist, item 13",
    bad=with_change("search_hotels", description=f"{SEARCH.description} Other guests' notes are in it."),
    good=with_change("search_hotels", description=f"{SEARCH.description} Never are other guests' notes in it."),
    check=check,
)
