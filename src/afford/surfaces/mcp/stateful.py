"""The MCP endpoint where older clients may keep a session: which requests belong to one.

Knows headers and the opening request; what happens inside a session, and the package that it is made with, is loaded
when the first client opens one. Everything that belongs to no session is answered by the endpoint without sessions.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Final, Protocol, cast

from afford.caller import Caller, Surface
from afford.errors import JsonObject, JsonValue
from afford.manifest import Manifest
from afford.request import Request
from afford.runtime import Runtime
from afford.schema.strict_json import JsonSyntaxError, parse_json
from afford.surfaces.asgi import Message, Receive, Scope, Send
from afford.surfaces.mcp.headers import MODERN_FIELD, VERSION_FIELD, Fields, text_of
from afford.surfaces.mcp.http import McpHttp
from afford.surfaces.mcp.lane import Lane
from afford.surfaces.mcp.protocol import (
    HANDSHAKE_REVISIONS,
    INVALID_REQUEST,
    OLDER_REVISIONS,
    ProtocolError,
    envelope,
    error_frame,
)

_log: Final = logging.getLogger("afford.mcp")

_SESSION_FIELD: Final = b"mcp-session-id"
_HANDSHAKE: Final = frozenset({None, *HANDSHAKE_REVISIONS, *OLDER_REVISIONS})
"""Values of `MCP-Protocol-Version` that clients with a handshake send; the opening request has none."""
_METHODS: Final = frozenset({"POST", "GET", "DELETE"})


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionLimits:
    """What bounds the sessions of one application."""

    sessions: int = 1000
    """Open at the same time; one beyond ends another that is silent, or is refused with 503 where none is."""
    idle: float = 30 * 60.0
    """Seconds without a request and without a stream after which a session ends."""
    body: int = 4 << 20
    """Bytes of one request."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """One HTTP request to a session, whose host, origin and credentials were checked."""

    manifest: Manifest
    """What its caller is offered."""
    request: Request
    scope: Scope
    receive: Receive
    send: Send

    @property
    def caller(self) -> Caller:
        """Who calls."""
        return self.manifest.caller

    async def refuse(self, status: int, message: str) -> None:
        """Answer with an error that belongs to no JSON-RPC request."""
        body = error_frame(None, ProtocolError(INVALID_REQUEST, message))
        headers = [(b"content-type", b"application/json"), (b"cache-control", b"no-store")]
        headers.append((b"content-length", str(len(body)).encode("ascii")))
        await self.send({"type": "http.response.start", "status": status, "headers": headers})
        await self.send({"type": "http.response.body", "body": body})


class Sessions(Protocol):
    """The open sessions of one runtime."""

    async def open(self, visit: Visit, params: JsonObject) -> None:
        """Answer `initialize` with a session of its own."""
        ...

    async def serve(self, visit: Visit, identity: str) -> None:
        """Answer a request that names a session."""
        ...


class _SessionsModule(Protocol):
    """What `afford.surfaces.mcp.sessions` offers."""

    def open_sessions(self, runtime: Runtime, lane: Lane, limits: SessionLimits) -> Sessions: ...


class StatefulMcp:
    """The endpoint behind `/mcp` with sessions for clients of the handshake revisions."""

    surface = Surface.MCP

    def __init__(self, plain: McpHttp, load: Callable[[], ModuleType], limits: SessionLimits) -> None:
        """Prepare; nothing is loaded yet.

        Args:
            plain: answers everything that belongs to no session.
            load: imports the module of the sessions; called once, in a thread, since it takes long.
            limits: how many sessions, for how long, how large.
        """
        self._plain = plain
        self._load = load
        self._limits = limits
        self._known: tuple[Runtime, asyncio.Task[Sessions | None]] | None = None

    def __call__(
        self, runtime: Runtime, manifest: Manifest, request: Request, connection: tuple[Scope, Receive, Send]
    ) -> Awaitable[None]:
        """Answer one HTTP request, whose host, origin and credentials were checked."""
        # What states the modern revision, as most requests do, needs no further look.
        if request.fields.get(VERSION_FIELD) == MODERN_FIELD:
            return self._plain(runtime, manifest, request, connection)
        return self._answer(runtime, manifest, request, connection)

    async def _answer(
        self, runtime: Runtime, manifest: Manifest, request: Request, connection: tuple[Scope, Receive, Send]
    ) -> None:
        scope, receive, send = connection
        identity = text_of(request.fields, _SESSION_FIELD)
        if not _concerns_sessions(request.method, request.fields, identity):
            await self._plain(runtime, manifest, request, connection)
            return
        message: JsonValue = None
        if request.method == "POST":
            body, receive = await _read_ahead(receive, self._limits.body)
            # Nothing else opens a session, and what does not is read by whoever answers it.
            message = _message(body) if identity is not None or b"initialize" in (body or b"") else None
            if message is None:
                # Broken or too long, too: refused in the same words, with a session and without.
                await self._plain(runtime, manifest, request, (scope, receive, send))
                return
        visit = Visit(manifest=manifest, request=request, scope=scope, receive=receive, send=send)
        if identity is not None:
            await self._serve(runtime, visit, identity)
        else:
            await self._open(runtime, visit, message)

    async def _serve(self, runtime: Runtime, visit: Visit, identity: str) -> None:
        # Before the first session is opened there is none that could be named.
        known = self._known is not None and self._known[0] is runtime
        sessions = await self._sessions(runtime) if known else None
        if sessions is None:
            await visit.refuse(404, "there is no such session; initialize a new one")
        else:
            await sessions.serve(visit, identity)

    async def _open(self, runtime: Runtime, visit: Visit, message: JsonValue) -> None:
        params = _opening(message)
        sessions = None if params is None else await self._sessions(runtime)
        if sessions is None or params is None:
            await self._plain(runtime, visit.manifest, visit.request, (visit.scope, visit.receive, visit.send))
        else:
            await sessions.open(visit, params)

    async def _sessions(self, runtime: Runtime) -> Sessions | None:
        """The sessions of the runtime; None where the package cannot be loaded."""
        if self._known is None or self._known[0] is not runtime:
            self._known = (runtime, asyncio.create_task(self._loaded(runtime)))
        return await asyncio.shield(self._known[1])

    async def _loaded(self, runtime: Runtime) -> Sessions | None:
        try:
            module = cast("_SessionsModule", await asyncio.to_thread(self._load))
        except Exception as error:  # noqa: BLE001 - whatever another release does wrong, clients are served without
            _log.warning("MCP sessions are off: %s; install them with `pip install 'afford[sessions]'`", error)
            return None
        return module.open_sessions(runtime, self._plain.lane(runtime), self._limits)


def _concerns_sessions(method: str, fields: Fields, identity: str | None) -> bool:
    """Whether a request may belong to a session, or open one; a client that reads no events gets none."""
    if text_of(fields, VERSION_FIELD) not in _HANDSHAKE or method not in _METHODS:
        return False
    if identity is not None:
        return True
    accepted = fields.get(b"accept", b"")
    return method == "POST" and b"text/event-stream" in accepted and b"application/json" in accepted


async def _read_ahead(receive: Receive, limit: int) -> tuple[bytes | None, Receive]:
    """The body, and a way to receive the same messages again; None where it is no whole body within the limit."""
    messages: list[Message] = []
    size, whole = 0, False
    while not whole and size <= limit:
        message = await receive()
        messages.append(message)
        if message["type"] != "http.request":
            break
        size += len(message.get("body", b""))
        whole = not message.get("more_body")
    body = b"".join(message["body"] for message in messages if message.get("body")) if whole else b""

    async def again() -> Message:
        return messages.pop(0) if messages else await receive()

    return (body if whole and size <= limit else None), again


def _message(body: bytes | None) -> JsonValue:
    """The JSON-RPC message of a body, a client's answer included; None where it is none."""
    if body is None:
        return None
    try:
        message = parse_json(body)
        if (
            isinstance(message, dict)
            and message.get("jsonrpc") == "2.0"
            and ("result" in message or "error" in message)
        ):
            return message
        envelope(message)
    except (JsonSyntaxError, ProtocolError):
        return None
    return message


def _opening(message: JsonValue) -> JsonObject | None:
    """The parameters of `initialize`; None for every other message."""
    if not isinstance(message, dict) or message.get("method") != "initialize" or "id" not in message:
        return None
    params = message.get("params")
    return params if isinstance(params, dict) else {}
