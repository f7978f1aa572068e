"""The link over MCP on Streamable HTTP: the whole ASGI application at `/mcp`, without a socket or a session."""

from __future__ import annotations

import base64
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from itertools import count
from typing import Final, cast

import httpx
import orjson

from afford.app import App
from afford.caller import Principal
from afford.errors import JsonObject, JsonValue
from afford.surfaces.mcp.headers import mirrored
from afford.surfaces.mcp.protocol import MODERN
from afford.surfaces.mcp.schemas import input_schema
from afford.testing.http_link import browser, problem
from afford.testing.mcp_link import McpLink, Revision, TurnedAway, request_frame

_ACCEPT: Final = "application/json, text/event-stream"


@asynccontextmanager
async def mcp_http_link(app: App, principal: Principal | None, revision: Revision) -> AsyncGenerator[McpLink]:
    """One `POST` for each request."""
    async with browser(app, principal, "agent") as http:
        yield McpLink(app, revision, _Post(app, http, revision))


class _Post:
    """Sends one request and reads its response."""

    def __init__(self, app: App, http: httpx.AsyncClient, revision: Revision) -> None:
        self._operations = app.build().operations
        self._http = http
        self._revision = revision
        self._ids = count(1)

    async def __call__(self, method: str, params: JsonObject) -> JsonObject:
        body = request_frame(next(self._ids), method, params)
        response = await self._http.post("/mcp", content=body, headers=self._headers(method, params))
        refused = problem(response)
        if refused is not None:
            raise TurnedAway(response.status_code, refused)
        return cast("JsonObject", response.json())

    def _headers(self, method: str, params: JsonObject) -> dict[str, str]:
        """What the specification wants beside the body ("Streamable HTTP"); older revisions repeat nothing."""
        headers = {
            "accept": _ACCEPT,
            "content-type": "application/json",
            "mcp-protocol-version": self._revision,
        }
        if self._revision == MODERN:
            headers["mcp-method"] = method
            if "name" in params:
                headers["mcp-name"] = _encoded(str(params["name"]))
                headers.update(self._mirrored(str(params["name"]), params.get("arguments")))
        return headers

    def _mirrored(self, name: str, arguments: JsonValue) -> dict[str, str]:
        """Arguments that the tool wants to see in a header as well (`x-mcp-header`)."""
        operation = self._operations.get(name)
        headers: dict[str, str] = {}
        for item in () if operation is None else mirrored(input_schema(operation)):
            value = arguments
            for key in item.path:
                value = value.get(key) if isinstance(value, dict) else None
            if value is not None and not isinstance(value, (dict, list)):
                text = value if isinstance(value, str) else orjson.dumps(value).decode()
                headers[item.header] = _encoded(text)
        return headers


def _encoded(value: str) -> str:
    """A header value: what is no plain visible ASCII, or looks encoded already, travels as base64."""
    is_plain = value.isascii() and value.isprintable() and value == value.strip()
    if value and is_plain and not value.startswith("=?base64?"):
        return value
    return f"=?base64?{base64.b64encode(value.encode()).decode('ascii')}?="
