"""What tools cost: the estimate, the rules about it, and the tables."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from afford.errors import JsonObject
from afford.lint.cost import Bill, cost_of, costs, tokens
from afford.lint.engine import run
from afford.lint.reports import RENDERERS, Format
from afford.lint.rule import Severity
from afford.lint.rules import all_rules
from afford.lint.samples import CANCEL, SEARCH, clean, closed, with_change, with_input, with_reports
from afford.lint.target import Described, Origin, Target, target

RULES = [rule for rule in all_rules() if rule.code.startswith("CST")]
COUNTED = {
    # Counted with `o200k_base`; the tokeniser of Claude 2 counts 36, 23 and 48.
    "Find hotels that match what the person asked for, best first. Narrow with the person's own constraints rather "
    "than reading everything. Each row is a summary for a shortlist.": 33,
    '{"type":"object","properties":{"city":{"type":"string","minLength":1}},"required":["city"]}': 24,
    '{"name":"create_issue","description":"Create a new issue in a GitHub repository","inputSchema":{"type":"object",'
    '"properties":{"owner":{"type":"string"},"repo":{"type":"string"}},"required":["owner","repo"]}}': 48,
}


def codes(found: Target) -> list[str]:
    return [item.code for item in run(found, RULES).found]


@pytest.mark.requirement("LINT-27")
@pytest.mark.parametrize(("text", "counted"), COUNTED.items())
def test_the_estimate_is_near_what_a_tokeniser_counts(text: str, counted: int) -> None:
    assert abs(tokens(text) - counted) <= counted * 0.1 + 1


@pytest.mark.parametrize(
    "text", ["", " ", "\n", "a", "\ud800", "\U0001f600", "查找", "1" * 1000, "{}" * 1000, "x" * 10_000]
)
def test_any_text_has_an_estimate(text: str) -> None:
    assert 0 <= tokens(text) <= len(text.encode("utf-8", "replace"))


def test_longer_text_never_costs_less() -> None:
    text = "Read the profile of a member of the team: 12,345 of them, straße and 街, by {id}."
    sizes = [tokens(text[:end]) for end in range(len(text))]
    assert sizes == sorted(sizes)


@pytest.mark.requirement("LINT-27")
def test_text_inputs_and_outputs_are_counted_apart() -> None:
    cost = cost_of(SEARCH)
    assert min(cost.text, cost.input, cost.output) > 0
    assert cost.total == cost.text + cost.input + cost.output
    assert cost_of(replace(SEARCH, output_schema=None)).output == 0
    assert cost_of(replace(SEARCH, input_schema=None)).input == 0


def test_a_tool_costs_what_the_protocol_carries_of_it() -> None:
    carried: JsonObject = {"name": SEARCH.name, "description": "Short.", "inputSchema": {"type": "object"}}
    assert cost_of(replace(SEARCH, tool=carried)).total < cost_of(SEARCH).total


@pytest.mark.requirement("LINT-27")
def test_the_most_expensive_comes_first_and_equal_ones_by_name() -> None:
    listed = costs(with_reports(6, 1))
    assert [cost.total for cost in listed] == sorted((cost.total for cost in listed), reverse=True)
    equal = costs(target(Origin.MCP, *(replace(SEARCH, name=name) for name in ("cc", "aa", "bb"))))
    assert [cost.name for cost in equal] == ["aa", "bb", "cc"]


@pytest.mark.requirement("LINT-27")
@pytest.mark.requirement("CASE-K36")
def test_a_catalog_of_sixty_operations_is_told_what_it_costs() -> None:
    found = {item.code: item for item in run(sixty(), RULES).found}
    assert {"CST103", "CST104"} <= found.keys()
    assert found["CST103"].severity is Severity.WARNING
    assert "60 tools" in found["CST104"].message


def test_what_an_app_declares_in_all_is_offered_to_nobody_and_merely_worth_knowing() -> None:
    found = run(replace(sixty(), origin=Origin.APP), RULES).found
    assert {(item.code, item.severity) for item in found} == {("CST103", Severity.INFO), ("CST104", Severity.INFO)}


def test_a_large_tool_is_told_what_is_large_about_it() -> None:
    choices: JsonObject = {
        "type": "string",
        "enum": [f"code-{number:03}" for number in range(99)],
        "description": "Which.",
    }
    inputs = closed({f"choice_{number}": choices for number in range(3)})
    (found,) = run(with_change("book_room", input_schema=inputs), RULES).found
    assert (found.code, found.subject) == ("CST101", "book_room")
    assert "its inputs" in found.message


@pytest.mark.parametrize(("length", "expected"), [(2_048, []), (2_049, ["CST105"])])
def test_a_description_is_long_where_clients_cut(length: int, expected: list[str]) -> None:
    text = "Hotels of many kinds. " * 100
    assert codes(with_change("search_hotels", description=text[:length])) == expected


@pytest.mark.requirement("CASE-K36")
def test_a_rule_that_will_not_arrive_is_told_once() -> None:
    text = f"{CANCEL.description} {'The room goes to the next guest. ' * 70}Never cancel on the day of arrival."
    report = run(with_change("cancel_booking", description=text), all_rules())
    assert len(text) > 2_400
    assert [item.code for item in report.found] == ["DSC122"]


@pytest.mark.parametrize(("members", "expected"), [(100, []), (101, ["CST106"])])
def test_a_choice_is_big_beyond_a_hundred(members: int, expected: list[str]) -> None:
    choice: JsonObject = {"type": "string", "enum": [f"c{number}" for number in range(members)]}
    assert codes(with_input("book_room", "code", choice)) == expected
    assert codes(with_input("book_room", "codes", {"type": "array", "items": choice})) == expected


@pytest.mark.parametrize("origin", Origin)
def test_the_clean_catalog_is_cheap(origin: Origin) -> None:
    assert codes(clean(origin)) == []


@pytest.mark.requirement("LINT-27")
@pytest.mark.requirement("CASE-K36")
def test_tables_tell_tools_and_audiences() -> None:
    whole = Bill(who="all together", costs=costs(clean()))
    guest = Bill(who="role guest", costs=whole.costs[:1])
    report = replace(run(clean(), RULES), bills=(whole, guest))
    text, document = RENDERERS[Format.TEXT](report), json.loads(RENDERERS[Format.JSON](report))["cost"]
    lines = [line.split() for line in text.splitlines()]
    dearest = whole.costs[0]
    assert [dearest.name, *map(str, (dearest.text, dearest.input, dearest.output, dearest.total))] in lines
    assert next(line for line in lines if line[:2] == ["role", "guest"])[2:3] == ["1"]
    assert [tool["name"] for tool in document["tools"]] == [cost.name for cost in whole.costs]
    assert document["total"]["total"] == whole.total
    assert document["audiences"][0]["tools"] == [dearest.name]
    assert "| role guest | 1 |" in RENDERERS[Format.MARKDOWN](report)


@pytest.mark.parametrize("form", [Format.TEXT, Format.MARKDOWN])
def test_no_name_of_a_tool_or_an_audience_breaks_a_table(form: Format) -> None:
    found = with_change("search_hotels", name="a|b\n::error::boo\x1b[31m")
    whole = Bill(who="all", costs=costs(found))
    report = replace(run(found, ()), bills=(whole, replace(whole, who="x\n::error::boo")))
    text = RENDERERS[form](report)
    assert "\x1b" not in text
    assert not any(line.startswith("::error") for line in text.splitlines())


def test_without_the_question_no_report_tells_of_cost() -> None:
    assert "cost" not in json.loads(RENDERERS[Format.JSON](run(clean(), RULES)))


def sixty() -> Target:
    """As many operations as in the acceptance case, each of some 250 tokens."""
    reports = with_reports(48, 3).operations
    more: list[Described] = [replace(item, name=f"{item.name}_again") for item in reports[:8]]
    return target(Origin.MCP, *reports, *more, name="hotels")
