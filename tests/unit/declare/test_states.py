"""Shared state: isolated values, atomic updates, and changes told in order."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from afford.declare.changes import Change, ChangeKind, Changes
from afford.declare.states import STATE_PREFIX, SharedState

LIST = Change(ChangeKind.RESOURCES)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-1, 1) | st.sampled_from([0.0, 1.0]) | st.sampled_from(["", "a"]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("ab"), inner),
    max_leaves=4,
)


@dataclass
class Basket:
    items: list[str] = field(default_factory=list)


def changed(key: str) -> Change:
    return Change(ChangeKind.RESOURCE, STATE_PREFIX + key)


def recorded(state: SharedState[Any]) -> list[tuple[str, object, int]]:
    """What listeners of the state are told from now on."""
    told: list[tuple[str, object, int]] = []
    state.subscribe(lambda key, value, version: told.append((key, value, version)))
    return told


def announced(state: SharedState[Any]) -> list[Change]:
    """What the state announces from now on."""
    changes, heard = Changes(), list[Change]()
    changes.subscribe(heard.append)
    state.bind(changes)
    return heard


def in_two_threads(work: Any) -> None:
    """Run the function twice at the same time, with 0 and with 1."""
    start = threading.Barrier(2)

    def run(number: int) -> None:
        start.wait()
        work(number)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


# Values


@pytest.mark.requirement("STATE-03")
def test_no_value_that_goes_in_or_out_is_shared() -> None:
    given_first = {"basket": Basket(["a"])}
    state = SharedState("shop", given_first)
    given_first["basket"].items.append("from outside")
    state.get()["basket"].items.append("from outside")
    assert state.get() == {"basket": Basket(["a"])}

    given_later = {"basket": Basket(["b"])}
    state.set(given_later)
    given_later["basket"].items.append("from outside")
    read = state.read("shop")
    assert read is not None
    read[0]["basket"].items.append("from outside")
    assert state.get() == {"basket": Basket(["b"])}


def test_an_update_shares_neither_what_the_function_got_nor_what_it_returned() -> None:
    state: SharedState[list[str]] = SharedState("log", ["a"])
    seen: list[list[str]] = []

    def replacing(value: list[str]) -> list[str]:
        seen.append(value)
        seen.append([*value, "b"])
        return seen[-1]

    seen.append(state.update(replacing))
    seen.append(state.update(lambda value: value.append("c")))
    for value in seen:
        value.append("from outside")
    assert state.get() == ["a", "b", "c"]


def test_listeners_do_not_share_the_value_with_each_other_or_the_state() -> None:
    state: SharedState[list[str]] = SharedState("log", list)
    state.subscribe(lambda _key, value, _version: (value or []).append("from a listener"))
    told = recorded(state)
    state.set(["a"])
    assert told == [("log", ["a"], 2)]
    assert state.get() == ["a"]


def test_keys_of_a_template_do_not_share_their_initial_value() -> None:
    state: SharedState[list[str]] = SharedState("log/{id}", ["first"])
    state.update(lambda value: value.append("second"), id="1")
    assert (state.get(id="1"), state.get(id="2")) == (["first", "second"], ["first"])


def test_what_an_initial_function_returned_is_not_shared() -> None:
    made: list[str] = []
    state = SharedState("log", lambda: made)
    state.get()
    made.append("from outside")
    assert state.get() == []


def test_an_initial_value_is_made_once_for_each_key_at_its_first_use() -> None:
    made: list[str] = []

    def initial(id: str) -> dict[str, str]:
        made.append(id)
        return {"id": id}

    state = SharedState("session/{id}", initial)
    assert made == []
    assert [state.get(id="1"), state.get(id="2"), state.get(id="1")] == [{"id": "1"}, {"id": "2"}, {"id": "1"}]
    assert made == ["1", "2"]


def test_an_initial_value_that_fails_is_made_again_at_the_next_use() -> None:
    answers = iter([1, 0])
    state = SharedState("quotient", lambda: 1 // (1 - next(answers)))
    with pytest.raises(ZeroDivisionError):
        state.get()
    assert (state.get(), state.version()) == (1, 1)


def test_an_update_takes_what_the_function_returns_or_else_the_changed_copy() -> None:
    state: SharedState[list[int]] = SharedState("numbers", [1])
    assert state.update(lambda value: value.append(2)) == [1, 2]
    assert state.update(lambda value: [*value, 3]) == [1, 2, 3]
    assert (state.get(), state.version()) == ([1, 2, 3], 3)


def test_an_update_that_raises_changes_nothing() -> None:
    state: SharedState[list[int]] = SharedState("numbers", [1])
    told = recorded(state)

    def half_done(value: list[int]) -> None:
        value.append(2)
        raise LookupError

    with pytest.raises(LookupError):
        state.update(half_done)
    assert (state.get(), state.version(), told) == ([1], 1, [])


# Versions


@pytest.mark.requirement("STATE-03")
@given(JSON, st.lists(JSON, max_size=6))
def test_a_version_grows_with_each_real_change_and_each_is_told_once(first: object, later: list[object]) -> None:
    state: SharedState[object] = SharedState("value", first)
    told, heard = recorded(state), announced(state)
    expected, current = list[tuple[str, object, int]](), first
    for value in later:
        if repr(sorted_deep(value)) != repr(sorted_deep(current)):
            expected.append(("value", value, len(expected) + 2))
            current = value
        assert state.set(value) == state.version() == len(expected) + 1
        assert repr(sorted_deep(state.get())) == repr(sorted_deep(current))
    assert told == expected
    assert heard == [changed("value")] * len(expected)


def sorted_deep(value: object) -> object:
    """The value with its members in one order; its `repr` then tells apart whatever JSON does."""
    if isinstance(value, dict):
        return {key: sorted_deep(value[key]) for key in sorted(value)}
    return [sorted_deep(item) for item in value] if isinstance(value, list) else value


@given(st.lists(st.tuples(st.sampled_from(["get", "set", "update", "delete", "read"]), st.sampled_from(["1", "a/b"]))))
def test_the_keys_of_a_template_behave_like_entries_of_a_dict(steps: list[tuple[str, str]]) -> None:
    state, model, told = SharedState("n/{id}", 0), dict[str, tuple[int, int]](), []
    mirror = recorded(state)
    for step, id in steps:
        key = state.template.expand({"id": id})
        if step == "read":
            assert state.read(key) == model.get(key)
            continue
        if step == "delete":
            assert state.delete(id=id) is (key in model)
            if key in model:
                told.append((key, None, model.pop(key)[1] + 1))
            continue
        if key not in model:
            model[key] = (0, 1)
            told.append((key, 0, 1))
        if step == "get":
            assert state.get(id=id) == model[key][0]
            continue
        model[key] = (model[key][0] + 1, model[key][1] + 1)
        told.append((key, *model[key]))
        if step == "set":
            assert state.set(model[key][0], id=id) == model[key][1]
        else:
            assert state.update(lambda value: value + 1, id=id) == model[key][0]
    assert state.keys() == tuple(sorted(model))
    assert mirror == told


def test_values_that_only_python_takes_for_equal_are_a_change() -> None:
    state: SharedState[object] = SharedState("flags", [1, {"on": 0}])
    assert state.set([True, {"on": 0}]) == 2
    assert state.set([True, {"on": False}]) == 3
    assert state.set((True, {"on": False})) == 4
    assert state.set((True, {"on": False})) == 4


# Keys


@pytest.mark.parametrize("names", [{}, {"id": "1", "other": "2"}, {"other": "1"}, {"id": 1}])
def test_wrong_or_missing_names_are_type_errors(names: dict[str, Any]) -> None:
    state = SharedState("session/{id}", 0)
    for use in (state.get, state.version, state.delete):
        with pytest.raises(TypeError):
            use(**names)
    with pytest.raises(TypeError):
        state.set(1, **names)
    with pytest.raises(TypeError):
        state.update(lambda value: value, **names)
    assert state.keys() == ()


def test_a_plain_key_takes_no_names_always_exists_and_cannot_be_deleted() -> None:
    state = SharedState("status", "idle")
    told, heard = recorded(state), announced(state)
    assert state.keys() == ("status",)
    assert state.read("status") == ("idle", 1)
    with pytest.raises(TypeError):
        state.get(id="1")
    with pytest.raises(TypeError):
        state.delete()
    assert (told, heard) == ([], [])


def test_names_may_be_those_of_the_methods_own_parameters() -> None:
    state = SharedState("{self}/{value}/{function}/{key}", lambda **names: sorted(names))
    names = {"self": "1", "value": "2", "function": "3", "key": "4"}
    assert state.get(**names) == ["function", "key", "self", "value"]
    assert state.set(["a"], **names) == 2
    assert state.update(lambda value: value.append("b"), **names) == ["a", "b"]


def test_reading_makes_no_key_and_knows_one_spelling_of_each() -> None:
    state = SharedState("session/{id}", 0)
    assert state.read("session/1") is None
    assert state.keys() == ()
    state.set(5, id="a/b")
    state.get(id="1")
    assert state.keys() == ("session/1", "session/a%2Fb")
    assert state.read("session/a%2Fb") == (5, 2)
    for key in ("session/a%2fb", "session/a/b", "session/%31", "session/{id}", "session/", ""):
        assert state.read(key) is None
    assert SharedState("status", 0).read("other") is None


def test_a_bad_key_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="session"):
        SharedState("session/{id", 0)


VALUES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)


@given(VALUES, VALUES)
def test_the_published_template_leads_to_every_key_and_back(one: str, other: str) -> None:
    state = SharedState("room {one}/{other}", 0)
    state.get(one=one, other=other)
    (key,) = state.keys()
    uri = state.uri(key)
    assert uri == state.published.expand({"one": one, "other": other})
    assert state.published.match(uri) == {"one": one, "other": other}
    assert uri.startswith(f"{STATE_PREFIX}room%20")


def test_a_key_is_encoded_where_a_uri_needs_it_and_nowhere_else() -> None:
    for key, path in (("ui/theme:dark", "ui/theme:dark"), ("a b?#%é", "a%20b%3F%23%25%C3%A9"), ("[x]", "%5Bx%5D")):
        assert SharedState(key, 0).uri(key) == STATE_PREFIX + path
    with pytest.raises(ValueError, match="other"):
        SharedState("status", 0).uri("other")


# Telling


@pytest.mark.requirement("STATE-03")
def test_a_key_of_a_template_that_appears_or_goes_is_announced_with_the_list() -> None:
    state = SharedState("session/{id}", 0)
    told, heard = recorded(state), announced(state)
    state.get(id="1")
    assert heard == [LIST, changed("session/1")]
    state.set(1, id="1")
    assert heard[2:] == [changed("session/1")]
    assert state.delete(id="1")
    assert heard[3:] == [LIST, changed("session/1")]
    assert not state.delete(id="1")
    assert told == [("session/1", 0, 1), ("session/1", 1, 2), ("session/1", None, 3)]
    assert len(heard) == 5


def test_a_change_is_announced_under_the_percent_encoded_key() -> None:
    state = SharedState("session/{id}", 0)
    state.get(id="é")
    heard = announced(state)
    state.set(1, id="é")
    assert heard == [Change(ChangeKind.RESOURCE, "afford://state/session/%C3%A9")]


def test_a_state_announces_once_wherever_it_is_bound() -> None:
    state, ours, heard = SharedState("status", 0), Changes(), list[Change]()
    ours.subscribe(heard.append)
    state.bind(ours)
    state.bind(ours)
    heard_elsewhere = announced(state)
    state.set(1)
    assert heard == heard_elsewhere == [changed("status")]


def test_a_listener_that_raises_is_logged_and_hurts_no_other(caplog: pytest.LogCaptureFixture) -> None:
    def raising(_key: str, _value: object, _version: int) -> None:
        raise LookupError

    state = SharedState("status", 0)
    state.subscribe(raising)
    told, heard = recorded(state), announced(state)
    assert state.set(1) == 2
    assert (told, heard) == ([("status", 1, 2)], [changed("status")])
    assert [record.levelname for record in caplog.records] == ["ERROR"]


def test_a_listener_that_stopped_is_told_no_more() -> None:
    state, told = SharedState("status", 0), list[int]()
    stop = state.subscribe(lambda _key, _value, version: told.append(version))
    state.set(1)
    stop()
    state.set(2)
    assert told == [2]


def test_what_a_listener_changes_is_told_after_it_returned() -> None:
    state, order = SharedState("count", 0), list[str]()

    def counting(_key: str, value: int | None, _version: int) -> None:
        order.append(f"enter {value}")
        if value == 1:
            state.set(2)
        order.append(f"leave {value}")

    state.subscribe(counting)
    told = recorded(state)
    state.set(1)
    assert order == ["enter 1", "leave 1", "enter 2", "leave 2"]
    assert told == [("count", 1, 2), ("count", 2, 3)]


def test_what_an_update_changes_besides_is_told_once_the_update_is_done() -> None:
    state = SharedState("n/{id}", 0)
    busy: list[bool] = []
    is_updating = False

    def both(value: int) -> int:
        nonlocal is_updating
        is_updating = True
        state.set(5, id="other")
        is_updating = False
        return value + 1

    state.subscribe(lambda _key, _value, _version: busy.append(is_updating))
    told = recorded(state)
    assert state.update(both, id="1") == 1
    assert told == [("n/1", 0, 1), ("n/other", 0, 1), ("n/other", 5, 2), ("n/1", 1, 2)]
    assert not any(busy)


def test_what_was_changed_before_an_update_failed_is_told() -> None:
    state = SharedState("n/{id}", 0)
    told = recorded(state)

    def failing(_value: int) -> None:
        state.set(5, id="other")
        raise LookupError

    with pytest.raises(LookupError):
        state.update(failing, id="1")
    assert told == [("n/1", 0, 1), ("n/other", 0, 1), ("n/other", 5, 2)]


# Threads


@pytest.mark.requirement("STATE-03")
def test_updates_of_two_threads_are_atomic_and_told_in_order() -> None:
    state = SharedState("count", 0)
    told, heard = recorded(state), announced(state)

    def count(_number: int) -> None:
        for _ in range(300):
            state.update(lambda value: value + 1)

    in_two_threads(count)
    assert (state.get(), state.version()) == (600, 601)
    assert told == [("count", value, value + 1) for value in range(1, 601)]
    assert len(heard) == 600


def test_two_threads_that_use_a_new_key_at_once_make_it_once() -> None:
    made: list[str] = []
    state: SharedState[list[int]] = SharedState("log/{id}", lambda id: made.append(id) or [])
    in_two_threads(lambda number: [state.update(lambda log: log.append(number), id=str(id)) for id in range(100)])
    assert made == [str(id) for id in range(100)]
    assert all(sorted(state.get(id=str(id))) == [0, 1] for id in range(100))


def test_a_listener_that_is_busy_holds_up_no_change_and_hears_of_it_next() -> None:
    state, inside, go_on, versions = SharedState("count", 0), threading.Event(), threading.Event(), list[int]()

    def waiting(_key: str, _value: int | None, version: int) -> None:
        versions.append(version)
        inside.set()
        go_on.wait()

    state.subscribe(waiting)
    thread = threading.Thread(target=state.set, args=(1,))
    thread.start()
    inside.wait()
    assert state.set(2) == 3
    assert state.get() == 2
    assert versions == [2]
    go_on.set()
    thread.join()
    assert versions == [2, 3]
