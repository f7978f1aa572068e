"""What a result of the modern revision says beside its content. Pure.

Whether it is complete, who answers, and how long it may be kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import orjson

from afford.errors import JsonObject
from afford.manifest import Manifest
from afford.surfaces.mcp.protocol import SERVER_KEY, Era

LIST_TTL: Final = 60_000
"""Milliseconds for which a client may keep a list, unless it is told of a change before."""


def complete(era: Era, members: bytes, manifest: Manifest) -> bytes:
    """A whole result from its members."""
    return _closed(era, (members,), manifest, b"complete")


def asking(members: bytes, manifest: Manifest) -> bytes:
    """A result of the modern era that asks for input instead of answering."""
    return _closed(Era.MODERN, (members,), manifest, b"input_required")


def cacheable(era: Era, members: Sequence[bytes], manifest: Manifest, ttl: int = LIST_TTL) -> bytes:
    """A result, from its members in pieces, that a client may keep.

    What is shown depends on the caller, so nobody may share it.
    """
    return _closed(era, members, manifest, b"complete", b',"ttlMs":%d,"cacheScope":"private"' % ttl)


def server_info(manifest: Manifest) -> JsonObject:
    """Who answers: name, title and version of the application."""
    title, version, _ = manifest.app
    return {"name": manifest.name, "title": title, "version": version}


def _closed(era: Era, members: Sequence[bytes], manifest: Manifest, kind: bytes, beside: bytes = b"") -> bytes:
    # Joined at once: adding copies a long list once for each addition, into memory that is fresh from the system.
    if era is not Era.MODERN:
        return b"".join((b"{", *members, b"}"))
    return b"".join((b"{", *members, beside, _end(manifest.name, manifest.app, kind)))


@lru_cache(maxsize=16)
def _end(name: str, app: tuple[str, str, str], kind: bytes) -> bytes:
    title, version, _ = app
    meta = orjson.dumps({SERVER_KEY: {"name": name, "title": title, "version": version}})
    return b',"resultType":"%b","_meta":%b}' % (kind, meta)
