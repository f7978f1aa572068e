"""What the links over MCP share: calls and lists as requests of both eras.

Knows requests; how a frame travels comes with the transport. Says what an ordinary client says: nothing is
left out and nothing contradicts itself, so whatever comes back is about the call.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Final, Literal, TypeAlias, cast

import orjson

from afford.app import App
from afford.declare.operations import Role
from afford.errors import JsonObject, JsonValue
from afford.surfaces.mcp.protocol import CAPABILITIES_KEY, MODERN, VERSION_KEY
from afford.testing.answer import Answer
from afford.testing.tool_answers import answer_of, refusal_of

Revision: TypeAlias = Literal["2026-07-28", "2025-11-25"]
"""The newest revision of each era."""

Send: TypeAlias = Callable[[str, JsonObject], Awaitable[JsonObject]]
"""Carries method and params there, and the JSON-RPC response back; raises `TurnedAway` when there is none."""


class TurnedAway(Exception):
    """The transport refused the request before MCP saw it."""

    def __init__(self, status: int, error: JsonObject) -> None:
        """Keep the HTTP status and what the caller was told."""
        super().__init__(str(error["code"]))
        self.status = status
        self.error = error


class McpLink:
    """Calls tools."""

    def __init__(self, app: App, revision: Revision, send: Send) -> None:
        """Made by the transports."""
        self._operations = app.build().operations
        self._revision: Final = revision
        self._send = send

    async def call(self, name: str, arguments: JsonObject, limit: int | None, cursor: str | None) -> Answer:
        """Call a tool; `limit` and `cursor` travel among its arguments, since no header can carry them."""
        # Through JSON text and back, like over the other links; the frame itself is written by a writer that knows
        # integers of any size, of which a limit may be one.
        sent = cast("JsonObject", orjson.loads(orjson.dumps(arguments)))
        if limit is not None:
            sent["limit"] = limit
        if cursor is not None:
            sent["cursor"] = cursor
        try:
            response = await self.ask("tools/call", {"name": name, "arguments": sent})
        except TurnedAway as refused:
            return Answer(error=refused.error)
        if "error" in response:
            return refusal_of(cast("JsonObject", response["error"]))
        return answer_of(cast("JsonObject", response["result"]), self._operations.get(name))

    async def manifest(self) -> JsonObject:
        """All pages of `tools/list`, as a manifest document: operations, and apart from them what is none.

        A tool has the members under which the document states what MCP states as well.
        """
        operations: list[JsonValue] = []
        tools: list[JsonValue] = []
        params: JsonObject = {}
        while True:
            try:
                response = await self.ask("tools/list", params)
            except TurnedAway as refused:
                return {"operations": [], "status": refused.status}
            result = cast("JsonObject", response["result"])
            for tool in cast("list[JsonObject]", result["tools"]):
                (operations if self._is_operation(str(tool["name"])) else tools).append(_described(tool))
            if "nextCursor" not in result:
                return {"operations": operations, "tools": tools}
            params = {"cursor": result["nextCursor"]}

    def _is_operation(self, name: str) -> bool:
        declared = self._operations.get(name)
        return declared is not None and declared.role is Role.OPERATION

    async def ask(self, method: str, params: JsonObject) -> JsonObject:
        """The response to a request, which says about itself what its revision wants it to say."""
        return await self._send(method, with_meta(params, self._revision))


def request_frame(identity: int, method: str, params: JsonObject) -> bytes:
    """A JSON-RPC request on one line."""
    return json.dumps({"jsonrpc": "2.0", "id": identity, "method": method, "params": params}).encode("ascii")


def with_meta(params: JsonObject, revision: Revision) -> JsonObject:
    """The params of a request: a modern one states its revision, an older one did so once."""
    return {**params, "_meta": {VERSION_KEY: revision, CAPABILITIES_KEY: {}}} if revision == MODERN else params


def _described(tool: JsonObject) -> JsonObject:
    """A tool under the names of a manifest document."""
    meta = cast("JsonObject", tool["_meta"])
    hints = cast("JsonObject", tool["annotations"])
    destroys = "destructive" if hints["destructiveHint"] else "action"
    members: JsonObject = {
        "name": tool["name"],
        "kind": meta["afford/kind"],
        "description": tool["description"],
        "risk": meta["afford/risk"],
        "safety": "read" if hints["readOnlyHint"] else destroys,
        "input_schema": tool["inputSchema"],
    }
    if "afford/reach" in meta:
        members["reach"] = meta["afford/reach"]
    return {**members, "output_schema": tool["outputSchema"]} if "outputSchema" in tool else members
