"""Does a job with the official Python client: `python drive_official.py < job.json > outcomes.json`. See jobs.py."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from driving import MODES, drive, server, wire
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client


@asynccontextmanager
async def connected(connection: dict[str, Any]) -> AsyncIterator[Client]:
    mode = MODES[connection["era"]]
    if "url" not in connection:
        command, *words = connection["command"]
        async with Client(
            StdioServerParameters(command=command, args=words, env=connection["env"]), mode=mode
        ) as client:
            yield client
        return
    async with (
        httpx2.AsyncClient(headers=connection["headers"]) as http,
        Client(streamable_http_client(connection["url"], http_client=http), mode=mode) as client,
    ):
        yield client


async def ask_server(client: Client, _params: dict[str, Any]) -> object:
    return server(client)


async def list_tools(client: Client, _params: dict[str, Any]) -> object:
    return wire(await client.list_tools())


async def call(client: Client, params: dict[str, Any]) -> object:
    return wire(await client.call_tool(params["name"], params["arguments"]))


asyncio.run(drive(connected, {"server": ask_server, "list_tools": list_tools, "call": call}))
