"""The parent: one child serves, the next one is made for each edit and takes over when it is ready.

Everything that happens is an event in one queue and is dealt with before the next one is looked at. Imports no
application; knows processes, files and the instance record.
"""

from __future__ import annotations

import asyncio
import signal
import socket
import time
from collections import deque
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from afford.cli.development.messages import Loaded, Message, Plan, Ready, Serve
from afford.cli.development.process import Child
from afford.cli.development.sources import forget_compiled
from afford.cli.development.watching import Watching
from afford.cli.failures import FAILED, OK, USAGE
from afford.cli.printing import say

GRACE: Final = 5.0
"""Seconds that calls get to finish in a child that is replaced."""
LAST_GRACE: Final = 0.3
"""Seconds that calls get to finish when the developer ends everything."""
MOST_CRASHES: Final = 5
"""Crashes within `CRASH_WINDOW` after which an edit is waited for."""
CRASH_WINDOW: Final = 10.0
"""Seconds."""

_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@dataclass(frozen=True, slots=True)
class _Told:
    """A child said something, or ended with an exit code."""

    child: Child
    what: Message | int


@dataclass(frozen=True, slots=True)
class _Edited:
    """Files changed."""

    paths: frozenset[Path]


@dataclass(frozen=True, slots=True)
class _Stop:
    """The developer wants an end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Supervision:
    """What a parent needs."""

    plan: Plan
    """Of the first child."""
    listener: socket.socket
    folders: Collection[Path]
    """Where the app is looked for, watched before anything of it can be read."""
    extra: Collection[Path]
    """Files and folders in which every change counts."""
    serves: Callable[[Ready], None]
    """Called whenever a child has taken over."""


def supervise(supervision: Supervision) -> int:
    """Serve until a signal ends it; returns the exit code."""
    return asyncio.run(_Supervisor(supervision).run())


class _Supervisor:
    def __init__(self, supervision: Supervision) -> None:
        self._with = supervision
        self._events: asyncio.Queue[_Told | _Edited | _Stop] = asyncio.Queue()
        self._watching = Watching(lambda paths: self._events.put_nowait(_Edited(paths)), supervision.extra)
        self._epoch = supervision.plan.epoch
        self._current: Child | None = None
        self._next: Child | None = None
        self._ready: Ready | None = None
        """What is served, or was served last."""
        self._files: set[Path] = set()
        """What any child read of the author's code."""
        self._since = 0.0
        self._crashes: deque[float] = deque(maxlen=MOST_CRASHES)
        self._leaving: dict[Child, asyncio.Task[None]] = {}
        self._code: int | None = None

    async def run(self) -> int:
        loop = asyncio.get_running_loop()
        for number in _SIGNALS:
            loop.add_signal_handler(number, self._interrupted)
        try:
            await self._watching.start()
            await self._watching.add(self._with.folders)
            await self._begin()
            while self._code is None:
                await self._deal_with(await self._events.get())
        finally:
            await self._end()
        return self._code

    def _interrupted(self) -> None:
        """The first signal ends in good order, a second one at once."""
        if self._code is not None:
            for child in (*self._leaving, *filter(None, (self._current, self._next))):
                child.kill()
        self._events.put_nowait(_Stop())

    async def _deal_with(self, event: _Told | _Edited | _Stop) -> None:
        match event:
            case _Stop():
                self._code = OK
            case _Edited(paths):
                await self._edited(paths)
            case _Told(child, int(code)):
                await self._ended(child, code)
            case _Told(child, Loaded(files=files)):
                await self._read(child, files)
            case _Told(child, Ready() as ready) if child is self._next:
                await self._take_over(child, ready)
            case _Told():
                pass

    async def _begin(self) -> None:
        """Start the next child; one that was about to serve an older reading is given up."""
        self._since = time.monotonic()
        if self._next is not None:
            self._next.give_up()
            self._dismiss(self._next, 0)
        forget_compiled(self._files)
        plan = replace(self._with.plan, epoch=self._epoch)
        self._epoch += 1
        self._next = await Child.start(plan, self._with.listener, self._told)

    def _told(self, child: Child, what: Message | int) -> None:
        self._events.put_nowait(_Told(child, what))

    async def _edited(self, paths: frozenset[Path]) -> None:
        new = [path for path in paths if path.is_dir()]
        self._watching.forget(new)
        await self._watching.add(new)
        # A new folder is no edit of what is served, but may be what the next child misses.
        if len(new) == len(paths) and self._current is not None and self._next is None:
            return
        if self._current is not None or self._next is not None:
            say(f"{_named(paths)} changed; reading the app again")
        await self._begin()

    async def _read(self, child: Child, files: list[str]) -> None:
        """Watch what the child read, and notice what was edited between its reading and the watching."""
        paths = [Path(file) for file in files]
        self._files.update(paths)
        await self._watching.add({path.parent for path in paths})
        now = time.time()
        late = frozenset(path for path in paths if child.started < _stamp(path) <= now)
        if late and child in (self._next, self._current):
            self._events.put_nowait(_Edited(late))

    async def _take_over(self, child: Child, ready: Ready) -> None:
        """No connection is refused: those that come between two children wait at the socket, which is the parent's."""
        old, self._current, self._next = self._current, child, None
        if old is not None:
            await old.leave(GRACE, is_replaced=True)
            self._dismiss(old, GRACE)
        child.send(Serve(is_first=self._ready is None))
        if self._ready is not None:
            took = time.monotonic() - self._since
            say(f"served anew after {took:.1f} s{_difference(self._ready, ready)}")
        self._ready = ready
        self._with.serves(ready)

    async def _ended(self, child: Child, code: int) -> None:
        if child is self._next:
            self._next = None
            if code == USAGE and self._ready is None:
                self._code = USAGE
            elif self._current is not None:
                say("the last good app goes on serving; waiting for the next edit")
            else:
                say("nothing is served; waiting for an edit")
        elif child is self._current:
            self._current = None
            await self._crashed(code)

    async def _crashed(self, code: int) -> None:
        """Start again what ended by itself, unless it does nothing else."""
        how = f"by signal {-code}" if code < 0 else f"with code {code}"
        now = time.monotonic()
        is_hopeless = len(self._crashes) == MOST_CRASHES and now - self._crashes[0] < CRASH_WINDOW
        self._crashes.append(now)
        if is_hopeless:
            say(f"the app's process ended {how}, again and again; waiting for an edit")
            return
        say(f"the app's process ended {how}; starting it again")
        if self._next is None:
            await self._begin()

    def _dismiss(self, child: Child, grace: float) -> None:
        """Wait for the end of a child that nobody needs, beside everything else."""
        task = asyncio.create_task(child.gone(grace))
        self._leaving[child] = task
        task.add_done_callback(lambda _task: self._leaving.pop(child, None))

    async def _end(self) -> None:
        self._code = FAILED if self._code is None else self._code
        await self._watching.stop()
        if self._next is not None:
            self._next.give_up()
            self._dismiss(self._next, 0)
        if self._current is not None:
            if not await self._current.leave(LAST_GRACE, is_replaced=False):
                # A handler holds up its event loop; there is nothing to wait for.
                self._current.kill()
            self._dismiss(self._current, LAST_GRACE)
        await asyncio.gather(*self._leaving.values())


def _named(paths: frozenset[Path]) -> str:
    first, *others = sorted(path.name for path in paths)
    return f"{first} and {len(others)} more" if others else first


def _stamp(path: Path) -> float:
    """When a file was written; long ago where it is gone."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _difference(before: Ready, now: Ready) -> str:
    """What agents may reach now and could not before, and the other way round."""
    added = [f"+{name}" for name in now.offered if name not in before.offered]
    removed = [f"-{name}" for name in before.offered if name not in now.offered]
    return "".join(f", {name}" for name in (*added, *removed))
