"""The child's end of the line to its parent: what it is told, in a thread, whatever the application does meanwhile.

A parent that is gone is a reason to end, and the thread sees to that even where the application hangs.
"""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Callable
from threading import Lock, Thread, Timer
from typing import Final

from afford.cli.development.messages import Leave, Message, Plan, line_of, message_of

_LAST: Final = 3.0
"""Seconds after which a child without a parent ends, whatever it is doing."""
_ABANDONED: Final = Leave(grace=0, is_replaced=False)


class Line:
    """A connection to the parent."""

    def __init__(self, descriptor: int) -> None:
        """Take the inherited end; processes that the application starts do not inherit it again."""
        os.set_inheritable(descriptor, False)  # noqa: FBT003 - the function takes it by position
        self._socket = socket.socket(fileno=descriptor)
        self._lines = self._socket.makefile("rb")
        self._sending = Lock()

    def plan(self) -> Plan:
        """The first message.

        Raises:
            EOFError: the parent is gone already.
        """
        line = self._lines.readline()
        match message_of(line) if line else None:
            case Plan() as plan:
                return plan
            case _:
                raise EOFError

    def send(self, message: Message) -> None:
        """Tell the parent, if it is there."""
        with self._sending, contextlib.suppress(OSError):
            self._socket.sendall(line_of(message))

    def follow(self, obey: Callable[[Message], None]) -> None:
        """Pass on every message from now on, in a thread of its own; a parent that is gone is like a last `Leave`."""
        Thread(target=self._follow, args=(obey,), name="afford-dev-line", daemon=True).start()

    def _follow(self, obey: Callable[[Message], None]) -> None:
        with contextlib.suppress(OSError):
            for line in self._lines:
                obey(message_of(line))
        last = Timer(_LAST, os._exit, (1,))
        last.daemon = True
        last.start()
        obey(_ABANDONED)
