"""MCP requests in process, for what only the protocol shows: both eras over HTTP, and what a subscriber is told."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Final

import httpx
import orjson

from afford import App, Caller, Door, Principal, Surface
from afford.surfaces.mcp.exchange import Exchange
from afford.surfaces.mcp.lane import LISTEN, Lane
from afford.surfaces.mcp.protocol import Era, Incoming

MODERN: Final = "2026-07-28"
OLDER: Final = "2025-11-25"
META: Final = {"io.modelcontextprotocol/protocolVersion": MODERN, "io.modelcontextprotocol/clientCapabilities": {}}
CAN_ASK: Final = {"elicitation": {}}
"""Capabilities of a client that puts questions to a person."""


async def ask(
    http: httpx.AsyncClient,
    method: str,
    params: Mapping[str, object] | None = None,
    *,
    capabilities: Mapping[str, object] | None = None,
    **headers: str,
) -> httpx.Response:
    """A modern request with everything it has to say about itself."""
    given = dict(params or {})
    meta = {**META, "io.modelcontextprotocol/clientCapabilities": dict(capabilities or {})}
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**given, "_meta": meta}}
    fields = {"mcp-protocol-version": MODERN, "mcp-method": method, "accept": "application/json, text/event-stream"}
    name = given.get("uri") if method == "resources/read" else given.get("name")
    if isinstance(name, str):
        fields["mcp-name"] = name
    return await http.post("/mcp", json=body, headers={**fields, **headers})


async def ask_older(
    http: httpx.AsyncClient, method: str, params: Mapping[str, object] | None = None, **headers: str
) -> httpx.Response:
    """A request of a handshake revision, outside any session."""
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": dict(params or {})}
    return await http.post("/mcp", json=body, headers={"mcp-protocol-version": OLDER, **headers})


async def result(
    http: httpx.AsyncClient, method: str, params: Mapping[str, object] | None = None, **headers: str
) -> dict[str, object]:
    """What a modern request is answered with; it has to succeed."""
    answer = await ask(http, method, params, **headers)
    assert answer.status_code == 200, answer.text
    found: dict[str, object] = answer.json()["result"]
    return found


async def error(
    http: httpx.AsyncClient, method: str, params: Mapping[str, object] | None = None, **headers: str
) -> dict[str, object]:
    """The protocol error that a modern request is refused with."""
    answer = await ask(http, method, params, **headers)
    assert "error" in answer.json(), answer.text
    found: dict[str, object] = answer.json()["error"]
    return found


async def tool(http: httpx.AsyncClient, name: str, /, **arguments: object) -> dict[str, object]:
    """The result of calling a tool, successful or not."""
    return await result(http, "tools/call", {"name": name, "arguments": arguments})


async def listed(http: httpx.AsyncClient, what: str = "tools", **headers: str) -> dict[str, dict[str, object]]:
    """A list by name (resources by URI), in the order in which it was answered."""
    method = "resources/templates/list" if what == "resourceTemplates" else f"{what}/list"
    key = {"tools": "name", "prompts": "name", "resources": "uri", "resourceTemplates": "uriTemplate"}[what]
    return {item[key]: item for item in (await result(http, method, **headers))[what]}


def told(failed: Mapping[str, object]) -> dict[str, object]:
    """What a failed tool result says: its text is one JSON object with the key `error`."""
    assert failed["isError"] is True, failed
    (block,) = failed["content"]
    document = json.loads(block["text"])
    assert list(document) == ["error"]
    assert "structuredContent" not in failed
    return document["error"]


class Listener:
    """A client that listens to what changes."""

    def __init__(self, honoured: Mapping[str, object], frames: asyncio.Queue[dict[str, object]]) -> None:
        """Made by `listening`."""
        self.honoured = honoured
        """What the server said that it will tell."""
        self._frames = frames

    @property
    def waiting(self) -> int:
        """How many notifications have come that nobody looked at."""
        return self._frames.qsize()

    async def next(self) -> tuple[str, str | None]:
        """Method and URI of the next notification, waiting for it."""
        frame = await self._frames.get()
        return frame["method"], frame["params"].get("uri")


@asynccontextmanager
async def listening(app: App, *, as_: Principal | None = None, **wanted: object) -> AsyncIterator[Listener]:
    """A subscriber of the modern revision, straight on the lane, since the HTTP client of the tests reads whole bodies.

    Args:
        app: the application.
        as_: who listens; None: an anonymous caller.
        **wanted: the filter, in the protocol's own words.
    """
    runtime = app.runtime()
    await runtime.start()
    frames: asyncio.Queue[dict[str, object]] = asyncio.Queue()
    incoming = Incoming(id=1, method=LISTEN, params={"notifications": wanted}, era=Era.MODERN, version=MODERN)
    exchange = Exchange(
        caller=Caller(runtime.known_roles(as_), Door.AGENT, Surface.MCP),
        notify=lambda frame: frames.put_nowait(orjson.loads(frame)),
    )
    waiting = asyncio.ensure_future(Lane(runtime).answer(incoming, exchange))
    try:
        hello = await frames.get()
        assert hello["method"] == "notifications/subscriptions/acknowledged"
        yield Listener(hello["params"]["notifications"], frames)
    finally:
        await runtime.stop()
        await waiting
