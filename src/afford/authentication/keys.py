"""The keys that verify tokens: which one a token calls for, fetched from afar and kept.

Knows no token library and no wire: a key is something that decodes a token, a fetch is a blocking function. Fetches
run in a thread of their own, one at a time, whatever the number of callers and event loops waiting for it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from threading import Lock, Thread
from typing import Final, Protocol

from afford.errors import UnavailableError

_log = logging.getLogger("afford.authentication")

STALE_AFTER: Final = 600.0
"""Seconds after which a key set is fetched anew, which bounds how long a withdrawn key is honoured."""
FETCH_PAUSE: Final = 30.0
"""Seconds between two fetches while a set is held: strangers' tokens must not make us hammer the issuer."""
FIRST_PAUSE: Final = 5.0
"""Seconds between two attempts while no set was ever fetched."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VerificationKey:
    """One key that verifies tokens."""

    kid: str | None
    """Its id in the key set (RFC 7517 section 4.5)."""
    algorithms: frozenset[str]
    """The signature algorithms it may be used with."""
    fingerprint: bytes
    """The same for the same key, whenever it was fetched."""
    decode: Callable[[str], dict[str, object]] = field(repr=False, compare=False)
    """The claims of a token whose signature, issuer and audience are good; raises `CredentialsError` otherwise."""


class KeySource(Protocol):
    """Where verification keys come from."""

    async def find(self, kid: str | None, algorithm: str) -> Sequence[VerificationKey]:
        """The keys that a token with this header may be verified with; empty when there are none.

        Raises:
            UnavailableError: no keys could be had at all.
        """
        ...

    def vouches_for(self, fingerprint: bytes) -> bool:
        """Whether the key is still in use, so that what it once verified is still good. Does not wait."""
        ...


class FixedKey:
    """One configured key; a token's `kid` means nothing then."""

    __slots__ = ("_key",)

    def __init__(self, key: VerificationKey) -> None:
        """Hold the key."""
        self._key = key

    async def find(self, kid: str | None, algorithm: str) -> Sequence[VerificationKey]:
        """The key, if it may be used with the algorithm."""
        return (self._key,) if algorithm in self._key.algorithms else ()

    def vouches_for(self, fingerprint: bytes) -> bool:
        """Whether it is this key."""
        return fingerprint == self._key.fingerprint


@dataclass(frozen=True, slots=True)
class _KeySet:
    keys: tuple[VerificationKey, ...]
    fetched_at: float
    kids: frozenset[str | None]
    fingerprints: frozenset[bytes]

    def matching(self, kid: str | None, algorithm: str) -> Sequence[VerificationKey]:
        fitting = tuple(key for key in self.keys if algorithm in key.algorithms)
        if kid is not None:
            return tuple(key for key in fitting if key.kid == kid)
        # Without a kid there must be no choice (OpenID Connect Core section 10.1).
        return fitting if len(fitting) == 1 else ()


class FetchedKeys:
    """Keys fetched from the issuer.

    A set is fetched when none is held, when the one held is older than 10 minutes, and when a token names a key that
    is not in it, yet at most once per 30 seconds. The last good set stays when a fetch fails.
    """

    __slots__ = ("_clock", "_fetch", "_flight", "_held", "_lock", "_tried_at")

    def __init__(self, fetch: Callable[[], Sequence[VerificationKey]], clock: Callable[[], float]) -> None:
        """Take a blocking function that answers at least one key or raises, and a clock in seconds."""
        self._fetch = fetch
        self._clock = clock
        self._lock = Lock()
        self._flight: Future[None] | None = None
        self._held: _KeySet | None = None
        self._tried_at: float | None = None

    async def find(self, kid: str | None, algorithm: str) -> Sequence[VerificationKey]:
        """The fitting keys, from a set that is fetched if need be.

        Raises:
            UnavailableError: no set was ever fetched, and it cannot be now.
        """
        held = self._held
        if held is None or self._is_stale(held):
            held = await self._refreshed()
        if kid is not None and kid not in held.kids:
            held = await self._refreshed()
        return held.matching(kid, algorithm)

    def vouches_for(self, fingerprint: bytes) -> bool:
        """Whether the key is in the set held; a set grown old is fetched meanwhile, and nobody waits for it."""
        held = self._held
        if held is None:
            return False
        if self._is_stale(held):
            self._join_or_start()
        return fingerprint in held.fingerprints

    def _is_stale(self, held: _KeySet) -> bool:
        # A clock that was set back makes ages negative.
        return not 0 <= self._clock() - held.fetched_at < STALE_AFTER

    async def _refreshed(self) -> _KeySet:
        flight = self._join_or_start()
        if flight is not None:
            await asyncio.wrap_future(flight)
        if self._held is None:
            raise UnavailableError("the keys that verify tokens cannot be fetched now", retry_after=FIRST_PAUSE)
        return self._held

    def _join_or_start(self) -> Future[None] | None:
        """The fetch under way, or a new one; None while it is too early for another."""
        with self._lock:
            if self._flight is not None:
                return self._flight
            now = self._clock()
            pause = FIRST_PAUSE if self._held is None else FETCH_PAUSE
            if self._tried_at is not None and 0 <= now - self._tried_at < pause:
                return None
            self._tried_at = now
            flight: Future[None] = Future()
            # A caller that stops waiting must not cancel the fetch for the others.
            flight.set_running_or_notify_cancel()
            Thread(target=self._fly, args=(flight,), name="afford-keys", daemon=True).start()
            self._flight = flight
            return flight

    def _fly(self, flight: Future[None]) -> None:
        try:
            keys = tuple(self._fetch())
            self._held = _KeySet(
                keys, self._clock(), frozenset(key.kid for key in keys), frozenset(key.fingerprint for key in keys)
            )
        except Exception as error:  # noqa: BLE001 - whatever went wrong, those who wait must be woken
            _log.warning("the keys that verify tokens could not be fetched: %s: %s", type(error).__name__, error)
        with self._lock:
            self._flight = None
        flight.set_result(None)
