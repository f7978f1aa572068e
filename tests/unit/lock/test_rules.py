"""Access rules as they are recorded, and what a changed rule means for callers."""

from __future__ import annotations

import functools

import pytest

from afford.access import Predicate, Rule, anyone, claim, roles, signed_in
from afford.caller import Caller
from afford.lock.rules import compare_rules, rule_data, rule_text


def is_friday(caller: Caller) -> bool:
    return True


def is_monday(caller: Caller) -> bool:
    return True


RULES = [
    anyone(),
    signed_in(),
    roles("staff", "guest"),
    claim("tenant", "north", 3),
    claim("tenant"),
    roles("a") & (signed_in() | claim("b")),
    ~(roles("a") | roles("b")),
    ~roles("a"),
]


@pytest.mark.parametrize("rule", RULES, ids=str)
def test_a_recorded_rule_reads_as_it_was_written(rule: Rule) -> None:
    assert rule_text(rule_data(rule)) == str(rule)


@pytest.mark.requirement("LOCK-02")
def test_a_function_is_recorded_by_name_and_never_by_address() -> None:
    assert rule_data(Predicate(is_friday)) == {"code": "is_friday"}
    assert rule_data(Predicate(functools.partial(is_friday))) == {"code": "partial"}
    assert rule_data(claim("tenant", frozenset())) == {"claim": "tenant", "values": [{"type": "frozenset"}]}


def shift(old: Rule, new: Rule) -> tuple[bool | None, bool | None]:
    """Whether somebody is let in, and kept out: True or False, or None where a function decides."""
    found = compare_rules(rule_data(old), rule_data(new))
    let_in, kept_out = (
        None if one and not one.is_certain else one is not None for one in (found.let_in, found.kept_out)
    )
    return let_in, kept_out


WIDER, NARROWER, OTHER, SAME = (True, False), (False, True), (True, True), (False, False)
SHIFTS = [
    (roles("a"), anyone(), WIDER),
    (roles("a"), signed_in(), WIDER),
    (roles("a"), roles("a", "b"), WIDER),
    (roles("a") & roles("b"), roles("a"), WIDER),
    (claim("t", "x"), claim("t"), WIDER),
    (claim("t"), signed_in(), WIDER),
    (~roles("a"), anyone(), WIDER),
    (anyone(), ~roles("a"), NARROWER),
    (signed_in(), claim("t", "x"), NARROWER),
    (roles("a"), roles("b"), OTHER),
    (roles("a"), claim("a"), OTHER),
    (claim("t", 1), claim("t", "1"), OTHER),
    (roles("a"), roles("a") & signed_in(), SAME),
    (roles("a") | roles("b"), roles("b", "a"), SAME),
    (~(roles("a") & roles("b")), ~roles("a") | ~roles("b"), SAME),
    (roles("a") & Predicate(is_friday), Predicate(is_friday) & roles("a"), SAME),
    (roles("a") & Predicate(is_friday), roles("a", "b") & Predicate(is_friday), (None, False)),
    (roles("a") & Predicate(is_friday), anyone(), WIDER),
    (anyone(), Predicate(is_friday), (False, None)),
    (signed_in(), roles("a") & Predicate(is_friday), NARROWER),
    (Predicate(is_friday), Predicate(is_monday), (None, None)),
    (roles(*"abcdefgh"), roles(*"hijklmnop"), (None, None)),
]


@pytest.mark.requirement("LOCK-01")
@pytest.mark.parametrize(("old", "new", "expected"), SHIFTS, ids=str)
def test_rules_are_compared_by_the_callers_they_let_in(old: Rule, new: Rule, expected: tuple[bool | None, ...]) -> None:
    assert shift(old, new) == expected


def let_in(old: Rule, new: Rule) -> str:
    found = compare_rules(rule_data(old), rule_data(new)).let_in
    assert found
    return found.who


def test_whoever_comes_in_is_named() -> None:
    assert let_in(roles("a"), anyone()) == "an anonymous caller"
    assert "`b`" in let_in(roles("a"), roles("a", "b"))
    assert "tenant" in let_in(claim("tenant", "x"), claim("tenant", "x", "y"))
