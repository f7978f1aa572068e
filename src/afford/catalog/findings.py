"""Where checks put what they find, so that all of it is raised together."""

from __future__ import annotations

from collections.abc import Collection
from difflib import get_close_matches

from afford.catalog.rules import RULES
from afford.errors import Diagnostic


class Findings:
    """Diagnostics collected during one build."""

    def __init__(self) -> None:
        """Start with none."""
        self._items: list[Diagnostic] = []

    def add(
        self, code: str, subject: str, message: str, *, fix: str | None = None, location: str | None = None
    ) -> None:
        """Record one. `fix` defaults to the rule's own sentence."""
        text = fix or RULES[code].fix
        self._items.append(Diagnostic(code=code, subject=subject, message=message, fix=text, location=location))

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Everything found so far."""
        return tuple(self._items)

    def __len__(self) -> int:
        return len(self._items)


def closest(word: str, known: Collection[str]) -> str:
    """What to do about a word that is not known: the nearest one, or all of them."""
    close = get_close_matches(word, known, n=1)
    if close:
        return f"did you mean `{close[0]}`?"
    return f"known are: {', '.join(sorted(known)[:20]) or 'none'}"
