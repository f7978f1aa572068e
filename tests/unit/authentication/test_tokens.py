from __future__ import annotations

import jwt
import pytest

from afford.authentication.authenticator import UnrecognisedError
from afford.authentication.tokens import KeyMaker, peek
from afford.errors import CredentialsError

SECRET = "correct-horse-battery-staple-0123456789"
CLAIMS = {"iss": "https://login.example", "aud": "hotels", "sub": "guest-1", "exp": 4_000_000_000}


def signed(**claims: object) -> str:
    return jwt.encode(CLAIMS | claims, SECRET, algorithm="HS256", headers={"kid": "one"})


def test_a_peek_shows_what_the_token_says_of_itself() -> None:
    said = peek(signed())
    assert (said.kid, said.algorithm, said.issuer) == ("one", "HS256", "https://login.example")


@pytest.mark.parametrize("value", ["", "token", "a.b.c", signed() + ".x", signed()[5:]])
def test_what_is_no_token_may_be_another_authenticators(value: str) -> None:
    with pytest.raises(UnrecognisedError) as refused:
        peek(value)
    assert refused.value.__cause__ is None


def test_a_key_decodes_the_tokens_it_signed_expired_or_not() -> None:
    key = KeyMaker(issuer="https://login.example", audience="hotels").from_configured(SECRET)
    assert key.decode(signed(exp=1)) == CLAIMS | {"exp": 1}


@pytest.mark.parametrize("claims", [{"iss": "https://other.example"}, {"aud": "cars"}, {"sub": None}, {"exp": None}])
def test_a_key_decodes_tokens_of_its_issuer_for_its_audience_only(claims: dict[str, object]) -> None:
    key = KeyMaker(issuer="https://login.example", audience="hotels").from_configured(SECRET)
    with pytest.raises(CredentialsError) as refused:
        key.decode(signed(**claims))
    assert refused.value.__context__ is None


def test_a_key_shows_no_secret() -> None:
    key = KeyMaker(issuer="https://login.example", audience="hotels").from_configured(SECRET)
    assert SECRET not in repr(key)
