"""One sweeper for everything that happens to calls that last: deadlines, and noticing that the caller went away.

A timer per call costs three times as much as the whole table (`docs/design/0004`), so calls only enter and leave a
set, and a tick looks at what is still there. The grain is one tick; a deadline under a second has its own timer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from afford.execute.outcome import Watch

TICK: Final = 0.1
"""Seconds between two looks at the calls in flight."""


class Entry:
    """One call in flight."""

    __slots__ = ("_stop_watching", "cancelled", "deadline", "entered", "task", "timed_out", "watch")

    def __init__(self, task: asyncio.Task[object], entered: float, deadline: float | None, watch: Watch | None) -> None:
        """Made by `InFlight.enter`."""
        self.task = task
        self.entered = entered
        self.deadline = deadline
        self.watch = watch
        self.timed_out = False
        self.cancelled = False
        self._stop_watching: Callable[[], None] | None = None

    def cancel(self) -> None:
        """Give the call up because the caller went away."""
        if not (self.cancelled or self.timed_out):
            self.cancelled = True
            self.task.cancel()

    def expire(self) -> None:
        """Give the call up because its deadline passed."""
        if not (self.cancelled or self.timed_out):
            self.timed_out = True
            self.task.cancel()

    def start_watching(self) -> None:
        """Begin to look out for the caller leaving."""
        if self.watch is not None:
            self._stop_watching = self.watch(self.cancel)
            self.watch = None

    def stop_watching(self) -> None:
        """End looking out."""
        if self._stop_watching is not None:
            self._stop_watching()
            self._stop_watching = None


class InFlight:
    """The calls in flight on one event loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        """Start with none."""
        self._loop = loop
        self._entries: set[Entry] = set()
        self._timer: asyncio.TimerHandle | None = None

    def enter(self, seconds: float | None, watch: Watch | None) -> Entry:
        """Add the current task, to be given up after `seconds` (None: never)."""
        task = asyncio.current_task(self._loop)
        if task is None:
            raise RuntimeError("a call runs inside a task; use asyncio.run or an async test")
        now = self._loop.time()
        entry = Entry(task, now, None if seconds is None else now + seconds, watch)
        self._entries.add(entry)
        if self._timer is None:
            self._timer = self._loop.call_later(TICK, self._sweep)
        return entry

    def leave(self, entry: Entry) -> None:
        """Remove a finished call."""
        self._entries.discard(entry)
        entry.stop_watching()

    def __len__(self) -> int:
        return len(self._entries)

    def _sweep(self) -> None:
        now = self._loop.time()
        for entry in self._entries:
            if entry.deadline is not None and now >= entry.deadline:
                entry.expire()
            elif now - entry.entered >= TICK:
                entry.start_watching()
        self._timer = self._loop.call_later(TICK, self._sweep) if self._entries else None
