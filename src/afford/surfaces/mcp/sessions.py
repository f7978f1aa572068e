"""Sessions of older HTTP clients: notifications from the server, and questions to the person behind a client.

The official package carries the wire (streams, correlation, cancellation); what a request means is decided by the lane,
with the caller of that very request. Importing this loads the package, so it is imported by name when sessions are on.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import Counter
from collections.abc import Callable, Generator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import Final, Protocol, TypeAlias, cast

import orjson
from mcp.server.streamable_http import StreamableHTTPServerTransport
from mcp.shared.dispatcher import DispatchContext
from mcp.shared.exceptions import MCPError
from mcp.shared.jsonrpc_dispatcher import JSONRPCDispatcher
from mcp.shared.message import ServerMessageMetadata
from mcp.shared.transport_context import TransportContext

from afford.caller import Caller
from afford.declare.changes import ChangeKind
from afford.errors import JsonObject, JsonValue
from afford.runtime import Runtime
from afford.surfaces.asgi import Message, Scope
from afford.surfaces.mcp.exchange import Ask, Exchange
from afford.surfaces.mcp.forms import can_ask
from afford.surfaces.mcp.lane import Lane
from afford.surfaces.mcp.listening import Subscriber, TooManySubscribersError
from afford.surfaces.mcp.outbox import Outbox
from afford.surfaces.mcp.protocol import (
    HANDSHAKE_REVISIONS,
    INTERNAL_ERROR,
    INVALID_REQUEST,
    Era,
    Incoming,
    ProtocolError,
)
from afford.surfaces.mcp.stateful import SessionLimits, Visit

_log: Final = logging.getLogger("afford.mcp")

_VISIT: Final = "afford.mcp.visit"
"""Where the scope of a request keeps who makes it, for the task that answers."""
_LISTS: Final = frozenset({ChangeKind.TOOLS, ChangeKind.RESOURCES, ChangeKind.PROMPTS})
_BAD: Final = 400

_Context: TypeAlias = DispatchContext[TransportContext]
_Owner: TypeAlias = tuple[str | None, object]


class _HasScope(Protocol):
    scope: Scope


class OpenSessions:
    """The sessions that are open over one runtime."""

    def __init__(self, runtime: Runtime, lane: Lane, limits: SessionLimits) -> None:
        """Start with none; must be made on the runtime's event loop."""
        self._runtime = runtime
        self._lane = lane
        self._limits = limits
        self._sessions: dict[str, _Session] = {}
        """By id, the one used last at the end."""

    async def open(self, visit: Visit, params: JsonObject) -> None:
        """Answer `initialize` with a session of its own, or 503 where there are as many as there may be, all in use."""
        session = self._admitted(visit.caller, params)
        if session is None:
            _log.warning("a session was refused: %d are in use", len(self._sessions))
            await visit.refuse(503, "too many sessions are open; try again later")
            return
        status = 0
        try:
            with session.in_use():
                await session.start(self._forget)
                status = await session.serve(visit)
        finally:
            if not 0 < status < _BAD:
                session.end()

    async def serve(self, visit: Visit, identity: str) -> None:
        """Answer a request that names a session; one of somebody else is answered like one that does not exist."""
        session = self._sessions.get(identity)
        if session is None or session.owner != _owner(visit.caller):
            await visit.refuse(404, "there is no such session; initialize a new one")
            return
        self._sessions[identity] = self._sessions.pop(identity)
        with session.in_use():
            await session.serve(visit)

    async def stop(self) -> None:
        """End every session, and the calls that run in them."""
        sessions = list(self._sessions.values())
        for session in sessions:
            session.end()
        await asyncio.gather(*(session.ended() for session in sessions))

    def _admitted(self, caller: Caller, params: JsonObject) -> _Session | None:
        """A new session that hears of changes; None where there are as many as there may be and none gives way."""
        if len(self._sessions) >= self._limits.sessions and not self._make_room():
            return None
        session = _Session(self._runtime, self._lane, self._limits, caller, params)
        try:
            self._lane.hub.add(session.subscriber)
        except TooManySubscribersError:
            return None
        self._sessions[session.identity] = session
        return session

    def _make_room(self) -> bool:
        """End the session that was silent longest of whoever holds most, so that nobody can keep the others out."""
        held = Counter(session.owner for session in self._sessions.values())
        silent = [session for session in self._sessions.values() if session.is_silent]
        if not silent:
            return False
        # Of equal counts the first, which was used before the others.
        leaving = max(silent, key=lambda session: held[session.owner])
        leaving.end()
        self._forget(leaving)
        return True

    def _forget(self, session: _Session) -> None:
        self._lane.hub.remove(session.subscriber)
        self._sessions.pop(session.identity, None)


