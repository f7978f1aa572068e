"""A client that costs next to nothing: one connection, one request after the other, bytes in and bytes out.

Knows as much of HTTP as the measured servers need: every answer has a `Content-Length`.
"""

from __future__ import annotations

import re
import socket
from typing import Final, Self

_HEAD_END: Final = b"\r\n\r\n"
_LENGTH: Final = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)


class KeepAlive:
    """One connection to a server on this machine; a context manager."""

    def __init__(self, port: int) -> None:
        """Connect."""
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=120)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._host = f"127.0.0.1:{port}"
        self._buffer = memoryview(bytearray(1 << 20))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._socket.close()

    def request(self, target: str, headers: dict[str, str], body: bytes | None = None) -> bytes:
        """A `GET`, or a `POST` of a body, as it goes over the wire, so that it can be sent often."""
        fields = {"Host": self._host, **headers}
        if body is not None:
            fields["Content-Length"] = str(len(body))
        head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        return f"{'GET' if body is None else 'POST'} {target} HTTP/1.1\r\n{head}\r\n".encode() + (body or b"")

    def answer(self, request: bytes) -> bytes:
        """The body of the answer; fails unless it is a 200."""
        start, length = self._begun(request)
        received = bytearray(start)
        while len(received) < length:
            received += self._received()
        return bytes(received)

    def drain(self, request: bytes) -> None:
        """Receive the answer and drop it; fails unless it is a 200."""
        start, length = self._begun(request)
        missing = length - len(start)
        while missing:
            missing -= len(self._received())

    def _begun(self, request: bytes) -> tuple[bytes, int]:
        """What came of the body together with the head, and how long the body is."""
        self._socket.sendall(request)
        received = b""
        while (end := received.find(_HEAD_END)) < 0:
            received += bytes(self._received())
        head = received[:end]
        assert head.startswith(b"HTTP/1.1 200"), received[:500]
        length = _LENGTH.search(head)
        assert length is not None, f"the answer has no length: {head!r}"
        return received[end + len(_HEAD_END) :], int(length[1])

    def _received(self) -> memoryview:
        """Some bytes, valid until the next ones are received."""
        size = self._socket.recv_into(self._buffer)
        assert size, "the server closed the connection"
        return self._buffer[:size]
