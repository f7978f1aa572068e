"""Who calls: from the credentials in a request to a `Principal`.

Knows requests, principals and credentials; nothing of operations, doors or surfaces. Importing it loads no token
library and no HTTP client: `JWTBearer` is loaded when it is named, and PyJWT (extra `afford[jwt]`) when one is made.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from afford.authentication.api_keys import ApiKeys
from afford.authentication.authenticator import Authenticator
from afford.authentication.bearer import bearer_token
from afford.authentication.chain import AuthenticatorChain, combine
from afford.authentication.instance_token import InstanceToken

if TYPE_CHECKING:
    from afford.authentication.jwt_bearer import JWTBearer

__all__ = ["ApiKeys", "Authenticator", "AuthenticatorChain", "InstanceToken", "JWTBearer", "bearer_token", "combine"]


def __getattr__(name: str) -> object:
    """Load `JWTBearer` when it is first named (PEP 562)."""
    if name != "JWTBearer":
        raise AttributeError(f"module 'afford.authentication' has no attribute {name!r}")
    value: object = import_module("afford.authentication.jwt_bearer").JWTBearer
    globals()[name] = value
    return value
