"""One open MCP connection to a server over Streamable HTTP, in whichever era the server speaks.

The official client agrees on the era and carries the wire: streams, sessions, correlation, cancellation. What is sent
and answered passes as the JSON that it is, and not through the client's models, so that nothing is lost on the way.
Redirects are followed within the origin alone. Knows no instances and nobody on the other side of the connector.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Final, TypeAlias, cast
from urllib.parse import urlsplit

import httpx2
import mcp_types as types
from mcp.client.session import ClientRequestContext, ClientSession, IncomingMessage
from mcp.client.streamable_http import streamable_http_client
from mcp.client.subscriptions import listen
from mcp.shared.dispatcher import CallOptions, ProgressFnT
from mcp.shared.exceptions import MCPError
from mcp.shared.inbound import (
    NAME_BEARING_METHODS,
    encode_header_value,
    find_invalid_x_mcp_header,
    mcp_param_headers,
    x_mcp_header_map,
)
from mcp.shared.jsonrpc_dispatcher import JSONRPCDispatcher
from mcp.shared.subscriptions import ServerEvent, event_to_notification
from pydantic import BaseModel, ValidationError

from afford import __version__
from afford.errors import JsonObject, JsonValue
from afford.surfaces.mcp.protocol import CAPABILITIES_KEY, INVALID_REQUEST, MODERN, VERSION_KEY, ProtocolError

PATIENCE: Final = 10.0
"""Seconds that a server has to agree on the protocol, and again to list what it offers."""
LOOK_INTERVAL: Final = 30.0
"""Seconds between two looks at a server that announces no changes, or through which a session may be lost unheard."""

_CONNECTION_CLOSED: Final = types.CONNECTION_CLOSED
_CLIENT_KEY: Final = "io.modelcontextprotocol/clientInfo"
_RESERVED: Final = "io.modelcontextprotocol/"
_MOST_PAGES: Final = 1000
_IDLE: Final = 2.0
_PAUSE: Final = 0.05
_NOT_FOUND: Final = 404
_SESSION_FIELD: Final = "mcp-session-id"
_INFO: Final = types.Implementation(name="afford-connect", title="afford connect", version=str(__version__))

Ask: TypeAlias = Callable[[JsonObject], Awaitable[JsonObject]]
"""Puts the parameters of `elicitation/create` to a person; raises `ProtocolError` where nobody can be asked."""
Progressed: TypeAlias = Callable[[JsonObject], None]
"""Takes the parameters of a progress notification without its token."""
Told: TypeAlias = Callable[[str, JsonObject], Awaitable[None]]
"""Takes the method and the parameters of a notification about a change."""


class LostError(Exception):
    """The connection ended; whether a request that was under way has been carried out, nobody knows."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a server answers."""

    url: str
    """Of its MCP endpoint."""
    token: str | None = field(default=None, repr=False)
    """Opens it; a secret."""
    is_local: bool = False
    """Whether it is an instance on this machine: no proxy is asked, and the origin is the instance's own."""


@dataclass(frozen=True, slots=True)
class Call:
    """What whoever makes a request can do while it is under way."""

    capabilities: JsonObject = field(default_factory=dict[str, JsonValue])
    """As the protocol declares them."""
    progressed: Progressed | None = None
    ask: Ask | None = None
    """Of a server of the older era, which asks while it answers; None: nobody can be asked."""


_QUIET: Final = Call()
_CALL: Final = ContextVar("afford.connector.call", default=_QUIET)
"""The call that a task makes. The client carries it along to the questions that come back on the call's own stream."""


