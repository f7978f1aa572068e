"""The dispatcher: one request in, one result out, for both eras and all transports.

Knows methods, manifests and the runtime; knows no sockets. What is specific to a transport (how a notification is sent,
whether a question can be put to the client) comes with the exchange.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias

import orjson

from afford.declare.changes import ChangeKind
from afford.errors import JsonObject
from afford.manifest import Manifest
from afford.runtime import Runtime
from afford.surfaces.mcp.calls import Tools
from afford.surfaces.mcp.deferral import SEARCH_FIRST
from afford.surfaces.mcp.exchange import Exchange
from afford.surfaces.mcp.listening import MAX_FOLLOWED, Hub, Subscriber, TooManySubscribersError
from afford.surfaces.mcp.project import WHOLE_LIST, instructions
from afford.surfaces.mcp.protocol import (
    HANDSHAKE_REVISIONS,
    INTERNAL_ERROR,
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    MODERN,
    SERVER_KEY,
    SUBSCRIPTION_KEY,
    Era,
    Incoming,
    ProtocolError,
    notification_frame,
)
from afford.surfaces.mcp.readings import Readings
from afford.surfaces.mcp.render import Budget
from afford.surfaces.mcp.replies import cacheable, server_info

LISTEN: Final = "subscriptions/listen"
"""The one method whose answer comes when somebody stops listening."""

Method: TypeAlias = Callable[[Incoming, Exchange, Manifest], Awaitable[bytes]]

_LISTS: Final = {
    "toolsListChanged": ChangeKind.TOOLS,
    "resourcesListChanged": ChangeKind.RESOURCES,
    "promptsListChanged": ChangeKind.PROMPTS,
}


class Lane:
    """Answers MCP requests over one runtime."""

    def __init__(self, runtime: Runtime, *, budget: Budget | None = None) -> None:
        """Prepare; `budget` bounds every result."""
        self._runtime = runtime
        self.hub = Hub(runtime)
        self._tools = Tools(runtime, budget or Budget())
        readings = Readings(runtime)
        self._methods: dict[str, Method] = {
            "tools/list": self._tools.list,
            "tools/call": self._tools.call,
            "resources/list": readings.resources,
            "resources/templates/list": readings.templates,
            "resources/read": readings.read,
            "prompts/list": readings.prompts,
            "prompts/get": readings.get,
            "completion/complete": readings.complete,
        }
        self._modern: dict[str, Method] = {"server/discover": self._discover, LISTEN: self._listen}
        self._handshake: dict[str, Method] = {
            "initialize": self._initialize,
            "ping": self._ping,
            "resources/subscribe": readings.follow,
            "resources/unsubscribe": readings.unfollow,
        }

    async def answer(self, incoming: Incoming, exchange: Exchange) -> bytes:
        """The result of a request, as JSON.

        Raises:
            ProtocolError: the method or what it names does not exist, or its parameters are malformed.
        """
        return await self.begin(incoming, exchange)

    def begin(self, incoming: Incoming, exchange: Exchange) -> Awaitable[bytes]:
        """The same, to be waited for at once: a coroutine more on the way of every call costs as much as a look-up.

        Raises:
            ProtocolError: the method or what it names does not exist, or its parameters are malformed.
        """
        own = self._modern if incoming.era is Era.MODERN else self._handshake
        method = self._methods.get(incoming.method) or own.get(incoming.method)
        if method is None:
            raise ProtocolError(METHOD_NOT_FOUND, f"there is no method {incoming.method!r} in this revision")
        return method(incoming, exchange, exchange.manifest or self._runtime.manifest(exchange.caller))

    async def _discover(self, incoming: Incoming, _exchange: Exchange, manifest: Manifest) -> bytes:
        """`server/discover`: revisions, capabilities and what the server is for."""
        members: JsonObject = {
            "supportedVersions": [MODERN],
            "capabilities": capabilities(can_push=True),
            "instructions": self._instructions(manifest),
        }
        return cacheable(incoming.era, [orjson.dumps(members)[1:-1]], manifest)

    async def _initialize(self, incoming: Incoming, exchange: Exchange, manifest: Manifest) -> bytes:
        """`initialize`: the newest handshake revision that the client can speak."""
        asked = incoming.params.get("protocolVersion")
        version = asked if asked in HANDSHAKE_REVISIONS else HANDSHAKE_REVISIONS[0]
        members: JsonObject = {
            "protocolVersion": version,
            "capabilities": capabilities(can_push=exchange.subscriber is not None),
            "serverInfo": server_info(manifest),
            "instructions": self._instructions(manifest),
        }
        return orjson.dumps(members)

    def _instructions(self, manifest: Manifest) -> str:
        return instructions(manifest, SEARCH_FIRST if self._tools.defers(manifest) else WHOLE_LIST)

    async def _ping(self, _incoming: Incoming, _exchange: Exchange, _manifest: Manifest) -> bytes:
        return b"{}"

    async def _listen(self, incoming: Incoming, exchange: Exchange, manifest: Manifest) -> bytes:
        """`subscriptions/listen`: tells what changes, until the client goes away or the application stops."""
        notify, wanted = exchange.notify, incoming.params.get("notifications", {})
        if not isinstance(wanted, dict):
            raise ProtocolError(INVALID_PARAMS, "params.notifications must be an object")
        if notify is None:
            raise ProtocolError(INVALID_PARAMS, "listening needs a client that accepts an event stream")
        meta: JsonObject = {SUBSCRIPTION_KEY: incoming.id}

        def tell(method: str, params: JsonObject) -> None:
            notify(notification_frame(method, {**params, "_meta": meta}))

        subscriber = Subscriber(tell, exchange.caller)
        honoured = _honoured(wanted, subscriber, manifest)
        try:
            self.hub.add(subscriber)
        except TooManySubscribersError as error:
            raise ProtocolError(INTERNAL_ERROR, "too many clients listen already") from error
        try:
            tell("notifications/subscriptions/acknowledged", {"notifications": honoured})
            await self._runtime.stopping()
        finally:
            self.hub.remove(subscriber)
        ended: JsonObject = {"resultType": "complete", "_meta": {**meta, SERVER_KEY: server_info(manifest)}}
        return orjson.dumps(ended)


def capabilities(*, can_push: bool) -> JsonObject:
    """What this server can do, the same for every client of a transport."""
    changes: JsonObject = {"listChanged": True} if can_push else {}
    resources: JsonObject = {**changes, "subscribe": True} if can_push else {}
    return {"tools": dict(changes), "resources": resources, "prompts": dict(changes), "completions": {}}


def _honoured(wanted: JsonObject, subscriber: Subscriber, manifest: Manifest) -> JsonObject:
    """The part of what a client wants that it will be told; a resource that it is not offered is left out."""
    honoured: JsonObject = {}
    for name, kind in _LISTS.items():
        if wanted.get(name) is True:
            subscriber.lists.add(kind)
            honoured[name] = True
    uris = wanted.get("resourceSubscriptions")
    if isinstance(uris, list):
        # What is beyond the bound is not even looked at.
        wished = [uri for uri in uris[:MAX_FOLLOWED] if isinstance(uri, str)]
        honoured["resourceSubscriptions"] = [uri for uri in wished if subscriber.follow(uri, manifest)]
    return honoured
