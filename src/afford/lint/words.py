"""Reading prose: words, sentences and code spans, each with where it stands. English; Unicode-aware."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

_WORD: Final = re.compile(r"[^\W_]+(?:['\u2019_-][^\W_]+)*|[^\W]+")
_SENTENCE: Final = re.compile(r"[^.!?;\n]+(?:[.!?;](?=\S)[^.!?;\n]*)*[.!?;]*")
_CODE: Final = re.compile(r"`([^`\n]+)`")


class Span(NamedTuple):
    """A piece of a text."""

    text: str
    start: int
    end: int
    """Exclusive."""

    @property
    def place(self) -> tuple[int, int]:
        """Start and end, as findings hold them."""
        return self.start, self.end


def words(text: str) -> Iterator[Span]:
    """Words, with inner apostrophes, hyphens and underscores."""
    for found in _WORD.finditer(text):
        yield Span(found.group(), found.start(), found.end())


def sentences(text: str) -> Iterator[Span]:
    """Sentences and clauses between `.`, `!`, `?`, `;` and line ends; a dot inside a word ends none."""
    for found in _SENTENCE.finditer(text):
        stripped = found.group().strip()
        if stripped:
            start = found.start() + found.group().index(stripped)
            yield Span(stripped, start, start + len(stripped))


def code_spans(text: str) -> Iterator[Span]:
    """What stands in backticks, without them."""
    for found in _CODE.finditer(text):
        yield Span(found.group(1), found.start(1), found.end(1))
