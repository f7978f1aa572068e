"""One server that is kept connected: what it offers now, and calls to it, however often it goes and comes back.

Knows one server; neither what else there is nor who asks.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from enum import StrEnum
from typing import Final, cast

import httpx2
from mcp.shared.exceptions import MCPError

from afford.connector.connection import PATIENCE, Call, Connection, LostError, Place, connect
from afford.errors import JsonObject
from afford.surfaces.mcp.protocol import HEADER_MISMATCH, INVALID_REQUEST, ProtocolError

_log: Final = logging.getLogger("afford.connect")

SHORTEST_PAUSE: Final = 0.05
"""Seconds before the first attempt to connect again: a server that reloads is back at once."""
LONGEST_PAUSE: Final = 2.0
"""Seconds between attempts in the long run."""
_AGAIN: Final = 0.2
_OTHERS: Final = 1.0


class State(StrEnum):
    """Whether a server can be called."""

    CONNECTING = "connecting"
    READY = "ready"
    UNREACHABLE = "unreachable"


class UnreachableError(Exception):
    """There is no connection, and none came in time. Nothing was sent."""


class Link:
    """One server."""

    def __init__(
        self, locate: Callable[[], Place | None], changed: Callable[[], None], *, outlives: Callable[[], bool]
    ) -> None:
        """Prepare; nothing is connected before `start`.

        Args:
            locate: where the server is now; None: nowhere.
            changed: called when what it offers, or whether it can be called, is different now.
            outlives: whether what it offered still counts while it cannot be reached, as that of a live process does.
        """
        self._locate = locate
        self._changed = changed
        self._outlives = outlives
        self._connection: Connection | None = None
        self._arrived = asyncio.Event()
        self.settled = asyncio.Event()
        """Set once the first attempt to connect is over, whatever came of it."""
        self._life: asyncio.Task[None] | None = None
        self.tools: tuple[JsonObject, ...] = ()
        """What it offers, as it says it."""
        self.state = State.CONNECTING
        self.problem = ""
        """Why it cannot be called; empty while it can."""

    def start(self) -> None:
        """Connect, and stay connected."""
        self._life = asyncio.get_running_loop().create_task(self._live())

    async def stop(self) -> None:
        """Let go; calls that are under way are lost."""
        life, self._life = self._life, None
        while life is not None and not life.done():
            # Again and again: a scope of the client that is being cancelled itself may take our cancelling for its own.
            life.cancel()
            await asyncio.wait({life}, timeout=_AGAIN)

    async def connection(self, patience: float = PATIENCE) -> Connection:
        """The connection, waited for where there is none.

        Raises:
            UnreachableError: none came in time.
        """
        if self._connection is None:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(patience):
                    await self._arrived.wait()
        if self._connection is None:
            raise UnreachableError(self.problem or "it is still connecting")
        return self._connection

    async def request(self, method: str, params: JsonObject, call: Call) -> JsonObject:
        """The result of a request, as it came.

        What the server refused without looking at it is sent once more: a session that it has forgotten, or headers
        that its new schemas want otherwise.

        Raises:
            ProtocolError: the server answered this error.
            LostError: the connection ended before it answered.
            UnreachableError: there is no connection.
        """
        connection = await self.connection()
        try:
            return await connection.request(method, params, call)
        except ProtocolError as error:
            if error.code == HEADER_MISMATCH and connection.is_modern:
                self._publish(await connection.tools())
            elif error.code == INVALID_REQUEST and connection.session_is_over:
                await self._again(connection)
            else:
                raise
        return await (await self.connection()).request(method, params, call)

    async def _again(self, connection: Connection) -> None:
        """Connect anew, unless somebody did so already."""
        if self._connection is connection:
            # First, so that whoever comes while we wait sees that it is being done.
            self._gone(LostError("the session is over"))
            # Others are being told the same just now, and may not be taken for lost.
            await connection.quiet(_OTHERS)
            await self.stop()
            self.start()

    async def _live(self) -> None:
        pause, own = SHORTEST_PAUSE, self._life
        while self._life is own:
            try:
                async with connect(self._place()) as connection:
                    await self._follow(connection)
            except Exception as error:  # noqa: BLE001 - whatever ends a connection, the next attempt may succeed
                pause = SHORTEST_PAUSE if self._connection is not None else min(pause * 2, LONGEST_PAUSE)
                self._gone(error)
            await asyncio.sleep(pause)

    def _place(self) -> Place:
        place = self._locate()
        if place is None:
            raise LostError
        return place

    async def _follow(self, connection: Connection) -> None:
        async def look() -> None:
            await self._look(connection)

        await connection.follow_tools(look)

    async def _look(self, connection: Connection) -> None:
        tools = await connection.tools()
        self._connection = connection
        self._arrived.set()
        self.settled.set()
        self._publish(tools)

    def _publish(self, tools: list[JsonObject]) -> None:
        found = tuple(tools)
        if found != self.tools or self.state is not State.READY:
            self.tools, self.state, self.problem = found, State.READY, ""
            self._changed()

    def _gone(self, error: BaseException) -> None:
        was_connected, self._connection = self._connection is not None, None
        self._arrived.clear()
        self.settled.set()
        self.problem = _explained(error)
        _log.debug("a server is gone: %s", self.problem)
        # Once is what a reload looks like; the tools go when the server does not come back.
        self.state = State.CONNECTING if was_connected else State.UNREACHABLE
        if not was_connected and self.tools and not self._outlives():
            self.tools = ()
        self._changed()


def _explained(error: BaseException) -> str:
    """Why a server cannot be reached, in words that hold no secret."""
    while isinstance(error, BaseExceptionGroup):
        # Out of the groups that tasks wrap it in.
        error = cast("BaseExceptionGroup[BaseException]", error).exceptions[0]
    if isinstance(error, TimeoutError):
        return f"it did not answer within {PATIENCE:g} seconds"
    if isinstance(error, (MCPError, ProtocolError)):
        return f"it answered: {error.message}"
    if isinstance(error, LostError):
        return "it ended the connection"
    if isinstance(error, httpx2.ConnectError):
        return "nothing answers at its address"
    return f"the connection failed ({type(error).__name__})"
