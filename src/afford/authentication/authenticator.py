"""What an authenticator is, and how it decides otherwise than by an answer.

Knows no kind of credential.
"""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from afford.caller import Principal
from afford.errors import CredentialsError
from afford.request import Request


@runtime_checkable
class Authenticator(Protocol):
    """Finds out who sent a request; plain callables `request -> Principal | None` do as well."""

    @property
    def reads(self) -> frozenset[str]:
        """Lower-case names of the headers it looks at; answers vary on them (RFC 9110 section 12.5.5)."""
        ...

    @property
    def challenge(self) -> str:
        """Its `WWW-Authenticate` value, such as `Bearer realm="afford"`; empty when it has none."""
        ...

    async def __call__(self, request: Request) -> Principal | None:
        """Who sent the request; None when it carries no credentials of this kind.

        Raises:
            CredentialsError: credentials of this kind were presented and are not good.
        """
        ...


class AnonymousError(Exception):
    """The credentials are good and stand for nobody: the caller is anonymous, and nobody else is asked."""


class UnrecognisedError(CredentialsError):
    """Credentials that this authenticator does not know, but another one reading the same header may.

    API keys and tokens both travel as `Authorization: Bearer`. Alone it refuses like any `CredentialsError`; in a
    chain the others that read the same header are asked first. No other credentials of the request count then.
    """
