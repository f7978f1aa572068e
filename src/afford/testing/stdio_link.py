"""The link over MCP on stdio: the real server of one client, fed line by line in process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from itertools import count
from typing import cast

import orjson

from afford.app import App
from afford.caller import Caller, Door, Principal, Surface
from afford.errors import JsonObject
from afford.surfaces.mcp.lane import Lane
from afford.surfaces.mcp.protocol import MODERN, notification_frame
from afford.surfaces.mcp.stdio import StdioServer
from afford.testing.mcp_link import McpLink, Revision, request_frame


@asynccontextmanager
async def stdio_link(app: App, principal: Principal | None, revision: Revision) -> AsyncGenerator[McpLink]:
    """One line for each request, as the caller that the operator stated."""
    runtime = app.runtime()
    await runtime.start()
    pipes = _Pipes()
    caller = Caller(runtime.known_roles(principal), Door.AGENT, Surface.MCP)
    server = pipes.server = StdioServer(Lane(runtime), caller, pipes.written)
    try:
        if revision != MODERN:
            await pipes.shake_hands(revision)
        yield McpLink(app, revision, pipes.ask)
    finally:
        await server.close()
        await runtime.stop()


class _Pipes:
    """The client's ends of the two pipes."""

    server: StdioServer

    def __init__(self) -> None:
        self._ids = count(1)
        self._waiting: dict[int, asyncio.Future[JsonObject]] = {}

    async def ask(self, method: str, params: JsonObject) -> JsonObject:
        """The response to a request. Whoever gives up waiting says so, since nothing else could tell."""
        identity = next(self._ids)
        response: asyncio.Future[JsonObject] = asyncio.get_running_loop().create_future()
        self._waiting[identity] = response
        self.server.take(request_frame(identity, method, params))
        try:
            return await response
        except asyncio.CancelledError:
            self._tell("notifications/cancelled", {"requestId": identity})
            raise
        finally:
            del self._waiting[identity]

    async def shake_hands(self, revision: Revision) -> None:
        """Begin as older clients do."""
        hello: JsonObject = {"protocolVersion": revision, "capabilities": {}}
        await self.ask("initialize", {**hello, "clientInfo": {"name": "test", "version": "1"}})
        self._tell("notifications/initialized", {})

    def written(self, frame: bytes) -> None:
        """Take one line from the server; what answers no request that waits is passed over."""
        message = cast("JsonObject", orjson.loads(frame))
        identity = message.get("id")
        response = self._waiting.get(identity) if isinstance(identity, int) else None
        if response is not None and not response.done():
            response.set_result(message)

    def _tell(self, method: str, params: JsonObject) -> None:
        self.server.take(notification_frame(method, params))
