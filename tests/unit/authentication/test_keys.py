from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence

import pytest

from afford.authentication.keys import FetchedKeys, FixedKey, VerificationKey
from afford.errors import UnavailableError


def key(kid: str | None, *algorithms: str, fingerprint: bytes | None = None) -> VerificationKey:
    return VerificationKey(
        kid=kid,
        algorithms=frozenset(algorithms or ("RS256",)),
        fingerprint=fingerprint if fingerprint is not None else str(kid).encode(),
        decode=lambda _: {},
    )


class Clock:
    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


class Issuer:
    """A blocking source of keys that can fail and can be held up."""

    def __init__(self, *keys: VerificationKey) -> None:
        self.keys: Sequence[VerificationKey] = keys
        self.fetches = 0
        self.fails = False
        self.asked = threading.Event()
        self.open = threading.Event()
        self.open.set()

    def __call__(self) -> Sequence[VerificationKey]:
        self.fetches += 1
        self.asked.set()
        assert self.open.wait(timeout=5)
        if self.fails:
            raise OSError("down")
        return self.keys


async def kids(keys: FetchedKeys, kid: str | None, algorithm: str = "RS256") -> list[str | None]:
    return [found.kid for found in await keys.find(kid, algorithm)]


async def test_a_key_is_found_by_its_id() -> None:
    keys = FetchedKeys(Issuer(key("a"), key("b")), Clock())
    assert await kids(keys, "b") == ["b"]


async def test_a_key_is_found_only_for_its_own_algorithms() -> None:
    keys = FetchedKeys(Issuer(key("a", "RS256", "PS256")), Clock())
    assert await kids(keys, "a", "PS256") == ["a"]
    assert await kids(keys, "a", "ES256") == []


async def test_keys_of_different_kinds_may_share_an_id() -> None:
    keys = FetchedKeys(Issuer(key("a", "RS256"), key("a", "ES256")), Clock())
    assert [found.algorithms for found in await keys.find("a", "ES256")] == [{"ES256"}]


async def test_without_an_id_the_key_must_be_the_only_one_that_fits() -> None:
    assert await kids(FetchedKeys(Issuer(key("a", "RS256"), key("b", "ES256")), Clock()), None) == ["a"]
    assert await kids(FetchedKeys(Issuer(key("a"), key("b")), Clock()), None) == []


async def test_a_held_set_is_not_fetched_again_before_it_is_old() -> None:
    clock, issuer = Clock(), Issuer(key("a"))
    keys = FetchedKeys(issuer, clock)
    await keys.find("a", "RS256")
    clock.now += 599.9
    await keys.find("a", "RS256")
    assert issuer.fetches == 1
    clock.now += 0.1
    await keys.find("a", "RS256")
    assert issuer.fetches == 2


async def test_a_key_withdrawn_by_the_issuer_is_gone_once_the_set_is_old() -> None:
    clock, issuer = Clock(), Issuer(key("a"), key("b"))
    keys = FetchedKeys(issuer, clock)
    await keys.find("a", "RS256")
    issuer.keys = [key("b")]
    clock.now += 600
    assert await kids(keys, "a") == []


async def test_an_unknown_id_fetches_the_set_again() -> None:
    clock, issuer = Clock(), Issuer(key("a"))
    keys = FetchedKeys(issuer, clock)
    await keys.find("a", "RS256")
    issuer.keys = [key("a"), key("b")]
    clock.now += 30
    assert await kids(keys, "b") == ["b"]


async def test_unknown_ids_fetch_at_most_once_in_30_seconds() -> None:
    clock, issuer = Clock(), Issuer(key("a"))
    keys = FetchedKeys(issuer, clock)
    for number in range(20):
        assert await kids(keys, f"unknown-{number}") == []
    assert issuer.fetches == 1
    clock.now += 30
    for number in range(20):
        assert await kids(keys, f"unknown-{number}") == []
    assert issuer.fetches == 2


async def test_the_last_good_set_stays_when_a_fetch_fails(caplog: pytest.LogCaptureFixture) -> None:
    clock, issuer = Clock(), Issuer(key("a"))
    keys = FetchedKeys(issuer, clock)
    await keys.find("a", "RS256")
    issuer.fails = True
    clock.now += 600
    assert await kids(keys, "a") == ["a"]
    assert "down" in caplog.text


