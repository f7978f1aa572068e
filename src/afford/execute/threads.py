"""Blocking code off the event loop, and what is left to do when a thread outlives the call it was started for.

Knows threads and tasks; nothing of operations or scopes. A running thread cannot be stopped, so whoever gives up
waiting says what has to happen once it has ended, and the application waits for that before it stops.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context

_log = logging.getLogger("afford.threads")


class Threads:
    """The threads of one application on one event loop."""

    def __init__(self, most: int) -> None:
        """Start none yet; at most `most` will run at the same time, the others wait their turn."""
        self._pool = ThreadPoolExecutor(max_workers=most, thread_name_prefix="afford")
        self._late: set[asyncio.Task[None]] = set()

    def start(self, function: Callable[..., object], *args: object, **kwargs: object) -> Future[object]:
        """Start the function with the context variables of this moment."""
        return self._pool.submit(copy_context().run, _contained, function, args, kwargs)

    async def run(self, function: Callable[..., object], *args: object) -> object:
        """What the function answers or raises. Cancelled, it is not waited for, and not started if it still can be."""
        return await asyncio.wrap_future(self.start(function, *args))

    def afterwards(self, work: Coroutine[object, object, None]) -> None:
        """Do something later that nobody waits for, until the application stops."""
        task = asyncio.get_running_loop().create_task(_logged(work))
        self._late.add(task)
        task.add_done_callback(self._late.discard)

    async def settle(self) -> None:
        """Wait for everything that was left for later."""
        while self._late:
            await asyncio.wait(set(self._late))

    def shut_down(self) -> None:
        """Start nothing any more; what runs goes on."""
        self._pool.shutdown(wait=False)


def _contained(function: Callable[..., object], args: tuple[object, ...], kwargs: dict[str, object]) -> object:
    # A future cannot carry StopIteration: whoever waits would wait forever. The other two would end the event loop, and
    # no person interrupts a thread.
    try:
        return function(*args, **kwargs)
    except (StopIteration, SystemExit, KeyboardInterrupt) as error:
        raise RuntimeError(f"{type(error).__name__} left the function") from error


async def _logged(work: Coroutine[object, object, None]) -> None:
    try:
        await work
    except Exception:  # noqa: BLE001 - the call was answered already; the log is all that is left
        _log.exception("work that was left for later failed")
