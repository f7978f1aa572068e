"""What providers take and refuse, by their documentation of November 2026; on for those who ask for a profile."""

from __future__ import annotations

from dataclasses import replace

import pytest

from afford.errors import JsonObject, JsonValue
from afford.lint.engine import Settings, run
from afford.lint.providers import ANTHROPIC, GEMINI, OPENAI, parts_of
from afford.lint.rule import Severity
from afford.lint.rules import all_rules
from afford.lint.samples import PORTABLE, clean, closed, with_portable, with_reports
from afford.lint.target import Origin, Target, target

RULES = [rule for rule in all_rules() if rule.code.startswith("PRO")]
TEXT: JsonObject = {"type": "string", "description": "What it is."}


def found_in(found: Target, *profiles: str) -> dict[str, Severity]:
    return {item.code: item.severity for item in run(found, RULES, Settings(profiles=profiles)).found}


def with_schema(schema: JsonObject) -> Target:
    """A target of one operation with exactly these inputs."""
    return target(Origin.MCP, replace(PORTABLE[0], input_schema=schema))


@pytest.mark.requirement("LINT-28")
def test_without_a_profile_nothing_of_any_provider_is_told() -> None:
    for rule in RULES:
        assert rule.profile in {OPENAI, ANTHROPIC, GEMINI}
        assert run(rule.bad, RULES).found == ()


@pytest.mark.requirement("LINT-28")
def test_what_every_provider_takes_is_found_by_none() -> None:
    assert found_in(target(Origin.MCP, *PORTABLE), OPENAI, ANTHROPIC, GEMINI) == {}


@pytest.mark.requirement("LINT-28")
def test_what_is_refused_is_an_error_and_what_is_lost_a_warning() -> None:
    bounded = with_portable({}, guests={"type": "integer", "minimum": 1})
    assert found_in(bounded, OPENAI) == {"PRO106": Severity.WARNING}
    assert found_in(bounded, ANTHROPIC) == {"PRO122": Severity.ERROR}
    assert found_in(bounded, GEMINI) == {}


@pytest.mark.requirement("LINT-28")
@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "string", "minLength": 1}, {OPENAI: "PRO103", ANTHROPIC: "PRO122", GEMINI: None}),
        ({"type": "string", "pattern": "^a"}, {OPENAI: "PRO106", ANTHROPIC: None, GEMINI: None}),
        ({"type": "string", "format": "uri"}, {OPENAI: "PRO103", ANTHROPIC: None, GEMINI: "PRO144"}),
        ({"type": "string", "format": "phone"}, {OPENAI: "PRO103", ANTHROPIC: "PRO127", GEMINI: "PRO144"}),
        ({"type": "string", "format": "date-time"}, {OPENAI: "PRO106", ANTHROPIC: None, GEMINI: None}),
        ({"type": "integer", "exclusiveMinimum": 0}, {OPENAI: "PRO106", ANTHROPIC: "PRO122", GEMINI: "PRO141"}),
        ({"type": "integer", "multipleOf": 5}, {OPENAI: "PRO106", ANTHROPIC: "PRO122", GEMINI: "PRO141"}),
        ({"type": "array", "items": TEXT, "minItems": 1}, {OPENAI: "PRO106", ANTHROPIC: None, GEMINI: None}),
        ({"type": "array", "items": TEXT, "minItems": 2}, {OPENAI: "PRO106", ANTHROPIC: "PRO122", GEMINI: None}),
        (
            {"type": "array", "items": TEXT, "uniqueItems": True},
            {OPENAI: "PRO103", ANTHROPIC: "PRO122", GEMINI: "PRO141"},
        ),
        ({"type": "array", "prefixItems": [TEXT]}, {OPENAI: "PRO103", ANTHROPIC: "PRO127", GEMINI: "PRO141"}),
        ({"anyOf": [TEXT, {"type": "integer"}]}, {OPENAI: None, ANTHROPIC: None, GEMINI: None}),
        ({"oneOf": [TEXT, {"type": "integer"}]}, {OPENAI: "PRO103", ANTHROPIC: "PRO127", GEMINI: "PRO141"}),
        ({"allOf": [TEXT]}, {OPENAI: "PRO103", ANTHROPIC: None, GEMINI: "PRO141"}),
        ({"type": "string", "not": {"const": "x"}}, {OPENAI: "PRO103", ANTHROPIC: "PRO127", GEMINI: "PRO141"}),
        ({"type": ["string", "null"]}, {OPENAI: None, ANTHROPIC: None, GEMINI: "PRO141"}),
        ({"type": "string", "const": "x"}, {OPENAI: None, ANTHROPIC: None, GEMINI: "PRO141"}),
        ({"type": "integer", "enum": [1, 2]}, {OPENAI: None, ANTHROPIC: None, GEMINI: "PRO143"}),
        ({"enum": [{"a": 1}]}, {OPENAI: None, ANTHROPIC: "PRO122", GEMINI: "PRO143"}),
        ({"type": "string", "enum": ["minimum", "oneOf"]}, {OPENAI: None, ANTHROPIC: None, GEMINI: None}),
        (closed({"minimum": TEXT, "oneOf": TEXT}, "minimum", "oneOf"), {OPENAI: None, ANTHROPIC: None, GEMINI: None}),
        (closed({"a": TEXT}), {OPENAI: "PRO102", ANTHROPIC: None, GEMINI: None}),
        ({"type": "object", "properties": {}}, {OPENAI: "PRO101", ANTHROPIC: "PRO121", GEMINI: None}),
        (
            {"type": "object", "additionalProperties": {"type": "integer"}},
            {OPENAI: "PRO101", ANTHROPIC: "PRO121", GEMINI: "PRO141"},
        ),
        ({"type": "string", "title": "T", "description": "D"}, {OPENAI: None, ANTHROPIC: None, GEMINI: None}),
        ({"type": "string", "examples": [{"oneOf": 1}]}, {OPENAI: None, ANTHROPIC: None, GEMINI: None}),
    ],
    ids=str,
)
def test_each_provider_has_its_own_answer_to_a_schema(schema: JsonObject, expected: dict[str, str | None]) -> None:
    for profile, code in expected.items():
        assert set(found_in(with_portable({}, thing=schema), profile)) == ({code} if code else set())


