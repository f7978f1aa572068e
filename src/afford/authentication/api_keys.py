"""Long-lived keys that an operator hands out.

Keys given as a mapping are held as SHA-256 digests only; a key found by a callable is remembered by digest. No key
appears in an error, a log line or a repr.
"""

from __future__ import annotations

import re
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Final, TypeAlias

from afford.authentication.authenticator import UnrecognisedError
from afford.authentication.bearer import AUTHORIZATION, B64TOKEN, CHALLENGE, bearer_token, digest
from afford.authentication.calls import awaitable
from afford.authentication.memory import Memory
from afford.caller import Principal
from afford.errors import CredentialsError
from afford.request import Request

KeyLookup: TypeAlias = Callable[[str], Principal | Awaitable[Principal | None] | None]
"""From a key to whose it is, sync or async; None for a key that nobody has."""

_SHORTEST: Final = 8
_REMEMBERED: Final = 10_000
_HEADER_NAME: Final = re.compile(r"[a-z0-9!#$%&'*+.^_`|~-]+")
_VISIBLE: Final = re.compile(r"[\x21-\x7e]+")


class ApiKeys:
    """Identifies callers by an API key: `Authorization: Bearer KEY`, or the whole value of another header."""

    __slots__ = ("_by_field", "_clock", "_header", "_lookup", "_principals", "_remembered", "_ttl")

    def __init__(
        self,
        keys: Mapping[str, Principal] | KeyLookup,
        *,
        header: str = AUTHORIZATION,
        ttl: float = 60.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Take the keys, or the function that finds whose a key is.

        Args:
            keys: principals by key, or a callable asked for a key that is not remembered; plain functions run in a
                thread. Only found keys are remembered, so that a new key works at once.
            header: where the key travels.
            ttl: seconds for which the answer of a callable is remembered; a withdrawn key works that much longer.
            clock: seconds from any fixed point, never running backwards.

        Raises:
            ValueError: a key is shorter than 8 characters, cannot be sent in the header or is given twice; the
                header's name is not one; `ttl` is negative.
            TypeError: `keys` is neither a mapping nor a callable, or maps a key to something else than a principal.
        """
        self._header = header.lower()
        if not _HEADER_NAME.fullmatch(self._header):
            raise ValueError("header= is not the name of a header; use one such as 'x-api-key'")
        if not ttl >= 0:
            raise ValueError("ttl= is a number of seconds, 0 or more")
        self._ttl = ttl
        self._clock = clock
        self._remembered: Memory[Principal] = Memory(_REMEMBERED)
        self._lookup: Callable[[str], Awaitable[object]] | None = None
        self._principals: dict[bytes, Principal] = {}
        self._by_field: dict[bytes, Principal] = {}
        if callable(keys):
            self._lookup = awaitable(keys)
        elif isinstance(keys, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance] - callers may be untyped
            self._principals = _by_digest(keys, B64TOKEN if self._header == AUTHORIZATION else _VISIBLE)
            scheme = "Bearer " if self._header == AUTHORIZATION else ""
            self._by_field = {digest(f"{scheme}{key}"): principal for key, principal in keys.items()}
        else:
            raise TypeError("ApiKeys takes a mapping from key to Principal, or a callable that finds a Principal")

    def __repr__(self) -> str:
        return f"ApiKeys(header={self._header!r})"

    def known(self, request: Request) -> Principal | None:
        """Whose given key the request carries in its usual spelling; None says nothing."""
        field = request.headers.get(self._header)
        return None if field is None else self._by_field.get(digest(field))

    @property
    def is_fixed(self) -> bool:
        """Whether a key is the same principal's for ever, since the keys were given as a mapping."""
        return self._lookup is None

    @property
    def reads(self) -> frozenset[str]:
        """The header that the key travels in."""
        return frozenset({self._header})

    @property
    def challenge(self) -> str:
        """The bearer challenge; empty for a header of its own, which no registered scheme describes."""
        return CHALLENGE if self._header == AUTHORIZATION else ""

    async def __call__(self, request: Request) -> Principal | None:
        """Whose key the request carries; None when it carries none.

        Raises:
            CredentialsError: the key is malformed or nobody's.
        """
        key = bearer_token(request) if self._header == AUTHORIZATION else self._raw_key(request)
        if key is None:
            return None
        identity = digest(key)
        found = self._principals.get(identity)
        if found is None and self._lookup is not None:
            found = await self._look_up(self._lookup, key, identity)
        if found is None:
            raise UnrecognisedError("the API key is nobody's")
        return found

    def _raw_key(self, request: Request) -> str | None:
        value = request.headers.get(self._header)
        if value is None or _VISIBLE.fullmatch(value):
            return value
        raise CredentialsError("the API key is empty, malformed or sent more than once")

    async def _look_up(self, lookup: Callable[[str], Awaitable[object]], key: str, identity: bytes) -> Principal | None:
        found = self._remembered.recall(identity, self._clock())
        if found is not None:
            return found
        answer = await lookup(key)
        if answer is None:
            return None
        if not isinstance(answer, Principal):
            raise TypeError("the callable given to ApiKeys must answer a Principal or None")
        self._remembered.keep(identity, answer, self._clock() + self._ttl)
        return answer


def _by_digest(keys: Mapping[str, Principal], allowed: re.Pattern[str]) -> dict[bytes, Principal]:
    held: dict[bytes, Principal] = {}
    for position, (key, principal) in enumerate(keys.items(), start=1):
        # Named by position: the key itself must not reach a log.
        if len(key) < _SHORTEST:
            raise ValueError(f"API key {position} is shorter than {_SHORTEST} characters; use a longer, random one")
        if not allowed.fullmatch(key):
            raise ValueError(
                f"API key {position} cannot be sent in its header; use letters, digits and any of `-._~+/` only"
            )
        if not isinstance(principal, Principal):  # pyright: ignore[reportUnnecessaryIsInstance] - callers may be untyped
            raise TypeError(f"API key {position} does not map to a Principal")
        identity = digest(key)
        if identity in held:
            raise ValueError(f"API key {position} is given twice; every principal needs a key of its own")
        held[identity] = principal
    return held
