"""What a handler may know about the call it is serving, beyond its arguments."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Final

from afford.caller import Caller
from afford.request import Request

_log: Final = logging.getLogger("afford.call")


def _no_progress(_done: float, _total: float | None, _message: str | None) -> None:
    """Where nobody listens, progress goes nowhere."""


class Call:
    """The call being served; injected into a handler that declares a parameter of this type."""

    __slots__ = ("_cancelled", "_report", "caller", "deadline", "log", "operation", "request", "trace")

    def __init__(
        self,
        *,
        operation: str,
        caller: Caller,
        request: Request | None,
        deadline: float | None,
        trace: str,
        report: Callable[[float, float | None, str | None], None] = _no_progress,
    ) -> None:
        """Made by the executor, one per call."""
        self.operation = operation
        """Id of the operation."""
        self.caller = caller
        self.request = request
        """Headers and client of the HTTP request; None on stdio and in process."""
        self.deadline = deadline
        """`time.monotonic()` value after which the call is given up; None: no deadline."""
        self.trace = trace
        """Id under which the log has this call."""
        self.log = logging.LoggerAdapter(_log, {"operation": operation, "trace": trace})
        self._cancelled = False
        self._report = report

    @property
    def cancelled(self) -> bool:
        """Whether the caller went away or the deadline passed: a good moment to stop."""
        return self._cancelled or (self.deadline is not None and time.monotonic() >= self.deadline)

    @property
    def remaining(self) -> float | None:
        """Seconds until the deadline, never negative; None: no deadline."""
        return None if self.deadline is None else max(0.0, self.deadline - time.monotonic())

    def cancel(self) -> None:
        """Mark the call as given up; called by the executor."""
        self._cancelled = True

    def progress(self, done: float, total: float | None = None, message: str | None = None) -> None:
        """Tell the caller how far the work is, where the surface can carry it.

        Args:
            done: how much is done, in units of the author's choice; never decreasing.
            total: how much there is, where known.
            message: one short line.
        """
        self._report(done, total, message)


class SyncCall(Call):
    """The same for plain `def` handlers, which run in a thread: poll `cancelled`, since a thread cannot be stopped."""

    __slots__ = ()