@pytest.mark.requirement("LINT-28")
def test_a_keyword_is_found_at_any_depth_and_told_once() -> None:
    item: JsonObject = {
        "type": "array",
        "items": closed({"size": {"anyOf": [{"type": "integer", "maximum": 3}, TEXT]}}, "size"),
    }
    (found,) = run(with_portable({}, things=item), RULES, Settings(profiles=[ANTHROPIC])).found
    assert found.pointer.endswith("/things/items/properties/size/anyOf/0")
    twice = with_portable(
        {}, one={"type": "integer", "maximum": 3}, two={"type": "integer", "maximum": 3, "minimum": 1}
    )
    (found,) = run(twice, RULES, Settings(profiles=[ANTHROPIC])).found
    assert "3 places" in found.message


@pytest.mark.parametrize("keyword", ["anyOf", "oneOf", "allOf"])
def test_alternatives_at_the_root_are_refused(keyword: str) -> None:
    found = with_portable({}, {keyword: [{"required": ["nights"]}]})
    assert "PRO123" in found_in(found, ANTHROPIC)
    assert found_in(found, OPENAI) == {"PRO104" if keyword == "anyOf" else "PRO103": Severity.ERROR}


@pytest.mark.parametrize("schema", [{"type": "string"}, {"type": ["object", "null"]}, {}])
def test_inputs_that_are_no_object_are_refused(schema: JsonObject) -> None:
    assert "PRO104" in found_in(with_schema(schema), OPENAI)


@pytest.mark.parametrize(
    ("definition", "is_recursive"),
    [
        ({"Wish": closed({"next": {"$ref": "#/$defs/Wish"}}, "next")}, True),
        ({"Wish": closed({"next": {"$ref": "#"}}, "next")}, True),
        ({"Wish": closed({"a": {"$ref": "#/$defs/Other"}}, "a"), "Other": {"items": {"$ref": "#/$defs/Wish"}}}, True),
        (
            {"Wish": closed({"a": {"$ref": "#/$defs/Other"}, "b": {"$ref": "#/$defs/Other"}}, "a", "b"), "Other": TEXT},
            False,
        ),
        ({"Wish": {"$ref": "#/$defs/Other"}, "Other": TEXT, "Wishes": {"$ref": "#/$defs/Wish"}}, False),
        ({"Wish": TEXT}, False),
    ],
)
def test_anthropic_refuses_what_contains_itself_and_openai_does_not(
    definition: JsonObject, *, is_recursive: bool
) -> None:
    found = with_portable({}, {"$defs": definition}, wish={"$ref": "#/$defs/Wish"})
    assert ("PRO124" in found_in(found, ANTHROPIC)) is is_recursive
    assert "PRO103" not in found_in(found, OPENAI)


