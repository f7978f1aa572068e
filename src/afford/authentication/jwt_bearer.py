"""Callers identified by JSON Web Tokens (RFC 7519), such as an identity provider's access tokens.

Knows claims and when they end; keys and signatures are `tokens` and `keys`. Verified tokens are remembered by SHA-256
digest, since checking a signature costs as much as a whole call. No token appears in an error, a log line or a repr.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final, cast
from urllib.parse import urlsplit

from afford.authentication.authenticator import UnrecognisedError
from afford.authentication.bearer import AUTHORIZATION, CHALLENGE, bearer_token, digest
from afford.authentication.keys import FetchedKeys, FixedKey, KeySource, VerificationKey
from afford.authentication.memory import Memory
from afford.caller import Principal
from afford.errors import CredentialsError
from afford.request import Request

_REMEMBERED: Final = 10_000


class JWTBearer:
    """Identifies callers by a signed token in `Authorization: Bearer`.

    A token must be signed with an allowed algorithm and carry `iss`, `aud`, `sub` and `exp`; `nbf` counts where given.
    The principal's id is `sub`, its claims are all claims.
    """

    __slots__ = ("_agent_claim", "_clock", "_issuer", "_keys", "_leeway", "_peek", "_remembered", "_roles_claim")

    def __init__(  # noqa: PLR0913 - everything an operator has to say about an issuer
        self,
        *,
        jwks_url: str | None = None,
        key: str | bytes | None = None,
        issuer: str,
        audience: str,
        roles_claim: str = "roles",
        algorithms: Sequence[str] | None = None,
        leeway: float = 0,
        agent_claim: str | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Say whose tokens are good.

        Args:
            jwks_url: where the issuer publishes its keys (RFC 7517); fetched when first needed, off the event loop,
                and again when older than 10 minutes or when a token names an unknown key.
            key: instead of `jwks_url`, the issuer's public key as PEM, or a secret shared with it.
            issuer: what `iss` must be.
            audience: what `aud` must be or contain.
            roles_claim: where the roles are: a claim's name, or a dotted path such as `realm_access.roles`. The claim
                is a list of strings or one string separated by blanks; absent means no roles.
            algorithms: allowed signature algorithms; by default the asymmetric ones that fit the key, `HS256` for a
                shared secret. `none` is never allowed.
            leeway: seconds by which the issuer's clock and this one may differ.
            agent_claim: a claim whose truth says that the token belongs to an agent; a dotted path will do.
            clock: seconds since the epoch.

        Raises:
            ValueError: the configuration cannot be used, or is unsafe.
            ModuleNotFoundError: the extra `afford[jwt]` is not installed.
        """
        allowed = _checked_algorithms(algorithms)
        if (jwks_url is None) == (key is None):
            raise ValueError("JWTBearer takes exactly one of jwks_url= and key=")
        if not issuer or not audience:
            raise ValueError("JWTBearer needs issuer= and audience=: without them anybody's tokens would be good")
        if not 0 <= leeway < math.inf:
            raise ValueError("leeway= is a number of seconds, 0 or more")
        try:
            from afford.authentication.tokens import KeyMaker, peek  # noqa: PLC0415 - PyJWT is an extra
        except ModuleNotFoundError as error:
            if (error.name or "").partition(".")[0] not in {"jwt", "cryptography"}:
                raise
            message = "JWTBearer needs PyJWT and cryptography; install them with: pip install 'afford[jwt]'"
            raise ModuleNotFoundError(message, name=error.name) from error
        maker = KeyMaker(issuer=issuer, audience=audience, algorithms=allowed)
        self._keys: KeySource
        if key is not None:
            self._keys = FixedKey(maker.from_configured(key))
        else:
            maker.check(secret=False)
            self._keys = FetchedKeys(partial(maker.fetch, _checked_url(jwks_url)), clock)
        self._peek = peek
        self._issuer = issuer
        self._roles_claim = roles_claim
        self._agent_claim = agent_claim
        self._leeway = leeway
        self._clock = clock
        self._remembered: Memory[tuple[Principal, bytes]] = Memory(_REMEMBERED)

    def __repr__(self) -> str:
        return f"JWTBearer(issuer={self._issuer!r})"

    @property
    def issuer(self) -> str:
        """The authorization server whose tokens are accepted."""
        return self._issuer

    @property
    def reads(self) -> frozenset[str]:
        """`authorization`."""
        return frozenset({AUTHORIZATION})

    @property
    def challenge(self) -> str:
        """The bearer challenge (RFC 6750 section 3)."""
        return CHALLENGE

    async def __call__(self, request: Request) -> Principal | None:
        """Whose token the request carries; None when it carries no bearer token.

        Raises:
            CredentialsError: the token is not good.
            UnavailableError: the issuer's keys were never fetched, and cannot be now.
        """
        token = bearer_token(request)
        if token is None:
            return None
        identity = digest(token)
        remembered = self._remembered.recall(identity, self._clock())
        if remembered is not None and self._keys.vouches_for(remembered[1]):
            return remembered[0]
        claims, key = await self._verified(token)
        until = _end(claims, self._clock(), self._leeway)
        principal = self._principal(claims)
        self._remembered.keep(identity, (principal, key.fingerprint), until)
        return principal

    async def _verified(self, token: str) -> tuple[dict[str, object], VerificationKey]:
        said = self._peek(token)
        # Before any key is looked for, so that foreign tokens cause no fetch.
        if said.issuer != self._issuer:
            raise UnrecognisedError("the token was issued by somebody else")
        refused = CredentialsError("the token names an unknown key or an algorithm that is not allowed with it")
        for key in await self._keys.find(said.kid, said.algorithm):
            try:
                return key.decode(token), key
            except CredentialsError as error:
                refused = error
        raise refused

    def _principal(self, claims: dict[str, object]) -> Principal:
        subject = claims["sub"]
        if not isinstance(subject, str) or not subject:
            raise CredentialsError("the token's `sub` is not a string that says anything")
        agent = self._agent_claim is not None and bool(_claim(claims, self._agent_claim))
        return Principal(subject, _roles(claims, self._roles_claim), claims, agent=agent)


