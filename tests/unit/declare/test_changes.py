"""Announcing what changed: who hears of it, and that nobody disturbs anybody."""

from __future__ import annotations

import threading

import pytest

from afford.declare.changes import Change, ChangeKind, Changes

TOOLS = Change(ChangeKind.TOOLS)
PROMPTS = Change(ChangeKind.PROMPTS)


def test_every_listener_hears_of_a_change_in_the_order_of_subscription() -> None:
    changes, heard = Changes(), list[tuple[str, Change]]()
    changes.subscribe(lambda change: heard.append(("first", change)))
    changes.subscribe(lambda change: heard.append(("second", change)))
    changes.announce(TOOLS)
    assert heard == [("first", TOOLS), ("second", TOOLS)]


def test_equal_changes_can_be_merged() -> None:
    changed = Change(ChangeKind.RESOURCE, "notes://1")
    assert len({changed, Change(ChangeKind.RESOURCE, "notes://1"), Change(ChangeKind.RESOURCE, "notes://2")}) == 2


def test_a_listener_hears_nothing_from_before_it_subscribed_nor_after_it_stopped() -> None:
    changes, heard = Changes(), list[Change]()
    changes.announce(TOOLS)
    stop = changes.subscribe(heard.append)
    changes.announce(PROMPTS)
    stop()
    stop()
    changes.announce(TOOLS)
    assert heard == [PROMPTS]


def test_a_listener_that_subscribed_twice_is_told_twice_and_stops_one_at_a_time() -> None:
    changes, heard = Changes(), list[Change]()
    listener = heard.append
    stop = changes.subscribe(listener)
    changes.subscribe(listener)
    changes.announce(TOOLS)
    stop()
    stop()
    changes.announce(PROMPTS)
    assert heard == [TOOLS, TOOLS, PROMPTS]


def test_a_listener_that_raises_is_logged_and_hurts_no_other(caplog: pytest.LogCaptureFixture) -> None:
    def raising(change: Change) -> None:
        raise LookupError(change.kind)

    changes, heard = Changes(), list[Change]()
    changes.subscribe(raising)
    changes.subscribe(heard.append)
    changes.announce(TOOLS)
    assert heard == [TOOLS]
    assert [(record.name, record.levelname) for record in caplog.records] == [("afford.changes", "ERROR")]
    assert "LookupError" in caplog.text


def test_whoever_subscribes_while_a_change_is_announced_hears_of_the_next() -> None:
    changes, heard = Changes(), list[Change]()

    def subscribing(_change: Change) -> None:
        changes.subscribe(heard.append)

    changes.subscribe(subscribing)
    changes.announce(TOOLS)
    assert heard == []
    changes.announce(PROMPTS)
    assert heard == [PROMPTS]


def test_a_listener_may_stop_itself_and_announce_another_change() -> None:
    changes, heard = Changes(), list[Change]()

    def once(change: Change) -> None:
        stop()
        heard.append(change)
        changes.announce(PROMPTS)

    stop = changes.subscribe(once)
    changes.subscribe(heard.append)
    changes.announce(TOOLS)
    assert heard == [TOOLS, PROMPTS, TOOLS]


def test_no_subscription_is_lost_when_threads_come_and_go_at_once() -> None:
    changes, heard, start = Changes(), list[Change](), threading.Barrier(4)

    def come_and_go() -> None:
        start.wait()
        for _ in range(200):
            changes.subscribe(lambda _: None)()
            changes.announce(PROMPTS)
        changes.subscribe(lambda change: heard.append(change) if change == TOOLS else None)

    threads = [threading.Thread(target=come_and_go) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    changes.announce(TOOLS)
    assert heard == [TOOLS] * 4
