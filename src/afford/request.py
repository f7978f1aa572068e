"""What a handler or an authenticator may see of the HTTP request behind a call.

Not a web framework's request: headers, client, path. It records which headers were read, because an answer that
depends on a header has to say so (`Vary`, RFC 9110 section 12.5.5).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from http.cookies import CookieError, SimpleCookie
from typing import TypeVar, cast, overload

DefaultT = TypeVar("DefaultT")


class Headers(Mapping[str, str]):
    """Request headers by lower-case name; repeated fields are joined by a comma (RFC 9110 section 5.3).

    Fields are decoded when they are looked at: most requests carry more of them than anybody reads.
    """

    __slots__ = ("_raw", "_read")

    def __init__(self, raw: Sequence[tuple[bytes, bytes]]) -> None:
        """Take ASGI header pairs, whose names are in lower case. Blanks around values are left over by some servers."""
        self._raw = raw
        self._read: set[str] = set()

    @overload
    def get(self, key: str, /) -> str | None: ...

    @overload
    def get(self, key: str, /, default: str) -> str: ...

    @overload
    def get(self, key: str, /, default: DefaultT) -> str | DefaultT: ...

    def get(self, key: str, /, default: object = None) -> object:
        """The value, or the default."""
        value = self._value(key)
        return default if value is None else value

    def __getitem__(self, name: str) -> str:
        value = self._value(name)
        if value is None:
            raise KeyError(name)
        return value

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self._value(name) is not None

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys(name.decode("latin-1").lower() for name, _ in self._raw))

    def __len__(self) -> int:
        return len({name.lower() for name, _ in self._raw})

    def is_repeated(self, name: str) -> bool:
        """Whether the field came more than once, so that readers of the first and of the last one would disagree."""
        wanted = name.lower().encode("latin-1", "replace")
        return len([field for field, _ in self._raw if field == wanted]) > 1

    @property
    def names_read(self) -> AbstractSet[str]:
        """Lower-case names of the headers that somebody looked at so far."""
        return self._read

    def _value(self, name: str) -> str | None:
        key = name.lower()
        self._read.add(key)
        wanted = key.encode("latin-1", "replace")
        found = [value for field, value in self._raw if field == wanted]
        if not found:
            return None
        if len(found) == 1:
            return found[0].decode("latin-1").strip(" \t")
        return ", ".join(value.decode("latin-1").strip(" \t") for value in found)


class Request:
    """The HTTP request behind a call."""

    __slots__ = ("_fields", "_headers", "_scope")

    def __init__(self, scope: Mapping[str, object]) -> None:
        """Take an ASGI connection scope, which is looked into only where somebody asks: most calls need nothing."""
        self._scope = scope
        self._headers: Headers | None = None
        self._fields: dict[bytes, bytes] | None = None

    @property
    def fields(self) -> Mapping[bytes, bytes]:
        """Its header fields undecoded, by lower-case name; repeated ones are joined by a comma (RFC 9110 section 5.3).

        Fewer than were sent, then. For those who look at many in every request, and answer for `Vary` themselves.
        """
        if self._fields is None:
            self._fields = _joined(cast("Sequence[tuple[bytes, bytes]]", self._scope["headers"]))
        return self._fields

    @property
    def headers(self) -> Headers:
        """Its header fields."""
        if self._headers is None:
            self._headers = Headers(cast("Sequence[tuple[bytes, bytes]]", self._scope["headers"]))
        return self._headers

    @property
    def client(self) -> tuple[str, int] | None:
        """Host and port of the peer, which may be a proxy; None where the server does not know."""
        return cast("tuple[str, int] | None", self._scope.get("client"))

    @property
    def method(self) -> str:
        """In upper case."""
        return cast("str", self._scope["method"])

    @property
    def path(self) -> str:
        """Decoded, with whatever the application is mounted under."""
        return cast("str", self._scope["path"])

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


def _joined(pairs: Sequence[tuple[bytes, bytes]]) -> dict[bytes, bytes]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        # Of two fields neither may go unseen: whoever routes by headers may have read the other one.
        for name in fields:
            fields[name] = b", ".join(value.strip(b" \t") for field, value in pairs if field == name)
    return fields
