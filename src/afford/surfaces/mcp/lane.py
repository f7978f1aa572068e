"""The dispatcher: one request in, one result out, for both eras and all transports.

Knows methods, manifests and the runtime; knows no sockets. What is specific to a transport (how a notification is sent,
whether a question can be put to the client) comes with the exchange.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Final, TypeAlias, cast

import orjson

from afford.caller import Caller
from afford.errors import Failure, JsonObject, JsonValue
from afford.execute.outcome import Invocation, Watch, no_progress
from afford.manifest import Manifest, Operation
from afford.request import Request
from afford.runtime import Runtime
from afford.surfaces.mcp.deferral import CALL_TOOL, SEARCH_FIRST, SEARCH_TOOL, Deferral, called_tool
from afford.surfaces.mcp.headers import Mirrors
from afford.surfaces.mcp.project import WHOLE_LIST, Fragments, instructions, listing, page_of
from afford.surfaces.mcp.protocol import (
    HANDSHAKE_REVISIONS,
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    MODERN,
    SERVER_KEY,
    Era,
    Incoming,
    ProtocolError,
    notification_frame,
)
from afford.surfaces.mcp.render import Budget, failed_result, tool_result

LIST_TTL: Final = 60_000
"""Milliseconds for which a client may keep a list; nothing announces a change earlier."""

Notify: TypeAlias = Callable[[bytes], None]
"""Sends one frame to the client that made the request, before its response."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """Who asks, and what the transport can do for the answer."""

    caller: Caller
    request: Request | None = None
    notify: Notify | None = None
    """None: the transport cannot send anything before the response."""
    watch: Watch | None = None


class Lane:
    """Answers MCP requests over one runtime."""

    def __init__(self, runtime: Runtime, *, budget: Budget | None = None) -> None:
        """Prepare; `budget` bounds every result."""
        self._runtime = runtime
        self._budget = budget or Budget()
        self._fragments = Fragments()
        self._mirrors = Mirrors()
        self._deferral = Deferral(runtime.tool_budget, self._fragments)
        self._methods: dict[str, Callable[[Incoming, Exchange, Manifest], Awaitable[bytes]]] = {
            "tools/list": self._list_tools,
            "tools/call": self._call_tool,
        }
        self._modern = {"server/discover": self._discover}
        self._handshake = {"initialize": self._initialize, "ping": self._ping}

    async def answer(self, incoming: Incoming, exchange: Exchange) -> bytes:
        """The result of a request, as JSON.

        Raises:
            ProtocolError: the method or what it names does not exist, or its parameters are malformed.
        """
        own = self._modern if incoming.era is Era.MODERN else self._handshake
        method = self._methods.get(incoming.method) or own.get(incoming.method)
        if method is None:
            raise ProtocolError(METHOD_NOT_FOUND, f"there is no method {incoming.method!r} in this revision")
        return await method(incoming, exchange, self._runtime.manifest(exchange.caller))

    def capabilities(self) -> JsonObject:
        """What this server can do, the same for every client."""
        return {"tools": {}}

    async def _discover(self, _incoming: Incoming, _exchange: Exchange, manifest: Manifest) -> bytes:
        """`server/discover`: revisions, capabilities and what the server is for."""
        members: JsonObject = {
            "supportedVersions": [MODERN],
            "capabilities": self.capabilities(),
            "instructions": self._instructions(manifest),
            "ttlMs": LIST_TTL,
            "cacheScope": "private",
        }
        return self._complete(Era.MODERN, orjson.dumps(members)[1:-1], manifest)

    async def _initialize(self, incoming: Incoming, _exchange: Exchange, manifest: Manifest) -> bytes:
        """`initialize`: the newest handshake revision that the client can speak."""
        asked = incoming.params.get("protocolVersion")
        version = asked if asked in HANDSHAKE_REVISIONS else HANDSHAKE_REVISIONS[0]
        members: JsonObject = {
            "protocolVersion": version,
            "capabilities": self.capabilities(),
            "serverInfo": server_info(manifest),
            "instructions": self._instructions(manifest),
        }
        return orjson.dumps(members)

    def _instructions(self, manifest: Manifest) -> str:
        is_short = self._deferral.applies(manifest.operations)
        return instructions(manifest, SEARCH_FIRST if is_short else WHOLE_LIST)

    async def _ping(self, _incoming: Incoming, _exchange: Exchange, _manifest: Manifest) -> bytes:
        return b"{}"

    async def _list_tools(self, incoming: Incoming, _exchange: Exchange, manifest: Manifest) -> bytes:
        after, operations = _list_cursor(incoming.params), manifest.operations
        extra: JsonObject = {}
        if self._deferral.applies(operations):
            fragments, more = self._deferral.listed(operations), None
        else:
            page, more = page_of(operations, after)
            fragments = [self._fragments.of(item) for item in page]
        if more is not None:
            extra["nextCursor"] = more
        if incoming.era is Era.MODERN:
            extra.update(_caching())
        frame = listing("tools", fragments, extra)
        return self._complete(incoming.era, frame[1:-1], manifest)

    async def _call_tool(self, incoming: Incoming, exchange: Exchange, manifest: Manifest) -> bytes:
        name, arguments = incoming.params.get("name"), incoming.params.get("arguments", {})
        if not isinstance(name, str):
            raise ProtocolError(INVALID_PARAMS, "params.name must be the name of a tool")
        operation = manifest.find(name)
        if operation is None and not self._stands_in(name, manifest):
            raise ProtocolError(INVALID_PARAMS, f"Unknown tool: {name}")
        if not isinstance(arguments, dict):
            raise ProtocolError(INVALID_PARAMS, "params.arguments must be an object")
        if operation is not None and incoming.era is Era.MODERN and exchange.request is not None:
            self._mirrors.check(operation, arguments, exchange.request.headers)
        invocation = self._invocation(name, arguments, incoming, exchange)
        if operation is None:
            members = await self._call_stand_in(invocation, manifest)
        else:
            members = await self._run(operation, invocation, manifest)
        return self._complete(incoming.era, members, manifest)

    def _stands_in(self, name: str, manifest: Manifest) -> bool:
        """Whether the name is of a tool that a deferred list holds in place of the others."""
        return name in (SEARCH_TOOL, CALL_TOOL) and self._deferral.applies(manifest.operations)

    async def _call_stand_in(self, invocation: Invocation, manifest: Manifest) -> bytes:
        if invocation.name == SEARCH_TOOL:
            # In a thread, because indexing a large catalog takes a second; every later search takes milliseconds.
            search, operations = self._deferral.search, manifest.operations
            return await asyncio.to_thread(search, operations, invocation.arguments, self._budget)
        called = called_tool(invocation.arguments)
        if isinstance(called, Failure):
            return failed_result(called)
        name, arguments = called
        return await self._run(manifest.find(name), invocation._replace(name=name, arguments=arguments), manifest)

    async def _run(self, operation: Operation | None, invocation: Invocation, manifest: Manifest) -> bytes:
        """The members of a call's result; the executor refuses what the caller is not offered."""
        if operation is not None and operation.paging is not None:
            invocation = _with_page(invocation)
        outcome = await self._runtime.run(manifest, invocation)
        if operation is None and isinstance(outcome, Failure) and not outcome.choices:
            outcome = replace(outcome, fix=f"find it with `{SEARCH_TOOL}`")
        return tool_result(outcome, invocation, self._budget)

    def _invocation(self, name: str, arguments: JsonObject, incoming: Incoming, exchange: Exchange) -> Invocation:
        return Invocation(
            name=name,
            arguments=arguments,
            request=exchange.request,
            progress=_progress(incoming, exchange) or no_progress,
            watch=exchange.watch,
        )

    def _complete(self, era: Era, members: bytes, manifest: Manifest) -> bytes:
        """A whole result from its members; the modern era says that it is complete, and who answers."""
        if era is not Era.MODERN:
            return b"{" + members + b"}"
        return b"{" + members + b',"resultType":"complete","_meta":' + _server_meta(manifest) + b"}"


