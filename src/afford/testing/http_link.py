"""The link over plain HTTP: the whole ASGI application, without a socket."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Final, Literal, cast
from urllib.parse import parse_qs

import httpx
import orjson

from afford.app import App
from afford.caller import Principal
from afford.errors import JsonObject
from afford.request import Request
from afford.surfaces.http.query_string import encode_query
from afford.testing.answer import Answer

_BASE_URL: Final = "http://127.0.0.1"


@asynccontextmanager
async def browser(
    app: App, principal: Principal | None, door: Literal["agent", "app"]
) -> AsyncGenerator[httpx.AsyncClient]:
    """An HTTP client of the application, which takes every request for the principal's."""

    def known(_request: Request) -> Principal | None:
        return principal

    surface = app.asgi(door=door, authenticate=[known] if app.authenticators or principal is not None else [])
    await surface.runtime()
    try:
        transport = httpx.ASGITransport(app=surface)
        async with httpx.AsyncClient(transport=transport, base_url=_BASE_URL) as http:
            yield http
    finally:
        await surface.stop()


@asynccontextmanager
async def http_link(app: App, principal: Principal | None, door: Literal["agent", "app"]) -> AsyncGenerator[HttpLink]:
    """Queries by `GET`, actions by `POST`."""
    async with browser(app, principal, door) as http:
        yield HttpLink(app, http)


class HttpLink:
    """Sends HTTP requests."""

    def __init__(self, app: App, http: httpx.AsyncClient) -> None:
        """Made by `http_link`."""
        self._operations = app.build().operations
        self._http = http

    async def call(self, name: str, arguments: JsonObject, limit: int | None, cursor: str | None) -> Answer:
        """Call an operation by its wire name."""
        operation = self._operations.get(name)
        if operation is not None and not operation.reads:
            body = orjson.dumps(arguments)
            response = await self._http.post(f"/{name}", content=body, headers={"content-type": "application/json"})
            return _answer(response)
        page: JsonObject = {}
        if limit is not None:
            page["limit"] = limit
        if cursor is not None:
            page["cursor"] = cursor
        query = encode_query({**arguments, **page})
        return _answer(await self._http.get(f"/{name}?{query}" if query else f"/{name}"))

    async def manifest(self) -> JsonObject:
        """The manifest document as it is served; no operations and the status where it is refused."""
        response = await self._http.get("/manifest")
        if response.status_code != 200:  # noqa: PLR2004 - OK
            return {"operations": [], "status": response.status_code}
        return cast("JsonObject", response.json())


def problem(response: httpx.Response) -> JsonObject | None:
    """What a problem document tells, in the form of every other link; None: the response is none."""
    if not response.headers.get("content-type", "").startswith("application/problem+json"):
        return None
    told = cast("JsonObject", response.json())
    error = {key: value for key, value in told.items() if key not in ("type", "title", "status", "detail")}
    return {**error, "message": told["detail"]}


def _answer(response: httpx.Response) -> Answer:
    error = problem(response)
    if error is not None:
        return Answer(error=error)
    total = response.headers.get("x-total-count")
    link = response.links.get("next", {}).get("url")
    cursor = None if link is None else parse_qs(link.partition("?")[2])["cursor"][0]
    return Answer(value=response.json(), next_cursor=cursor, total=None if total is None else int(total))
