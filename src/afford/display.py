"""Text of somebody else's as a person may be shown it: every character shows, and none steers a terminal. Pure."""

from __future__ import annotations

import unicodedata


def visible(text: str) -> str:
    """Text in one line in which every character shows: line breaks, controls and hidden ones are written as escapes."""
    return "".join(map(_visible, text))


def _visible(character: str) -> str:
    if character.isprintable() and not unicodedata.combining(character):
        return character
    return {"\n": "\\n", "\t": "\\t"}.get(character, f"\\u{{{ord(character):x}}}")
