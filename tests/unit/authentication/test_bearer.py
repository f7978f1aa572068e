from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from afford.authentication import bearer_token
from afford.errors import CredentialsError
from afford.request import Request


def request_with(*fields: tuple[str, str]) -> Request:
    return Request({"headers": [(name.lower().encode(), value.encode("latin-1")) for name, value in fields]})


def authorized(value: str) -> Request:
    return request_with(("authorization", value))


def test_the_token_of_a_bearer_header_is_read() -> None:
    assert bearer_token(authorized("Bearer abc.DEF-1_2~3+4/5==")) == "abc.DEF-1_2~3+4/5=="


@pytest.mark.parametrize("scheme", ["bearer", "BEARER", "BeArEr"])
def test_the_scheme_is_compared_without_regard_to_case(scheme: str) -> None:
    assert bearer_token(authorized(f"{scheme} token")) == "token"


def test_several_blanks_may_separate_scheme_and_token() -> None:
    assert bearer_token(authorized("Bearer   token")) == "token"


def test_a_request_without_the_header_carries_no_token() -> None:
    assert bearer_token(request_with(("x-other", "Bearer token"))) is None


@pytest.mark.parametrize(
    "value",
    ["Basic dXNlcjpwYXNz", 'Digest username="a", realm="b"', "AWS4-HMAC-SHA256 Credential=a, Signature=b", "Bearers x"],
)
def test_another_scheme_carries_no_bearer_token(value: str) -> None:
    assert bearer_token(authorized(value)) is None


@pytest.mark.parametrize(
    "value",
    [
        "",
        "Bearer",
        "Bearer ",
        "bearer",
        "Bearer a b",
        "Bearer a,b",
        "Bearer \xe9",
        "Bearer =",
        "Bearer a=b",
        "Bearer\ta",
    ],
)
def test_an_empty_or_malformed_token_is_refused(value: str) -> None:
    with pytest.raises(CredentialsError):
        bearer_token(authorized(value))


def test_a_token_without_a_scheme_is_refused() -> None:
    with pytest.raises(CredentialsError) as refused:
        bearer_token(authorized("demo-guest-1"))
    assert "demo-guest-1" not in str(refused.value)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Bearer one", "Bearer two"),
        ("Basic b25l", "Bearer two"),
        ("Bearer one", "Basic b25l"),
        ("Basic b25l", "Bearer"),
    ],
)
def test_a_header_sent_twice_is_refused(first: str, second: str) -> None:
    with pytest.raises(CredentialsError):
        bearer_token(request_with(("authorization", first), ("Authorization", second)))


@given(st.text(st.characters(max_codepoint=255), max_size=40))
def test_no_part_of_a_header_is_quoted_in_the_refusal(value: str) -> None:
    with pytest.raises(CredentialsError) as refused:
        bearer_token(authorized("Bearer secret\xff" + value))
    assert "secret" not in repr(refused.value)
