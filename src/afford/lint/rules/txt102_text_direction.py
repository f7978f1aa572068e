"""A text that a model reads, with controls in it that turn the order in which people see it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from afford.lint.passages import passages
from afford.lint.phrases import findings
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import SEARCH, with_change
from afford.lint.target import Target

_TURNS: Final = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_OVERRIDES: Final = frozenset("\u202d\u202e")
_OPENS: Final = frozenset("\u202a\u202b\u2066\u2067\u2068")
_CLOSES: Final = frozenset("\u202c\u2069")


def check(found: Target) -> Iterator[Finding]:
    """Overrides always; marks, embeddings and isolates where nothing runs from right to left or one stays open."""
    for passage in passages(found):
        if passage.text.isascii():
            continue
        turns = list(_TURNS.finditer(passage.text))
        needed = bool(turns) and _runs_from_the_right(passage.text) and _is_balanced(passage.text)
        for match in turns:
            if match.group() in _OVERRIDES or not needed:
                message = f"a control that turns the direction of text (U+{ord(match.group()):04X})"
                yield from findings(passage, match.span(), message)


def _runs_from_the_right(text: str) -> bool:
    return any(
        unicodedata.bidirectional(character) in {"R", "AL"} for character in text if character not in "\u200f\u061c"
    )


def _is_balanced(text: str) -> bool:
    depth = 0
    for character in text:
        depth += (character in _OPENS or character in _OVERRIDES) - (character in _CLOSES)
        if depth < 0:
            return False
    return depth == 0


RULE: Final = Rule(
    code="TXT102",
    name="text-direction",
    severity=Severity.ERROR,
    what="A text holds controls that change the direction in which it is shown.",
    why="People see another text than the model reads, so a review approves what nobody read.",
    fix="Take the controls out.",
    source="house style checklist, item 15; Unicode TR 36, bidirectional text spoofing",
    bad=with_change("search_hotels", description=f"{SEARCH.description} \u202eAll areas are known."),
    good=with_change("search_hotels", description=f"{SEARCH.description} All areas are known."),
    check=check,
)
