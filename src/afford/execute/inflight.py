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

    __slots__ = ("_cancelled_before", "cancelled", "deadline", "entered", "is_given_up", "task", "undo", "watch")

    def __init__(self, task: asyncio.Task[object], entered: float, deadline: float | None, watch: Watch | None) -> None:
        """Made by `InFlight.enter`."""
        self.task = task
        self.entered = entered
        self.deadline = deadline
        self.watch = watch
        self.cancelled = False
        self.is_given_up = False
        """Whether this table asked the task to stop."""
        self._cancelled_before = task.cancelling()
        self.undo: list[Callable[[], object]] | None = None
        """What leaving has to take back; most calls leave nothing behind, and pay for nothing."""

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
            self._give_up()
            self.cancelled = True

    def expire(self) -> None:
        """Give the call up because its deadline passed."""
        if not self.is_given_up:
            self._give_up()

    def start_watching(self) -> None:
        """Begin to look out for the caller leaving."""
        watch, self.watch = self.watch, None
        if watch is not None:
            self.at_the_end(watch(self.cancel))

    def at_the_end(self, undo: Callable[[], object]) -> None:
        """Call `undo` when the call leaves the table."""
        if self.undo is None:
            self.undo = []
        self.undo.append(undo)

    def _give_up(self) -> None:
        self.task.cancel()
        self.at_the_end(self.task.uncancel)
        self.is_given_up = True


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
        if seconds is None or seconds >= _SHORT:
            entry = Entry(task, now, None if seconds is None else now + seconds, watch)
        else:
            entry = Entry(task, now, None, watch)
            entry.at_the_end(self._loop.call_later(seconds, entry.expire).cancel)
        self._entries.add(entry)
        if self._timer is None:
            self._timer = self._loop.call_later(TICK, self._sweep)
        return entry

    def leave(self, entry: Entry) -> None:
        """Remove a call that came to its end, and take back the cancellation if the table asked for one."""
        self._entries.discard(entry)
        if entry.undo is not None:
            for undo in entry.undo:
                undo()

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
