"""Every link that a contract is proved over: one word each, the testing client behind it."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from typing import Final, Literal, TypeAlias, TypedDict

from afford import App, Principal
from afford.testing import Client
from afford.testing import client as testing_client

Over: TypeAlias = Literal["executor", "http", "mcp", "mcp-handshake", "stdio"]
PLAIN: Final[tuple[Over, ...]] = ("executor", "http")
"""Links that have an app door, and pages beside the arguments."""
MCP: Final[tuple[Over, ...]] = ("mcp", "mcp-handshake", "stdio")
"""Links whose callers speak MCP."""
LINKS: Final = (*PLAIN, *MCP)


class LinkOptions(TypedDict):
    """What chooses a link where the testing tools are called."""

    over: Literal["executor", "http", "mcp", "stdio"]
    revision: Literal["2026-07-28", "2025-11-25"]


def options(over: Over) -> LinkOptions:
    """The options behind one word."""
    if over == "mcp-handshake":
        return {"over": "mcp", "revision": "2025-11-25"}
    return {"over": over, "revision": "2026-07-28"}


def client(
    app: App,
    *,
    as_: Principal | None = None,
    over: Over = "executor",
    door: Literal["agent", "app"] = "agent",
) -> AbstractAsyncContextManager[Client]:
    """The testing client over one of the links."""
    return testing_client(app, as_=as_, door=door, **options(over))
