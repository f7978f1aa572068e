"""A server of other people's making, over HTTP with sessions of the older revisions: python foreign.py."""

from __future__ import annotations

import socket
import sys

import uvicorn
from mcp.server.mcpserver import Context, MCPServer
from pydantic import BaseModel
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

server = MCPServer("foreign things")


class Size(BaseModel):
    size: int


@server.tool(name="shop.measure")
async def measure(ctx: Context) -> str:
    """Measure something, which only a person can."""
    answer = await ctx.elicit("How large is it?", Size)
    return f"{answer.action} {getattr(answer.data, 'size', None)}" if answer.action == "accept" else answer.action


@server.tool()
async def grow(ctx: Context) -> str:
    """Offer one tool more."""

    def grown() -> int:
        """Say one."""
        return 1

    server.add_tool(grown)
    await ctx.session.send_tool_list_changed()
    return "grown"


def main() -> None:
    listener = socket.create_server(("127.0.0.1", 0))
    app: Starlette = server.streamable_http_app()

    async def forget(_request: Request) -> Response:
        """Lose every session, as a restart would."""
        server.session_manager._server_instances.clear()
        return PlainTextResponse("forgotten")

    app.add_route("/forget", forget, methods=["POST"])

    async def older(scope: Scope, receive: Receive, send: Send) -> None:
        """Know nothing of the modern revision, as most servers do."""
        if scope["type"] == "http" and Headers(scope=scope).get("mcp-protocol-version") == "2026-07-28":
            await PlainTextResponse("what revision is that?", 400)(scope, receive, send)
        else:
            await app(scope, receive, send)

    sys.stdout.write(f"http://127.0.0.1:{listener.getsockname()[1]}\n")
    sys.stdout.flush()
    uvicorn.Server(uvicorn.Config(older, log_config=None, lifespan="on", ws="none")).run(sockets=[listener])


if __name__ == "__main__":
    main()
