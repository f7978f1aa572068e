"""`explain` knows every code that the program prints."""

from __future__ import annotations

import json
from typing import cast

import pytest

from afford import App, anyone, find_agent_doc_gaps
from afford.catalog.rules import RULES
from afford.cli.explain import GAPS, explain
from afford.cli.failures import CommandError
from afford.errors import TABLE, JsonObject
from afford.lint.rules import all_rules

Output = pytest.CaptureFixture[str]


def explained(word: str, capsys: Output) -> JsonObject:
    explain(word, as_json=True)
    return cast("JsonObject", json.loads(capsys.readouterr().out))


@pytest.mark.parametrize("code", [*RULES, *(gap.code for gap in GAPS), *TABLE, *(rule.code for rule in all_rules())])
def test_every_code_is_explained_under_itself_in_any_case(code: str, capsys: Output) -> None:
    assert explained(code, capsys)["code"] == code
    assert explained(code.swapcase(), capsys)["code"] == code


@pytest.mark.parametrize("rule", [*RULES.values(), *GAPS, *all_rules()], ids=lambda rule: rule.name)
def test_every_rule_is_explained_under_its_name(rule: object, capsys: Output) -> None:
    assert explained(rule.name, capsys)["code"] == rule.code  # type: ignore[attr-defined]


def test_the_explained_gaps_are_those_that_an_app_can_have() -> None:
    app = App("shop", access=anyone())
    app.entity("thing", dict[str, int])
    app.screen("start", type="custom", path="/")

    @app.query()
    def silent() -> list[str]:
        return []

    @app.query(description="Read.", entity="thing")
    def read() -> list[str]:
        return []

    assert {gap.code for gap in find_agent_doc_gaps(app)} == {gap.code for gap in GAPS}


@pytest.mark.parametrize("word", ["missing-acces", "DEC999", "nonsense"])
def test_an_unknown_code_is_wrong_usage(word: str) -> None:
    with pytest.raises(CommandError) as raised:
        explain(word)
    assert raised.value.exit_code == 2


def test_an_unknown_name_is_answered_with_the_closest_ones() -> None:
    with pytest.raises(CommandError) as raised:
        explain("missing-acces")
    assert "ACC101" in raised.value.message
