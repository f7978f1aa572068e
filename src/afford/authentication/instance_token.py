"""The token of one running development server: whoever has it is who the developer says.

Knows one token and one identity; nothing of servers or of where the token is kept.
"""

from __future__ import annotations

import hmac

from afford.authentication.authenticator import AnonymousError
from afford.authentication.bearer import AUTHORIZATION, CHALLENGE, digest
from afford.caller import Principal
from afford.request import Request


class InstanceToken:
    """Identifies by `Authorization: Bearer <token>`; whatever else a request carries is for other authenticators."""

    __slots__ = ("_digest", "_principal")

    reads = frozenset({AUTHORIZATION})
    challenge = CHALLENGE

    def __init__(self, token: str, principal: Principal | None) -> None:
        """Take the token, and whom it stands for; None: for nobody, so that its bearer is anonymous."""
        self._digest = digest(token)
        self._principal = principal

    def opens(self, request: Request) -> bool:
        """Whether the request carries the token; takes as long whatever else it carries."""
        scheme, _, token = request.headers.get(AUTHORIZATION, "").partition(" ")
        return scheme.lower() == "bearer" and hmac.compare_digest(digest(token.strip(" ")), self._digest)

    async def __call__(self, request: Request) -> Principal | None:
        """Whom the token stands for; None where the request carries another credential, or none.

        Raises:
            AnonymousError: it carries the token, which stands for nobody.
        """
        if not self.opens(request):
            return None
        if self._principal is None:
            raise AnonymousError
        return self._principal
