"""What happens, as it happens: finished calls and changes, in one event stream (HTML standard, "Server-sent events").

A stream keeps a number and a few flags and no queue: whoever reads slowly is told later, and of what was forgotten
meanwhile how much it was. A stream ends after a while, so that credentials are looked at again.
"""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from typing import Final

import orjson

from afford.console.call_log import CallLog
from afford.declare.changes import Change
from afford.errors import JsonObject, UnavailableError
from afford.runtime import Runtime
from afford.surfaces.asgi import Receive, Send
from afford.surfaces.http.message import NO_SNIFF, NO_STORE
from afford.surfaces.server import is_ending

MOST_STREAMS: Final = 32
"""Pages that may look on at the same time."""
MOST_CHANGES: Final = 200
"""Different changes that one message tells; with more it tells that anything may have changed."""
_BREATH: Final = 0.1
"""Seconds between two messages, in which what happens is gathered."""
_LOOK: Final = 1.0
"""Seconds between two looks whether the server was told to stop."""
_QUIET: Final = 15
"""Looks between two comments on a quiet stream, below the idle limits of common proxies."""
_LONGEST: Final = 600.0
"""Seconds that a stream lasts; the page opens another one."""
_HEADERS: Final = [(b"content-type", b"text/event-stream"), NO_STORE, NO_SNIFF, (b"x-accel-buffering", b"no")]


class Events:
    """The streams of one console."""

    def __init__(self, log: CallLog, boot: str) -> None:
        """Prepare.

        Args:
            log: where the calls are.
            boot: names this run of the process, whose numbers of calls start again.
        """
        self._log = log
        self._boot = boot
        self._open = 0

    async def stream(self, runtime: Runtime, after: int, receive: Receive, send: Send) -> None:
        """Send what happens after a call of some number, until the page goes away or the server stops.

        Raises:
            UnavailableError: too many pages look on.
        """
        if self._open >= MOST_STREAMS:
            raise UnavailableError("too many consoles are open", fix="close one of them", retry_after=5)
        self._open += 1
        try:
            await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
            await self._told(runtime, after, receive, send)
            await send({"type": "http.response.body", "body": b""})
        finally:
            self._open -= 1

    async def _told(self, runtime: Runtime, after: int, receive: Receive, send: Send) -> None:
        news = _News(runtime.loop)
        gone = runtime.loop.create_task(_until_gone(receive))
        stopping = runtime.loop.create_task(runtime.stopping())
        ends = runtime.loop.time() + _LONGEST
        try:
            with ExitStack() as stack:
                stack.callback(self._log.listen(news.wake))
                stack.callback(runtime.changes.subscribe(news.change))
                await _send(send, "hello", {"boot": self._boot, "epoch": runtime.catalog.epoch})
                quiet = 0
                while not (gone.done() or stopping.done() or is_ending() or runtime.loop.time() > ends):
                    calls, missed = self._log.after(after)
                    if calls:
                        after = int(str(calls[-1]["number"]))
                        await _send(send, "calls", {"calls": [*calls], "missed": missed})
                    changed = news.taken(runtime)
                    if changed is not None:
                        await _send(send, "changed", changed)
                    quiet = 0 if calls or changed is not None else quiet + 1
                    if quiet >= _QUIET:
                        quiet = 0
                        await send({"type": "http.response.body", "body": b":\n\n", "more_body": True})
                    await news.wait(gone, stopping)
        finally:
            gone.cancel()
            stopping.cancel()
            await asyncio.wait({gone, stopping})


class _News:
    """What one stream has not told yet. Told from any thread, read on the event loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._some = asyncio.Event()
        self._changes: set[Change] = set()
        # So that the first look at the log comes at once.
        self._some.set()

    def wake(self) -> None:
        """There is something to read."""
        if not self._some.is_set():
            self._loop.call_soon_threadsafe(self._some.set)

    def change(self, change: Change) -> None:
        """Something changed."""
        self._loop.call_soon_threadsafe(self._changed, change)

    def _changed(self, change: Change) -> None:
        if len(self._changes) <= MOST_CHANGES:
            self._changes.add(change)
        self._some.set()

    def taken(self, runtime: Runtime) -> JsonObject | None:
        """What changed since the last time; None: nothing."""
        changes, self._changes = self._changes, set()
        if not changes:
            return None
        uris = sorted(change.uri for change in changes if change.uri is not None)
        kinds = sorted({change.kind.value for change in changes})
        is_told = len(changes) <= MOST_CHANGES
        return {"epoch": runtime.catalog.epoch, "kinds": [*kinds], "uris": [*uris] if is_told else None}

    async def wait(self, *ends: asyncio.Task[None]) -> None:
        """Until there is something, and a moment longer, in which more may come; or until it is time to look again."""
        waiting = self._loop.create_task(self._some.wait())
        try:
            await asyncio.wait({waiting, *ends}, timeout=_LOOK, return_when=asyncio.FIRST_COMPLETED)
            if waiting.done():
                await asyncio.sleep(_BREATH)
                self._some.clear()
        finally:
            waiting.cancel()


async def _send(send: Send, event: str, data: JsonObject) -> None:
    body = b"event: %b\ndata: %b\n\n" % (event.encode("ascii"), orjson.dumps(data))
    await send({"type": "http.response.body", "body": body, "more_body": True})


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
