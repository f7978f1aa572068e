"""One child as its parent sees it: a process, and a line to it. Knows nothing of what a child does."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import sys
import time
from collections.abc import Callable
from typing import Final

from afford.cli.dev import CHILD_VARIABLE
from afford.cli.development.messages import Leave, Left, Message, Plan, line_of, message_of

_LONGEST: Final = 1 << 24
"""Bytes of one message; the files of a large application are many."""
_CLOSING: Final = 0.8
"""Seconds for a child to stop accepting; one that takes longer is busy and accepts nothing either."""
_MARGIN: Final = 2.5
"""Seconds beyond the grace of running calls, for the application to end."""


class Child:
    """A process that serves, or is about to."""

    def __init__(
        self,
        process: asyncio.subprocess.Process,
        line: tuple[asyncio.StreamReader, asyncio.StreamWriter],
        tell: Callable[[Child, Message | int], None],
    ) -> None:
        """Take a started process; `start` makes one."""
        self.started = time.time()
        """By the clock that stamps files."""
        self.pid = process.pid
        self._process = process
        self._reader, self._writer = line
        self._tell = tell
        self._left = asyncio.Event()
        self._reading = asyncio.create_task(self._read())

    @classmethod
    async def start(cls, plan: Plan, listener: socket.socket, tell: Callable[[Child, Message | int], None]) -> Child:
        """The program of this process once more, told by one variable that it is a child.

        Args:
            plan: what the child is told first.
            listener: inherited by it.
            tell: called with every message of the child, and with its exit code at last.
        """
        ours, theirs = socket.socketpair()
        with theirs:
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                *sys.orig_argv[1:],
                env={**os.environ, CHILD_VARIABLE: str(theirs.fileno())},
                pass_fds=(theirs.fileno(), listener.fileno()),
            )
        line = await asyncio.open_unix_connection(sock=ours, limit=_LONGEST)
        child = cls(process, line, tell)
        child.send(plan)
        return child

    def send(self, message: Message) -> None:
        """Tell the child; does nothing where it is gone."""
        with contextlib.suppress(OSError):
            self._writer.write(line_of(message))

    async def leave(self, grace: float, *, is_replaced: bool) -> bool:
        """Let the child accept nothing more and end; answers whether it heard, when it accepts nothing."""
        self.send(Leave(grace=grace, is_replaced=is_replaced))
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_CLOSING):
                await self._left.wait()
        return self._left.is_set()

    async def gone(self, grace: float) -> None:
        """Wait for its end, and bring it about where that takes too long."""
        await asyncio.wait({self._reading}, timeout=grace + _MARGIN)
        if not self._reading.done():
            self.kill()
            await asyncio.wait({self._reading})

    def give_up(self) -> None:
        """End a child that nobody is served by yet; it hears of it by the line, wherever it is."""
        self._writer.close()
        with contextlib.suppress(ProcessLookupError):
            self._process.terminate()

    def kill(self) -> None:
        """End it at once."""
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()

    async def _read(self) -> None:
        """Pass on what the child says, and its exit code when it is gone."""
        try:
            with contextlib.suppress(OSError):
                async for line in self._reader:
                    message = message_of(line)
                    if isinstance(message, Left):
                        self._left.set()
                    self._tell(self, message)
        finally:
            self._left.set()
            self._writer.close()
            code = await self._process.wait()
            self._tell(self, code)
