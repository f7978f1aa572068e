"""One server, passed on whole: what is asked of it is asked of the server, under its own names.

Answers the requests of one client in place of the server, which may go away and come back meanwhile. Servers of the
modern era alone: an instance always is one.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Final

from afford.caller import Caller, Door, Surface
from afford.connector.audience import Tell, acknowledge, listened
from afford.connector.bridge import forwarded, lost, own, refused, unreachable, written
from afford.connector.connection import PATIENCE, LostError, Place
from afford.connector.link import SHORTEST_PAUSE, Link, UnreachableError
from afford.declare.changes import ChangeKind
from afford.errors import Failure, JsonObject
from afford.surfaces.mcp.exchange import Exchange
from afford.surfaces.mcp.listening import METHODS, Subscriber
from afford.surfaces.mcp.protocol import (
    HANDSHAKE_REVISIONS,
    INTERNAL_ERROR,
    INVALID_PARAMS,
    Era,
    Incoming,
    ProtocolError,
)
from afford.surfaces.mcp.stdio import converse
from afford.surfaces.mcp.streams import own_streams

_CLIENT: Final = Caller(None, Door.AGENT, Surface.MCP)
_LISTS: Final = {
    "toolsListChanged": ChangeKind.TOOLS,
    "resourcesListChanged": ChangeKind.RESOURCES,
    "promptsListChanged": ChangeKind.PROMPTS,
}
_ALL_LISTS: Final[JsonObject] = dict.fromkeys(_LISTS, True)


class Attached:
    """Answers one client for one server."""

    def __init__(self, link: Link, what: str) -> None:
        """Prepare.

        Args:
            link: to the server.
            what: the server, as refusals call it.
        """
        self._link = link
        self._what = what
        self._followed: dict[tuple[Subscriber, str | None], asyncio.Task[None]] = {}
        """What a client of the older era is told of: a document, or None for the lists."""

    @property
    def hub(self) -> Attached:
        """Tells the client what changes."""
        return self

    def add(self, subscriber: Subscriber) -> None:
        """Tell a client of the older era of its lists from now on."""
        self._follow(subscriber, None, _ALL_LISTS)

    def remove(self, subscriber: Subscriber) -> None:
        """Tell it no more."""
        for key in [key for key in self._followed if key[0] is subscriber]:
            self._followed.pop(key).cancel()

    async def answer(self, incoming: Incoming, exchange: Exchange) -> bytes:
        """The result of a request, as JSON.

        Raises:
            ProtocolError: the server answered this error, or cannot be reached.
        """
        try:
            return await self._answered(incoming, exchange)
        except LostError:
            return self._failed(incoming, lost(self._what))
        except UnreachableError as error:
            return self._failed(incoming, unreachable(self._what, str(error)))

    async def _answered(self, incoming: Incoming, exchange: Exchange) -> bytes:
        method = incoming.method
        if incoming.era is Era.MODERN and method == "subscriptions/listen":
            return await self._listen(incoming, exchange)
        if incoming.era is Era.HANDSHAKE:
            match method:
                case "ping":
                    return b"{}"
                case "initialize":
                    return await self._greeting(incoming)
                case "resources/subscribe" | "resources/unsubscribe":
                    return await self._subscribed(incoming, exchange)
                case _:
                    pass
        return await forwarded(self._link, incoming.params, incoming, exchange)

    def _failed(self, incoming: Incoming, told: Failure) -> bytes:
        """A refusal where the result has room for one; elsewhere an error of the protocol."""
        if incoming.method != "tools/call":
            raise ProtocolError(INTERNAL_ERROR, told.message)
        return refused(incoming.era, told, {"name": "afford", "version": "0"})

    async def _greeting(self, incoming: Incoming) -> bytes:
        connection = await self._link.connection()
        asked = incoming.params.get("protocolVersion")
        members: JsonObject = {
            "protocolVersion": asked if asked in HANDSHAKE_REVISIONS else HANDSHAKE_REVISIONS[0],
            "capabilities": connection.capabilities,
            "serverInfo": connection.server,
        }
        if connection.instructions:
            members["instructions"] = connection.instructions
        return written(incoming.era, members)

    async def _listen(self, incoming: Incoming, exchange: Exchange) -> bytes:
        """Pass changes on until the client cancels; a server that comes back may have changed altogether."""
        wanted, tell = listened(incoming, exchange.notify)
        uris = wanted.get("resourceSubscriptions")
        honoured: JsonObject = {name: True for name in _LISTS if wanted.get(name) is True}
        if isinstance(uris, list):
            honoured["resourceSubscriptions"] = [uri for uri in uris if isinstance(uri, str)]
        acknowledge(tell, honoured)
        await self._pass_on(honoured, tell, asyncio.Event())
        return own(incoming.era, {}, {})

    async def _subscribed(self, incoming: Incoming, exchange: Exchange) -> bytes:
        uri, subscriber = incoming.params.get("uri"), exchange.subscriber
        if not isinstance(uri, str) or subscriber is None:
            raise ProtocolError(INVALID_PARAMS, "params.uri must be the address of a resource")
        known = self._followed.pop((subscriber, uri), None)
        if known is not None:
            known.cancel()
        if incoming.method == "resources/subscribe":
            # Whoever has the answer counts on being told from then on.
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(PATIENCE):
                    await self._follow(subscriber, uri, {"resourceSubscriptions": [uri]}).wait()
        return b"{}"

    def _follow(self, subscriber: Subscriber, uri: str | None, wanted: JsonObject) -> asyncio.Event:
        """Tell a client from now on; answers what is set once nothing can be missed any more."""
        listening = asyncio.Event()

        def tell(method: str, params: JsonObject) -> None:
            if self._followed.get((subscriber, uri)) is task:
                subscriber.tell(method, params)

        task = asyncio.get_running_loop().create_task(self._pass_on(wanted, tell, listening))
        self._followed[subscriber, uri] = task
        return listening

    async def _pass_on(self, wanted: JsonObject, tell: Tell, listening: asyncio.Event) -> None:
        is_first = True

        async def begun() -> None:
            listening.set()
            if not is_first:
                _tell_of_everything(wanted, tell)

        async def told(method: str, params: JsonObject) -> None:
            tell(method, params)

        while True:
            try:
                connection = await self._link.connection()
                await connection.listen(wanted, begun, told)
            except (LostError, UnreachableError):
                is_first = False
            await asyncio.sleep(SHORTEST_PAUSE)


def _tell_of_everything(wanted: JsonObject, tell: Tell) -> None:
    for name, kind in _LISTS.items():
        if wanted.get(name) is True:
            tell(METHODS[kind], {})
    uris = wanted.get("resourceSubscriptions")
    for uri in uris if isinstance(uris, list) else ():
        tell(METHODS[ChangeKind.RESOURCE], {"uri": uri})


async def serve_attached(locate: Callable[[], Place | None], what: str) -> None:
    """Pass one server on to a client on standard input and output, until the input ends.

    Args:
        locate: where the server is now; None: nowhere.
        what: the server, as refusals call it.
    """
    with own_streams() as (stream, write):
        link = Link(locate, lambda: None, outlives=lambda: True)
        link.start()
        try:
            await converse(Attached(link, what), _CLIENT, stream, write)
        finally:
            await link.stop()
