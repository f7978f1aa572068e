"""MCP over Streamable HTTP, without sessions: one POST, one request, one response.

Serves the modern revision, and clients of the handshake revisions that need no session. A response is one JSON object,
or an event stream scoped to the request as soon as something has to be said before the result.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

from afford.caller import Surface
from afford.errors import JsonObject, JsonValue
from afford.manifest import Manifest
from afford.request import Request
from afford.runtime import Runtime
from afford.schema.strict_json import JsonSyntaxError, parse_json
from afford.surfaces.asgi import (
    BodyTooLargeError,
    ClientGoneError,
    Header,
    Receive,
    Scope,
    Send,
    received_body,
    refuse_length,
)
from afford.surfaces.mcp.exchange import Exchange
from afford.surfaces.mcp.headers import MODERN_FIELD, VERSION_FIELD, Fields, check_routing, text_of
from afford.surfaces.mcp.lane import LISTEN, Lane
from afford.surfaces.mcp.outbox import Outbox
from afford.surfaces.mcp.protocol import (
    CAPABILITIES_KEY,
    HANDSHAKE_REVISIONS,
    HEADER_MISMATCH,
    INTERNAL_ERROR,
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    MODERN,
    OLDER_REVISIONS,
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

KEEP_ALIVE: Final = 15.0
"""Seconds between two comments on a quiet event stream, below the idle limits of common proxies."""

_log: Final = logging.getLogger("afford.mcp.http")
_JSON: Final[list[Header]] = [(b"content-type", b"application/json"), (b"cache-control", b"no-store")]
_EVENTS: Final[list[Header]] = [
    (b"content-type", b"text/event-stream"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]


@dataclass(slots=True)
class _Connection:
    """One HTTP request, and what has been sent in answer to it."""

    scope: Scope
    receive: Receive
    send: Send

    async def reply(self, status: int, body: bytes, *headers: Header) -> None:
        """Send a whole answer."""
        fields = [*_JSON, *headers, (b"content-length", b"%d" % len(body))]
        await self.send({"type": "http.response.start", "status": status, "headers": fields})
        await self.send({"type": "http.response.body", "body": body})


class McpHttp:
    """The endpoint behind `/mcp`."""

    surface = Surface.MCP

    def __init__(self, *, max_body: int) -> None:
        """Prepare; a request may have `max_body` bytes."""
        self._max_body = max_body
        self._lane: tuple[Runtime, Lane] | None = None

    async def __call__(
        self, runtime: Runtime, manifest: Manifest, request: Request, connection: tuple[Scope, Receive, Send]
    ) -> None:
        """Answer one HTTP request, whose host, origin and credentials were checked."""
        wire = _Connection(*connection)
        if wire.scope["method"] != "POST":
            refused = ProtocolError(METHOD_NOT_FOUND, "this endpoint answers POST only")
            await wire.reply(405, error_frame(None, refused), (b"allow", b"POST"))
            return
        message: JsonValue = None
        era = Era.MODERN
        try:
            fields = request.fields
            _check_media(fields)
            refuse_length(fields.get(b"content-length", b""), self._max_body)
            message = _parsed(await received_body(wire.receive, self._max_body))
            incoming = _incoming(message, fields)
            era = incoming.era
            if incoming.id is None:
                await wire.reply(202, b"")
                return
            lane = self.lane(runtime)
            wants_more = incoming.progress_token is not None or incoming.method == LISTEN
            if wants_more and b"text/event-stream" in fields.get(b"accept", b""):
                await _Stream(lane, incoming, wire).run(manifest, request)
                return
            watch = partial(_watch, wire.receive)
            exchange = Exchange(manifest.caller, request, watch=watch, manifest=manifest)
            await wire.reply(200, success_frame(incoming.id, await lane.begin(incoming, exchange)))
        except ClientGoneError:
            return
        except BodyTooLargeError:
            over = ProtocolError(PARSE_ERROR, f"the body is over {self._max_body} bytes")
            await wire.reply(413, error_frame(None, over))
        except Exception as error:  # noqa: BLE001 - the last wall: no exception text reaches the wire
            told = _told(error)
            await wire.reply(_status(told, era), error_frame(identity_of(message), told))

    def lane(self, runtime: Runtime) -> Lane:
        """The lane of the current runtime, which changes only with the event loop."""
        if self._lane is None or self._lane[0] is not runtime:
            self._lane = (runtime, Lane(runtime))
        return self._lane[1]


class _Stream:
    """An event stream for one request: what the handler says on the way, then the response.

    Nothing is sent before there is something to say, so that a quick refusal keeps its own HTTP status.
    """

    def __init__(self, lane: Lane, incoming: Incoming, wire: _Connection) -> None:
        self._lane = lane
        self._incoming = incoming
        self._wire = wire
        self._outbox = Outbox(asyncio.get_running_loop())
        self._opened = False

    async def run(self, manifest: Manifest, request: Request) -> None:
        loop = asyncio.get_running_loop()
        exchange = Exchange(manifest.caller, request, self._outbox.put, manifest=manifest)
        work = loop.create_task(self._lane.answer(self._incoming, exchange))
        work.add_done_callback(self._close)
        gone = loop.create_task(_until_gone(self._wire.receive))
        gone.add_done_callback(lambda _gone: work.cancel())
        try:
            await self._pump()
            if not gone.done():
                await self._finish(work)
        finally:
            gone.cancel()
            work.cancel()
            # A request is over when its handler is, so that nobody stops the application under it.
            await asyncio.wait({work, gone})

    def _close(self, work: asyncio.Task[bytes]) -> None:
        self._outbox.close()
        if not work.cancelled():
            # Looked at, so that an answer which nobody waits for any more is no unheard exception.
            work.exception()

    async def _pump(self) -> None:
        """Send frames until the work is done; a comment now and then keeps proxies from giving up."""
        while True:
            try:
                async with asyncio.timeout(KEEP_ALIVE):
                    frames = await self._outbox.take()
            except TimeoutError:
                await self._event(b": keep-alive\n\n")
                continue
            if not frames:
                return
            await self._event(b"".join(map(_event_of, frames)))

    async def _finish(self, work: asyncio.Task[bytes]) -> None:
        try:
            frame = success_frame(self._incoming.id, _result_of(work))
        except Exception as error:
            if not self._opened:
                raise
            frame = error_frame(self._incoming.id, _told(error))
        if not self._opened:
            await self._wire.reply(200, frame)
            return
        await self._event(_event_of(frame))
        await self._wire.send({"type": "http.response.body", "body": b""})

    async def _event(self, event: bytes) -> None:
        if not self._opened:
            self._opened = True
            await self._wire.send({"type": "http.response.start", "status": 200, "headers": _EVENTS})
        await self._wire.send({"type": "http.response.body", "body": event, "more_body": True})


def _event_of(frame: bytes) -> bytes:
    return b"event: message\ndata: " + frame + b"\n\n"


def _result_of(work: asyncio.Task[bytes]) -> bytes:
    if work.cancelled():
        # Not by the client, which is still there: the handler cancelled the task that it runs in.
        raise ProtocolError(INTERNAL_ERROR, "Internal error")
    return work.result()


def _told(error: Exception) -> ProtocolError:
    """What the client is told of an exception."""
    if isinstance(error, ProtocolError):
        return error
    _log.error("the MCP surface failed", exc_info=error)
    return ProtocolError(INTERNAL_ERROR, "Internal error")


def _check_media(fields: Fields) -> None:
    field = fields.get(b"content-type", b"")
    if field != b"application/json" and field.partition(b";")[0].strip().lower() != b"application/json":
        raise ProtocolError(PARSE_ERROR, "send Content-Type: application/json")


def _parsed(body: bytes) -> JsonValue:
    try:
        return parse_json(body)
    except JsonSyntaxError as error:
        raise ProtocolError(PARSE_ERROR, error.message) from error


def _incoming(message: JsonValue, fields: Fields) -> Incoming:
    """The request in a message, with the headers that have to agree with it.

    Raises:
        ProtocolError: it is malformed, speaks a revision that is not served, or header and body disagree.
    """
    identity, method, params = envelope(message)
    stated = params.get("_meta")
    meta = stated if isinstance(stated, dict) else {}
    if fields.get(VERSION_FIELD) == MODERN_FIELD:
        return _modern(identity, method, params, meta, fields)
    header = text_of(fields, VERSION_FIELD)
    if header is None or header in HANDSHAKE_REVISIONS or header in OLDER_REVISIONS:
        if header is None and meta.get(VERSION_KEY) is not None and method != "initialize":
            raise ProtocolError(HEADER_MISMATCH, "the MCP-Protocol-Version header is missing")
        return Incoming(identity, method, params, Era.HANDSHAKE, header or HANDSHAKE_REVISIONS[-1])
    if header != MODERN:
        data: JsonObject = {"supported": [MODERN], "requested": header}
        raise ProtocolError(UNSUPPORTED_VERSION, f"the revision {header!r} is not served", data)
    return _modern(identity, method, params, meta, fields)


def _modern(identity: str | int | None, method: str, params: JsonObject, meta: JsonObject, fields: Fields) -> Incoming:
    """A message of the modern revision; a request has to state the revision and what the client can do.

    Raises:
        ProtocolError: something is missing, or header and body disagree.
    """
    version, capabilities, is_request = meta.get(VERSION_KEY), meta.get(CAPABILITIES_KEY), identity is not None
    if is_request and not isinstance(version, str):
        raise ProtocolError(INVALID_PARAMS, f"params._meta must state {VERSION_KEY}")
    if is_request and not isinstance(capabilities, dict):
        raise ProtocolError(INVALID_PARAMS, f"params._meta must state {CAPABILITIES_KEY}")
    if version is not None and version != MODERN:
        raise ProtocolError(HEADER_MISMATCH, "the MCP-Protocol-Version header and the body state different revisions")
    check_routing(method, params, fields)
    return Incoming(
        identity, method, params, Era.MODERN, MODERN, capabilities if isinstance(capabilities, dict) else {}
    )


def _status(error: ProtocolError, era: Era) -> int:
    """The HTTP status of a JSON-RPC error (specification 2026-07-28, "Streamable HTTP").

    In the handshake revisions an error is an answer like any other: their clients take a 4xx for a broken transport.
    """
    if era is Era.HANDSHAKE or error.code == INTERNAL_ERROR:
        return 200
    return 404 if error.code == METHOD_NOT_FOUND else 400


def _watch(receive: Receive, cancel: Callable[[], None]) -> Callable[[], None]:
    """Look out for the client leaving, once a call has lasted a while: closing the response is cancelling."""

    async def until_gone() -> None:
        await _until_gone(receive)
        cancel()

    task = asyncio.get_running_loop().create_task(until_gone())

    def stop() -> None:
        task.cancel()

    return stop


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