async def test_after_a_failed_fetch_the_issuer_is_left_alone_for_30_seconds() -> None:
    clock, issuer = Clock(), Issuer(key("a"))
    keys = FetchedKeys(issuer, clock)
    await keys.find("a", "RS256")
    issuer.fails = True
    clock.now += 600
    await keys.find("a", "RS256")
    clock.now += 29.9
    await keys.find("a", "RS256")
    assert issuer.fetches == 2
    issuer.fails = False
    issuer.keys = [key("b")]
    clock.now += 0.1
    assert await kids(keys, "b") == ["b"]


async def test_without_any_set_the_answer_is_unavailable_and_not_a_refusal_of_the_caller() -> None:
    clock, issuer = Clock(), Issuer(key("a"))
    issuer.fails = True
    keys = FetchedKeys(issuer, clock)
    with pytest.raises(UnavailableError) as refused:
        await keys.find("a", "RS256")
    assert refused.value.retry_after == 5
    with pytest.raises(UnavailableError):
        await keys.find("a", "RS256")
    assert issuer.fetches == 1


async def test_a_first_fetch_that_failed_is_tried_again_after_5_seconds() -> None:
    clock, issuer = Clock(), Issuer(key("a"))
    issuer.fails = True
    keys = FetchedKeys(issuer, clock)
    with pytest.raises(UnavailableError):
        await keys.find("a", "RS256")
    issuer.fails = False
    clock.now += 5
    assert await kids(keys, "a") == ["a"]


async def test_a_clock_set_back_does_not_keep_an_old_set_alive() -> None:
    clock, issuer = Clock(), Issuer(key("a"))
    keys = FetchedKeys(issuer, clock)
    await keys.find("a", "RS256")
    clock.now -= 86_400
    issuer.keys = [key("b")]
    assert await kids(keys, "b") == ["b"]


async def test_callers_at_the_same_time_share_one_fetch() -> None:
    issuer = Issuer(key("a"))
    keys = FetchedKeys(issuer, Clock())
    issuer.open.clear()
    waiting = [asyncio.create_task(kids(keys, "a")) for _ in range(50)]
    await asyncio.wait(waiting, timeout=0)
    issuer.open.set()
    assert await asyncio.gather(*waiting) == [["a"]] * 50
    assert issuer.fetches == 1


async def test_a_caller_that_stops_waiting_does_not_stop_the_fetch_for_others() -> None:
    issuer = Issuer(key("a"))
    keys = FetchedKeys(issuer, Clock())
    issuer.open.clear()
    first = asyncio.create_task(kids(keys, "a"))
    second = asyncio.create_task(kids(keys, "a"))
    await asyncio.wait([first, second], timeout=0)
    first.cancel()
    issuer.open.set()
    assert await second == ["a"]
    assert issuer.fetches == 1
    with pytest.raises(asyncio.CancelledError):
        await first


def test_a_set_fetched_for_one_event_loop_serves_another() -> None:
    issuer = Issuer(key("a"))
    keys = FetchedKeys(issuer, Clock())
    assert asyncio.run(kids(keys, "a")) == ["a"]
    assert asyncio.run(kids(keys, "a")) == ["a"]
    assert issuer.fetches == 1


async def test_a_key_is_vouched_for_while_the_set_holds_it() -> None:
    keys = FetchedKeys(Issuer(key("a", fingerprint=b"1")), Clock())
    assert not keys.vouches_for(b"1")
    await keys.find("a", "RS256")
    assert keys.vouches_for(b"1")
    assert not keys.vouches_for(b"2")


async def test_vouching_does_not_wait_for_a_set_that_has_grown_old() -> None:
    clock, issuer = Clock(), Issuer(key("a", fingerprint=b"1"))
    keys = FetchedKeys(issuer, clock)
    await keys.find("a", "RS256")
    clock.now += 600
    issuer.open.clear()
    issuer.asked.clear()
    issuer.keys = [key("b", fingerprint=b"2")]
    assert keys.vouches_for(b"1")
    assert issuer.asked.wait(timeout=5)
    issuer.open.set()
    await keys.find("b", "RS256")
    assert not keys.vouches_for(b"1")
    assert issuer.fetches == 2


async def test_a_fixed_key_is_found_whatever_the_id_says() -> None:
    fixed = FixedKey(key(None, "HS256", fingerprint=b"1"))
    assert len(await fixed.find("any", "HS256")) == 1
    assert await fixed.find(None, "RS256") == ()
    assert fixed.vouches_for(b"1")
    assert not fixed.vouches_for(b"2")
