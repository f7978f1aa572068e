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

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._socket.close()

    def request(self, target: str, headers: dict[str, str], body: bytes) -> bytes:
        """A `POST` as it goes over the wire, so that it can be sent often."""
        fields = {"Host": self._host, **headers, "Content-Length": str(len(body))}
        head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        return f"POST {target} HTTP/1.1\r\n{head}\r\n".encode() + body

    def answer(self, request: bytes) -> bytes:
        """The body of the answer; fails unless it is a 200."""
        self._socket.sendall(request)
        received = bytearray()
        while (end := received.find(_HEAD_END)) < 0:
            received += self._some()
        head = bytes(received[:end])
        assert head.startswith(b"HTTP/1.1 200"), bytes(received[:500])
        length = _LENGTH.search(head)
        assert length is not None, f"the answer has no length: {head!r}"
        whole = end + len(_HEAD_END) + int(length[1])
        while len(received) < whole:
            received += self._some()
        return bytes(received[end + len(_HEAD_END) :])

    def _some(self) -> bytes:
        some = self._socket.recv(1 << 20)
        assert some, "the server closed the connection"
        return some
