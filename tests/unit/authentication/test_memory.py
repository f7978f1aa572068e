from __future__ import annotations

from afford.authentication.memory import Memory


def test_what_was_kept_is_recalled_until_its_time_comes() -> None:
    memory = Memory[str](limit=10)
    memory.keep(b"a", "value", until=100.0)
    assert memory.recall(b"a", now=99.9) == "value"
    assert memory.recall(b"a", now=100.0) is None


def test_an_entry_whose_time_has_come_makes_room() -> None:
    memory = Memory[str](limit=10)
    memory.keep(b"a", "value", until=100.0)
    memory.recall(b"a", now=100.0)
    assert len(memory) == 0


def test_the_entry_not_asked_for_the_longest_makes_room() -> None:
    memory = Memory[str](limit=2)
    memory.keep(b"a", "a", until=9.0)
    memory.keep(b"b", "b", until=9.0)
    memory.recall(b"a", now=0.0)
    memory.keep(b"c", "c", until=9.0)
    assert [memory.recall(key, now=0.0) for key in (b"a", b"b", b"c")] == ["a", None, "c"]


def test_keeping_a_value_again_replaces_it_without_using_more_room() -> None:
    memory = Memory[str](limit=2)
    memory.keep(b"a", "old", until=1.0)
    memory.keep(b"a", "new", until=9.0)
    assert len(memory) == 1
    assert memory.recall(b"a", now=5.0) == "new"
