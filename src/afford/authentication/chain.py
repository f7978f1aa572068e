"""All authenticators of an app as one: asked in order, the first that finds its own credentials decides.

Knows authenticators and plain callables alike. Whatever goes wrong in one of them, nobody gets in, and the log is told
without the credentials.
"""

from __future__ import annotations

import inspect
import logging
import traceback
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Final, cast

from afford.authentication.api_keys import ApiKeys
from afford.authentication.authenticator import AnonymousError, Authenticator, UnrecognisedError
from afford.authentication.calls import awaitable
from afford.caller import Principal
from afford.errors import CredentialsError, Refusal, UnavailableError
from afford.request import Request

_log = logging.getLogger("afford.authentication")

_FALLBACK_CHALLENGE: Final = "Bearer"
_CREDENTIAL_HEADERS: Final = frozenset({"authorization", "cookie"})
_SHORTEST_REDACTED: Final = 4


@dataclass(frozen=True, slots=True)
class _Link:
    """One authenticator of a chain."""

    ask: Callable[[Request], Awaitable[object]]
    name: str
    """For the log."""
    reads: frozenset[str] = frozenset()
    """Empty for a plain callable: what it reads shows only when it reads it."""
    challenge: str = ""
    issuer: str | None = None
    """The authorization server behind it, where there is one."""


class AuthenticatorChain:
    """Authenticators in the order in which they are asked."""

    __slots__ = ("_known", "_links", "challenge", "reads")

    challenge: Final[str]
    """The `WWW-Authenticate` value: every challenge, joined by a comma (RFC 9110 section 11.6.1)."""
    reads: Final[frozenset[str]]
    """Headers that the authenticators look at; for plain callables see `request.headers.names_read`."""

    def __init__(self, links: Sequence[_Link]) -> None:
        """Take the links; `combine` makes them."""
        self._links = tuple(links)
        challenges = dict.fromkeys(link.challenge for link in links if link.challenge)
        self.challenge = ", ".join(challenges) or _FALLBACK_CHALLENGE
        first = links[0].ask if links else None
        # Not for what an author derived from it, which may decide in another way.
        self._known = first.known if isinstance(first, ApiKeys) and type(first) is ApiKeys else None
        self.reads = frozenset[str]().union(*(link.reads for link in links))

    @property
    def issuers(self) -> tuple[str, ...]:
        """The authorization servers whose tokens are accepted, in order."""
        return tuple(dict.fromkeys(link.issuer for link in self._links if link.issuer is not None))

    def known(self, request: Request) -> Principal | None:
        """Who sent the request, where the first authenticator can tell without waiting; None says nothing."""
        return None if self._known is None else self._known(request)

    @property
    def is_fixed(self) -> bool:
        """Whether the same header fields say who calls for ever: nothing is asked that could change its mind."""
        # Not for what an author derived from it, which may decide in another way.
        return all(
            isinstance(link.ask, ApiKeys) and type(link.ask) is ApiKeys and link.ask.is_fixed for link in self._links
        )

    def is_empty(self) -> bool:
        """Whether there is no authenticator at all: then everybody is anonymous."""
        return not self._links

    async def authenticate(self, request: Request) -> Principal | None:
        """Who sent the request; None when it carries no credentials that any authenticator looks for.

        Raises:
            CredentialsError: credentials were presented and are not good. Nobody is asked after that, except others
                that read the same header when the one asked did not recognise what was in it.
            Refusal: an authenticator refuses on purpose; `UnavailableError` also when one of them fails.
        """
        refused: UnrecognisedError | None = None
        refused_in: frozenset[str] = frozenset()
        for link in self._links:
            if refused is not None and link.reads.isdisjoint(refused_in):
                continue
            try:
                principal = await _answer(link, request)
            except AnonymousError:
                return None
            except UnrecognisedError as error:
                refused = refused or error
                refused_in |= link.reads
                continue
            if principal is not None:
                return principal
        if refused is not None:
            raise refused
        return None


def combine(authenticators: Sequence[object]) -> AuthenticatorChain:
    """One chain of authenticators and plain callables `request -> Principal | None`, sync or async.

    Plain functions run in a thread, since they may block.

    Raises:
        TypeError: one of them cannot be called, or is a class.
    """
    return AuthenticatorChain([_link(item) for item in authenticators])


def _link(item: object) -> _Link:
    if inspect.isclass(item):
        raise TypeError(f"authenticate= takes an instance, not the class; write {item.__name__}(...)")
    if not callable(item):
        raise TypeError(f"authenticate= takes JWTBearer(...), ApiKeys(...) or a callable, not a {type(item).__name__}")
    name = getattr(item, "__qualname__", type(item).__name__)
    ask = awaitable(cast("Callable[[Request], object]", item))
    if isinstance(item, Authenticator):
        issuer = getattr(item, "issuer", None)
        return _Link(ask, name, frozenset(header.lower() for header in item.reads), item.challenge, issuer)
    return _Link(ask, name)


async def _answer(link: _Link, request: Request) -> Principal | None:
    try:
        answer = await link.ask(request)
    except (AnonymousError, CredentialsError, Refusal):
        raise
    except Exception as error:  # noqa: BLE001 - the author's code; whatever it raises, nobody gets in
        _log.error("authenticator %s raised\n%s", link.name, _redacted(error, request))
    else:
        if answer is None or isinstance(answer, Principal):
            return answer
        _log.error("authenticator %s answered a %s, not a Principal or None", link.name, type(answer).__name__)
    # Outside of the handler, so that the refusal does not drag the exception and its text along.
    raise UnavailableError("authentication is failing")


def _redacted(error: Exception, request: Request) -> str:
    """The traceback without the credentials: `SESSIONS[token]` raises a KeyError whose text is the token."""
    text = "".join(traceback.format_exception(error))
    for secret in sorted(_secrets(request), key=len, reverse=True):
        text = text.replace(secret, "***")
    return text


def _secrets(request: Request) -> set[str]:
    found: set[str] = set()
    for name in request.headers.names_read | _CREDENTIAL_HEADERS:
        value = request.headers.get(name, "")
        words = value.replace(",", " ").replace(";", " ").split()
        parts = {value, *words, *(word.partition("=")[2] for word in words)}
        found |= parts | {repr(part)[1:-1] for part in parts}
    return {part for part in found if len(part) >= _SHORTEST_REDACTED}
