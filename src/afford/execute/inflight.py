"""One table for everything that happens to calls that last: deadlines, and noticing that the caller went away.

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
_SHORT: Final = 1.0
"""Deadlines below this many seconds get a timer of their own; a tick is too coarse for them."""


class Entry:
    """One call in flight."""

    __slots__ = (
        "_cancelled_before",
        "_stop_watching",
        "cancelled",
        "deadline",
        "entered",
        "task",
        "timed_out",
        "timer",
        "watch",
    )

    def __init__(self, task: asyncio.Task[object], entered: float, watch: Watch | None) -> None:
        """Made by `InFlight.enter`."""
        self.task = task
        self.entered = entered
        self.deadline: float | None = None
        self.timer: asyncio.TimerHandle | None = None
        self.watch = watch
        self.timed_out = False
        self.cancelled = False
        self._cancelled_before = task.cancelling()
        self._stop_watching: Callable[[], None] | None = None

    @property
    def is_given_up(self) -> bool:
        """Whether this table asked the task to stop."""
        return self.timed_out or self.cancelled

    @property
    def is_cancelled(self) -> bool:
        """Whether anybody asked the task to stop since it entered."""
        return self.task.cancelling() > self._cancelled_before

    @property
    def is_cancelled_from_outside(self) -> bool:
        """Whether somebody else than this table did."""
        return self.task.cancelling() > self._cancelled_before + self.is_given_up

    def cancel(self) -> None:
        """Give the call up because the caller went away."""
        if not self.is_given_up:
            self.task.cancel()
            self.cancelled = True

    def expire(self) -> None:
        """Give the call up because its deadline passed."""
        if not self.is_given_up:
            self.task.cancel()
            self.timed_out = True

    def start_watching(self) -> None:
        """Begin to look out for the caller leaving."""
        watch, self.watch = self.watch, None
        if watch is not None:
            self._stop_watching = watch(self.cancel)

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
        entry = Entry(task, now, watch)
        if seconds is not None and seconds < _SHORT:
            entry.timer = self._loop.call_later(seconds, entry.expire)
        elif seconds is not None:
            entry.deadline = now + seconds
        self._entries.add(entry)
        if self._timer is None:
            self._timer = self._loop.call_later(TICK, self._sweep)
        return entry

    def leave(self, entry: Entry) -> None:
        """Remove a call that came to its end, and take back the cancellation if the table asked for one."""
        self._entries.discard(entry)
        entry.stop_watching()
        if entry.timer is not None:
            entry.timer.cancel()
        if entry.is_given_up:
            entry.task.uncancel()

    def __len__(self) -> int:
        return len(self._entries)

    def _sweep(self) -> None:
        # First of all, so that an exception below stops one look and not all of them.
        self._timer = self._loop.call_later(TICK, self._sweep) if self._entries else None
        now = self._loop.time()
        for entry in tuple(self._entries):
            if entry.deadline is not None and now >= entry.deadline:
                entry.expire()
            elif now - entry.entered >= TICK:
                entry.start_watching()
