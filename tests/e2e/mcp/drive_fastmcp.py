"""Does a job with FastMCP's client: `python drive_fastmcp.py < job.json > outcomes.json`. See jobs.py."""

from __future__ import annotations

import asyncio
from typing import Any

from driving import MODES, drive, server, wire
from fastmcp import Client
from fastmcp.client.transports import StdioTransport, StreamableHttpTransport


def connected(connection: dict[str, Any]) -> Client[Any]:
    if "url" in connection:
        transport = StreamableHttpTransport(connection["url"], headers=connection["headers"])
    else:
        command, *words = connection["command"]
        transport = StdioTransport(command, words, env=connection["env"], keep_alive=False)
    return Client(transport, mode=MODES[connection["era"]])


async def ask_server(client: Client[Any], _params: dict[str, Any]) -> object:
    return server(client.session)


async def list_tools(client: Client[Any], _params: dict[str, Any]) -> object:
    return wire(await client.list_tools_mcp())


async def call(client: Client[Any], params: dict[str, Any]) -> object:
    return wire(await client.call_tool_mcp(params["name"], params["arguments"]))


asyncio.run(drive(connected, {"server": ask_server, "list_tools": list_tools, "call": call}))