class Connection:
    """A server, while the connection to it lasts."""

    def __init__(self, session: ClientSession, dispatcher: JSONRPCDispatcher, news: asyncio.Event) -> None:
        """Keep what `connect` opened."""
        self._session = session
        self._dispatcher = dispatcher
        self._news = news
        self._mirrored: dict[str, dict[tuple[str, ...], str]] = {}
        self._version = session.protocol_version or ""
        self._under_way = 0
        self._quiet = asyncio.Event()
        self.session_is_over = False
        """Whether the server said that it knows the session no more, as 404 does (specification, "Streamable HTTP")."""

    @property
    def is_modern(self) -> bool:
        """Whether it speaks the modern revision."""
        return self._session.initialize_result is None

    @property
    def server(self) -> JsonObject:
        """Name, title and version, as far as the server says them."""
        info = self._session.server_info
        return {} if info is None else _dumped(info)

    @property
    def instructions(self) -> str:
        """What the server says about itself."""
        return self._session.instructions or ""

    @property
    def capabilities(self) -> JsonObject:
        """What the server can do."""
        able = self._session.server_capabilities
        return {} if able is None else _dumped(able)

    async def request(self, method: str, params: JsonObject, call: Call = _QUIET) -> JsonObject:
        """The result of a request, as it came.

        Raises:
            ProtocolError: the server answered this error.
            LostError: the connection ended before it answered.
        """
        sent, headers = self._stamped(method, params, call)
        options: CallOptions = {"headers": headers}
        if call.progressed is not None:
            options["on_progress"] = _progress(call.progressed)
        token = _CALL.set(call)
        self._under_way += 1
        self._quiet.clear()
        try:
            return cast("JsonObject", await self._dispatcher.send_raw_request(method, sent, options))
        except MCPError as error:
            if error.code == _CONNECTION_CLOSED:
                raise LostError(error.message) from error
            raise ProtocolError(error.code, error.message, cast("JsonObject | None", error.data)) from error
        finally:
            _CALL.reset(token)
            self._under_way -= 1
            if not self._under_way:
                self._quiet.set()

    async def quiet(self, patience: float) -> None:
        """Wait until no request is under way any more, for so many seconds at most."""
        if self._under_way:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(patience):
                    await self._quiet.wait()

    async def tools(self) -> list[JsonObject]:
        """Every tool that it offers, whole.

        Raises:
            ProtocolError: it does not list them.
            LostError: the connection ended.
            TimeoutError: it took longer than `PATIENCE`.
        """
        if "tools" not in self.capabilities:
            return []
        async with asyncio.timeout(PATIENCE):
            found = await self._every("tools/list", "tools")
        tools = [tool for tool in found if isinstance(tool.get("name"), str) and "inputSchema" in tool]
        if self.is_modern:
            # A client must not show a tool whose headers it could not send (specification, "Streamable HTTP").
            tools = [tool for tool in tools if find_invalid_x_mcp_header(tool["inputSchema"]) is None]
            self._mirrored = {str(tool["name"]): x_mcp_header_map(tool["inputSchema"]) for tool in tools}
        return tools

    async def follow_tools(self, changed: Callable[[], Awaitable[None]]) -> None:
        """Call `changed` now, and whenever the list of tools is another one; ends by an exception.

        Raises:
            LostError: the connection ended.
        """
        able = self.capabilities.get("tools")
        if self.is_modern and isinstance(able, dict) and able.get("listChanged"):
            await self._listen_for_tools(changed)
        else:
            await changed()
            while True:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(LOOK_INTERVAL):
                        await self._news.wait()
                self._news.clear()
                await changed()

    async def _listen_for_tools(self, changed: Callable[[], Awaitable[None]]) -> None:
        """Listen again and again: that a server hangs up on who listens ends no call, such as when it hands over."""
        has_begun = True

        async def begun() -> None:
            nonlocal has_begun
            has_begun = True
            await changed()

        while has_begun:
            has_begun = False
            try:
                await self.listen({"toolsListChanged": True}, begun, lambda _method, _params: changed())
            except LostError:
                await asyncio.sleep(_PAUSE)
        raise LostError("the server hears nobody")

    async def listen(self, wanted: JsonObject, begun: Callable[[], Awaitable[None]], told: Told) -> None:
        """Tell of changes, of a server of the modern era, until the connection ends.

        Args:
            wanted: the `notifications` of `subscriptions/listen`.
            begun: called once, when nothing can be missed any more.
            told: called with each change.

        Raises:
            LostError: the connection ended, or the server listens to nobody any more.
        """
        uris = wanted.get("resourceSubscriptions")
        try:
            async with listen(
                self._session,
                tools_list_changed=wanted.get("toolsListChanged") is True,
                prompts_list_changed=wanted.get("promptsListChanged") is True,
                resources_list_changed=wanted.get("resourcesListChanged") is True,
                resource_subscriptions=[uri for uri in uris if isinstance(uri, str)] if isinstance(uris, list) else (),
            ) as subscription:
                await begun()
                async for event in subscription:
                    await told(*_notification(event))
        except (MCPError, RuntimeError) as error:
            raise LostError(str(error)) from error
        raise LostError("the server ended the subscription")

    async def _every(self, method: str, key: str) -> list[JsonObject]:
        """All items of a list, page by page."""
        items: list[JsonObject] = []
        params: JsonObject = {}
        for _ in range(_MOST_PAGES):
            page = await self.request(method, params)
            listed = page.get(key)
            items += [item for item in listed if isinstance(item, dict)] if isinstance(listed, list) else []
            cursor = page.get("nextCursor")
            if not isinstance(cursor, str) or not cursor:
                break
            params = {"cursor": cursor}
        return items

    def _stamped(self, method: str, params: JsonObject, call: Call) -> tuple[JsonObject, dict[str, str]]:
        """The parameters and headers of a request, with what the server's era wants to see in them."""
        meta = params.get("_meta")
        kept = (
            {key: value for key, value in meta.items() if not key.startswith(_RESERVED)}
            if isinstance(meta, dict)
            else {}
        )
        kept.pop("progressToken", None)
        headers = {"mcp-protocol-version": self._version}
        if not self.is_modern:
            return {**params, "_meta": kept} if kept else _without_meta(params), headers
        kept[VERSION_KEY] = self._version or MODERN
        kept[_CLIENT_KEY] = _dumped(_INFO)
        kept[CAPABILITIES_KEY] = call.capabilities
        headers["mcp-method"] = method
        name = params.get(NAME_BEARING_METHODS.get(method, ""))
        if isinstance(name, str):
            headers["mcp-name"] = encode_header_value(name)
            arguments = params.get("arguments")
            headers |= mcp_param_headers(self._mirrored.get(name, {}), arguments if isinstance(arguments, dict) else {})
        return {**params, "_meta": kept}, headers


