"""A target from a running MCP server, over Streamable HTTP or over the standard streams of a process.

Needs the official client (extra `afford[lint]`); imported when a server is named, and not before. The client agrees
with the server on an era of the protocol itself. Tools are listed, and none is called.
"""

from __future__ import annotations

import asyncio
import os
import shlex
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from typing import Final, Protocol, TypeVar, cast

import httpx2
import orjson
from mcp import Client, StdioServerParameters
from mcp.client import Transport
from mcp.client.streamable_http import streamable_http_client

from afford.errors import JsonObject
from afford.lint.target import Prose, Target
from afford.lint.targets.credentials import Credentials
from afford.lint.targets.mcp import from_tools

WAIT: Final = 60.0
"""Seconds for everything: connecting, and reading all lists."""
_MOST_PAGES: Final = 1000
"""Pages of one list that are read."""


class _Listed(Protocol):
    """One page of any list."""

    @property
    def next_cursor(self) -> str | None: ...


PageT = TypeVar("PageT", bound=_Listed)


def read_server(server: str, *, is_command: bool, credentials: Credentials) -> Target:
    """The target that a server serves to whoever connects.

    Args:
        server: its address, or the command line that starts it.
        is_command: which of both it is; the command gets this process's environment.
        credentials: header fields for a server at an address; the client sends them to no other.

    Raises:
        Exception: whatever keeps the client from connecting and listing.
    """
    words = shlex.split(server) if is_command else []
    if words:
        return asyncio.run(_read(StdioServerParameters(command=words[0], args=words[1:], env=dict(os.environ)), server))
    return asyncio.run(_read_at(server, credentials) if credentials.headers else _read(server, server))


async def _read_at(address: str, credentials: Credentials) -> Target:
    async with httpx2.AsyncClient(headers=dict(credentials.headers), timeout=WAIT) as http:
        found = await _read(streamable_http_client(address, http_client=http), address)
    return _without(credentials, found)


def _without(credentials: Credentials, found: Target) -> Target:
    """The target without what it repeats of the credentials."""
    tools = orjson.loads(credentials.hidden_in(orjson.dumps([item.raw for item in found.operations]).decode()))
    prose = tuple(replace(item, text=credentials.hidden_in(item.text)) for item in found.prose)
    instructions = credentials.hidden_in(found.instructions)
    return replace(from_tools(tools, found.name, instructions=instructions), prose=prose)


async def _read(place: StdioServerParameters | Transport | str, name: str) -> Target:
    async with asyncio.timeout(WAIT), Client(place) as client:
        tools = [
            cast("JsonObject", item.model_dump(mode="json", by_alias=True, exclude_none=True))
            async for page in _pages(lambda cursor: client.list_tools(cursor=cursor))
            for item in page.tools
        ]
        target = from_tools(tools, name, instructions=client.instructions or "")
        prose = [item async for item in _prose(client)]
        return replace(target, prose=tuple(sorted(prose, key=lambda item: (item.subject, item.text))))


async def _prose(client: Client) -> AsyncIterator[Prose]:
    """What the server says of everything else that it offers."""
    able = client.server_capabilities
    if able.resources is not None:
        async for page in _pages(lambda cursor: client.list_resources(cursor=cursor)):
            for item in page.resources:
                yield Prose(subject=f"resource:{item.name}", text=item.description or "")
        async for listed in _pages(lambda cursor: client.list_resource_templates(cursor=cursor)):
            for template in listed.resource_templates:
                yield Prose(subject=f"resource:{template.name}", text=template.description or "")
    if able.prompts is not None:
        async for shown in _pages(lambda cursor: client.list_prompts(cursor=cursor)):
            for prompt in shown.prompts:
                yield Prose(subject=f"prompt:{prompt.name}", text=prompt.description or "")


async def _pages(ask: Callable[[str | None], Awaitable[PageT]]) -> AsyncIterator[PageT]:
    cursor: str | None = None
    for _ in range(_MOST_PAGES):
        page = await ask(cursor)
        yield page
        cursor = page.next_cursor
        if not cursor:
            return
