"""A request of a client that is answered by a server elsewhere, whichever era each of both speaks.

A result passes as it is, but for the few members in which the eras differ. Questions to a person are put through
whichever way the client has, and where it has none, the server is told so and refuses.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

import orjson

from afford.connector.connection import Call
from afford.connector.link import Link
from afford.errors import Code, Failure, JsonObject, JsonValue, failure
from afford.surfaces.mcp.exchange import Ask, Exchange, Notify
from afford.surfaces.mcp.protocol import (
    INTERNAL_ERROR,
    SERVER_KEY,
    Era,
    Incoming,
    ProtocolError,
    notification_frame,
)
from afford.surfaces.mcp.render import failed_result

_ROUNDS: Final = 20
"""Times that a server may ask before it answers."""
_MODERN_ONLY: Final = frozenset({"resultType", "ttlMs", "cacheScope"})
_ASKING: Final = "input_required"


async def forwarded(link: Link, params: JsonObject, incoming: Incoming, exchange: Exchange) -> bytes:
    """The result of a request, asked of the server behind the link.

    Args:
        link: to the server.
        params: of the request, as the server knows them.
        incoming: the request as the client made it.
        exchange: what the client can do meanwhile.

    Raises:
        ProtocolError: the server answered this error.
        LostError: the connection ended before it answered.
        UnreachableError: there is no connection.
    """
    call = _call(incoming, exchange)
    result = await link.request(incoming.method, params, call)
    if incoming.era is not Era.MODERN:
        for _ in range(_ROUNDS):
            if result.get("resultType") != _ASKING:
                break
            result = await link.request(incoming.method, {**params, **await _answers(result, call.ask)}, call)
        else:
            raise ProtocolError(INTERNAL_ERROR, "the server asks without end")
    return written(incoming.era, result)


def written(era: Era, result: JsonObject) -> bytes:
    """A result in the words of the client's era."""
    if era is Era.MODERN:
        return orjson.dumps(result if "resultType" in result else {**result, "resultType": "complete"})
    if _MODERN_ONLY.isdisjoint(result):
        return orjson.dumps(result)
    return orjson.dumps({key: value for key, value in result.items() if key not in _MODERN_ONLY})


def own(era: Era, members: JsonObject, server: JsonObject) -> bytes:
    """A result of the connector itself."""
    return written(era, {**members, "_meta": {SERVER_KEY: server}} if era is Era.MODERN else members)


def refused(era: Era, told: Failure, server: JsonObject) -> bytes:
    """A failure as the result of a call."""
    members: JsonValue = orjson.loads(b"{%b}" % failed_result(told))
    assert isinstance(members, dict)  # noqa: S101 - it is what was put together a line above
    return own(era, members, server)


def lost(what: str) -> Failure:
    """The server went away in the middle of a call."""
    message = f"{what} went away before it answered, and nobody knows whether the call was carried out"
    fix = "look at what the call would have changed before you make it again"
    return replace(failure(Code.UNAVAILABLE, message, fix=fix), retryable=False)


def unreachable(what: str, problem: str) -> Failure:
    """There is no connection to the server, and nothing was done."""
    message = f"{what} cannot be reached: {problem}; nothing was done"
    return failure(Code.UNAVAILABLE, message, fix="call again in a moment, or ask the person to look at the server")


def _call(incoming: Incoming, exchange: Exchange) -> Call:
    progressed = None
    if exchange.notify is not None and incoming.progress_token is not None:
        progressed = _progressed(exchange.notify, incoming.progress_token)
    if incoming.era is Era.MODERN:
        return Call(incoming.capabilities, progressed)
    capabilities: JsonObject = {"elicitation": {"form": {}}} if exchange.ask is not None else {}
    return Call(capabilities, progressed, exchange.ask)


def _progressed(notify: Notify, token: str | int) -> Callable[[JsonObject], None]:
    def tell(params: JsonObject) -> None:
        notify(notification_frame("notifications/progress", {"progressToken": token, **params}))

    return tell


async def _answers(result: JsonObject, ask: Ask | None) -> JsonObject:
    """What a server of the modern era wants to see again, after a client of the older one was asked."""
    asked = result.get("inputRequests")
    answers: JsonObject = {}
    for name, request in (asked if isinstance(asked, dict) else {}).items():
        params = request.get("params") if isinstance(request, dict) else None
        if ask is None or not isinstance(request, dict) or request.get("method") != "elicitation/create":
            raise ProtocolError(INTERNAL_ERROR, f"the server asks for {name!r}, which this client cannot answer")
        answers[name] = await ask(params if isinstance(params, dict) else {})
    members: JsonObject = {"inputResponses": answers}
    if "requestState" in result:
        members["requestState"] = result["requestState"]
    return members
