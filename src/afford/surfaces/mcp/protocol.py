"""The Model Context Protocol's fixed words: revisions, methods, keys, error codes; JSON-RPC frames as bytes.

Source: MCP specification 2026-07-28 ("modern": no handshake, metadata on every request) and 2025-11-25, 2025-06-18
("handshake" revisions). Numbers of our own are never minted.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NamedTuple

import orjson

from afford.errors import JsonObject, JsonValue

MODERN: Final = "2026-07-28"
HANDSHAKE_REVISIONS: Final = ("2025-11-25", "2025-06-18")
"""Revisions with `initialize`, newest first."""
OLDER_REVISIONS: Final = ("2025-03-26", "2024-11-05")
"""Revisions that an `initialize` may ask for and is answered with the newest handshake revision."""

VERSION_KEY: Final = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES_KEY: Final = "io.modelcontextprotocol/clientCapabilities"
SERVER_KEY: Final = "io.modelcontextprotocol/serverInfo"
SUBSCRIPTION_KEY: Final = "io.modelcontextprotocol/subscriptionId"

MAX_IDENTITY: Final = (1 << 63) - 1
"""The largest integer that identifies a request or its progress."""
LONGEST_MESSAGE: Final = 500
"""Characters of an error's message, which may repeat what a client made up."""
LONGEST_IDENTITY: Final = 1024
"""Characters of a text that does; it is repeated in every frame that belongs to the request."""

PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
METHOD_NOT_FOUND: Final = -32601
INVALID_PARAMS: Final = -32602
INTERNAL_ERROR: Final = -32603
HEADER_MISMATCH: Final = -32020
MISSING_CAPABILITY: Final = -32021
RESOURCE_NOT_FOUND: Final = -32002
"""Of the handshake revisions only; the modern one says `INVALID_PARAMS`."""
UNSUPPORTED_VERSION: Final = -32022


class Era(StrEnum):
    """Which of the two protocol designs a request speaks."""

    MODERN = "modern"
    HANDSHAKE = "handshake"


class ProtocolError(Exception):
    """A JSON-RPC error: the envelope is broken, or it names something that is not there."""

    def __init__(self, code: int, message: str, data: JsonObject | None = None) -> None:
        """Keep what goes on the wire."""
        super().__init__(message)
        self.code = code
        self.message = message if len(message) <= LONGEST_MESSAGE else f"{message[:LONGEST_MESSAGE]}..."
        self.data = data


_NOTHING: Final[JsonObject] = {}


class Incoming(NamedTuple):
    """One JSON-RPC request or notification, its envelope checked. A tuple: of what is frozen, the quickest to make."""

    id: str | int | None
    """None: a notification."""
    method: str
    params: JsonObject
    era: Era
    version: str
    capabilities: JsonObject = _NOTHING
    """What the client declared that it can do."""

    @property
    def meta(self) -> JsonObject:
        """The request's `_meta`; empty where there is none."""
        meta = self.params.get("_meta")
        return meta if isinstance(meta, dict) else {}

    @property
    def progress_token(self) -> str | int | None:
        """What progress notifications must carry; None: none are wanted."""
        meta = self.params.get("_meta")
        token = meta.get("progressToken") if isinstance(meta, dict) else None
        return None if token is None else _token(token)


def envelope(message: JsonValue) -> tuple[str | int | None, str, JsonObject]:
    """Id (None for a notification), method and params of a JSON-RPC message.

    Raises:
        ProtocolError: it is no request and no notification (JSON-RPC 2.0, sections 4 and 5).
    """
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        raise ProtocolError(INVALID_REQUEST, "not a JSON-RPC 2.0 request; batches are not part of the protocol")
    identity = identity_of(message)
    if identity is None and "id" in message:
        raise ProtocolError(INVALID_REQUEST, "the id must be an integer or a string, and not a long one")
    method, params = message.get("method"), message.get("params", {})
    if not isinstance(method, str):
        raise ProtocolError(INVALID_REQUEST, "the message has no method")
    if not isinstance(params, dict):
        raise ProtocolError(INVALID_PARAMS, "params must be an object")
    return identity, method, params


def identity_of(message: JsonValue) -> str | int | None:
    """The id that an answer to a message must repeat, also when the message is refused; None where it has none."""
    return _token(message.get("id")) if isinstance(message, dict) else None


def success_frame(identity: str | int | None, result: bytes) -> bytes:
    """A response; `result` is JSON already."""
    # Joined: adding copies a long result once for each addition.
    return b"".join((b'{"jsonrpc":"2.0","id":', orjson.dumps(identity), b',"result":', result, b"}"))


def error_frame(identity: str | int | None, error: ProtocolError) -> bytes:
    """An error response."""
    body: JsonObject = {"code": error.code, "message": error.message}
    if error.data is not None:
        body["data"] = error.data
    return orjson.dumps({"jsonrpc": "2.0", "id": identity, "error": body})


def notification_frame(method: str, params: JsonObject) -> bytes:
    """A notification."""
    return orjson.dumps({"jsonrpc": "2.0", "method": method, "params": params})


def _token(value: JsonValue) -> str | int | None:
    """A text or an integer that can be sent back; None where it is something else."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value if -MAX_IDENTITY <= value <= MAX_IDENTITY else None
    return value if isinstance(value, str) and len(value) <= LONGEST_IDENTITY else None
