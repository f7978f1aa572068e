"""Tickets: what a call has to remember between two requests, carried by the client, signed and bound.

Whoever carries one can read it, and send it back when and where it likes: so it holds nothing that the client did not
send, and is good for one caller, one call and a short time (MCP specification 2026-07-28, "requestState").
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, cast

import orjson

from afford.errors import JsonObject

LIFETIME: Final = 900.0
"""Seconds in which a person has to answer."""
_MAC_BYTES: Final = 16
_MAX_TICKET: Final = 1 << 16
_MOST_SPENT: Final = 1 << 16
"""Tickets that are known to be used up; beyond, the ones used up first are forgotten."""


class TicketError(Exception):
    """The text is no ticket that this app gave out."""


@dataclass(frozen=True, slots=True)
class Held:
    """What a ticket holds."""

    contents: JsonObject
    round: str
    """The same in all tickets of one conversation about one call."""


class Tickets:
    """Gives out and takes back tickets under one secret.

    What is used up is known to this process alone: another one with the same secret takes such a ticket once more.
    """

    def __init__(self, secret: bytes, clock: Callable[[], float] = time.time) -> None:
        """Derive the signing key.

        Args:
            secret: the app's; several workers with the same one take each other's tickets.
            clock: seconds since the epoch.
        """
        self._key = hmac.digest(secret, b"afford ticket v1", "sha256")
        self._clock = clock
        self._spent: OrderedDict[str, None] = OrderedDict()

    def issue(self, contents: JsonObject, binding: bytes, before: Held | None = None) -> str:
        """A ticket that is good for what the binding names, for `LIFETIME` seconds.

        Args:
            contents: what it holds.
            binding: what it is good for.
            before: what the ticket held that this one follows upon.
        """
        body = {
            "of": _digest(binding),
            "until": self._clock() + LIFETIME,
            "round": secrets.token_hex(8) if before is None else before.round,
            "holds": contents,
        }
        try:
            payload = orjson.dumps(body)
        except TypeError:
            # An answer that was not judged yet may hold an integer beyond 64 bits.
            payload = json.dumps(body).encode()
        return base64.urlsafe_b64encode(self._mac(payload) + payload).rstrip(b"=").decode("ascii")

    def spend(self, held: Held) -> bool:
        """Use up a ticket, and with it all others of its conversation; False: that was done before."""
        if held.round in self._spent:
            return False
        self._spent[held.round] = None
        if len(self._spent) > _MOST_SPENT:
            self._spent.popitem(last=False)
        return True

    def read(self, ticket: str, binding: bytes) -> Held | None:
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
        return Held(cast("JsonObject", body["holds"]), cast("str", body["round"])) if is_good else None

    def _mac(self, payload: bytes) -> bytes:
        return hashlib.blake2b(payload, key=self._key, digest_size=_MAC_BYTES).digest()


def _digest(binding: bytes) -> str:
    return hashlib.blake2b(binding, digest_size=16).hexdigest()
