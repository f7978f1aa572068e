"""`CommandError`: how a command ends when it cannot do what was asked. Knows no command and no output stream."""

from __future__ import annotations

from typing import Final

OK: Final = 0
FAILED: Final = 1
"""Findings, or a call that failed."""
USAGE: Final = 2
"""The command was asked for something that makes no sense."""


class CommandError(Exception):
    """A person's mistake, or an application that does not start; told in one sentence, without our own frames."""

    def __init__(self, message: str, *, detail: str = "", exit_code: int = USAGE) -> None:
        """Keep what the person is told.

        Args:
            message: one sentence that ends with what to do.
            detail: printed before it, such as the trimmed traceback of the application's own code.
            exit_code: 1 for a failure of the application, 2 for wrong usage.
        """
        super().__init__(message)
        self.message = message
        self.detail = detail
        self.exit_code = exit_code
