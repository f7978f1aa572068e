"""MCP over stdio: one JSON message a line, in both eras.

Standard output carries protocol frames and nothing else: it is taken away from everybody else before the first handler
runs, and what they print goes to standard error.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import sys
import threading
from collections.abc import Callable, Generator
from typing import BinaryIO, Final

from afford.caller import Caller
from afford.errors import JsonObject
from afford.runtime import Runtime
from afford.schema.strict_json import JsonSyntaxError, parse_json
from afford.surfaces.mcp.exchange import Exchange
from afford.surfaces.mcp.lane import Lane
from afford.surfaces.mcp.peer import Peer
from afford.surfaces.mcp.protocol import (
    CAPABILITIES_KEY,
    HANDSHAKE_REVISIONS,
    INTERNAL_ERROR,
    INVALID_PARAMS,
    MODERN,
    PARSE_ERROR,
    UNSUPPORTED_VERSION,
    VERSION_KEY,
    Era,
    Incoming,
    ProtocolError,
    envelope,
    error_frame,
    identity_of,
    success_frame,
)

_log: Final = logging.getLogger("afford.mcp.stdio")

MAX_LINE: Final = 4 << 20
"""Bytes of one message."""
GRACE: Final = 2.0
"""Seconds that calls have to finish once the input has ended, as it has at once when it is a pipe."""


class StdioServer:
    """One client on one pair of pipes."""

    def __init__(self, lane: Lane, caller: Caller, write: Callable[[bytes], None]) -> None:
        """Prepare.

        Args:
            lane: answers requests.
            caller: who the operator says is calling; anonymous unless said.
            write: writes one line, which it must not interleave with others.
        """
        self._lane = lane
        self._caller = caller
        self._write = write
        self._era: Era | None = None
        self._version = HANDSHAKE_REVISIONS[0]
        self._capabilities: JsonObject = {}
        self._calls: dict[str | int, asyncio.Task[None]] = {}
        self._peer = Peer(lane.hub, write)

    def take(self, line: bytes) -> None:
        """Begin to answer one line."""
        identity: str | int | None = None
        try:
            message = parse_json(line)
            if self._peer.take(message):
                return
            identity = identity_of(message)
            identity, method, params = envelope(message)
            incoming = self._incoming(identity, method, params)
        except JsonSyntaxError as error:
            self._write(error_frame(None, ProtocolError(PARSE_ERROR, error.message)))
            return
        except ProtocolError as error:
            self._write(error_frame(identity, error))
            return
        if incoming.id is None:
            self._notified(incoming)
        else:
            task = asyncio.get_running_loop().create_task(self._answer(incoming, incoming.id))
            self._calls[incoming.id] = task
            task.add_done_callback(lambda _task: self._calls.pop(incoming.id or "", None))

    async def close(self) -> None:
        """Let what is running come to its end for a moment, then give it up: the input has ended."""
        self._peer.gone()
        running = list(self._calls.values())
        if running:
            _, late = await asyncio.wait(running, timeout=GRACE)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    async def _answer(self, incoming: Incoming, identity: str | int) -> None:
        try:
            frame = success_frame(identity, await self._lane.answer(incoming, self._exchange(incoming)))
        except ProtocolError as error:
            frame = error_frame(identity, error)
        except Exception:  # noqa: BLE001 - the last wall: no exception text reaches the wire
            _log.exception("the MCP surface failed")
            frame = error_frame(identity, ProtocolError(INTERNAL_ERROR, "Internal error"))
        self._write(frame)

    def _exchange(self, incoming: Incoming) -> Exchange:
        notify = self._notify_threadsafe()
        if incoming.era is Era.MODERN:
            return Exchange(caller=self._caller, notify=notify)
        ask = self._peer.ask if isinstance(incoming.capabilities.get("elicitation"), dict) else None
        return Exchange(caller=self._caller, notify=notify, ask=ask, subscriber=self._peer.subscriber)

    def _notify_threadsafe(self) -> Callable[[bytes], None]:
        loop = asyncio.get_running_loop()

        def notify(frame: bytes) -> None:
            loop.call_soon_threadsafe(self._write, frame)

        return notify

    def _notified(self, incoming: Incoming) -> None:
        if incoming.method == "notifications/cancelled":
            wanted = incoming.params.get("requestId")
            task = self._calls.get(wanted) if isinstance(wanted, (str, int)) else None
            if task is not None:
                task.cancel()
        elif incoming.method == "notifications/initialized" and incoming.era is Era.HANDSHAKE:
            self._peer.connected()

    def _incoming(self, identity: str | int | None, method: str, params: JsonObject) -> Incoming:
        """The request in the era that the first one chose; a process does not change eras."""
        era = self._era_of(method, params)
        if identity is not None and self._era is None:
            self._era = era
        if self._era is not None and era is not self._era and identity is not None:
            raise ProtocolError(INVALID_PARAMS, f"this connection speaks the {self._era.value} revisions")
        if era is Era.MODERN and identity is not None:
            return self._modern(identity, method, params)
        if method == "initialize":
            asked, capabilities = params.get("protocolVersion"), params.get("capabilities")
            self._version = asked if isinstance(asked, str) and asked in HANDSHAKE_REVISIONS else self._version
            self._capabilities = capabilities if isinstance(capabilities, dict) else {}
        return Incoming(
            id=identity,
            method=method,
            params=params,
            era=self._era or era,
            version=self._version,
            capabilities=self._capabilities,
        )

    def _modern(self, identity: str | int, method: str, params: JsonObject) -> Incoming:
        meta = params.get("_meta")
        stated = meta.get(VERSION_KEY) if isinstance(meta, dict) else None
        capabilities = meta.get(CAPABILITIES_KEY) if isinstance(meta, dict) else None
        if stated != MODERN:
            data: JsonObject = {"supported": [MODERN], "requested": stated}
            raise ProtocolError(UNSUPPORTED_VERSION, f"the revision {stated!r} is not served", data)
        if not isinstance(capabilities, dict):
            raise ProtocolError(INVALID_PARAMS, f"params._meta must state {CAPABILITIES_KEY}")
        return Incoming(
            id=identity, method=method, params=params, era=Era.MODERN, version=MODERN, capabilities=capabilities
        )

    def _era_of(self, method: str, params: JsonObject) -> Era:
        meta = params.get("_meta")
        stated = isinstance(meta, dict) and VERSION_KEY in meta and method != "initialize"
        return Era.MODERN if stated or method == "server/discover" else Era.HANDSHAKE


async def serve_stdio(runtime: Runtime, caller: Caller) -> None:
    """Serve one client on standard input and output, until the input ends.

    Args:
        runtime: not started yet: what the application prints while it starts must not reach the client either.
        caller: who the operator says is calling.
    """
    with _own_stdout() as output:
        await runtime.start()
        lane = Lane(runtime)
        lock = threading.Lock()

        def write(frame: bytes) -> None:
            with lock, contextlib.suppress(BrokenPipeError):
                output.write(frame + b"\n")
                output.flush()

        server = StdioServer(lane, caller, write)
        try:
            await _lines(server, write)
        finally:
            await server.close()
            await runtime.stop()


async def _lines(server: StdioServer, write: Callable[[bytes], None]) -> None:
    reader = asyncio.StreamReader(limit=MAX_LINE)
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while True:
        try:
            line = await reader.readuntil(b"\n")
        except asyncio.IncompleteReadError as end:
            if end.partial.strip():
                server.take(end.partial)
            return
        except asyncio.LimitOverrunError:
            write(error_frame(None, ProtocolError(PARSE_ERROR, f"a message is over {MAX_LINE} bytes")))
            await _skip_line(reader)
            continue
        if line.strip():
            server.take(line)


async def _skip_line(reader: asyncio.StreamReader) -> None:
    """Read past a line that is too long, without keeping it."""
    while True:
        try:
            await reader.readuntil(b"\n")
        except asyncio.LimitOverrunError as over:
            await reader.readexactly(over.consumed or 1)
            continue
        except asyncio.IncompleteReadError:
            return
        return


@contextlib.contextmanager
def _own_stdout() -> Generator[BinaryIO]:
    """Standard output for protocol frames alone; everybody else's goes to standard error, also below Python."""
    sys.stdout.flush()
    kept = os.dup(1)
    os.dup2(2, 1)
    before = sys.stdout
    sys.stdout = sys.stderr
    try:
        with os.fdopen(kept, "wb") as output:
            yield output
    finally:
        sys.stdout = before
