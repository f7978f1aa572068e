"""Which hosts and origins a request may be for: the defence against DNS rebinding and hostile pages.

A request names a host (RFC 9110 section 7.2) and, when a page sent it, an origin. Loopback names and the server's own
address are always fine; everything else has to be listed.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final
from urllib.parse import urlsplit

from afford.errors import Code, Failure, failure

LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "[::1]", "::1"})
_HOST_FIX: Final = "add the name to `App(allowed_hosts=[...])`"
_ORIGIN_FIX: Final = "add the origin to `App(allowed_origins=[...])`"


class Guard:
    """Decides about `Host` and `Origin`."""

    def __init__(self, *, hosts: Iterable[str] | None, origins: Iterable[str], public_url: str | None) -> None:
        """Take what the operator listed.

        Args:
            hosts: host names besides loopback, without port; a leading `.` allows every name below, `*` every name.
                None: not stated, so a mounted application trusts its host.
            origins: origins whose pages may call, such as `https://app.example`.
            public_url: its host and origin are allowed as well.
        """
        self.states_hosts = hosts is not None
        listed = {host.lower() for host in hosts or ()}
        self._origins = {origin.lower().rstrip("/") for origin in origins}
        if public_url:
            parts = urlsplit(public_url)
            listed.add((parts.hostname or "").lower())
            self._origins.add(f"{parts.scheme}://{parts.netloc}".lower())
        self.lists_origins = bool(self._origins)
        self._hosts = frozenset(listed)
        self._suffixes = tuple(host for host in listed if host.startswith("."))
        self._seen: set[tuple[str, str]] = set()

    def refuse_host(self, field: str | None, server: str) -> Failure | None:
        """A refusal of the `Host` field, or None.

        Args:
            field: the header field; None when it is absent or came twice.
            server: address or name the server itself listens on.
        """
        if field is None:
            return failure(Code.MISDIRECTED, "the request does not name one host", fix="send one Host header")
        key = (field, server)
        if key in self._seen:
            return None
        if not self._is_known(host_of(field), server):
            return failure(
                Code.MISDIRECTED, "this server does not answer for the host that the request names", fix=_HOST_FIX
            )
        if len(self._seen) < 1024:  # noqa: PLR2004 - a bound against endless spellings of allowed names
            self._seen.add(key)
        return None

    def refuse_origin(self, origin: str, host: str | None, server: str) -> Failure | None:
        """A refusal of the `Origin` field, or None: an origin is fine when it is listed, or is this server itself."""
        lowered = origin.lower().rstrip("/")
        if lowered in self._origins:
            return None
        scheme, separator, authority = lowered.partition("://")
        same = bool(separator) and scheme in ("http", "https") and host is not None
        if same and _authority(authority) == _authority(host or "") and self._is_known(host_of(authority), server):
            return None
        return failure(Code.FORBIDDEN, "pages of that origin may not call this server", fix=_ORIGIN_FIX)

    def allows_cors(self, origin: str) -> bool:
        """Whether answers may be read by pages of the origin: only where it is listed."""
        return origin.lower().rstrip("/") in self._origins

    def _is_known(self, host: str, server: str) -> bool:
        if host in LOOPBACK or host in self._hosts or "*" in self._hosts:
            return True
        return host == server.lower() or any(host.endswith(suffix) for suffix in self._suffixes)


def host_of(field: str) -> str:
    """The host of a `Host` field, lower case, without its port."""
    text = field.strip().lower()
    if text.startswith("["):
        return text.partition("]")[0] + "]"
    return text.partition(":")[0]


def _authority(text: str) -> str:
    """Host and port, without the default ports, so that `api.example` equals `api.example:443`."""
    return text.lower().removesuffix(":443").removesuffix(":80")
