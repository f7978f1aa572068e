"""Standard input and output as a pair of pipes that belong to one protocol alone.

Knows descriptors, threads and lines; nothing of what the lines say.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import threading
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import BinaryIO, Final

MAX_LINE: Final = 4 << 20
"""Bytes of one line."""
_AHEAD: Final = 64
"""Lines that are read before the event loop has taken them."""


@contextlib.contextmanager
def own_streams() -> Generator[tuple[BinaryIO, Callable[[bytes], None]]]:
    """Standard input, and what writes one line to standard output, for the `with` block alone; also below Python.

    What everybody else prints goes to standard error, and what they read is empty. Neither stream is given back: what
    is printed while the process ends must not reach the other side either.
    """
    stream = os.fdopen(_taken(0), "rb")
    with Path(os.devnull).open("rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    output = _taken(1)
    os.dup2(2, 1)
    # Now, so that what was printed before and is still held back goes to standard error as well.
    sys.stdout.flush()
    before, sys.stdout = sys.stdout, sys.stderr

    def write(line: bytes) -> None:
        rest = memoryview(line + b"\n")
        # Who reads no more may still be sending; it is the end of the input that ends us.
        with contextlib.suppress(ConnectionError):
            while rest:
                rest = rest[os.write(output, rest) :]

    try:
        yield stream, write
    finally:
        sys.stdout = before
        os.close(output)


async def deliver(stream: BinaryIO, take: Callable[[bytes], None]) -> None:
    """Hand every line of a stream to `take`, on the event loop, until the stream ends; closes it.

    Of a line over `MAX_LINE` only so much is handed over that it is seen to be too long. A thread of its own reads,
    because standard input may be a pipe, a socket, a file or a terminal, and an event loop can wait for some of them
    only, by switching them to a mode that whoever shares them does not expect.
    """
    loop = asyncio.get_running_loop()
    ended = asyncio.Event()
    ahead = threading.Semaphore(_AHEAD)

    def taken(line: bytes) -> None:
        ahead.release()
        if not ended.is_set():
            take(line)

    def read() -> None:
        # The loop refuses what comes after its own end, and a sender that vanished is an input that ended.
        with stream, contextlib.suppress(RuntimeError):
            with contextlib.suppress(OSError):
                for line in _lines(stream):
                    ahead.acquire()
                    loop.call_soon_threadsafe(taken, line)
            loop.call_soon_threadsafe(ended.set)

    threading.Thread(target=read, name="afford-lines", daemon=True).start()
    try:
        await ended.wait()
    finally:
        ended.set()


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    while line := stream.readline(MAX_LINE + 1):
        yield line
        while len(line) > MAX_LINE and not line.endswith(b"\n"):
            line = stream.readline(MAX_LINE + 1)


def _taken(descriptor: int) -> int:
    """A descriptor of our own for a standard stream, which no child process inherits."""
    own = os.dup(descriptor)
    if sys.platform != "win32":
        # Whoever started us may have left it in the mode of an event loop.
        os.set_blocking(own, True)
    return own
