"""What a run is pointed at, opened: a target, and the link to it, for as long as the run takes.

The only module that knows every wire and the application's own link; loaded when a run starts.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import TypeAlias, cast

import httpx

from afford.app import App
from afford.caller import Door, Principal
from afford.cold.links.http import read_catalog
from afford.cold.links.mcp import ProtocolError, from_listed
from afford.cold.links.servers import mcp_server
from afford.cold.replies import Link
from afford.errors import JsonObject
from afford.lint.target import Target
from afford.testing.http_link import browser
from afford.testing.mcp_http_link import mcp_http_link
from afford.testing.mcp_link import McpLink, TurnedAway

Opened: TypeAlias = "tuple[Target, Link]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Remote:
    """Something that runs elsewhere, or that a command starts."""

    place: str
    """An address, or a command line."""
    is_mcp: bool
    is_command: bool = False
    headers: Mapping[str, str]
    """Credentials."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Local:
    """An application, run in this process without a socket."""

    app: App
    principal: Principal | None
    door: Door
    is_mcp: bool


@asynccontextmanager
async def opened(subject: Remote | Local, seconds: float) -> AsyncGenerator[Opened]:
    """The target and its link.

    Args:
        subject: what to open.
        seconds: for each call.

    Raises:
        Exception: whatever keeps it from being reached, started or listed.
    """
    if isinstance(subject, Remote):
        way = _remote_mcp(subject, seconds) if subject.is_mcp else _remote_http(subject, seconds)
    else:
        way = _local_mcp(subject) if subject.is_mcp else _local_http(subject, seconds)
    async with way as found:
        yield found


@asynccontextmanager
async def _remote_http(subject: Remote, seconds: float) -> AsyncGenerator[Opened]:
    async with httpx.AsyncClient(headers=dict(subject.headers), timeout=seconds) as http:
        yield await read_catalog(http, subject.place)


@asynccontextmanager
async def _remote_mcp(subject: Remote, seconds: float) -> AsyncGenerator[Opened]:
    async with mcp_server(
        subject.place, is_command=subject.is_command, headers=subject.headers, seconds=seconds
    ) as found:
        yield found


@asynccontextmanager
async def _local_http(subject: Local, seconds: float) -> AsyncGenerator[Opened]:
    async with browser(subject.app, subject.principal, subject.door.value) as http:
        http.timeout = httpx.Timeout(seconds)
        target, link = await read_catalog(http, f"{http.base_url}/schema")
        yield replace(target, name=subject.app.name), link


@asynccontextmanager
async def _local_mcp(subject: Local) -> AsyncGenerator[Opened]:
    async with mcp_http_link(subject.app, subject.principal, "2026-07-28") as link:
        asked = _Asked(link)
        tools = await asked.tools()
        yield from_listed(tools, subject.app.name, "", asked)


class _Asked:
    """Requests through the link that tests use."""

    def __init__(self, link: McpLink) -> None:
        self._link = link

    async def __call__(self, name: str, arguments: JsonObject) -> JsonObject:
        return await self._result("tools/call", {"name": name, "arguments": arguments})

    async def tools(self) -> list[JsonObject]:
        """All pages of the list."""
        tools: list[JsonObject] = []
        params: JsonObject = {}
        while True:
            result = await self._result("tools/list", params)
            tools.extend(cast("list[JsonObject]", result["tools"]))
            if "nextCursor" not in result:
                return tools
            params = {"cursor": result["nextCursor"]}

    async def _result(self, method: str, params: JsonObject) -> JsonObject:
        try:
            response = await self._link.ask(method, params)
        except TurnedAway as refused:
            raise ProtocolError(None, f"{refused.error['code']}: {refused.error.get('message', '')}") from refused
        error = response.get("error")
        if isinstance(error, dict):
            raise ProtocolError(cast("int", error["code"]), str(error["message"]), error.get("data"))
        return cast("JsonObject", response["result"])
