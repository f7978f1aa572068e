"""A client of the handshake revisions that stays connected: it can be told of changes, and asked.

Source: MCP specification 2025-11-25, "Elicitation" and "Lifecycle". Knows how frames are written, not through what.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final, Protocol, cast

import orjson

from afford.caller import Caller
from afford.declare.changes import ChangeKind
from afford.errors import JsonObject, JsonValue
from afford.surfaces.mcp.listening import Subscriber
from afford.surfaces.mcp.protocol import INTERNAL_ERROR, ProtocolError, notification_frame

_LISTS: Final = frozenset({ChangeKind.TOOLS, ChangeKind.RESOURCES, ChangeKind.PROMPTS})


class Audience(Protocol):
    """Whoever knows what changes."""

    def add(self, subscriber: Subscriber) -> None:
        """Tell a client from now on."""
        ...

    def remove(self, subscriber: Subscriber) -> None:
        """Tell a client no more; does nothing the second time."""
        ...


class Peer:
    """The client at the other end of one lasting connection."""

    def __init__(self, hub: Audience, caller: Caller, write: Callable[[bytes], None]) -> None:
        """Prepare; nothing is told before `connected`.

        Args:
            hub: knows what changes.
            caller: who is at the other end.
            write: sends one frame, on the event loop.
        """
        self._hub = hub
        self._write = write
        self._asked: dict[str, asyncio.Future[JsonObject]] = {}
        self._count = 0
        self.subscriber = Subscriber(self._tell, caller)

    def connected(self) -> None:
        """The client is ready: tell it what changes from now on."""
        self.subscriber.lists.update(_LISTS)
        self._hub.add(self.subscriber)

    def gone(self) -> None:
        """The connection ended: tell it no more, and wait for no answers."""
        self._hub.remove(self.subscriber)
        for future in self._asked.values():
            future.cancel()

    async def ask(self, params: JsonObject) -> JsonObject:
        """Put a question to the person behind the client and wait for what the client answers.

        Args:
            params: of `elicitation/create`.

        Raises:
            ProtocolError: the client answered an error.
        """
        self._count += 1
        identity = f"afford-{self._count}"
        future: asyncio.Future[JsonObject] = asyncio.get_running_loop().create_future()
        self._asked[identity] = future
        request: JsonObject = {"jsonrpc": "2.0", "id": identity, "method": "elicitation/create", "params": params}
        self._write(orjson.dumps(request))
        try:
            answer = await future
        except asyncio.CancelledError:
            self._write(notification_frame("notifications/cancelled", {"requestId": identity}))
            raise
        finally:
            del self._asked[identity]
        result = answer.get("result")
        if not isinstance(result, dict):
            raise ProtocolError(INTERNAL_ERROR, "the client could not put the question to anybody")
        return result

    def take(self, message: JsonValue) -> bool:
        """Whether a message is an answer of the client, which then goes to whoever asked; a late one goes nowhere."""
        if not isinstance(message, dict) or "method" in message or not ("result" in message or "error" in message):
            return False
        future = self._asked.get(cast("str", message.get("id"))) if isinstance(message.get("id"), str) else None
        if future is not None and not future.done():
            future.set_result(message)
        return True

    def _tell(self, method: str, params: JsonObject) -> None:
        self._write(notification_frame(method, params))
