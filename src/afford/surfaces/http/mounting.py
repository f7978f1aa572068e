"""Mounting on a Starlette or FastAPI application: route, root documents, lifespan.

The host is used through the names that Starlette documents (`mount`, `add_route`, `router.lifespan_context`); nothing
of Starlette is imported.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Protocol, cast

import orjson

from afford.surfaces.asgi import Receive, Scope, Send
from afford.surfaces.http.message import NO_SNIFF, Response, send_response
from afford.surfaces.http.site import root_documents
from afford.surfaces.http.surface import HttpSurface


class _Router(Protocol):
    lifespan_context: Callable[[object], AbstractAsyncContextManager[object]]


class _Host(Protocol):
    router: _Router

    def mount(self, path: str, app: object) -> None: ...

    def add_route(self, path: str, route: object, methods: list[str] | None = None) -> None: ...


def mount_on_starlette(host: object, surface: HttpSurface, *, path: str, title: str, public_url: str | None) -> None:
    """Mount `surface` under `path`.

    Raises:
        TypeError: the host has not the shape of a Starlette application.
    """
    router = getattr(host, "router", None)
    if router is None or not callable(getattr(host, "mount", None)) or not hasattr(router, "lifespan_context"):
        raise TypeError(
            f"{type(host).__name__} is not a Starlette or FastAPI application; mount `app.asgi()` by its own means"
        )
    application = cast("_Host", host)
    mount = f"/{path.strip('/')}".rstrip("/")
    base = (public_url or "").removesuffix("/").removesuffix(mount)
    documents = root_documents(mount, base, title, mcp=surface.serves_mcp, issuers=surface.issuers)
    for place, (kind, document) in documents.items():
        application.add_route(place, _Fixed(kind, orjson.dumps(document)), ["GET", "HEAD"])
    application.mount(mount or "/", surface)
    application.router.lifespan_context = _composed(application.router.lifespan_context, surface)


class _Fixed:
    """An ASGI application that answers one document; a class, so that Starlette takes it as ASGI."""

    def __init__(self, kind: str, body: bytes) -> None:
        self._kind = kind.encode("ascii")
        self._body = body

    async def __call__(self, scope: Scope, _receive: Receive, send: Send) -> None:
        headers = [(b"content-type", self._kind), (b"cache-control", b"public, max-age=60"), NO_SNIFF]
        await send_response(send, Response(200, headers, self._body), scope["method"])


def _composed(
    inner: Callable[[object], AbstractAsyncContextManager[object]], surface: HttpSurface
) -> Callable[[object], AbstractAsyncContextManager[object]]:
    """The host's lifespan, with the surface's runtime started inside it and stopped before it ends."""

    @asynccontextmanager
    async def lifespan(application: object) -> AsyncGenerator[object]:
        async with inner(application) as state:
            await surface.runtime()
            try:
                yield state
            finally:
                await surface.stop()

    return lifespan
