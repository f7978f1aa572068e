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
        if name == b"content-length":
            refuse_length(value, limit)
    return await received_body(receive, limit)


def refuse_length(stated: bytes, limit: int) -> None:
    """Check what a body is said to be long.

    Raises:
        BodyTooLargeError: more than `limit` bytes.
    """
    # Compared by its digits first: a number of thousands of them is no integer that Python would read.
    if stated.isdigit() and (len(stated) > _MAX_DIGITS or int(stated) > limit):
        raise BodyTooLargeError


async def received_body(receive: Receive, limit: int) -> bytes:
    """The request body, whatever its length was said to be.

    Raises:
        BodyTooLargeError: it is longer than `limit` bytes.
        ClientGoneError: the client disconnected first.
    """
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
