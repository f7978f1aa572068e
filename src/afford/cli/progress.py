"""Progress of one command: one line on a terminal that is written over; nothing where nobody watches."""

from __future__ import annotations

import sys

from afford.display import visible

_CLEAR = "\r\x1b[K"


class ProgressLine:
    """A line on stderr."""

    def __init__(self) -> None:
        """Show nothing yet."""
        self._is_watched = sys.stderr.isatty()
        self._is_shown = False

    def report(self, done: float, total: float | None, message: str | None) -> None:
        """Show how far a call is."""
        of = "" if total is None else f" of {total:g}"
        self.show(f"{done:g}{of}" + (f": {message}" if message else ""))

    def show(self, text: str) -> None:
        """Write over the line."""
        if self._is_watched:
            sys.stderr.write(_CLEAR + visible(text))
            sys.stderr.flush()
            self._is_shown = True

    def clear(self) -> None:
        """Leave no trace of it."""
        if self._is_shown:
            sys.stderr.write(_CLEAR)
            sys.stderr.flush()
            self._is_shown = False
