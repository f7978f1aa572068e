"""What a handler or an authenticator may see of the HTTP request behind a call.

Not a web framework's request: headers, client, path. It records which headers were read, because an answer that
depends on a header has to say so (`Vary`, RFC 9110 section 12.5.5).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from http.cookies import CookieError, SimpleCookie


class Headers(Mapping[str, str]):
    """Request headers by lower-case name; repeated fields are joined by a comma (RFC 9110 section 5.3)."""

    __slots__ = ("_read", "_values")

    def __init__(self, raw: Iterable[tuple[bytes, bytes]]) -> None:
        """Take ASGI header pairs. Trailing blanks are trimmed, which some servers leave to the application."""
        values: dict[str, str] = {}
        for name, value in raw:
            key = name.decode("latin-1").lower()
            text = value.decode("latin-1").strip(" \t")
            values[key] = f"{values[key]}, {text}" if key in values else text
        self._values = values
        self._read: set[str] = set()

    def __getitem__(self, name: str) -> str:
        key = name.lower()
        self._read.add(key)
        return self._values[key]

    def __contains__(self, name: object) -> bool:
        if not isinstance(name, str):
            return False
        self._read.add(name.lower())
        return name.lower() in self._values

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    @property
    def names_read(self) -> frozenset[str]:
        """Lower-case names of the headers that somebody looked at so far."""
        return frozenset(self._read)


class Request:
    """The HTTP request behind a call."""

    __slots__ = ("client", "headers", "method", "path")

    def __init__(self, *, headers: Headers, client: tuple[str, int] | None, method: str, path: str) -> None:
        """Hold what the server saw. `client` is host and port of the peer, which may be a proxy."""
        self.headers = headers
        self.client = client
        self.method = method
        self.path = path

    @property
    def cookies(self) -> Mapping[str, str]:
        """Cookies by name; empty when the header is absent or malformed."""
        raw = self.headers.get("cookie", "")
        jar: SimpleCookie = SimpleCookie()
        try:
            jar.load(raw)
        except CookieError:
            return {}
        return {name: morsel.value for name, morsel in jar.items()}
