"""Who calls: from the credentials in a request to a `Principal`.

Knows requests, principals and credentials; nothing of operations, doors or surfaces. Importing it loads no token
library: PyJWT comes with the extra `afford[jwt]` and is loaded when a `JWTBearer` is made.
"""

from __future__ import annotations

from afford.authentication.api_keys import ApiKeys
from afford.authentication.authenticator import Authenticator
from afford.authentication.bearer import bearer_token
from afford.authentication.chain import AuthenticatorChain, combine
from afford.authentication.jwt_bearer import JWTBearer

__all__ = ["ApiKeys", "Authenticator", "AuthenticatorChain", "JWTBearer", "bearer_token", "combine"]
