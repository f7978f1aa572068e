"""Raw HTTP in process, for what only the wire shows."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx

from afford.surfaces.asgi import Scope
from afford.surfaces.http.surface import HttpSurface

LOCAL = "http://127.0.0.1"


@asynccontextmanager
async def served(surface: HttpSurface, **headers: str) -> AsyncIterator[httpx.AsyncClient]:
    """A client of the surface alone, which starts with the first request and is stopped at the end."""
    try:
        async with connected(surface, **headers) as http:
            yield http
    finally:
        await surface.stop()


def connected(app: object, **headers: str) -> httpx.AsyncClient:
    """A client of any ASGI application; what the application raises is raised here."""
    return httpx.AsyncClient(
        transport=httpx.ASGITransport(app=app),
        base_url=LOCAL,
        headers={name.replace("_", "-"): value for name, value in headers.items()},
    )


@asynccontextmanager
async def running(app: object) -> AsyncIterator[None]:
    """An ASGI application between its lifespan events, as a server runs it."""
    to_app: asyncio.Queue[dict[str, object]] = asyncio.Queue()
    from_app: asyncio.Queue[dict[str, object]] = asyncio.Queue()
    task = asyncio.create_task(app({"type": "lifespan", "state": {}}, to_app.get, from_app.put))
    try:
        for moment in ("startup", "shutdown"):
            to_app.put_nowait({"type": f"lifespan.{moment}"})
            told = await from_app.get()
            assert told["type"] == f"lifespan.{moment}.complete", told
            if moment == "startup":
                yield
    finally:
        task.cancel()
        await asyncio.wait({task})


class Exchange:
    """One request given to an ASGI application by hand, for what no client library would send."""

    def __init__(self, app: object, **scope: object) -> None:
        """Take the application and what is special about the request."""
        self._app = app
        self._scope: Scope = {
            "type": "http",
            "http_version": "1.1",
            "method": "GET",
            "path": "/",
            "query_string": b"",
            "headers": [(b"host", b"127.0.0.1")],
            "server": ("127.0.0.1", 80),
            "client": ("127.0.0.1", 50000),
            **scope,
        }
        self.status = 0
        self.headers: list[tuple[bytes, bytes]] = []
        self.body = b""

    async def run(self, *messages: dict[str, object]) -> Exchange:
        """Send the messages (default: an empty body), then disconnect; and read the answer."""
        waiting = list(messages or ({"type": "http.request", "body": b""},))

        async def receive() -> dict[str, object]:
            return waiting.pop(0) if waiting else {"type": "http.disconnect"}

        async def send(message: dict[str, object]) -> None:
            if message["type"] == "http.response.start":
                self.status, self.headers = message["status"], message["headers"]
            else:
                self.body += message["body"]

        await self._app(self._scope, receive, send)
        return self

    def header(self, name: str) -> str | None:
        """The first header field of that name."""
        return next((value.decode() for key, value in self.headers if key == name.encode()), None)
