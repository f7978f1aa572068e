"""What a result of the modern revision says beside its content. Pure.

Whether it is complete, who answers, and how long it may be kept.
"""

from __future__ import annotations

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
    return _closed(era, members, manifest, b"complete")


def asking(members: bytes, manifest: Manifest) -> bytes:
    """A result of the modern era that asks for input instead of answering."""
    return _closed(Era.MODERN, members, manifest, b"input_required")


def cacheable(era: Era, members: bytes, manifest: Manifest, ttl: int = LIST_TTL) -> bytes:
    """A result that a client may keep; what is shown depends on the caller, so nobody may share it."""
    if era is Era.MODERN:
        members += b',"ttlMs":' + str(ttl).encode("ascii") + b',"cacheScope":"private"'
    return complete(era, members, manifest)


def server_info(manifest: Manifest) -> JsonObject:
    """Who answers: name, title and version of the application."""
    title, version, _ = manifest.app
    return {"name": manifest.name, "title": title, "version": version}


def _closed(era: Era, members: bytes, manifest: Manifest, kind: bytes) -> bytes:
    if era is not Era.MODERN:
        return b"{" + members + b"}"
    title, version, _ = manifest.app
    return b"".join(
        (b"{", members, b',"resultType":"', kind, b'","_meta":', _meta(manifest.name, title, version), b"}")
    )


@lru_cache(maxsize=8)
def _meta(name: str, title: str, version: str) -> bytes:
    return orjson.dumps({SERVER_KEY: {"name": name, "title": title, "version": version}})
