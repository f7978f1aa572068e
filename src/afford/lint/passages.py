"""Every string that a model reads, once per target, and the plain form of it in which phrases are looked for.

Knows targets and text, and no rule. The plain form has lower case, single blanks, Latin letters for their look-alikes
and no characters that nobody sees, so that a phrase is found however it is dressed up; places lead back to the text.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from dataclasses import dataclass
from typing import Final

from afford.lint.remembered import once_per_target
from afford.lint.target import Target

_SILENT: Final = re.compile(
    r"[*`\x00-\x08\x0e-\x1b\x7f"
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""What Markdown puts around words, controls, and characters that show nothing (`Default_Ignorable_Code_Point`)."""
LOOK_ALIKES: Final = str.maketrans(
    "\u0430\u0432\u0435\u043a\u043c\u043d\u043e\u0440\u0441\u0442\u0443\u0445\u044c\u0455\u0456\u0458"
    "\u0461\u04af\u04bb\u04cf\u0501\u051b\u051d\u0410\u0412\u0415\u0417\u041a\u041c\u041d\u041e\u0420"
    "\u0421\u0422\u0423\u0425\u042c\u0405\u0406\u0408\u04ae\u04ba\u04c0\u051a\u051c\u03b1\u03b9\u03ba"
    "\u03bd\u03bf\u03c1\u03c4\u03c5\u03c7\u03f2\u03f3\u0131\u0391\u0392\u0395\u0396\u0397\u0399\u039a"
    "\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7\u03f9",
    "abekmhopctyxbsijwyhldqwABE3KMHOPCTYXbSIJYhlQWaikvoptuxcjiABEZHIKMNOPTYXC",
)
"""Cyrillic and Greek letters that look like Latin ones, and the dotless i (Unicode, `confusables.txt`), to those."""
_RUN: Final = re.compile(r"\s+")
_PIECE: Final = re.compile(r"\s+|\S")
_QUOTES: Final = {0x2018: "'", 0x2019: "'", 0x201B: "'", 0x201C: '"', 0x201D: '"', 0x2010: "-", 0x2011: "-"}
_SHORTEST: Final = 10
"""Characters of the shortest phrase that any rule looks for."""


@dataclass(frozen=True, slots=True)
class Passage:
    """One text, wherever it stands."""

    text: str
    plain: str
    """Its plain form; empty where it is too short to hold a phrase."""
    places: tuple[tuple[str, str], ...]
    """Subjects with pointers."""

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where in the text a piece of the plain form stands."""
        origins = _origins(self.text)
        return origins[start], origins[end - 1] + 1


@once_per_target
def passages(found: Target) -> tuple[Passage, ...]:
    """The texts of a target, each once."""
    places: dict[str, list[tuple[str, str]]] = {}
    for subject, pointer, text in found.strings():
        if text:
            places.setdefault(text, []).append((subject, pointer))
    return tuple(Passage(text, plain(text), tuple(where)) for text, where in places.items())


def plain(text: str) -> str:
    """The plain form of a text; empty where it is too short to hold a phrase."""
    if len(text) < _SHORTEST:
        return ""
    single = _RUN.sub(_blank, _SILENT.sub("", text))
    return single.lower() if single.isascii() else "".join(map(_latin, single))


def _origins(text: str) -> list[int]:
    """For each character of the plain form the place that it comes from."""
    kept = [position for position, character in enumerate(text) if not _SILENT.match(character)]
    bare = "".join(text[position] for position in kept)
    origins: list[int] = []
    for piece in _PIECE.finditer(bare):
        width = 1 if piece.group().isspace() else len(_latin(piece.group()))
        origins += [kept[piece.start()]] * width
    return origins


def _blank(run: re.Match[str]) -> str:
    """A line break where white space ends a paragraph or comes before an item of a list, else a blank."""
    item = run.string[run.end() : run.end() + 1] in {"-", "#", "\u2022"}
    return "\n" if run.group().count("\n") > 1 or (item and "\n" in run.group()) else " "


@functools.lru_cache(maxsize=4096)
def _latin(character: str) -> str:
    """What a character is without its dress: width, style, accents, script."""
    if ord(character) in _QUOTES:
        return _QUOTES[ord(character)]
    parts = (part for part in unicodedata.normalize("NFKD", character) if not unicodedata.combining(part))
    return "".join(parts).translate(LOOK_ALIKES).casefold()
