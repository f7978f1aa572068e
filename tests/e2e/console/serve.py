"""An app file with its console, as a development instance serves it, on a port (0: a free one).

    python serve.py APP PORT TOKEN [ID ROLE ...]

It writes the address of its page, and serves until a signal.
"""

from __future__ import annotations

import asyncio
import socket
import sys

import uvicorn

from afford import Principal
from afford.app import App
from afford.cli.target import load_target
from afford.serving import Development
from afford.surfaces.http.site import Site


def site(app: App, token: str, identity: list[str]) -> Site:
    """The app under its usual path, opened by the token."""
    principal = Principal(identity[0], identity[1:]) if identity else None
    development = Development(token=token, principal=principal, mcp=True, listener=lambda _call: None)
    return Site(app.asgi(development=development), mount="/agent", public_url=None, title=app.title)


async def main(target: str, port: str, token: str, *identity: str) -> None:
    """Serve until a signal."""
    app = load_target(target).app
    with socket.create_server(("127.0.0.1", int(port))) as listener:
        server = uvicorn.Server(uvicorn.Config(site(app, token, [*identity]), log_level="warning", lifespan="on"))
        sys.stdout.write(f"http://127.0.0.1:{listener.getsockname()[1]}/agent/console#token={token}\n")
        sys.stdout.flush()
        await server.serve(sockets=[listener])


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
