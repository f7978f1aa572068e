"""Servers that are named by their addresses. Pure, and needs no extra."""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import urlsplit


@dataclass(frozen=True, slots=True)
class Remote:
    """A server that was named by its address."""

    name: str
    """What its tools begin with, once made fit for that."""
    url: str
    """Of its MCP endpoint."""
    token: str | None = field(default=None, repr=False)
    """Opens it; a secret."""


def remote_of(text: str, token: str | None = None) -> Remote:
    """The server that `URL` or `NAME=URL` names.

    Raises:
        ValueError: it is no address of a server, or one that holds a password; the text says which.
    """
    name, separator, url = text.partition("=")
    if not separator or not name or "/" in name or ":" in name:
        name, url = "", text
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("is no address of an MCP server")
    if parts.username is not None or parts.password is not None:
        raise ValueError("holds a password, which everybody sees who lists processes")
    return Remote(name or parts.netloc, url, token)
