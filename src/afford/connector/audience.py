"""The clients of the connector that want to hear of changes: it has one, which may listen in either era's way."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeAlias

from afford.caller import Caller
from afford.declare.changes import ChangeKind
from afford.errors import JsonObject, JsonValue
from afford.surfaces.mcp.exchange import Notify
from afford.surfaces.mcp.listening import METHODS, Subscriber
from afford.surfaces.mcp.protocol import INVALID_PARAMS, SUBSCRIPTION_KEY, Incoming, ProtocolError, notification_frame

Tell: TypeAlias = Callable[[str, JsonObject], None]
"""Sends a notification, its method and parameters."""


class Audience:
    """Who is told that the list of tools changed."""

    def __init__(self) -> None:
        """Start with nobody."""
        self._subscribers: set[Subscriber] = set()

    def add(self, subscriber: Subscriber) -> None:
        """Tell a client from now on."""
        self._subscribers.add(subscriber)

    def remove(self, subscriber: Subscriber) -> None:
        """Tell a client no more; does nothing the second time."""
        self._subscribers.discard(subscriber)

    def tell(self) -> None:
        """Say that the list of tools is another one."""
        for subscriber in tuple(self._subscribers):
            if ChangeKind.TOOLS in subscriber.lists:
                subscriber.tell(METHODS[ChangeKind.TOOLS], {})

    async def listen(self, incoming: Incoming, notify: Notify | None, caller: Caller) -> None:
        """Serve `subscriptions/listen` until the client cancels it.

        Raises:
            ProtocolError: what the client wants is malformed.
        """
        wanted, tell = listened(incoming, notify)
        subscriber = Subscriber(tell, caller)
        honoured: JsonObject = {}
        if wanted.get("toolsListChanged") is True:
            subscriber.lists.add(ChangeKind.TOOLS)
            honoured["toolsListChanged"] = True
        self.add(subscriber)
        try:
            acknowledge(tell, honoured)
            await asyncio.get_running_loop().create_future()
        finally:
            self.remove(subscriber)


def listened(incoming: Incoming, notify: Notify | None) -> tuple[JsonObject, Tell]:
    """What a client wants to hear of, and how it is told.

    Raises:
        ProtocolError: what it wants is malformed, or it cannot be told.
    """
    wanted: JsonValue = incoming.params.get("notifications", {})
    if not isinstance(wanted, dict) or notify is None:
        raise ProtocolError(INVALID_PARAMS, "params.notifications must be an object")
    meta: JsonObject = {SUBSCRIPTION_KEY: incoming.id}

    def tell(method: str, params: JsonObject) -> None:
        notify(notification_frame(method, {**params, "_meta": meta}))

    return wanted, tell


def acknowledge(tell: Tell, honoured: JsonObject) -> None:
    """Say which part of what a client wants it will be told."""
    tell("notifications/subscriptions/acknowledged", {"notifications": honoured})