def server_info(manifest: Manifest) -> JsonObject:
    """Who answers: name, title and version of the application."""
    title, version, _ = manifest.app
    return {"name": manifest.name, "title": title, "version": version}


def _server_meta(manifest: Manifest) -> bytes:
    return orjson.dumps({SERVER_KEY: server_info(manifest)})


def _caching() -> JsonObject:
    """Lists are each caller's own, so nobody may share them."""
    return {"ttlMs": LIST_TTL, "cacheScope": "private"}


def _list_cursor(params: JsonObject) -> str | None:
    cursor = params.get("cursor")
    if cursor is None or isinstance(cursor, str):
        return cursor
    raise ProtocolError(INVALID_PARAMS, "params.cursor must be the nextCursor of the page before")


def _with_page(invocation: Invocation) -> Invocation:
    """The invocation with `limit` and `cursor` out of the arguments; a value of another type stays, to be refused."""
    arguments = dict(invocation.arguments)
    limit, cursor = arguments.get("limit"), arguments.get("cursor")
    taken: dict[str, object] = {}
    if isinstance(limit, int) and not isinstance(limit, bool):
        taken["limit"] = arguments.pop("limit")
    if isinstance(cursor, str):
        taken["cursor"] = arguments.pop("cursor")
    return Invocation(
        name=invocation.name,
        arguments=arguments,
        limit=cast("int | None", taken.get("limit")),
        cursor=cast("str | None", taken.get("cursor")),
        request=invocation.request,
        progress=invocation.progress,
        watch=invocation.watch,
    )


def _progress(incoming: Incoming, exchange: Exchange) -> Callable[[float, float | None, str | None], None] | None:
    """Where a handler's progress goes: to the client, if it asked and the transport can carry it."""
    token, notify = incoming.progress_token, exchange.notify
    if token is None or notify is None:
        return None

    def report(done: float, total: float | None, message: str | None) -> None:
        params: dict[str, JsonValue] = {"progressToken": token, "progress": done}
        if total is not None:
            params["total"] = total
        if message is not None:
            params["message"] = message
        notify(notification_frame("notifications/progress", params))

    return report
