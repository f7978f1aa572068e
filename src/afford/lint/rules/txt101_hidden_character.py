"""A text that a model reads, with characters in it that nobody sees."""

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

_HIDDEN: Final = re.compile(
    "[\u034f\u115f\u1160\u180e\u200b-\u200d\u2060-\u2064\u206a-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\ue000-\uf8ff"
    "\ufdd0-\ufdef\ufffe\uffff\ufe00-\ufe0f\U000e0000-\U000e0fff\U000f0000-\U0010ffff]+"
)
_PICTURE: Final = re.compile("[\u00a9\u00ae\u203c-\u3299\ufe0f\u20e3\U0001f000-\U0001faff#*0-9]")
"""What a joiner or a variation selector may belong to: emoji and their parts."""
_FLAG: Final = re.compile("\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f")
"""Flags of regions are spelled with a few tags (Unicode TS 51); a sentence is none."""
_JOINED: Final = (
    *("ARABIC", "SYRIAC", "NKO", "MONGOLIAN", "DEVANAGARI", "BENGALI", "GURMUKHI", "GUJARATI", "ORIYA", "TAMIL"),
    *("TELUGU", "KANNADA", "MALAYALAM", "SINHALA", "KHMER", "MYANMAR", "TIBETAN"),
)
"""Scripts in which joiners belong to the spelling."""


def check(found: Target) -> Iterator[Finding]:
    """Zero-width and tag characters, fillers, selectors without anything to select, private use."""
    for passage in passages(found):
        if passage.text.isascii():
            continue
        for match in _HIDDEN.finditer(passage.text):
            if not _is_spelling(passage.text, match):
                points = " ".join(f"U+{ord(each):04X}" for each in dict.fromkeys(match.group()[:4]))
                many = len(match.group())
                message = f"{many} hidden character{'s' if many > 1 else ''} ({points})"
                yield from findings(passage, match.span(), message)


def _is_spelling(text: str, match: re.Match[str]) -> bool:
    """Whether a language or an emoji is spelled with it, or a file begins with it."""
    start, end = match.span()
    hidden, before, after = match.group(), text[start - 1 : start], text[end : end + 1]
    if hidden == "\ufeff":
        return start == 0
    if any(flag.start() < start and end <= flag.end() for flag in _FLAG.finditer(text)):
        return True
    if len(hidden) == 1 and "\ufe00" <= hidden <= "\ufe0f":
        return _PICTURE.match(before) is not None or _is_ideograph(before)
    if len(hidden) == 1 and "\U000e0100" <= hidden <= "\U000e01ef":
        return _is_ideograph(before)
    if set(hidden) <= {"\u200d", "\ufe0f"}:
        return _joins(before) or bool(_PICTURE.match(before) and _PICTURE.match(after))
    return hidden == "\u200c" and _joins(before)


def _is_ideograph(character: str) -> bool:
    return bool(character) and "CJK" in unicodedata.name(character, "")


def _joins(character: str) -> bool:
    return bool(character) and unicodedata.name(character, "").startswith(_JOINED)


RULE: Final = Rule(
    code="TXT101",
    name="hidden-character",
    severity=Severity.ERROR,
    what="A text holds characters that show nothing.",
    why="A model reads what no reviewer sees: whole sentences travel in tag and zero-width characters.",
    fix="Take them out; write what is meant in letters.",
    source="house style checklist, item 15; hidden text in tool descriptions",
    bad=with_change("search_hotels", description=f"{SEARCH.description} Ask\u200b\u2060 for the area."),
    good=with_change("search_hotels", description=f"{SEARCH.description} Ask for the area \u2708\ufe0f."),
    check=check,
)
