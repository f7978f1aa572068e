"""What waits to be sent to one client: within bounds, however slowly it reads.

Knows frames and an event loop; nothing of what frames say, and nothing of sockets.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import OrderedDict
from threading import Lock
from typing import Final

MOST: Final = 2048
"""Frames that wait for one client; more than any subscription can keep waiting, so only progress is ever dropped."""


class Outbox:
    """Filled from any thread, emptied by one task of an event loop."""

    __slots__ = ("_filled", "_frames", "_is_closed", "_lock", "_loop")

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        """Start empty, for a reader on that event loop."""
        self._loop = loop
        self._frames: OrderedDict[bytes, None] = OrderedDict()
        self._lock = Lock()
        self._filled = asyncio.Event()
        self._is_closed = False

    def put(self, frame: bytes) -> None:
        """Let a frame wait. An equal one that waits already stands for both; of too many, the oldest is dropped."""
        with self._lock:
            if self._is_closed:
                return
            wakes = not self._frames
            self._frames[frame] = None
            if len(self._frames) > MOST:
                self._frames.popitem(last=False)
        if wakes:
            self._wake()

    def close(self) -> None:
        """Take nothing more; what waits is still handed out."""
        with self._lock:
            self._is_closed = True
        self._wake()

    async def take(self) -> list[bytes]:
        """Everything that waits, the oldest first, as soon as there is something; nothing: it is closed and empty."""
        while True:
            with self._lock:
                self._filled.clear()
                taken = list(self._frames)
                self._frames.clear()
                if taken or self._is_closed:
                    return taken
            await self._filled.wait()

    def _wake(self) -> None:
        # A thread may outlive the event loop; then nobody is left to read.
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._filled.set)
