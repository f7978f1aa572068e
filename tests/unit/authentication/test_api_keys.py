from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping

import pytest

from afford.authentication import ApiKeys, Authenticator
from afford.caller import Principal
from afford.errors import CredentialsError
from afford.request import Request

GUEST = Principal("guest-1", ["guest"])
STAFF = Principal("staff-1", ["staff", "guest"])
KEYS = {"demo-guest-1": GUEST, "demo-staff-1": STAFF}


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def request_with(*fields: tuple[str, str]) -> Request:
    return Request({"headers": [(name.lower().encode(), value.encode("latin-1")) for name, value in fields]})


def bearer(key: str) -> Request:
    return request_with(("authorization", f"Bearer {key}"))


async def test_a_known_key_identifies_its_principal() -> None:
    keys = ApiKeys(KEYS)
    assert await keys(bearer("demo-guest-1")) is GUEST
    assert await keys(bearer("demo-staff-1")) is STAFF


async def test_a_request_without_a_key_is_nobody() -> None:
    assert await ApiKeys(KEYS)(request_with()) is None
    assert await ApiKeys(KEYS)(request_with(("authorization", "Basic dXNlcjpwYXNz"))) is None


@pytest.mark.parametrize("key", ["demo-guest-2", "demo-guest-", "demo-guest-11", "DEMO-GUEST-1", "x"])
async def test_an_unknown_key_is_refused(key: str) -> None:
    with pytest.raises(CredentialsError):
        await ApiKeys(KEYS)(bearer(key))


async def test_a_key_may_travel_as_the_value_of_another_header() -> None:
    keys = ApiKeys(KEYS, header="X-API-Key")
    assert await keys(request_with(("x-api-key", "demo-guest-1"))) is GUEST
    assert await keys(bearer("demo-guest-1")) is None


@pytest.mark.parametrize("value", ["", "demo guest 1", "demo-guest-\xe9"])
async def test_a_malformed_value_of_another_header_is_refused(value: str) -> None:
    with pytest.raises(CredentialsError):
        await ApiKeys(KEYS, header="x-api-key")(request_with(("x-api-key", value)))


async def test_a_key_sent_twice_is_refused() -> None:
    twice = request_with(("x-api-key", "demo-guest-1"), ("x-api-key", "demo-staff-1"))
    with pytest.raises(CredentialsError):
        await ApiKeys(KEYS, header="x-api-key")(twice)


def test_it_says_which_header_it_reads_and_how_to_log_in() -> None:
    assert isinstance(ApiKeys(KEYS), Authenticator)
    assert ApiKeys(KEYS).reads == {"authorization"}
    assert ApiKeys(KEYS).challenge.startswith("Bearer ")
    assert ApiKeys(KEYS, header="X-API-Key").reads == {"x-api-key"}
    assert ApiKeys(KEYS, header="X-API-Key").challenge == ""


@pytest.mark.parametrize("key", ["", "seven77", "with blank", "with,comma", "unicode-\u00e9\u00e9\u00e9"])
def test_a_key_that_is_short_or_cannot_be_sent_is_refused_without_quoting_it(key: str) -> None:
    with pytest.raises(ValueError, match="API key 1") as refused:
        ApiKeys({key: GUEST})
    assert not key or key not in str(refused.value)


def test_a_key_of_another_header_may_have_every_visible_character() -> None:
    assert ApiKeys({"{odd}|key": GUEST}, header="x-api-key").reads == {"x-api-key"}
    with pytest.raises(ValueError, match="cannot be sent"):
        ApiKeys({"{odd}|key": GUEST})


def test_a_key_given_twice_is_refused() -> None:
    class Table(Mapping[str, Principal]):
        """A mapping that repeats itself, as one made from a file with two equal lines might."""

        def __getitem__(self, key: str) -> Principal:
            return GUEST

        def __iter__(self) -> Iterator[str]:
            return iter(["demo-guest-1", "demo-guest-1"])

        def __len__(self) -> int:
            return 2

    with pytest.raises(ValueError, match="API key 2 is given twice"):
        ApiKeys(Table())


@pytest.mark.parametrize("keys", [["demo-guest-1"], "demo-guest-1", None, {"demo-guest-1": "guest"}])
def test_anything_but_principals_by_key_is_refused(keys) -> None:
    with pytest.raises(TypeError) as refused:
        ApiKeys(keys)
    assert "demo-guest-1" not in str(refused.value)


@pytest.mark.parametrize("header", ["", "x api key", "x-api-key:", "\u00e9"])
def test_what_is_no_header_name_is_refused(header: str) -> None:
    with pytest.raises(ValueError, match="header="):
        ApiKeys(KEYS, header=header)


@pytest.mark.parametrize("ttl", [-1.0, float("nan")])
def test_a_time_to_live_that_is_no_duration_is_refused(ttl: float) -> None:
    with pytest.raises(ValueError, match="ttl="):
        ApiKeys(KEYS, ttl=ttl)


async def test_keys_are_held_as_digests_only() -> None:
    keys = ApiKeys(KEYS)
    await keys(bearer("demo-guest-1"))
    held = " ".join(repr(getattr(keys, name)) for name in ApiKeys.__slots__)
    assert "guest-1" in held
    assert "demo-guest-1" not in held
    assert "demo" not in repr(keys)


async def test_a_callable_is_asked_whose_the_key_is() -> None:
    async def find(key: str) -> Principal | None:
        return KEYS.get(key)

    keys = ApiKeys(find)
    assert await keys(bearer("demo-staff-1")) is STAFF
    with pytest.raises(CredentialsError):
        await keys(bearer("demo-staff-2"))


async def test_a_plain_function_is_asked_off_the_event_loop() -> None:
    seen: list[threading.Thread] = []

    def find(key: str) -> Principal | None:
        seen.append(threading.current_thread())
        return KEYS.get(key)

    assert await ApiKeys(find)(bearer("demo-guest-1")) is GUEST
    assert seen != [threading.current_thread()]


async def test_a_found_key_is_remembered_for_its_time_to_live() -> None:
    asked: list[str] = []

    async def find(key: str) -> Principal | None:
        asked.append(key)
        return KEYS.get(key) if len(asked) == 1 else None

    clock = Clock()
    keys = ApiKeys(find, clock=clock)
    assert await keys(bearer("demo-guest-1")) is GUEST
    clock.now += 59.9
    assert await keys(bearer("demo-guest-1")) is GUEST
    assert len(asked) == 1
    clock.now += 0.1
    with pytest.raises(CredentialsError):
        await keys(bearer("demo-guest-1"))


async def test_a_key_that_nobody_has_is_not_remembered() -> None:
    table: dict[str, Principal] = {}

    async def find(key: str) -> Principal | None:
        return table.get(key)

    keys = ApiKeys(find, clock=Clock())
    with pytest.raises(CredentialsError):
        await keys(bearer("demo-guest-1"))
    table["demo-guest-1"] = GUEST
    assert await keys(bearer("demo-guest-1")) is GUEST


async def test_a_time_to_live_of_zero_remembers_nothing() -> None:
    asked: list[str] = []

    async def find(key: str) -> Principal | None:
        asked.append(key)
        return GUEST

    keys = ApiKeys(find, ttl=0, clock=Clock())
    await keys(bearer("demo-guest-1"))
    await keys(bearer("demo-guest-1"))
    assert len(asked) == 2


async def test_a_callable_that_answers_no_principal_lets_nobody_in() -> None:
    with pytest.raises(TypeError) as refused:
        await ApiKeys(lambda key: key)(bearer("demo-guest-1"))
    assert "demo-guest-1" not in str(refused.value)
