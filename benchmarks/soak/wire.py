"""HTTP/1.1 as far as a client of the soak test needs it: one connection, one request at a time."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

PATIENCE = 30.0
"""Seconds for one answer."""


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def frames(self) -> list[Any]:
        """The messages of an event stream."""
        lines = self.body.decode().splitlines()
        return [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: ")]


class Wire:
    """One connection to a server."""

    def __init__(self, port: int) -> None:
        """Take the server's port; the first request connects."""
        self._port = port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, method: str, path: str, headers: dict[str, str], body: bytes = b"") -> Reply:
        """One request and its whole answer."""
        async with asyncio.timeout(PATIENCE):
            status, fields = await self.open(method, path, headers, body)
            reader, _ = await self._connected()
            if fields.get("transfer-encoding") == "chunked":
                chunks = [chunk async for chunk in self._chunks(reader)]
                return Reply(status, fields, b"".join(chunks))
            return Reply(status, fields, await reader.readexactly(int(fields.get("content-length", "0"))))

    async def open(self, method: str, path: str, headers: dict[str, str], body: bytes) -> tuple[int, dict[str, str]]:
        """Send a request and read the head of its answer."""
        await self.send(method, path, headers, body)
        reader, _ = await self._connected()
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        pairs = [line.partition(": ")[::2] for line in head[1:] if line]
        return int(head[0].split(" ")[1]), {name.lower(): value for name, value in pairs}

    async def send(self, method: str, path: str, headers: dict[str, str], body: bytes) -> None:
        """Send a request, and read nothing."""
        _, writer = await self._connected()
        fields = {"Host": "127.0.0.1", "Content-Length": str(len(body)), **headers}
        head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        writer.write(f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode("latin-1") + body)
        await writer.drain()

    async def event(self) -> Any:
        """The next message of an event stream that was opened."""
        reader, _ = await self._connected()
        async with asyncio.timeout(PATIENCE):
            while line := await reader.readline():
                if line.startswith(b"data: "):
                    return json.loads(line.removeprefix(b"data: "))
        raise ConnectionError("the stream ended")

    def vanish(self) -> None:
        """Go away without a word; the next request opens another connection."""
        if self._streams is not None:
            self._streams[1].transport.abort()
            self._streams = None

    async def _connected(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self._port)
        return self._streams

    @staticmethod
    async def _chunks(reader: asyncio.StreamReader) -> AsyncIterator[bytes]:
        while size := int(await reader.readline(), 16):
            yield (await reader.readexactly(size + 2))[:-2]
        await reader.readline()
