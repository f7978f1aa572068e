from __future__ import annotations

import logging
import threading

import pytest

from afford.authentication import ApiKeys, combine
from afford.authentication.authenticator import UnrecognisedError
from afford.caller import Principal
from afford.errors import CredentialsError, ForbiddenError, UnavailableError
from afford.request import Request

GUEST = Principal("guest-1", ["guest"])
STAFF = Principal("staff-1", ["staff"])


def request_with(*fields: tuple[str, str]) -> Request:
    return Request({"headers": [(name.lower().encode(), value.encode("latin-1")) for name, value in fields]})


def session_cookie(request: Request) -> Principal | None:
    return STAFF if request.cookies.get("session") == "opensesame" else None


class Token:
    """An authenticator for `Authorization: Bearer` that knows one token."""

    def __init__(self, token: str, principal: Principal, refusal: type[CredentialsError] = UnrecognisedError) -> None:
        self.field = f"Bearer {token}"
        self.principal = principal
        self.refusal = refusal
        self.reads = frozenset({"Authorization"})
        self.challenge = 'Bearer realm="tokens"'

    async def __call__(self, request: Request) -> Principal | None:
        field = request.headers.get("authorization")
        if field is None:
            return None
        if field != self.field:
            raise self.refusal("not mine")
        return self.principal


async def test_an_empty_chain_identifies_nobody() -> None:
    chain = combine([])
    assert chain.is_empty()
    assert chain.reads == frozenset()
    assert await chain.authenticate(request_with(("authorization", "Bearer token"))) is None


def test_a_chain_with_an_authenticator_is_not_empty() -> None:
    assert not combine([session_cookie]).is_empty()


@pytest.mark.parametrize("answer", [GUEST, None])
async def test_an_async_callable_is_asked(answer: Principal | None) -> None:
    async def ask(request: Request) -> Principal | None:
        return answer

    assert await combine([ask]).authenticate(request_with()) is answer


async def test_a_plain_callable_is_asked_off_the_event_loop() -> None:
    seen: list[threading.Thread] = []

    def ask(request: Request) -> Principal | None:
        seen.append(threading.current_thread())
        return GUEST

    assert await combine([ask]).authenticate(request_with()) is GUEST
    assert seen != [threading.current_thread()]


async def test_a_lambda_that_makes_a_coroutine_is_awaited() -> None:
    async def ask(request: Request, principal: Principal) -> Principal | None:
        return principal

    assert await combine([lambda request: ask(request, GUEST)]).authenticate(request_with()) is GUEST


async def test_the_first_principal_wins() -> None:
    chain = combine([ApiKeys({"demo-guest-1": GUEST}), session_cookie])
    both = request_with(("authorization", "Bearer demo-guest-1"), ("cookie", "session=opensesame"))
    assert await chain.authenticate(both) is GUEST
    assert await combine([session_cookie, ApiKeys({"demo-guest-1": GUEST})]).authenticate(both) is STAFF


async def test_the_next_one_is_asked_when_the_first_finds_no_credentials_of_its_kind() -> None:
    chain = combine([ApiKeys({"demo-guest-1": GUEST}), session_cookie])
    assert await chain.authenticate(request_with(("cookie", "session=opensesame"))) is STAFF
    assert await chain.authenticate(request_with()) is None


async def test_bad_credentials_are_not_made_good_by_others_of_the_same_request() -> None:
    chain = combine([ApiKeys({"demo-guest-1": GUEST}), session_cookie])
    with pytest.raises(CredentialsError):
        await chain.authenticate(request_with(("authorization", "Bearer wrong"), ("cookie", "session=opensesame")))


@pytest.mark.parametrize("turned", [False, True])
async def test_authenticators_that_read_the_same_header_share_it(turned: bool) -> None:  # noqa: FBT001 - a parameter
    authenticators = [ApiKeys({"demo-guest-1": GUEST}), Token("demo-staff-1", STAFF)]
    chain = combine(authenticators[::-1] if turned else authenticators)
    assert await chain.authenticate(request_with(("authorization", "Bearer demo-guest-1"))) is GUEST
    assert await chain.authenticate(request_with(("authorization", "Bearer demo-staff-1"))) is STAFF
    with pytest.raises(CredentialsError):
        await chain.authenticate(request_with(("authorization", "Bearer demo-other-1")))


