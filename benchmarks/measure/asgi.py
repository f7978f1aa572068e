"""Calling an ASGI application without a server: hand-made scopes, so that what is timed is the application alone.

Knows the ASGI protocol and nothing else.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from time import perf_counter
from typing import Any

Message = MutableMapping[str, Any]
Application = Callable[
    [MutableMapping[str, Any], Callable[[], Awaitable[Message]], Callable[[Message], Awaitable[None]]], Awaitable[None]
]


class Requests:
    """The same `GET` request, as often as wanted."""

    def __init__(self, application: Application, target: str, headers: dict[str, str]) -> None:
        """Prepare what httptools and uvicorn would hand over."""
        path, _, query = target.partition("?")
        fields = {"Host": "127.0.0.1:8000", **headers}
        self._application = application
        self._scope = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "server": ("127.0.0.1", 8000),
            "client": ("127.0.0.1", 50000),
            "scheme": "http",
            "method": "GET",
            "root_path": "",
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "headers": [(name.lower().encode(), value.encode()) for name, value in fields.items()],
        }
        self.status = 0
        self.body = b""

    async def send_one(self) -> bytes:
        """The body of one answer; fails unless it is a 200."""
        await self._application(self._scope.copy(), self._receive, self._send)
        assert self.status == 200, f"{self._scope['path']}: {self.status} {self.body[:200]!r}"
        return self.body

    async def microseconds(self, count: int) -> float:
        """The average time of one of `count` answers."""
        application, scope, receive, send = self._application, self._scope, self._receive, self._send
        started = perf_counter()
        for _ in range(count):
            await application(scope.copy(), receive, send)
        return (perf_counter() - started) / count * 1e6

    async def _receive(self) -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def _send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
        else:
            self.body = message["body"]
