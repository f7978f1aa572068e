"""The tools of an MCP server. Knows results of `tools/list` and `tools/call`; how they travel comes from outside."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Final, cast

import orjson

from afford.cold.replies import UNREACHABLE, Refusal, Reply
from afford.errors import Code, JsonObject, JsonValue
from afford.lint.target import Described, Target
from afford.lint.targets.mcp import from_tools, wrapping_of
from afford.lint.targets.members import object_of, objects_of, text_of

_INVALID_PARAMS: Final = -32602

Call = Callable[[str, JsonObject], Awaitable[JsonObject]]
"""Calls a tool by name; answers its `CallToolResult`, and raises `ProtocolError` in place of one."""


class ProtocolError(Exception):
    """The protocol, the transport or the client refused a call."""

    def __init__(self, code: int | None, message: str, data: JsonValue = None) -> None:
        """Keep the code of JSON-RPC, None where there is none, what was told, and what came with it."""
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data


class McpLink:
    """Calls tools."""

    def __init__(self, tools: Sequence[JsonObject], call: Call) -> None:
        """Take the tools as they are listed, and what calls them."""
        self._wrapping = {text_of(tool, "name"): wrapping_of(tool) for tool in tools}
        self._call = call

    async def call(self, operation: Described, arguments: JsonObject, limit: int | None = None) -> Reply:
        """Call a tool; `limit` travels among its arguments."""
        return await self._sent(operation.name, arguments if limit is None else {**arguments, "limit": limit})

    async def follow(self, operation: Described, arguments: JsonObject, limit: int | None, place: str) -> Reply:
        """The same call with the cursor of the page before."""
        page: JsonObject = {"cursor": place} if limit is None else {"limit": limit, "cursor": place}
        return await self._sent(operation.name, {**arguments, **page})

    def spells(self, operation: Described, arguments: JsonObject) -> bool:
        """Always: arguments travel as JSON."""
        return True

    async def _sent(self, name: str, arguments: JsonObject) -> Reply:
        try:
            result = await self._call(name, arguments)
        except ProtocolError as error:
            return Reply(refusal=_of_protocol(error))
        if result.get("isError"):
            return Reply(refusal=_refusal(result))
        return _answer(result, self._wrapping.get(name))


def from_listed(tools: Sequence[JsonObject], name: str, instructions: str, call: Call) -> tuple[Target, McpLink]:
    """The target that listed tools make, and the link to them."""
    return from_tools(tools, name, instructions=instructions), McpLink(tools, call)


def _answer(result: JsonObject, wrapping: str | None) -> Reply:
    structured = object_of(result, "structuredContent")
    if structured is None:
        return Reply(value=_text(result), is_blank=True)
    total, following = structured.get("total"), text_of(structured, "next_cursor")
    if wrapping is not None and wrapping not in structured:
        return Reply(value=structured)
    return Reply(
        value=structured if wrapping is None else structured[wrapping],
        following=following or None,
        total=total if isinstance(total, int) else None,
    )


def _refusal(result: JsonObject) -> Refusal:
    """What an error result says; afford's is one JSON object, others' are text."""
    text = _text(result)
    try:
        told: JsonValue = orjson.loads(text)
    except orjson.JSONDecodeError:
        told = None
    return _coded(told) or Refusal(code="", message=text)


def _coded(told: JsonValue) -> Refusal | None:
    """A refusal in the form of afford: one member `error`; None where it has another."""
    error = object_of(told, "error") if isinstance(told, dict) else None
    if error is None:
        return None
    return Refusal(
        code=text_of(error, "code"),
        message=text_of(error, "message"),
        fix=text_of(error, "fix"),
        faults=tuple(objects_of(error, "errors")),
    )


def _of_protocol(error: ProtocolError) -> Refusal:
    coded = _coded(error.data)
    if coded is not None:
        return coded
    if error.code == _INVALID_PARAMS:
        is_unknown = error.message.lower().startswith("unknown tool")
        code = Code.UNKNOWN_OPERATION if is_unknown else Code.BAD_REQUEST
        return Refusal(code=code.value, message=error.message)
    return Refusal(code=UNREACHABLE, message=error.message, is_protocol=True)


def _text(result: JsonObject) -> str:
    blocks = cast("list[JsonValue]", result.get("content") or [])
    return "\n".join(text_of(block, "text") for block in blocks if isinstance(block, dict))
