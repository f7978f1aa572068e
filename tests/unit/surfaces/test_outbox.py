"""What waits for a client that reads slowly, or not at all."""

from __future__ import annotations

import asyncio
import threading

from afford.surfaces.mcp import outbox
from afford.surfaces.mcp.outbox import Outbox


def box() -> Outbox:
    return Outbox(asyncio.get_running_loop())


async def test_frames_are_handed_out_in_order_and_all_at_once() -> None:
    filled = box()
    for frame in (b"a", b"b", b"c"):
        filled.put(frame)
    assert await filled.take() == [b"a", b"b", b"c"]


async def test_of_equal_frames_that_wait_one_is_handed_out_and_one_that_comes_later_again() -> None:
    filled = box()
    for frame in (b"a", b"b", b"a", b"a"):
        filled.put(frame)
    assert await filled.take() == [b"a", b"b"]
    filled.put(b"a")
    assert await filled.take() == [b"a"]


async def test_of_too_many_frames_the_oldest_are_dropped(monkeypatch) -> None:
    monkeypatch.setattr(outbox, "MOST", 3)
    filled = box()
    for number in range(10):
        filled.put(b"%d" % number)
    assert await filled.take() == [b"7", b"8", b"9"]


async def test_a_reader_waits_until_a_thread_puts_something() -> None:
    empty = box()
    reader = asyncio.ensure_future(empty.take())
    thread = threading.Thread(target=empty.put, args=(b"a",))
    thread.start()
    assert await reader == [b"a"]
    thread.join()


async def test_a_closed_outbox_hands_out_what_waits_then_nothing_and_takes_nothing_more() -> None:
    filled = box()
    filled.put(b"a")
    filled.close()
    filled.put(b"b")
    assert [await filled.take(), await filled.take()] == [[b"a"], []]


async def test_a_reader_that_waits_hears_of_the_end() -> None:
    empty = box()
    reader = asyncio.ensure_future(empty.take())
    empty.close()
    assert await reader == []


async def test_many_threads_lose_nothing() -> None:
    filled = box()

    def fill(name: int) -> None:
        for number in range(100):
            filled.put(b"%d %d" % (name, number))

    threads = [threading.Thread(target=fill, args=(name,)) for name in range(8)]
    for thread in threads:
        thread.start()
    found: list[bytes] = []
    while len(found) < 800:
        found += await filled.take()
    for thread in threads:
        thread.join()
    assert sorted(found) == sorted(b"%d %d" % (name, number) for name in range(8) for number in range(100))
    for name in range(8):
        own = [frame for frame in found if frame.startswith(b"%d " % name)]
        assert own == [b"%d %d" % (name, number) for number in range(100)]


def test_a_thread_that_outlives_the_event_loop_puts_into_nothing() -> None:
    loop = asyncio.new_event_loop()
    late = Outbox(loop)
    loop.close()
    late.put(b"a")
    late.close()
