"""HTTP messages: reading a body within bounds, and answers as status, headers and bytes."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import Final

import orjson

from afford.errors import Code, Failure, failure
from afford.surfaces.asgi import Header, Message, Scope, Send
from afford.surfaces.wire import problem_document, seconds_to_wait

JSON: Final[Header] = (b"content-type", b"application/json")
PROBLEM: Final[Header] = (b"content-type", b"application/problem+json")
NO_SNIFF: Final[Header] = (b"x-content-type-options", b"nosniff")
NO_STORE: Final[Header] = (b"cache-control", b"private, no-store")
_BODILESS: Final = (204, 304)


@dataclass(slots=True)
class Response:
    """One answer, ready to send."""

    status: int
    headers: list[Header]
    body: bytes

    def messages(self, method: str = "GET") -> tuple[Message, Message]:
        """What ASGI sends: start and body.

        No body for `HEAD` (RFC 9110 section 9.3.2), and no length where the status has none.
        """
        headers, body = self.headers, self.body
        if self.status not in _BODILESS:
            headers = [*headers, (b"content-length", b"%d" % len(body))]
        return (
            {"type": "http.response.start", "status": self.status, "headers": headers},
            {"type": "http.response.body", "body": b"" if method == "HEAD" else body},
        )


def problem_response(told: Failure, *extra: Header) -> Response:
    """The answer for a failure: RFC 9457 body, and the headers that its status calls for."""
    headers = [PROBLEM, NO_STORE, NO_SNIFF, *extra]
    if told.code == Code.METHOD_NOT_ALLOWED:
        headers.append((b"allow", ", ".join(told.choices).encode("ascii")))
    wait = seconds_to_wait(told)
    if wait is not None:
        # Whole seconds (RFC 9110 section 10.2.3), and rather one too many than a call that comes too early.
        headers.append((b"retry-after", str(max(1, ceil(wait))).encode("ascii")))
    return Response(told.status or 500, headers, orjson.dumps(problem_document(told)))


def json_response(document: object, *headers: Header) -> Response:
    """The answer for a JSON document."""
    return Response(200, [JSON, NO_SNIFF, *headers], orjson.dumps(document))


async def send_response(send: Send, response: Response, method: str) -> None:
    """Send the answer to a request of that method."""
    for message in response.messages(method):
        await send(message)


BASE: Final = "afford.base"
"""Scope key under which `Site` says where it serves the application, which knows only what is below."""


def base_path(scope: Scope) -> str:
    """The path under which the application is reached on this server, without a slash at the end; empty at the root."""
    base: str = scope.get(BASE) or scope.get("root_path", "")
    return base.rstrip("/")


def relative_path(scope: Scope) -> str:
    """The path below this application's own root, with its leading slash; some hosts strip the root, others do not."""
    path: str = scope["path"]
    root: str = scope.get("root_path", "")
    if not root:
        return path
    root = root.rstrip("/")
    if root and (path == root or path.startswith(f"{root}/")):
        return path[len(root) :] or "/"
    return path


def method_not_allowed(*methods: str) -> Failure:
    """The refusal of a method, naming those that the path answers."""
    listed = " or ".join(methods)
    return failure(
        Code.METHOD_NOT_ALLOWED, f"this path answers {listed} only", fix=f"use {listed}", choices=tuple(methods)
    )
