from __future__ import annotations

import pytest

from afford.authentication import ApiKeys, InstanceToken, combine
from afford.caller import Principal
from afford.errors import CredentialsError
from afford.request import Request

TOKEN = "Zm9yIHRoaXMgdGVzdA"
ADA, BOB, EVE = Principal("ada", ["staff"]), Principal("bob"), Principal("eve")


def request_with(field: str | None) -> Request:
    fields = [] if field is None else [(b"authorization", field.encode("latin-1"))]
    return Request({"headers": fields})


def own(request: Request) -> Principal | None:
    """An application's own authenticator, which does not say what it reads."""
    return EVE if request.headers.get("authorization") == "Bearer eve-s-own" else None


@pytest.mark.requirement("DEV-04")
@pytest.mark.parametrize(
    ("field", "opening"),
    [
        (f"Bearer {TOKEN}", True),
        (f"bearer {TOKEN}", True),
        (f"Bearer  {TOKEN} ", True),
        (f"Bearer {TOKEN}x", False),
        (f"Basic {TOKEN}", False),
        (TOKEN, False),
        (f"Bearer {TOKEN}, Bearer {TOKEN}", False),
        ("Bearer ", False),
        ("", False),
        (None, False),
    ],
)
def test_only_the_token_opens(field: str | None, opening: object) -> None:
    assert InstanceToken(TOKEN, ADA).opens(request_with(field)) is opening


@pytest.mark.requirement("DEV-04")
async def test_the_token_stands_for_whom_it_was_made_for_and_others_are_asked_about_the_rest() -> None:
    chain = combine([InstanceToken(TOKEN, ADA), own, ApiKeys({"bob-s-own-key": BOB})])
    assert await chain.authenticate(request_with(f"Bearer {TOKEN}")) == ADA
    assert await chain.authenticate(request_with("Bearer eve-s-own")) == EVE
    assert await chain.authenticate(request_with("Bearer bob-s-own-key")) == BOB
    assert await chain.authenticate(request_with(None)) is None
    with pytest.raises(CredentialsError):
        await chain.authenticate(request_with("Bearer nobody-s-key"))


@pytest.mark.requirement("DEV-04")
async def test_a_token_that_stands_for_nobody_makes_its_bearer_anonymous() -> None:
    chain = combine([InstanceToken(TOKEN, None), ApiKeys({"bob-s-own-key": BOB})])
    assert await chain.authenticate(request_with(f"Bearer {TOKEN}")) is None


def test_the_token_is_in_no_repr() -> None:
    assert TOKEN not in repr(InstanceToken(TOKEN, ADA))