@asynccontextmanager
async def connect(place: Place) -> AsyncGenerator[Connection]:
    """A connection to a server, for the `async with` block; what goes wrong in it ends the block by an exception.

    Raises:
        TimeoutError: the server did not agree on the protocol within `PATIENCE`.
        Exception: whatever else keeps the client from connecting.
    """
    news = asyncio.Event()

    async def heard(message: IncomingMessage) -> None:
        if isinstance(message, types.ToolListChangedNotification):
            news.set()

    opened: list[Connection] = []

    async def answered(response: httpx2.Response) -> None:
        if response.status_code == _NOT_FOUND and _SESSION_FIELD in response.request.headers:
            for connection in opened:
                connection.session_is_over = True

    # An answer may take as long as the call it answers, so reading has no limit: who waits gives up by cancelling.
    timeout = httpx2.Timeout(PATIENCE, read=None)
    # A call on a connection that the server is about to close as idle would be lost. On one machine, a fresh connection
    # for each call costs nothing; elsewhere a connection is given up well before servers do so.
    limits = httpx2.Limits(max_keepalive_connections=0 if place.is_local else None, keepalive_expiry=_IDLE)
    async with (
        httpx2.AsyncClient(
            headers=_headers(place),
            timeout=timeout,
            limits=limits,
            trust_env=not place.is_local,
            event_hooks={"response": [answered]},
        ) as http,
        streamable_http_client(place.url, http_client=http, max_sse_event_size=None) as (reading, writing),
    ):
        dispatcher = JSONRPCDispatcher(reading, writing)
        session = ClientSession(
            dispatcher=dispatcher, client_info=_INFO, elicitation_callback=_asked, message_handler=heard
        )
        async with session:
            async with asyncio.timeout(PATIENCE):
                await _agree(session)
            opened.append(Connection(session, dispatcher, news))
            yield opened[0]


async def _agree(session: ClientSession) -> None:
    """Find the era that both speak: whoever does not know the modern revision is greeted in the older one."""
    try:
        await session.discover()
    except (MCPError, ValidationError, RuntimeError):
        await session.initialize()


async def _asked(
    context: ClientRequestContext,  # noqa: ARG001 - the client names what it hands over
    params: types.ElicitRequestParams,
) -> types.ElicitResult | types.ErrorData:
    """A question of a server of the older era, which belongs to the call on whose stream it came."""
    ask = _CALL.get().ask
    if ask is None:
        return types.ErrorData(
            code=INVALID_REQUEST, message="the client of the connector cannot put a question to a person"
        )
    try:
        return types.ElicitResult.model_validate(await ask(_dumped(params)), by_name=False)
    except ProtocolError as error:
        return types.ErrorData(code=error.code, message=error.message)


def _headers(place: Place) -> dict[str, str]:
    headers: dict[str, str] = {}
    if place.token is not None:
        headers["authorization"] = f"Bearer {place.token}"
    if place.is_local:
        parts = urlsplit(place.url)
        headers["origin"] = f"{parts.scheme}://{parts.netloc}"
    return headers


def _progress(progressed: Progressed) -> ProgressFnT:
    async def tell(progress: float, total: float | None, message: str | None) -> None:
        params: JsonObject = {"progress": progress, "total": total, "message": message}
        progressed({key: value for key, value in params.items() if value is not None})

    return tell


def _notification(event: ServerEvent) -> tuple[str, JsonObject]:
    """A change as the notification that it came as, without what belongs to the subscription."""
    said = _dumped(event_to_notification(event, {}))
    params = said.get("params")
    return str(said["method"]), _without_meta(params) if isinstance(params, dict) else {}


def _without_meta(params: JsonObject) -> JsonObject:
    return {key: value for key, value in params.items() if key != "_meta"}


def _dumped(model: BaseModel) -> JsonObject:
    return cast("JsonObject", model.model_dump(by_alias=True, mode="json", exclude_none=True))
