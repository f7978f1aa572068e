"""The official SDK, low-level and high-level: stateless, JSON responses.

The low-level side checks nothing, neither arguments nor results, and is told that no tool needs its schema looked up,
which is its fastest way. Each function without parameters makes an ASGI application; a server is started with its
name. As a program: the low-level side on stdio.
"""

from __future__ import annotations

import asyncio
import json
import logging
from typing import Any

import hotel_tools
import mcp_types as types
from hotels import ECHO_TEXT, SEARCH_TEXT, Echo, HotelPage
from listed_tools import listed_tools
from mcp.server import Server
from mcp.server.mcpserver import MCPServer
from mcp.server.stdio import stdio_server
from pydantic import TypeAdapter
from starlette.types import ASGIApp

# A line for every request of an older client would be measured with it.
logging.disable(logging.WARNING)


def low_level() -> ASGIApp:
    return _served(hotel_server())


def high_level() -> ASGIApp:
    server = MCPServer("hoteling")
    server.tool(description=ECHO_TEXT)(hotel_tools.echo)
    server.tool(description=SEARCH_TEXT)(hotel_tools.search_hotels)
    return server.streamable_http_app(stateless_http=True, json_response=True)


def listing() -> ASGIApp:
    """A thousand tools whose descriptions and schemas are given."""
    tools = [types.Tool.model_validate(described) for described in listed_tools()]
    return _served(_server(tools))


def hotel_server() -> Server[Any]:
    return _server(
        [
            types.Tool(
                name=function.__name__,
                description=text,
                input_schema=TypeAdapter(function).json_schema(),
                output_schema=TypeAdapter(result).json_schema(),
            )
            for function, text, result in (
                (hotel_tools.echo, ECHO_TEXT, Echo),
                (hotel_tools.search_hotels, SEARCH_TEXT, HotelPage),
            )
        ]
    )


def _server(tools: list[types.Tool]) -> Server[Any]:
    async def list_tools(_context: object, _params: object) -> types.ListToolsResult:
        return types.ListToolsResult(tools=tools, ttl_ms=60_000, cache_scope="private")

    async def call_tool(_context: object, params: types.CallToolRequestParams) -> types.CallToolResult:
        value = hotel_tools.answer(params.name, params.arguments or {})
        text = types.TextContent(type="text", text=json.dumps(value, separators=(",", ":")))
        return types.CallToolResult(content=[text], structured_content=dict(value))

    return Server(
        "hoteling",
        version="1",
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        get_tool_input_schema=lambda _name: None,
    )


def _served(server: Server[Any]) -> ASGIApp:
    return server.streamable_http_app(stateless_http=True, json_response=True)


async def _on_stdio() -> None:
    server = hotel_server()
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


if __name__ == "__main__":
    asyncio.run(_on_stdio())
