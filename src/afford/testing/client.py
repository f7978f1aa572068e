"""`client`: calls an application's operations as any principal, over every door and transport, with one answer type.

Every link starts the application's lifespan, goes through the same manifest and runs the same checks as in
production; only the socket or the pipe is left out.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Literal, Protocol, TypeAlias, cast

from afford.app import App
from afford.caller import Door, Principal
from afford.errors import JsonObject
from afford.testing.answer import Answer, CallFailed
from afford.testing.executor_link import executor_link
from afford.testing.http_link import http_link
from afford.testing.mcp_http_link import mcp_http_link
from afford.testing.mcp_link import Revision
from afford.testing.stdio_link import stdio_link

Over: TypeAlias = Literal["executor", "http", "mcp", "stdio"]
DoorWord: TypeAlias = Literal["agent", "app"]


class _Link(Protocol):
    async def call(self, name: str, arguments: JsonObject, limit: int | None, cursor: str | None) -> Answer: ...

    async def manifest(self) -> JsonObject: ...


class Client:
    """Calls one application as one caller."""

    def __init__(self, link: _Link) -> None:
        """Made by `client`."""
        self._link = link

    async def call(
        self,
        name: str,
        arguments: Mapping[str, object] | None = None,
        /,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        **more: object,
    ) -> Answer:
        """Call an operation by its wire name.

        Args:
            name: wire name.
            arguments: JSON arguments; keyword arguments are added to them.
            limit: rows wanted from a paging query.
            cursor: `next_cursor` of the page before.
            **more: further arguments by name.

        Raises:
            CallFailed: the transport answered something that no call of this form should meet.
        """
        given = {**(arguments or {}), **more}
        return await self._link.call(name, cast("JsonObject", given), limit, cursor)

    async def all_rows(
        self, name: str, arguments: Mapping[str, object] | None = None, /, *, limit: int | None = None
    ) -> list[JsonObject]:
        """Every row of a paging query, page by page to the end.

        Raises:
            CallFailed: a page failed, or was cut to fit, so that rows would be missing; ask for a smaller `limit`.
        """
        rows: list[JsonObject] = []
        cursor: str | None = None
        while True:
            answer = await self.call(name, arguments, limit=limit, cursor=cursor)
            if answer.truncated is not None:
                raise CallFailed(f"a page of `{name}` was cut to fit; ask for a smaller limit: {answer.truncated}")
            rows.extend(answer.rows)
            cursor = answer.next_cursor
            if cursor is None:
                return rows

    async def manifest(self) -> JsonObject:
        """What the caller is shown: the manifest document, over MCP the tools under the same names."""
        return await self._link.manifest()

    async def names(self) -> list[str]:
        """Wire names of the operations that the caller is shown, in the order they are listed."""
        operations = cast("Sequence[JsonObject]", (await self.manifest())["operations"])
        return [str(operation["name"]) for operation in operations]


@asynccontextmanager
async def client(
    app: App,
    *,
    as_: Principal | None = None,
    over: Over = "executor",
    door: DoorWord = "agent",
    revision: Revision = "2026-07-28",
) -> AsyncGenerator[Client]:
    """A client for an application, with its lifespan around it.

    Args:
        app: the application under test.
        as_: who calls; None: an anonymous caller.
        over: `executor` (in process), `http` (the whole ASGI application), `mcp` (the same, at `/mcp`, without a
            session) or `stdio` (the server of `afford mcp`, without a process).
        door: `agent` or `app`; MCP is for agents.
        revision: of the protocol, over `mcp` and `stdio`.

    Raises:
        ValueError: there is no such link, or MCP was asked for at the app door.
    """
    async with _link(app, as_, over, door, revision) as link:
        yield Client(link)


def _link(
    app: App, principal: Principal | None, over: Over, door: DoorWord, revision: Revision
) -> AbstractAsyncContextManager[_Link]:
    if over == "executor":
        return executor_link(app, principal, Door(door))
    if over == "http":
        return http_link(app, principal, door)
    if door != "agent":
        raise ValueError(f"`{over}` is for agents; use `http` or `executor` at the app door")
    if over == "mcp":
        return mcp_http_link(app, principal, revision)
    if over == "stdio":
        return stdio_link(app, principal, revision)
    raise ValueError(f"there is no link {over!r}; there are executor, http, mcp and stdio")
