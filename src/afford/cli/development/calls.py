"""The call log at the terminal: one line for each finished call, with its secrets redacted already.

Calls are told on the event loop and written in a thread, so that a terminal which is held up holds up nobody's call.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from queue import Full, Queue
from threading import Thread
from typing import Final, TextIO

import typer

from afford.display import visible
from afford.execute.outcome import CallRecord

_MOST: Final = 1000
"""Lines that may wait for the terminal; what comes beyond that is not shown."""
_WIDEST: Final = 160
"""Characters of the arguments."""
_OK: Final = "ok"
_COLUMNS: Final = (12, 24, 9)
"""Widths of outcome, operation and duration."""


class CallLog:
    """Writes finished calls to a stream."""

    def __init__(self, stream: TextIO, clock: Callable[[], datetime] = datetime.now) -> None:
        """Write to `stream` from now on; `clock` says what time it is here."""
        self._stream = stream
        self._clock = clock
        self._waiting: Queue[str] = Queue(_MOST)
        Thread(target=self._write, name="afford-dev-calls", daemon=True).start()

    def told(self, record: CallRecord) -> None:
        """Write one call, soon; never waits."""
        try:
            self._waiting.put_nowait(line_of(record, self._clock()))
        except Full:
            return

    def flush(self) -> None:
        """Wait until everything is written."""
        self._waiting.join()

    def _write(self) -> None:
        while True:
            line = self._waiting.get()
            try:
                typer.echo(line, file=self._stream)
            except (OSError, ValueError):
                # The terminal is gone, or the stream closed; the calls go on.
                pass
            finally:
                self._waiting.task_done()


def line_of(record: CallRecord, now: datetime) -> str:
    """A call as one line: when, outcome, operation, how long, by whom and through what, trace, arguments."""
    outcome, operation, duration = _COLUMNS
    name = "(unknown)" if record.operation is None else record.operation
    who = "anonymous" if record.principal is None else record.principal
    parts = [
        f"{now:%H:%M:%S}",
        typer.style(f"{record.code:<{outcome}}", fg="green" if record.code == _OK else "red"),
        f"{name:<{operation}}",
        f"{_duration(record.duration):>{duration}}",
        f"{visible(who)} over {record.surface}",
        *([f"trace {record.trace}"] if record.trace else []),
        *([_arguments(record)] if record.arguments else []),
    ]
    return "  ".join(parts)


def _duration(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds >= 1 else f"{seconds * 1000:.1f} ms"


def _arguments(record: CallRecord) -> str:
    text = visible(json.dumps(record.arguments, ensure_ascii=False, separators=(",", ":"), default=str))
    return text if len(text) <= _WIDEST else f"{text[:_WIDEST]}..."
