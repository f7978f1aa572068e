"""Judges: one per schema, compiled when needed, bounded, and never surprised."""

from __future__ import annotations

from typing import Any

import pytest
from tests.unit.schema.sample_types import Address

from afford.schema import InputField, derive_inputs, is_json, judge, judge_for


def schema(maximum: int) -> dict[str, Any]:
    return {"type": "integer", "maximum": maximum}


def test_equal_schemas_share_a_judge_whatever_the_order_of_their_keys() -> None:
    assert judge_for({"type": "integer", "maximum": 5}) is judge_for({"maximum": 5, "type": "integer"})
    assert judge_for(schema(5)) is not judge_for(schema(6))


def test_the_same_object_is_recognised() -> None:
    known = schema(7)
    assert judge_for(known) is judge_for(known)


def test_formats_are_asserted_and_patterns_are_linear() -> None:
    judge_of_days = judge_for({"type": "string", "format": "date"})
    assert not judge_of_days.accepts("2026-02-30")
    hostile = judge_for({"type": "string", "pattern": "^(?:a+)+$"})
    assert not hostile.accepts("a" * 50_000 + "b")


@pytest.mark.requirement("TYPE-04")
def test_numbers_that_are_no_json_are_refused() -> None:
    numbers = judge_for({"type": "number"})
    assert [value for value in (float("nan"), float("inf"), -float("inf")) if numbers.accepts(value)] == []


def test_judges_that_give_way_compile_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("afford.schema.judge._MOST_COMPILED", 3)
    judges = [judge_for(schema(number)) for number in range(1000, 1010)]
    for _ in range(2):
        for number, one in enumerate(judges):
            assert one.accepts(1000 + number)
            assert not one.accepts(1001 + number)
            assert one.faults(1001 + number)
    assert len(judge._CACHE._compiled) <= 3


def test_a_judge_in_use_stays_compiled_while_others_give_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("afford.schema.judge._MOST_COMPILED", 3)
    busy = judge_for(schema(2000))
    for number in range(2001, 2020):
        assert busy.accepts(5)
        assert judge_for(schema(number)).accepts(5)
    assert id(busy) in judge._CACHE._compiled


@pytest.mark.parametrize(
    "value",
    [None, True, 0, -(2**53) + 1, 1.5, "", "é", [], [1, [2, (3, "x")]], {"a": {"b": [None]}}],
)
def test_json_is_json(value: object) -> None:
    assert is_json(value)


class Text(str):
    __slots__ = ()


@pytest.mark.parametrize(
    "value",
    [
        float("nan"),
        float("inf"),
        2**53,
        "\ud800",
        {"\udfff": 1},
        {1: 2},
        {None: 1},
        {1, 2},
        b"x",
        object(),
        Text("x"),
        [[[{"a": object()}]]],
        Address(street="x"),
        1j,
    ],
)
def test_everything_else_is_not(value: object) -> None:
    assert not is_json(value)


def test_a_value_that_holds_itself_is_not_json() -> None:
    value: list[Any] = []
    value.append(value)
    assert not is_json(value)


def test_deep_arguments_are_judged_up_to_the_depth_that_is_read() -> None:
    nested: Any = 1
    for _ in range(64):
        nested = [nested]
    assert not judge_for(derive_inputs([InputField("v", list[list[int]])]).schema).accepts({"v": nested})
