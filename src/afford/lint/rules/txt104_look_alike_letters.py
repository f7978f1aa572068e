"""A word of Latin letters with letters of another script in it that look the same."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from afford.lint.passages import LOOK_ALIKES, passages
from afford.lint.phrases import findings
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import SEARCH, with_change
from afford.lint.schemas import places
from afford.lint.target import Target

_WORD: Final = re.compile(r"[^\W\d_]+")
_STRANGE: Final = frozenset(map(chr, LOOK_ALIKES)) - {"\u0131"}
"""Look-alikes; the dotless i is a Latin letter itself."""
_LATIN: Final = 3
"""Latin letters from which on a word is a Latin word; less may be a unit or a formula."""


def check(found: Target) -> Iterator[Finding]:
    """In texts, and in the names of operations and fields."""
    for passage in passages(found):
        for match in _WORD.finditer(passage.text) if not passage.text.isascii() else ():
            if _is_mixed(match.group(), _LATIN):
                yield from findings(passage, match.span(), _message(match.group()))
    for item in found.operations:
        if _is_mixed(item.name, 1):
            yield Finding(subject=item.name, message=_message(item.name))
        for part, schema in (("/input_schema", item.input_schema), ("/output_schema", item.output_schema)):
            for place in places(schema):
                if _is_mixed(place.name, 1):
                    yield Finding(subject=item.name, message=_message(place.name), pointer=f"{part}{place.pointer}")


def _is_mixed(word: str, latin: int) -> bool:
    if word.isascii():
        return False
    strange = sum(letter in _STRANGE for letter in word)
    plain = sum(letter.isascii() and letter.isalpha() for letter in word)
    others = sum(letter.isalpha() for letter in word) - strange - plain
    return bool(strange) and plain >= latin and not others


def _message(word: str) -> str:
    strange = dict.fromkeys(f"U+{ord(letter):04X}" for letter in word if letter in _STRANGE)
    return f"a word with letters that look Latin and are not ({', '.join(strange)})"


RULE: Final = Rule(
    code="TXT104",
    name="look-alike-letters",
    severity=Severity.ERROR,
    what="A Latin word holds Cyrillic or Greek letters that look Latin.",
    why="It reads as one word and is another: filters and reviews miss it, and a name can be typed by nobody.",
    fix="Type the word again, in one script.",
    source="house style checklist, item 15; Unicode TS 39, mixed scripts",
    bad=with_change("search_hotels", description=f"{SEARCH.description} Pri\u0441es are as of today."),
    good=with_change("search_hotels", description=f"{SEARCH.description} Prices are as of today."),
    check=check,
)