class _Session:
    """One client, from `initialize` until it leaves, falls silent or is ended."""

    def __init__(
        self, runtime: Runtime, lane: Lane, limits: SessionLimits, caller: Caller, opening: JsonObject
    ) -> None:
        capabilities = opening.get("capabilities")
        self.identity = secrets.token_hex(16)
        self.owner = _owner(caller)
        self.subscriber = Subscriber(self._told, caller, lists=set(_LISTS))
        self._runtime = runtime
        self._lane = lane
        self._capabilities: JsonObject = capabilities if isinstance(capabilities, dict) else {}
        self._version = HANDSHAKE_REVISIONS[0]
        self._caller = caller
        self._opened = False
        self._transport = StreamableHTTPServerTransport(self.identity, idle_timeout=limits.idle)
        self._dispatcher: JSONRPCDispatcher[TransportContext]
        self._life: asyncio.Task[None]
        self._calls: set[asyncio.Task[bytes]] = set()
        self._requests = 0
        self._listening = False
        self._news: dict[tuple[str, str | None], JsonObject] = {}
        self._pusher: asyncio.Task[None] | None = None

    async def start(self, on_end: Callable[[_Session], None]) -> None:
        """Begin to live, in a task of its own; `on_end` is called when that is over, whatever the reason."""
        connected = asyncio.Event()
        self._life = asyncio.create_task(self._live(connected))
        self._life.add_done_callback(lambda _life: on_end(self))
        await connected.wait()

    @contextmanager
    def in_use(self) -> Generator[None]:
        """While a request of it is being answered, a stream among them."""
        self._requests += 1
        try:
            yield
        finally:
            self._requests -= 1

    @property
    def is_silent(self) -> bool:
        """Whether nothing of it goes on: no request, no stream, no call."""
        return not self._requests and not self._calls

    def end(self) -> None:
        """End soon."""
        self._life.cancel()

    async def ended(self) -> None:
        """Wait for the end of the session and of its calls."""
        await asyncio.wait({self._life, *self._calls})

    async def serve(self, visit: Visit) -> int:
        """Answer one HTTP request; returns the status it was answered with, 0 where the client left before."""
        self._caller = self.subscriber.caller = visit.caller
        status, whole = 0, False
        listens = visit.request.method == "GET"

        async def send(message: Message) -> None:
            nonlocal status, whole
            if message["type"] != "http.response.start":
                whole = not message.get("more_body")
                await visit.send(message)
                return
            # Whether a connection is kept is the server's to say; HTTP/2 forbids the field (RFC 9113, section 8.2.2).
            await visit.send({**message, "headers": [pair for pair in message["headers"] if pair[0] != b"connection"]})
            status = message["status"]
            if listens and status < _BAD:
                self._listening = True
                self._push_soon()

        try:
            await self._transport.handle_request({**visit.scope, _VISIT: visit}, visit.receive, send)
        finally:
            if listens and 0 < status < _BAD:
                self._listening = False
        if status and not whole:
            # A stream that the package gave up, because the server stops or the client left.
            await visit.send({"type": "http.response.body", "body": b""})
        if self._transport.is_terminated:
            self.end()
        return status

    async def _live(self, connected: asyncio.Event) -> None:
        try:
            async with self._transport.connect() as (incoming, outgoing):
                self._dispatcher = JSONRPCDispatcher(incoming, outgoing, inline_methods=frozenset({"initialize"}))
                connected.set()
                try:
                    with cast("AbstractContextManager[object]", self._transport.idle_scope):
                        await self._dispatcher.run(self._answer, _ignore)
                finally:
                    # Inside, so that the streams end as asked for and not as a failure.
                    await self._transport.terminate()
        except Exception:  # noqa: BLE001 - one session that fails is no failure of the application
            _log.exception("an MCP session failed")
        finally:
            connected.set()
            for task in (*self._calls, *([self._pusher] if self._pusher else [])):
                task.cancel()

    async def _answer(
        self, context: _Context, method: str, params: Mapping[str, object] | None
    ) -> dict[str, JsonValue]:
        """The result of one request, from the lane; nothing else than a `ProtocolError` of its own gets out."""
        incoming = Incoming(
            id=context.request_id,
            method=method,
            params=cast("JsonObject", dict(params or {})),
            era=Era.HANDSHAKE,
            version=self._version,
            capabilities=self._capabilities,
        )
        try:
            result = cast("dict[str, JsonValue]", orjson.loads(await self._called(incoming, context)))
        except ProtocolError as error:
            raise MCPError(error.code, error.message, error.data) from None
        except Exception:  # noqa: BLE001 - the last wall: the package would send the exception's text
            _log.exception("the MCP session failed to answer")
            raise MCPError(INTERNAL_ERROR, "Internal error") from None
        if method == "initialize":
            self._version = str(result["protocolVersion"])
        return result

    async def _called(self, incoming: Incoming, context: _Context) -> bytes:
        """Ask the lane in a task of its own: the package's cancel scopes cancel again and again, ours once."""
        self._admit(incoming)
        visit = _visit(context)
        loop = asyncio.get_running_loop()
        outbox = Outbox(loop)
        exchange = Exchange(
            caller=visit.caller,
            request=visit.request,
            notify=outbox.put,
            ask=_asking(context) if can_ask(self._capabilities) else None,
            subscriber=self.subscriber,
            manifest=visit.manifest,
        )
        work = loop.create_task(self._lane.answer(incoming, exchange))
        self._calls.add(work)
        work.add_done_callback(lambda work: self._over(work, outbox))
        try:
            while frames := await outbox.take():
                for said in map(orjson.loads, frames):
                    await context.notify(said["method"], said.get("params"))
        finally:
            work.cancel()
        if work.cancelled():
            raise ProtocolError(INTERNAL_ERROR, "the session is ending")
        return work.result()

    def _over(self, work: asyncio.Task[bytes], outbox: Outbox) -> None:
        self._calls.discard(work)
        outbox.close()
        if not work.cancelled():
            # Looked at, so that an answer which nobody waits for any more is no unheard exception.
            work.exception()

    def _admit(self, incoming: Incoming) -> None:
        """Refuse what a session cannot take.

        Raises:
            ProtocolError: it is open already.
        """
        if incoming.method == "initialize":
            if self._opened:
                raise ProtocolError(INVALID_REQUEST, "the session is initialized already")
            self._opened = True

    def _told(self, method: str, params: JsonObject) -> None:
        uri = params.get("uri")
        self._news[method, uri if isinstance(uri, str) else None] = params
        self._push_soon()

    def _push_soon(self) -> None:
        """Send the news while the client listens; what comes before that is kept, each piece once."""
        if self._news and self._listening and self._pusher is None:
            self._pusher = asyncio.create_task(self._push())

    async def _push(self) -> None:
        try:
            while self._news and self._listening:
                method, uri = next(iter(self._news))
                params = self._news.pop((method, uri))
                # Whoever used the session last may have lost what it was let in to when it asked.
                if uri is None or self._runtime.manifest(self._caller).resource(uri) is not None:
                    await self._dispatcher.notify(method, params or None)
        finally:
            self._pusher = None


def open_sessions(runtime: Runtime, lane: Lane, limits: SessionLimits) -> OpenSessions:
    """The sessions of a runtime, which end before it does."""
    sessions = OpenSessions(runtime, lane, limits)
    runtime.before_stop(sessions.stop)
    return sessions


def _owner(caller: Caller) -> _Owner:
    """Who a session belongs to: ids are unique for one issuer only."""
    return caller.id, caller.claims.get("iss")


def _visit(context: _Context) -> Visit:
    """The HTTP request behind a message."""
    metadata = cast("ServerMessageMetadata", context.message_metadata)
    return cast("Visit", cast("_HasScope", metadata.request_context).scope[_VISIT])


def _asking(context: _Context) -> Ask:
    """Puts a question to the person behind the client, on the stream of the request that it is about."""

    async def ask(params: JsonObject) -> JsonObject:
        try:
            return await context.send_raw_request("elicitation/create", params)
        except MCPError as error:
            raise ProtocolError(error.code, error.message) from None

    return ask


async def _ignore(_context: _Context, _method: str, _params: Mapping[str, object] | None) -> None:
    """What clients notify of needs nothing from us; cancelling is the package's."""
