"""FastMCP, as its documentation says to serve many clients: stateless, JSON responses.

Each function without parameters makes an ASGI application; a server is started with its name. As a program: on stdio.
"""

from __future__ import annotations

import logging
from typing import Any

import hotel_tools
from fastmcp import FastMCP
from fastmcp.tools import Tool, ToolResult
from hotels import ECHO_TEXT, SEARCH_TEXT
from listed_tools import listed_tools
from mcp_types import ToolAnnotations
from starlette.types import ASGIApp

# A line for every request of an older client would be measured with it.
logging.disable(logging.WARNING)


def calls() -> ASGIApp:
    return _served(hotel_server())


def listing() -> ASGIApp:
    """A thousand tools whose descriptions and schemas are given."""
    server = FastMCP("listing")
    for described in listed_tools():
        server.add_tool(_tool(described))
    return _served(server)


def hotel_server() -> FastMCP:
    server = FastMCP("hoteling")
    server.tool(hotel_tools.echo, description=ECHO_TEXT)
    server.tool(hotel_tools.search_hotels, description=SEARCH_TEXT)
    return server


class _Silent(Tool):
    """A tool that is listed and never called."""

    async def run(self, arguments: dict[str, Any]) -> ToolResult:
        raise NotImplementedError


def _tool(described: dict[str, Any]) -> Tool:
    return _Silent(
        name=described["name"],
        title=described["title"],
        description=described["description"],
        parameters=described["inputSchema"],
        output_schema=described["outputSchema"],
        annotations=ToolAnnotations.model_validate(described["annotations"]),
        meta=described["_meta"],
    )


def _served(server: FastMCP) -> ASGIApp:
    return server.http_app(path="/mcp", stateless_http=True, json_response=True)


if __name__ == "__main__":
    hotel_server().run(show_banner=False)
