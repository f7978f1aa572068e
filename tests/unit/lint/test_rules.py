"""Every lint rule proves itself: its bad example yields its code and no other, its good example nothing."""

from __future__ import annotations

import re

import pytest

from afford.lint.engine import Settings, run
from afford.lint.rule import Rule
from afford.lint.rules import all_rules

RULES = all_rules()
ids = [rule.code for rule in RULES]


@pytest.mark.requirement("LINT-08")
@pytest.mark.parametrize("rule", RULES, ids=ids)
def test_the_bad_example_of_a_rule_yields_its_code_and_no_other(rule: Rule) -> None:
    assert {item.code for item in _found(rule, bad=True)} == {rule.code}


@pytest.mark.requirement("LINT-08")
@pytest.mark.parametrize("rule", RULES, ids=ids)
def test_the_good_example_of_a_rule_yields_nothing(rule: Rule) -> None:
    assert [(item.code, item.message) for item in _found(rule, bad=False)] == []


@pytest.mark.requirement("LINT-08")
@pytest.mark.parametrize("rule", RULES, ids=ids)
def test_a_rule_says_what_is_wrong_and_why_and_what_to_do(rule: Rule) -> None:
    assert re.fullmatch(r"[A-Z]{3}\d{3}", rule.code)
    assert re.fullmatch(r"[a-z]+(-[a-z0-9]+)*", rule.name)
    for sentence in (rule.what, rule.why, rule.fix):
        assert sentence.endswith(".")


def _found(rule: Rule, *, bad: bool):
    profiles = () if rule.profile is None else (rule.profile,)
    return run(rule.bad if bad else rule.good, RULES, Settings(profiles=profiles)).found