def _checked_algorithms(algorithms: Sequence[str] | None) -> tuple[str, ...] | None:
    if isinstance(algorithms, str):
        raise ValueError("algorithms= is a list of names, such as ['RS256']")  # noqa: TRY004 - one kind for all options
    return None if algorithms is None else tuple(algorithms)


def _checked_url(url: str | None) -> str:
    if url is None or urlsplit(url).scheme not in {"https", "http"} or not urlsplit(url).netloc:
        raise ValueError("jwks_url= is the https:// address of the issuer's key set")
    return url


def _end(claims: Mapping[str, object], now: float, leeway: float) -> float:
    """When the token stops being good, in seconds since the epoch (RFC 7519 sections 4.1.4 and 4.1.5).

    Raises:
        CredentialsError: it is not good now.
    """
    until = _instant(claims, "exp") + leeway
    if now >= until:
        raise CredentialsError("the token has expired")
    if "nbf" in claims and now < _instant(claims, "nbf") - leeway:
        raise CredentialsError("the token is not good yet")
    return until


def _instant(claims: Mapping[str, object], name: str) -> float:
    value = claims.get(name)
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < math.inf:
        try:
            return float(value)
        except OverflowError:
            pass
    raise CredentialsError(f"the token's {name!r} claim is not a number of seconds")


def _roles(claims: Mapping[str, object], path: str) -> list[str]:
    value = _claim(claims, path)
    if value is None:
        return []
    if isinstance(value, str):
        return value.split()
    if isinstance(value, list):
        items = cast("list[object]", value)
        names = [item for item in items if isinstance(item, str)]
        if len(names) == len(items):
            return names
    raise CredentialsError(f"the token's roles claim {path!r} is neither a list of strings nor a string")


def _claim(claims: Mapping[str, object], path: str) -> object:
    """The claim under a name or a dotted path, None when absent; names with dots of their own (URLs) come first."""
    if path in claims:
        return claims[path]
    *parents, last = path.split(".")
    for step in parents:
        inner = claims.get(step)
        if not isinstance(inner, dict):
            return None
        claims = cast("dict[str, object]", inner)
    return claims.get(last)
