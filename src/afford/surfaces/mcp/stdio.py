"""MCP over stdio: one JSON message a line, in both eras.

Standard input and output carry protocol frames and nothing else: both are taken away from everybody else before the
first line of the application's own code runs. What it prints goes to standard error, and what it reads is empty.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Awaitable, Callable
from typing import BinaryIO, Final, Protocol

from afford.caller import Caller
from afford.errors import JsonObject, JsonValue
from afford.runtime import Runtime
from afford.schema.strict_json import JsonSyntaxError, parse_json
from afford.surfaces.mcp.exchange import Exchange, Notify
from afford.surfaces.mcp.forms import can_ask
from afford.surfaces.mcp.lane import LISTEN, Lane
from afford.surfaces.mcp.peer import Audience, Peer
from afford.surfaces.mcp.protocol import (
    CAPABILITIES_KEY,
    HANDSHAKE_REVISIONS,
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
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
from afford.surfaces.mcp.streams import MAX_LINE, deliver, own_streams

_log: Final = logging.getLogger("afford.mcp.stdio")

GRACE: Final = 2.0
"""Seconds that calls have to finish once the input has ended, as it has at once when it is a file; and as many again
to come to their end after they were given up."""


class Answering(Protocol):
    """What answers the requests of one client: a `Lane`, or what speaks for servers elsewhere."""

    @property
    def hub(self) -> Audience:
        """Tells the client what changes."""
        ...

    def answer(self, incoming: Incoming, exchange: Exchange) -> Awaitable[bytes]:
        """The result of a request, as JSON; raises `ProtocolError` where there is none."""
        ...


class _Pending:
    """One request that is being answered."""

    __slots__ = ("is_open", "lasts", "task")

    def __init__(self, method: str) -> None:
        self.lasts = method == LISTEN
        """Whether its answer comes only when the client has gone."""
        self.is_open = True
        """Whether the client still waits for it: nothing more may be said of a request that was cancelled."""
        self.task: asyncio.Task[None] | None = None

    def cancel(self) -> None:
        self.is_open = False
        if self.task is not None:
            self.task.cancel()


class StdioServer:
    """One client on one pair of pipes."""

    def __init__(self, lane: Answering, caller: Caller, write: Callable[[bytes], None]) -> None:
        """Prepare.

        Args:
            lane: answers requests.
            caller: who the operator says is calling; anonymous unless said.
            write: writes one line; called on the event loop only.
        """
        self._lane = lane
        self._caller = caller
        self._write = write
        self._era: Era | None = None
        self._version = HANDSHAKE_REVISIONS[0]
        self._capabilities: JsonObject = {}
        self._pending: dict[str | int, _Pending] = {}
        self._running: set[asyncio.Task[None]] = set()
        self._peer = Peer(lane.hub, caller, write)

    def take(self, line: bytes) -> None:
        """Begin to answer one line; a blank one says nothing."""
        if line.isspace():
            return
        if len(line) > MAX_LINE:
            self._write(error_frame(None, ProtocolError(PARSE_ERROR, f"the message is over {MAX_LINE} bytes")))
            return
        try:
            message = parse_json(line)
        except JsonSyntaxError as error:
            self._write(error_frame(None, ProtocolError(PARSE_ERROR, error.message)))
            return
        if self._peer.take(message):
            return
        try:
            incoming = self._incoming(*envelope(message))
        except ProtocolError as error:
            if not _is_notification(message):
                self._write(error_frame(identity_of(message), error))
            return
        self._begin(incoming)

    async def close(self) -> None:
        """Let what is running come to its end for a moment, then give it up: the input has ended."""
        self._peer.gone()
        for pending in self._pending.values():
            if pending.lasts:
                pending.cancel()
        if self._running:
            await asyncio.wait(self._running, timeout=GRACE)
        for pending in self._pending.values():
            pending.cancel()
        self._pending.clear()
        if self._running:
            _, late = await asyncio.wait(self._running, timeout=GRACE)
            if late:
                _log.warning("%d calls went on although they were given up", len(late))

    def _begin(self, incoming: Incoming) -> None:
        if incoming.id is None:
            self._notified(incoming)
            return
        identity, pending = incoming.id, _Pending(incoming.method)
        task = pending.task = asyncio.get_running_loop().create_task(self._answer(incoming, identity, pending))
        self._pending[identity] = pending
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    async def _answer(self, incoming: Incoming, identity: str | int, pending: _Pending) -> None:
        exchange = self._exchange(incoming, self._notifier(pending))
        try:
            frame = success_frame(identity, await self._lane.answer(incoming, exchange))
        except ProtocolError as error:
            frame = error_frame(identity, error)
        except Exception:  # noqa: BLE001 - the last wall: no exception text reaches the wire
            _log.exception("the MCP surface failed")
            frame = error_frame(identity, ProtocolError(INTERNAL_ERROR, "Internal error"))
        if pending.is_open:
            # Before the answer is written, since the client may use the id again as soon as it has read it.
            pending.is_open = False
            del self._pending[identity]
            self._write(frame)

    def _exchange(self, incoming: Incoming, notify: Notify) -> Exchange:
        if incoming.era is Era.MODERN:
            return Exchange(caller=self._caller, notify=notify)
        ask = self._peer.ask if can_ask(incoming.capabilities) else None
        return Exchange(caller=self._caller, notify=notify, ask=ask, subscriber=self._peer.subscriber)

    def _notifier(self, pending: _Pending) -> Notify:
        """Says something about a request from any thread, ahead of its answer and never after it."""
        loop, thread = asyncio.get_running_loop(), threading.get_ident()

        def say(frame: bytes) -> None:
            if pending.is_open:
                self._write(frame)

        def notify(frame: bytes) -> None:
            if threading.get_ident() == thread:
                say(frame)
            elif pending.is_open:
                loop.call_soon_threadsafe(say, frame)

        return notify

    def _notified(self, incoming: Incoming) -> None:
        if incoming.method == "notifications/cancelled":
            wanted = identity_of({"id": incoming.params.get("requestId")})
            pending = None if wanted is None else self._pending.pop(wanted, None)
            if pending is not None:
                pending.cancel()
        elif incoming.method == "notifications/initialized" and self._era is Era.HANDSHAKE:
            self._peer.connected()

    def _incoming(self, identity: str | int | None, method: str, params: JsonObject) -> Incoming:
        """The message in its era. The first request that is served chooses it; a process does not change eras.

        Raises:
            ProtocolError: its id is taken, it is of the other era, or it does not say what its era wants to know.
        """
        if identity is None:
            era = self._era or Era.HANDSHAKE
            return Incoming(id=None, method=method, params=params, era=era, version=self._version)
        if identity in self._pending:
            raise ProtocolError(INVALID_REQUEST, "the id is that of a request which is still being answered")
        era = self._era_of(method, params)
        if self._era is not None and era is not self._era:
            spoken = MODERN if self._era is Era.MODERN else self._version
            raise ProtocolError(INVALID_PARAMS, f"this connection speaks the revision {spoken}; start another one")
        incoming = (self._modern if era is Era.MODERN else self._older)(identity, method, params)
        self._era = era
        return incoming

    def _era_of(self, method: str, params: JsonObject) -> Era:
        if method == "initialize":
            return Era.HANDSHAKE
        meta = params.get("_meta")
        if isinstance(meta, dict) and VERSION_KEY in meta:
            return Era.MODERN
        return self._era or (Era.MODERN if method == "server/discover" else Era.HANDSHAKE)

    def _older(self, identity: str | int, method: str, params: JsonObject) -> Incoming:
        if method == "initialize":
            asked, capabilities = params.get("protocolVersion"), params.get("capabilities")
            self._version = asked if isinstance(asked, str) and asked in HANDSHAKE_REVISIONS else HANDSHAKE_REVISIONS[0]
            self._capabilities = capabilities if isinstance(capabilities, dict) else {}
        return Incoming(
            id=identity,
            method=method,
            params=params,
            era=Era.HANDSHAKE,
            version=self._version,
            capabilities=self._capabilities,
        )

    def _modern(self, identity: str | int, method: str, params: JsonObject) -> Incoming:
        meta = params.get("_meta")
        stated = meta.get(VERSION_KEY) if isinstance(meta, dict) else None
        capabilities = meta.get(CAPABILITIES_KEY) if isinstance(meta, dict) else None
        if not isinstance(stated, str):
            raise ProtocolError(INVALID_PARAMS, f"params._meta must state {VERSION_KEY}")
        if stated != MODERN:
            data: JsonObject = {"supported": [MODERN], "requested": stated}
            raise ProtocolError(UNSUPPORTED_VERSION, f"the revision {stated!r} is not served", data)
        if not isinstance(capabilities, dict):
            raise ProtocolError(INVALID_PARAMS, f"params._meta must state {CAPABILITIES_KEY}")
        return Incoming(
            id=identity, method=method, params=params, era=Era.MODERN, version=MODERN, capabilities=capabilities
        )


async def serve_stdio(make_runtime: Callable[[], Runtime], caller: Caller) -> None:
    """Serve one client on standard input and output, until the input ends.

    Args:
        make_runtime: makes the runtime, not yet started: nothing that the application prints while it is built or
            starts may reach the client either.
        caller: who the operator says is calling.

    Raises:
        CatalogError: the app does not build.
    """
    with own_streams() as (stream, write):
        runtime = make_runtime()
        await runtime.start()
        known = Caller(runtime.known_roles(caller.principal), caller.door, caller.surface)
        try:
            await converse(Lane(runtime), known, stream, write)
        finally:
            await runtime.stop()


async def converse(lane: Answering, caller: Caller, stream: BinaryIO, write: Callable[[bytes], None]) -> None:
    """Answer one client until its input ends.

    Args:
        lane: answers requests.
        caller: who the operator says is calling.
        stream: what the client says; is closed.
        write: writes one line to it.
    """
    server = StdioServer(lane, caller, write)
    try:
        await deliver(stream, server.take)
    finally:
        await server.close()


def _is_notification(message: JsonValue) -> bool:
    """Whether nobody waits for an answer, however malformed the rest is (JSON-RPC 2.0, section 4.1)."""
    return isinstance(message, dict) and "id" not in message and isinstance(message.get("method"), str)
