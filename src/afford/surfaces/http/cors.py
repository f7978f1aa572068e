"""What lets pages of listed origins call and read ("CORS protocol" of the Fetch standard); the guard lists them."""

from __future__ import annotations

from typing import Final

from afford.surfaces.asgi import Header, Scope
from afford.surfaces.http.guard import Guard
from afford.surfaces.http.message import Response

_SHARED_FIELDS: Final = (
    "authorization",
    "content-type",
    "x-api-key",
    "afford-approval",
    "idempotency-key",
    "last-event-id",
)
"""Header fields that pages of a listed origin may send."""
_PREFLIGHT_SECONDS: Final = b"600"


def sharing_headers(scope: Scope, guard: Guard) -> tuple[Header, ...]:
    """What lets pages of a listed origin read the answer."""
    origin = _field(scope, b"origin")
    if origin is None or not guard.allows_cors(origin):
        return ()
    return (
        (b"access-control-allow-origin", origin.encode("latin-1")),
        (b"access-control-expose-headers", b"link, x-total-count, etag, retry-after, mcp-session-id"),
        (b"vary", b"origin"),
    )


def preflight_response(scope: Scope, guard: Guard) -> Response | None:
    """The answer to a CORS preflight from a listed origin ("CORS-preflight request"); None: it is not one."""
    origin = _field(scope, b"origin")
    if origin is None or _field(scope, b"access-control-request-method") is None:
        return None
    if not guard.allows_cors(origin):
        return None
    # MCP clients repeat arguments in headers whose names come with the catalog.
    asked = (_field(scope, b"access-control-request-headers") or "").lower().split(",")
    mcp = sorted({name.strip() for name in asked if name.strip().startswith("mcp-")})
    headers: list[Header] = [
        (b"access-control-allow-methods", b"GET, HEAD, POST, DELETE"),
        (b"access-control-allow-headers", ", ".join((*_SHARED_FIELDS, *mcp)).encode("latin-1")),
        (b"access-control-max-age", _PREFLIGHT_SECONDS),
    ]
    return Response(204, headers, b"")


def _field(scope: Scope, name: bytes) -> str | None:
    """The first header field of that name."""
    for key, value in scope["headers"]:
        if key == name:
            text: str = value.decode("latin-1")
            return text.strip(" \t")
    return None