@pytest.mark.parametrize("reference", ["https://example.com/a.json", "other.json#/a"])
def test_a_reference_out_of_the_schema_is_refused(reference: str) -> None:
    assert found_in(with_portable({}, wish={"$ref": reference}), ANTHROPIC) == {"PRO124": Severity.ERROR}


@pytest.mark.parametrize(("count", "expected"), [(16, set[str]()), (17, {"PRO125"})])
def test_one_tool_may_have_sixteen_inputs_of_several_types(count: int, expected: set[str]) -> None:
    inputs: dict[str, JsonValue] = {f"i{number}": {"type": ["string", "null"]} for number in range(count)}
    assert set(found_in(with_portable({}, **inputs), ANTHROPIC)) == expected


@pytest.mark.parametrize(("count", "expected"), [(24, set[str]()), (25, {"PRO125"})])
def test_one_tool_may_have_twenty_four_optional_inputs(count: int, expected: set[str]) -> None:
    assert set(found_in(with_schema(closed({f"i{number}": TEXT for number in range(count)})), ANTHROPIC)) == expected


def test_what_is_too_much_together_is_told_of_all_and_is_a_warning() -> None:
    assert found_in(with_reports(16, 0, base=PORTABLE), ANTHROPIC) == {}
    assert found_in(with_reports(3, 9, base=PORTABLE), ANTHROPIC) == {"PRO126": Severity.WARNING}


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        (closed({f"p{number}": TEXT for number in range(100)}, *(f"p{number}" for number in range(100))), set[str]()),
        (closed({f"p{number}": TEXT for number in range(101)}, *(f"p{number}" for number in range(101))), {"PRO107"}),
        (closed({"c": {"type": "string", "enum": [str(n) for n in range(1_000)]}}, "c"), set[str]()),
        (closed({"c": {"type": "string", "enum": [str(n) for n in range(1_001)]}}, "c"), {"PRO105"}),
        (closed({"c": {"type": "string", "enum": [f"{n}{'x' * 60}" for n in range(251)]}}, "c"), {"PRO105"}),
        (closed({"c": {"type": "string", "enum": [f"{n}{'x' * 60}" for n in range(250)]}}, "c"), set[str]()),
        (closed({"c": {"type": "string", "const": "x" * 120_001}}, "c"), {"PRO105"}),
    ],
    ids=range(7),
)
def test_openai_takes_schemas_up_to_a_size(schema: JsonObject, expected: set[str]) -> None:
    assert set(found_in(with_schema(schema), OPENAI)) == expected


@pytest.mark.parametrize("name", ["a.b", "a-b", "1a", "ä", "a b", "x" * 65])
def test_gemini_takes_plain_names_of_inputs_alone(name: str) -> None:
    assert set(found_in(with_portable({}, **{name: TEXT}), GEMINI)) == {"PRO142"}


@pytest.mark.parametrize("name", ["2fa", "-x", ".hidden"])
def test_gemini_takes_no_name_that_begins_with_anything_but_a_letter(name: str) -> None:
    found = target(Origin.MCP, replace(PORTABLE[0], name=name))
    assert set(found_in(found, GEMINI)) == {"PRO142"}


def test_outputs_are_no_business_of_a_providers_schema() -> None:
    answer = {"oneOf": [{"type": "string", "minLength": 1}], "$defs": {"A": {"$ref": "#/$defs/A"}}}
    found = target(Origin.MCP, replace(PORTABLE[0], output_schema={**answer}))
    assert found_in(found, OPENAI, ANTHROPIC, GEMINI) == {}


@pytest.mark.parametrize(
    "schema", [None, {"properties": 5}, {"properties": {"a": 5}, "required": 7}, {"anyOf": {}, "items": [1]}]
)
def test_what_is_no_schema_at_all_makes_no_rule_fail(schema: JsonObject | None) -> None:
    found = target(Origin.MCP, replace(PORTABLE[0], input_schema=schema))
    run(found, RULES, Settings(profiles=[OPENAI, ANTHROPIC, GEMINI]))


def test_the_clean_catalog_is_not_strict_and_that_is_told() -> None:
    assert "PRO102" in found_in(clean(), OPENAI)


def test_every_subschema_is_walked_where_it_is_written() -> None:
    schema: JsonObject = {
        "properties": {"a/b": {"items": {"$ref": "#/$defs/A"}}},
        "$defs": {"A": {"anyOf": [{"const": {"type": "x"}}]}},
        "default": {"properties": {"no": {}}},
    }
    assert [part.pointer for part in parts_of(schema)] == [
        "",
        "/properties/a~1b",
        "/properties/a~1b/items",
        "/$defs/A",
        "/$defs/A/anyOf/0",
    ]
