"""Tickets: what a call has to remember between two requests, carried by the client, signed and bound.

Whoever carries one can read it, and send it back when and where it likes: so it holds nothing that the client did not
send, and is good for one caller, one call and a short time (MCP specification 2026-07-28, "requestState").
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import time
from collections.abc import Callable
from typing import Final, cast

import orjson

from afford.errors import JsonObject

LIFETIME: Final = 900.0
"""Seconds in which a person has to answer."""
_MAC_BYTES: Final = 16
_MAX_TICKET: Final = 1 << 16


class TicketError(Exception):
    """The text is no ticket that this app gave out."""


class Tickets:
    """Gives out and takes back tickets under one secret."""

    def __init__(self, secret: bytes, clock: Callable[[], float] = time.time) -> None:
        """Derive the signing key.

        Args:
            secret: the app's; several workers with the same one take each other's tickets.
            clock: seconds since the epoch.
        """
        self._key = hmac.digest(secret, b"afford ticket v1", "sha256")
        self._clock = clock

    def issue(self, contents: JsonObject, binding: bytes) -> str:
        """A ticket that is good for what the binding names, for `LIFETIME` seconds."""
        body = {"of": _digest(binding), "until": self._clock() + LIFETIME, "holds": contents}
        payload = orjson.dumps(body)
        return base64.urlsafe_b64encode(self._mac(payload) + payload).rstrip(b"=").decode("ascii")

    def read(self, ticket: str, binding: bytes) -> JsonObject | None:
        """What a ticket holds; None: it is genuine, and too old or of another call or caller.

        Raises:
            TicketError: it was never given out.
        """
        if len(ticket) > _MAX_TICKET:
            raise TicketError
        try:
            text = ticket.encode("ascii")
            raw = base64.b64decode(text + b"=" * (-len(text) % 4), altchars=b"-_", validate=True)
        except (UnicodeEncodeError, binascii.Error) as error:
            raise TicketError from error
        mac, payload = raw[:_MAC_BYTES], raw[_MAC_BYTES:]
        if not hmac.compare_digest(mac, self._mac(payload)):
            raise TicketError
        body = cast("JsonObject", orjson.loads(payload))
        is_good = body["of"] == _digest(binding) and cast("float", body["until"]) >= self._clock()
        return cast("JsonObject", body["holds"]) if is_good else None

    def _mac(self, payload: bytes) -> bytes:
        return hashlib.blake2b(payload, key=self._key, digest_size=_MAC_BYTES).digest()


def _digest(binding: bytes) -> str:
    return hashlib.blake2b(binding, digest_size=16).hexdigest()
