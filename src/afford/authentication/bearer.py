"""Reading `Authorization: Bearer` (RFC 6750 section 2.1), and digests of what was read.

Knows the shape of a bearer token and nothing of what it means. No error carries any part of the header.
"""

from __future__ import annotations

import re
from hashlib import sha256
from typing import Final

from afford.errors import CredentialsError
from afford.request import Request

AUTHORIZATION: Final = "authorization"
CHALLENGE: Final = 'Bearer realm="afford"'

B64TOKEN: Final = re.compile(r"[A-Za-z0-9._~+/-]+=*")
"""The characters a bearer token may have (RFC 6750 section 2.1)."""

# Several fields arrive joined by a comma. Schemes of other kinds have commas of their own, so only a second
# field that is a bearer token again can be told apart.
_SECOND_BEARER: Final = re.compile(r",[ \t]*bearer(?:[ \t,]|$)", re.IGNORECASE)


def bearer_token(request: Request) -> str | None:
    """The token of `Authorization: Bearer TOKEN`; None without the header or with another scheme.

    The scheme is compared without regard to case (RFC 9110 section 11.1).

    Raises:
        CredentialsError: the header has no scheme, the token is empty or malformed, or the field came twice.
    """
    field = request.headers.get(AUTHORIZATION)
    if field is None:
        return None
    scheme, blank, token = field.partition(" ")
    if scheme.lower() == "bearer":
        token = token.lstrip(" ")
        if B64TOKEN.fullmatch(token):
            return token
        raise CredentialsError("the bearer token is empty, malformed or sent more than once")
    if not blank:
        raise CredentialsError("the Authorization header names no scheme; send `Authorization: Bearer TOKEN`")
    if _SECOND_BEARER.search(field):
        raise CredentialsError("the Authorization header was sent more than once")
    return None


def digest(credential: str) -> bytes:
    """SHA-256 of a credential: what is held and compared instead of the credential."""
    return sha256(credential.encode()).digest()
