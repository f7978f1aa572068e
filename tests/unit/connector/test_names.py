"""What tools of several servers are called: fit for every client, the same each time, and never two alike."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from afford.connector.names import LONGEST, Prefixes, prefix_of, published

FIT = re.compile(r"[A-Za-z0-9_-]{1,64}")


def test_a_usual_name_says_whose_the_tool_is() -> None:
    assert published(prefix_of("hoteling"), "book_room") == "hoteling__book_room"


@pytest.mark.parametrize(
    ("name", "prefix"),
    [
        ("my app", "my_app"),
        ("a__b", "a_b"),
        ("_x_", "x"),
        ("127.0.0.1:8000", "127_0_0_1_8000"),
        ("", "server"),
        ("é", "server"),
    ],
)
def test_a_prefix_is_fit_for_names_and_holds_no_separator(name: str, prefix: str) -> None:
    assert prefix_of(name) == prefix


@pytest.mark.requirement("CONN-07")
@given(st.text(max_size=80), st.lists(st.text(min_size=1, max_size=120), unique=True, max_size=8))
def test_every_tool_has_a_fit_name_of_its_own(server: str, tools: list[str]) -> None:
    taken: dict[str, str] = {}
    for tool in tools:
        taken[published(prefix_of(server), tool, taken)] = tool
    assert len(taken) == len(tools)
    assert all(FIT.fullmatch(name) for name in taken)


@pytest.mark.requirement("CONN-07")
def test_names_that_differ_only_where_they_are_cut_or_changed_stay_apart() -> None:
    long = "x" * LONGEST
    assert published("p", long + "a") != published("p", long + "b")
    assert published("p", "a.b") != published("p", "a_b") != published("p", "a/b")
    assert published("p", long) == published("p", long)


@pytest.mark.requirement("CONN-07")
def test_the_first_of_a_name_has_it_plain_and_no_other_kind_gets_it_later() -> None:
    prefixes = Prefixes()
    first = prefixes.take("1", "hotel", ("hotel", "first"))
    second = prefixes.take("2", "hotel", ("hotel", "second"))
    assert first == "hotel" != second
    prefixes.free(first)
    assert prefixes.take("3", "hotel", ("hotel", "third")) not in {first, second}
    assert prefixes.take("4", "hotel", ("hotel", "first")) == first


@pytest.mark.requirement("CONN-07")
def test_two_runs_of_one_app_are_told_apart_and_a_server_that_comes_back_has_its_old_prefix() -> None:
    prefixes = Prefixes()
    kind = ("hotel", "app")
    taken = [prefixes.take(str(run), "hotel", kind) for run in range(4)]
    assert len(set(taken)) == 4
    prefixes.free(taken[1])
    assert prefixes.take("again", "hotel", kind) == taken[1]
    assert Prefixes().take("1", "hotel", ("other",)) == "hotel"
