"""ASGI, as far as the surfaces that speak HTTP share it: message types, and reading a body within bounds."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Final, TypeAlias

Scope: TypeAlias = MutableMapping[str, Any]
Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
Header: TypeAlias = tuple[bytes, bytes]

_MAX_DIGITS: Final = 18


class ClientGoneError(Exception):
    """The client went away before the request was whole."""


class BodyTooLargeError(Exception):
    """The body is over the limit."""


async def read_body(scope: Scope, receive: Receive, limit: int) -> bytes:
    """The request body.

    Raises:
        BodyTooLargeError: it is, or says it is, longer than `limit` bytes.
        ClientGoneError: the client disconnected first.
    """
    for name, value in scope["headers"]:
        # Compared by its digits first: a number of thousands of them is no integer that Python would read.
        if name == b"content-length" and value.isdigit() and (len(value) > _MAX_DIGITS or int(value) > limit):
            raise BodyTooLargeError
    message = await receive()
    if message["type"] == "http.request" and not message.get("more_body"):
        body: bytes = message.get("body", b"")
        if len(body) > limit:
            raise BodyTooLargeError
        return body
    return await _joined(message, receive, limit)


async def _joined(message: Message, receive: Receive, limit: int) -> bytes:
    chunks: list[bytes] = []
    size = 0
    while message["type"] == "http.request":
        chunk: bytes = message.get("body", b"")
        size += len(chunk)
        if size > limit:
            raise BodyTooLargeError
        chunks.append(chunk)
        if not message.get("more_body"):
            return b"".join(chunks)
        message = await receive()
    raise ClientGoneError
