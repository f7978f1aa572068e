"""What may change about a catalog without changing what is found in it: order, names, and praise."""

from __future__ import annotations

import json
import re
from dataclasses import fields, replace
from typing import Any

import pytest

from afford.lint.engine import Settings, run
from afford.lint.rule import Rule
from afford.lint.rules import all_rules
from afford.lint.target import Described, Target

RULES = all_rules()
ids = [rule.code for rule in RULES]
PADDING = [
    "It is a very useful, powerful and easy to use operation.",
    "This tool is robust and popular.",
    "Lorem ipsum dolor sit amet consectetur adipiscing elit.",
    "Thank you.",
]
OTHER_WORDS = {
    "hotel": "museum",
    "property": "gallery",
    "booking": "visit",
    "bk_": "vs_",
    "room": "hall",
    "neighbourhood": "quarter",
    "stars": "medals",
}
"""Words of the sample's trade, for those of another one."""


@pytest.mark.requirement("LINT-09")
@pytest.mark.parametrize("rule", RULES, ids=ids)
@pytest.mark.parametrize("words", PADDING)
def test_padding_after_every_description_removes_no_finding(rule: Rule, words: str) -> None:
    assert found(rule.bad, rule) <= found(edited(rule.bad, lambda text: f"{text} {words}"), rule)


@pytest.mark.requirement("LINT-09")
@pytest.mark.parametrize("rule", RULES, ids=ids)
def test_praise_before_every_description_removes_no_finding(rule: Rule) -> None:
    assert found(rule.bad, rule) <= found(edited(rule.bad, lambda text: f"{PADDING[0]} {text}"), rule)


@pytest.mark.requirement("LINT-09")
@pytest.mark.parametrize("rule", RULES, ids=ids)
def test_saying_everything_twice_removes_no_finding(rule: Rule) -> None:
    assert found(rule.bad, rule) <= found(edited(rule.bad, lambda text: f"{text} {text}"), rule)


@pytest.mark.requirement("LINT-09")
@pytest.mark.parametrize("rule", RULES, ids=ids)
def test_the_same_catalog_of_another_trade_has_the_same_findings(rule: Rule) -> None:
    for target in (rule.bad, rule.good):
        assert found(renamed(target), rule) == {(code, other_word(subject)) for code, subject in found(target, rule)}


@pytest.mark.requirement("LINT-09")
@pytest.mark.parametrize("rule", RULES, ids=ids)
def test_the_order_of_operations_changes_no_finding(rule: Rule) -> None:
    turned = replace(rule.bad, operations=rule.bad.operations[::-1])
    assert found(turned, rule) == found(rule.bad, rule)


@pytest.mark.requirement("LINT-09")
@pytest.mark.parametrize("rule", RULES, ids=ids)
def test_the_order_of_fields_changes_no_finding(rule: Rule) -> None:
    assert found(each(rule.bad, turned_round), rule) == found(rule.bad, rule)


def found(target: Target, rule: Rule) -> set[tuple[str, str]]:
    """Codes with the operations that they stand at."""
    profiles = () if rule.profile is None else (rule.profile,)
    return {(item.code, item.subject) for item in run(target, RULES, Settings(profiles=profiles)).found}


def edited(target: Target, edit: Any) -> Target:
    """The target with each description changed that says anything."""
    changed = (
        replace(item, description=edit(item.description), served=edit(item.served) if item.served else "")
        if item.description.strip()
        else item
        for item in target.operations
    )
    return replace(target, operations=tuple(changed))


def renamed(target: Target) -> Target:
    """The target with the words of another trade, in names, texts and values alike."""
    return each(target, lambda value: json.loads(other_word(json.dumps(value))))


def each(target: Target, change: Any) -> Target:
    """The target with each field of its operations changed that is made of JSON."""
    return replace(target, operations=tuple(_changed(item, change) for item in target.operations))


def _changed(item: Described, change: Any) -> Described:
    values = {field.name: getattr(item, field.name) for field in fields(item)}
    return replace(item, **{name: change(value) for name, value in values.items() if isinstance(value, str | dict)})


def other_word(text: str) -> str:
    return re.sub("|".join(OTHER_WORDS), lambda match: _in_case(match.group()), text, flags=re.IGNORECASE)


def _in_case(word: str) -> str:
    other = OTHER_WORDS[word.lower()]
    return other.capitalize() if word[0].isupper() else other


def turned_round(value: Any) -> Any:
    """The value with members of objects in the other order, at every depth."""
    if isinstance(value, dict):
        return {name: turned_round(value[name]) for name in reversed(value)}
    return [turned_round(item) for item in value] if isinstance(value, list) else value
