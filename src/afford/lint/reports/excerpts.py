"""A piece of a text with some words of it marked underneath."""

from __future__ import annotations

import unicodedata

from afford.display import visible


def excerpt(text: str, span: tuple[int, int], width: int) -> tuple[str, str]:
    """The line around a span, and the marks below it.

    Args:
        text: any text.
        span: in code points, end exclusive; at least one mark is set.
        width: most columns of the line, more or less.
    """
    start, end = max(span[0], 0), min(span[1], len(text))
    room = max(width - (end - start), 20)
    first = max(min(start - room // 2, len(text) - width), 0)
    last = min(first + max(width, end - first), len(text))
    head, middle, tail = (visible(part) for part in (text[first:start], text[start:end], text[end:last]))
    opening, closing = "..." if first else "", "..." if last < len(text) else ""
    blank = " " * _columns(opening + head)
    return f"{opening}{head}{middle}{tail}{closing}", blank + "^" * max(_columns(middle), 1)


def _columns(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)
