"""A refused call is put right from its refusal alone."""

from __future__ import annotations

import pytest

from afford.errors import JsonObject, JsonValue
from afford.testing import UnrepairableError, repaired


def refusal(pointer: str, code: str, **more: JsonValue) -> JsonObject:
    return {"code": "bad_request", "errors": [{"pointer": pointer, "code": code, "message": "no", **more}]}


def test_a_suggestion_replaces_the_value() -> None:
    told = refusal("/area", "not_a_choice", suggestion="Kadikoy")
    assert repaired({"area": "Kadiko", "stars": 4}, told) == {"area": "Kadikoy", "stars": 4}


def test_a_misspelt_name_takes_the_one_suggested_along_with_its_value() -> None:
    told = refusal("/min_star", "unknown_argument", suggestion="min_stars")
    assert repaired({"min_star": 4}, told) == {"min_stars": 4}


def test_an_unknown_argument_that_resembles_none_is_left_out() -> None:
    assert repaired({"area": "Kadikoy", "mood": 1}, refusal("/mood", "unknown_argument")) == {"area": "Kadikoy"}


def test_a_suggestion_never_overwrites_what_was_sent_under_its_name() -> None:
    told = refusal("/min_star", "unknown_argument", suggestion="min_stars")
    assert repaired({"min_star": 4, "min_stars": 2}, told) == {"min_stars": 2}


@pytest.mark.parametrize(
    ("expected", "value"),
    [
        ("one of: pool, spa", "pool"),
        ("at least 1 and at most 5", 1),
        ("at most 5", 5),
        ("more than 0", 1),
        ("less than 10", 9),
    ],
)
def test_without_a_suggestion_the_words_of_what_is_expected_say_the_value(expected: str, value: JsonValue) -> None:
    assert repaired({"field": "x"}, refusal("/field", "any", expected=expected)) == {"field": value}


def test_where_only_a_kind_is_expected_a_known_value_serves() -> None:
    told = refusal("/hotel_id", "missing", expected="integer")
    assert repaired({}, told, {"hotel_id": 24}) == {"hotel_id": 24}
    with pytest.raises(UnrepairableError):
        repaired({}, told)


def test_a_place_inside_an_object_and_a_list_is_reached() -> None:
    told = refusal("/guests/1/first~1last", "wrong_type", suggestion="Ada")
    sent: JsonObject = {"guests": [{}, {"first/last": 1}]}
    assert repaired(sent, told) == {"guests": [{}, {"first/last": "Ada"}]}
    assert sent == {"guests": [{}, {"first/last": 1}]}


@pytest.mark.parametrize(
    "told",
    [
        {"code": "conflict", "message": "taken"},
        {"code": "bad_request", "errors": []},
        {"code": "bad_request", "errors": ["no"]},
        refusal("", "rule"),
        refusal("/gone", "unknown_argument"),
        refusal("/list/7", "wrong_type", suggestion=1),
    ],
)
def test_a_refusal_that_helps_nobody_is_said_to(told: JsonObject) -> None:
    with pytest.raises(UnrepairableError):
        repaired({"list": [1]}, told)
