"""The origin of a development server: the app's own, held until the parent says so, and the connection document.

Knows ASGI; nothing of processes.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

from afford.authentication import InstanceToken
from afford.errors import Code, JsonObject, failure
from afford.request import Request
from afford.surfaces.asgi import Message, Receive, Scope, Send
from afford.surfaces.http.message import (
    NO_STORE,
    Response,
    json_response,
    method_not_allowed,
    problem_response,
    relative_path,
    send_response,
)
from afford.surfaces.http.site import Site
from afford.surfaces.http.surface import HttpSurface

_CLOSE: Final = (b"connection", b"close")

CONNECTION: Final = "/connection.json"
"""Where the connection document is, below the mount."""
_READS: Final = ("GET", "HEAD")


class DevelopmentSite:
    """An ASGI application for the whole origin."""

    def __init__(
        self,
        surface: HttpSurface,
        site: Site,
        *,
        mount: str,
        token: InstanceToken,
        connection: JsonObject,
        started: Callable[[], Awaitable[None]],
    ) -> None:
        """Serve a site.

        Args:
            surface: the application, which decides about hosts and origins.
            site: the same with its discovery documents.
            mount: where the application is.
            token: opens the connection document.
            connection: that document.
            started: waited for when the application has started, before the first connection is accepted.
        """
        self._surface = surface
        self._site = site
        self._path = f"{mount}{CONNECTION}"
        self._token = token
        self._connection = connection
        self._started = started

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one ASGI event stream."""
        if scope["type"] == "lifespan":
            await self._site(scope, receive, self._held(send))
        elif scope["type"] == "http" and relative_path(scope) == self._path:
            await send_response(_closing(send), self._answer(scope), scope["method"])
        else:
            await self._site(scope, receive, _closing(send))

    def _held(self, send: Send) -> Send:
        async def pass_on(message: Message) -> None:
            if message["type"] == "lifespan.startup.complete":
                await self._started()
            await send(message)

        return pass_on

    def _answer(self, scope: Scope) -> Response:
        refused = self._surface.refuse(scope)
        if refused is None and scope["method"] not in _READS:
            refused = method_not_allowed(*_READS)
        if refused is not None:
            return problem_response(refused)
        if not self._token.opens(Request(scope)):
            told = failure(
                Code.UNAUTHENTICATED,
                "the connection document is for who has the token of this instance",
                fix="send it as `Authorization: Bearer TOKEN`; the instance record holds it",
            )
            return problem_response(told, (b"www-authenticate", self._token.challenge.encode("ascii")))
        return json_response(self._connection, NO_STORE)


def _closing(send: Send) -> Send:
    """Send answers after which the connection is closed, so that the next request is for whoever serves by then.

    A client may send a request over a kept connection in the very moment in which the server closes it, and lose it.
    """

    async def send_last(message: Message) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message["headers"], _CLOSE]}
        await send(message)

    return send_last
