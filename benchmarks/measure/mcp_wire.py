"""MCP requests as bytes, in both eras; and the script by which wrk gives each of them an id of its own.

Knows the protocol's envelope and nothing of who answers.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

MODERN: Final = "2026-07-28"
OLDER: Final = "2025-11-25"
TARGET: Final = "/mcp"

_META: Final = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "benchmark", "version": "1"},
}


@dataclass(frozen=True, slots=True)
class McpRequest:
    """One request, whose id is still open."""

    method: str
    params: dict[str, Any]
    version: str = MODERN

    @property
    def headers(self) -> dict[str, str]:
        """HTTP header fields, with those that have to repeat the body."""
        fields = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": self.version,
        }
        if self.version == MODERN:
            fields["Mcp-Method"] = self.method
            if "name" in self.params:
                fields["Mcp-Name"] = str(self.params["name"])
        return fields

    def body(self, identity: int) -> bytes:
        """The request with an id."""
        before, after = self._around_id()
        return f"{before}{identity}{after}".encode()

    def script(self, folder: Path) -> Path:
        """A file of Lua for wrk: the same request over and over, numbered."""
        before, after = self._around_id()
        path = folder / f"{self.version}-{self.params.get('name', 'list')}.lua"
        path.write_text(_LUA.format(before=before, after=after), encoding="utf-8")
        return path

    def _around_id(self) -> tuple[str, str]:
        params = {**self.params, "_meta": _META} if self.version == MODERN else self.params
        rest = json.dumps({"method": self.method, "params": params}, separators=(",", ":"))
        return '{"jsonrpc":"2.0","id":', "," + rest[1:]


_LUA: Final = """
wrk.method = "POST"
local before = [==[{before}]==]
local after = [==[{after}]==]
local number = 0
request = function()
  number = number + 1
  return wrk.format(nil, nil, nil, before .. number .. after)
end
"""


def call(name: str, arguments: dict[str, object], version: str = MODERN) -> McpRequest:
    """A call of a tool."""
    return McpRequest("tools/call", {"name": name, "arguments": arguments}, version)


def listing(cursor: str | None = None, version: str = MODERN) -> McpRequest:
    """One page of the list of tools."""
    return McpRequest("tools/list", {} if cursor is None else {"cursor": cursor}, version)


def result_of(frame: bytes) -> dict[str, Any]:
    """The result in a response; fails where it is an error."""
    message = json.loads(frame)
    assert "result" in message, f"not a result: {frame[:500]!r}"
    result: dict[str, Any] = message["result"]
    return result


def value_of(result: dict[str, Any]) -> Any:
    """The value that a call answered; fails unless text and structured content agree on it."""
    assert not result.get("isError"), f"the call failed: {result}"
    structured = result["structuredContent"]
    texts = [block["text"] for block in result["content"]]
    assert len(texts) == 1, f"not one text block: {texts}"
    assert json.loads(texts[0]) == structured, "text and structured content differ"
    return structured
