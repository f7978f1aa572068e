"""Running MCP servers, over Streamable HTTP or the standard streams of a process, through the official client.

Needs `mcp` (extra `afford[cold]`); the client agrees with the server on an era of the protocol itself.
"""

from __future__ import annotations

import asyncio
import os
import shlex
from collections.abc import AsyncGenerator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Final, cast

import httpx2
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from afford.cold.links.mcp import McpLink, ProtocolError, from_listed
from afford.errors import JsonObject, JsonValue
from afford.lint.target import Target

_MOST_PAGES: Final = 1000


@asynccontextmanager
async def mcp_server(
    place: str, *, is_command: bool, headers: Mapping[str, str], seconds: float
) -> AsyncGenerator[tuple[Target, McpLink]]:
    """The tools of a server, and the link to them.

    Args:
        place: its address, or the command line that starts it; a command gets this process's environment.
        is_command: which of both it is.
        headers: credentials, for an address.
        seconds: for connecting, and for each call.

    Raises:
        Exception: whatever keeps the client from connecting and listing.
    """
    async with AsyncExitStack() as stack:
        async with asyncio.timeout(seconds):
            http = await stack.enter_async_context(httpx2.AsyncClient(headers=dict(headers), timeout=seconds))
            server = _started(place) if is_command else streamable_http_client(place, http_client=http)
            client = await stack.enter_async_context(Client(server, read_timeout_seconds=seconds))
            tools = await _tools(client)
        yield from_listed(tools, place, client.instructions or "", _Caller(client))


class _Caller:
    """Calls tools through the client, whose own check of an answer counts as the server's failure."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def __call__(self, name: str, arguments: JsonObject) -> JsonObject:
        try:
            result = await self._client.call_tool(name, arguments)
        except MCPError as error:
            raise ProtocolError(error.error.code, error.error.message, cast("JsonValue", error.error.data)) from error
        except Exception as error:
            raise ProtocolError(None, str(error) or type(error).__name__) from error
        return cast("JsonObject", result.model_dump(mode="json", by_alias=True, exclude_none=True))


def _started(command: str) -> StdioServerParameters:
    words = shlex.split(command)
    return StdioServerParameters(command=words[0], args=words[1:], env=dict(os.environ))


async def _tools(client: Client) -> list[JsonObject]:
    tools: list[JsonObject] = []
    cursor: str | None = None
    for _ in range(_MOST_PAGES):
        page = await client.list_tools(cursor=cursor)
        dumped = (item.model_dump(mode="json", by_alias=True, exclude_none=True) for item in page.tools)
        tools.extend(cast("JsonObject", item) for item in dumped)
        cursor = page.next_cursor
        if not cursor:
            break
    return tools