async def test_a_definite_refusal_ends_the_chain_for_the_same_header_too() -> None:
    chain = combine([Token("demo-staff-1", STAFF, CredentialsError), ApiKeys({"demo-guest-1": GUEST})])
    with pytest.raises(CredentialsError):
        await chain.authenticate(request_with(("authorization", "Bearer demo-guest-1")))


async def test_a_refusal_on_purpose_reaches_the_caller() -> None:
    def ask(request: Request) -> Principal | None:
        raise ForbiddenError("the account is closed")

    with pytest.raises(ForbiddenError):
        await combine([ask]).authenticate(request_with())


async def test_a_callable_that_fails_lets_nobody_in_and_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    def ask(request: Request) -> Principal | None:
        raise OSError("no route to the session store")

    with pytest.raises(UnavailableError) as refused:
        await combine([ask, session_cookie]).authenticate(request_with(("cookie", "session=opensesame")))
    assert refused.value.__context__ is None
    assert "session store" not in str(refused.value)
    assert [record.levelno for record in caplog.records] == [logging.ERROR]
    assert "no route to the session store" in caplog.text


async def test_a_bare_next_that_finds_nothing_is_a_failure_and_not_a_wait() -> None:
    def ask(request: Request) -> Principal | None:
        return next(iter(()))

    with pytest.raises(UnavailableError):
        await combine([ask]).authenticate(request_with())


@pytest.mark.parametrize("answer", ["guest-1", True, 0, {"id": "guest-1"}])
async def test_an_answer_that_is_no_principal_lets_nobody_in(answer: object, caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(UnavailableError):
        await combine([lambda _: answer]).authenticate(request_with())
    assert type(answer).__name__ in caplog.text


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("authorization", "Bearer s3cr3t-token=="),
        ("authorization", "s3cr3t-token"),
        ("cookie", "theme=dark; session=s3cr3t-token; other=1"),
        ("x-custom-key", "s3cr3t-token"),
        ("x-custom-key", "s3cr3t\\token"),
    ],
)
async def test_credentials_do_not_reach_the_log_when_a_callable_trips_over_them(
    name: str, value: str, caplog: pytest.LogCaptureFixture
) -> None:
    def ask(request: Request) -> Principal | None:
        table: dict[str, Principal] = {}
        value = request.headers[name]
        return table[request.cookies["session"] if name == "cookie" else value.removeprefix("Bearer ")]

    with pytest.raises(UnavailableError) as refused:
        await combine([ask]).authenticate(request_with((name, value)))
    assert "KeyError" in caplog.text
    assert "s3cr3t" not in caplog.text
    assert "s3cr3t" not in repr(refused.value)


def test_what_the_authenticators_read_is_known_in_lower_case() -> None:
    chain = combine(
        [ApiKeys({"demo-guest-1": GUEST}, header="X-API-Key"), Token("demo-staff-1", STAFF), session_cookie]
    )
    assert chain.reads == {"x-api-key", "authorization"}


def test_challenges_are_joined_once_each() -> None:
    assert combine([ApiKeys({"demo-guest-1": GUEST}), Token("demo-staff-1", STAFF), ApiKeys({})]).challenge == (
        'Bearer realm="afford", Bearer realm="tokens"'
    )


def test_there_is_a_challenge_even_when_no_authenticator_has_one() -> None:
    assert combine([session_cookie, ApiKeys({}, header="x-api-key")]).challenge == "Bearer"


@pytest.mark.parametrize("item", ["demo-guest-1", None, {"demo-guest-1": GUEST}, ApiKeys, Token])
def test_what_cannot_be_asked_is_refused(item: object) -> None:
    with pytest.raises(TypeError) as refused:
        combine([item])
    assert "demo-guest-1" not in str(refused.value)
