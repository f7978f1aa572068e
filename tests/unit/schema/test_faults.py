"""What is wrong with a refused value: all of it, each at its place, in words that repair the call."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Annotated, Any, Literal
from uuid import UUID

import pytest
from pydantic import BaseModel, Field
from tests.unit.schema.sample_types import Address, Cat, Color, Guest, Node, Pet, Point

from afford.errors import ABSENT, Fault, FaultCode
from afford.schema import InputField, derive_inputs, judge_for, resolve_choices
from afford.schema.markers import Choices


def faults(annotation: object, value: Any, **limits: int) -> tuple[Fault, ...]:
    return judge_for(derive_inputs([InputField("v", annotation)]).schema).faults({"v": value}, **limits)


def only(annotation: object, value: Any) -> Fault:
    found = faults(annotation, value)
    assert len(found) == 1
    return found[0]


def raw(schema: dict[str, Any], value: Any) -> list[tuple[str, FaultCode]]:
    return [(fault.pointer, fault.code) for fault in judge_for(schema).faults(value)]


def test_nothing_is_wrong_with_an_accepted_value() -> None:
    assert faults(int, 3) == ()


@pytest.mark.requirement("ERR-03")
def test_all_faults_of_a_request_come_at_once_and_nested_ones_too() -> None:
    schema = derive_inputs(
        [
            InputField("q", str),
            InputField("stars", Annotated[int | None, Field(ge=1, le=5)], None),
            InputField("guest", Guest),
            InputField("tags", Annotated[list[str], Field(max_length=2)]),
        ]
    ).schema
    found = judge_for(schema).faults(
        {
            "limt": 5,
            "stars": 9,
            "guest": {"name": 1, "email": "x", "address": {"zip": "1"}},
            "tags": ["a", "b", 3],
        }
    )
    assert [(fault.pointer, fault.code.value) for fault in found] == [
        ("/limt", "unknown_argument"),
        ("/q", "missing"),
        ("/stars", "out_of_range"),
        ("/guest/email", "unknown_argument"),
        ("/guest/eMail", "missing"),
        ("/guest/name", "wrong_type"),
        ("/guest/address/street", "missing"),
        ("/guest/address/zip", "wrong_format"),
        ("/tags", "wrong_length"),
        ("/tags/2", "wrong_type"),
    ]


@pytest.mark.requirement("CASE-K22")
@pytest.mark.parametrize(
    ("sent", "suggestion"),
    [
        ("limt", "limit"),
        ("Limit", "limit"),
        ("minStars", "min_stars"),
        ("min-stars", "min_stars"),
        ("xyz", ABSENT),
        ("query", ABSENT),
    ],
)
def test_a_misspelt_argument_is_named_with_the_closest_declared_one(sent: str, suggestion: object) -> None:
    fields = [InputField("limit", int, 20), InputField("min_stars", int, 1), InputField("query", str, "")]
    found = judge_for(derive_inputs(fields[: 3 if sent != "query" else 2]).schema).faults({sent: 5})
    assert [(fault.pointer, fault.code, fault.suggestion) for fault in found] == [
        (f"/{sent}", FaultCode.UNKNOWN_ARGUMENT, suggestion)
    ]


def test_an_argument_that_was_sent_already_is_not_suggested() -> None:
    schema = derive_inputs([InputField("limit", int, 20)]).schema
    assert judge_for(schema).faults({"limit": 5, "limits": 6})[0].suggestion is ABSENT


@pytest.mark.requirement("CASE-K23")
@pytest.mark.requirement("CASE-K25")
@pytest.mark.parametrize(
    ("annotation", "sent", "expected", "suggestion"),
    [
        (int, "5", "integer", 5),
        (int, True, "integer", ABSENT),
        (int, 3.5, "integer", ABSENT),
        (int, "1_000", "integer", ABSENT),
        (int, None, "integer", ABSENT),
        (bool, "false", "boolean", False),
        (bool, "yes", "boolean", ABSENT),
        (bool, 0, "boolean", ABSENT),
        (list[int], "[1,2]", "array", [1, 2]),
        (list[int], '["a"]', "array", ABSENT),
        (list[int], 5, "array", [5]),
        (list[str], "a", "array", ["a"]),
        (Address, '{"street":"a"}', "object", {"street": "a"}),
        (Address, "street", "object", ABSENT),
        (Address, [1], "object", ABSENT),
        (str, 5, "string", "5"),
        (str, {"a": 1}, "string", ABSENT),
        (Decimal, 10.5, "string", "10.5"),
        (Decimal, 1e300, "string", ABSENT),
        (int | None, "5", "integer or null", 5),
        (int | list[int], "x", "integer or array", ABSENT),
        (date, 5, "string", ABSENT),
    ],
)
def test_a_wrong_type_names_the_accepted_one_and_what_a_string_holds(
    annotation: object, sent: Any, expected: str, suggestion: object
) -> None:
    fault = only(annotation, sent)
    assert (fault.pointer, fault.code, fault.expected) == ("/v", FaultCode.WRONG_TYPE, expected)
    assert fault.suggestion == suggestion
    assert type(fault.suggestion) is type(suggestion)


@pytest.mark.parametrize(
    ("annotation", "sent", "expected", "suggestion"),
    [
        (Color, "Red", "one of: red, green, dark-blue", "red"),
        (Color, "dark blue", "one of: red, green, dark-blue", "dark-blue"),
        (Color, "yellow", "one of: red, green, dark-blue", ABSENT),
        (Color, 5, "one of: red, green, dark-blue", ABSENT),
        (Literal[1, 2], "2", "one of: 1, 2", 2),
        (Literal["only"], "other", "only", ABSENT),
    ],
)
def test_a_value_outside_a_closed_set_names_the_members(
    annotation: object, sent: Any, expected: str, suggestion: object
) -> None:
    fault = only(annotation, sent)
    assert (fault.pointer, fault.code, fault.expected) == ("/v", FaultCode.NOT_A_CHOICE, expected)
    assert fault.suggestion == suggestion


def test_members_of_a_large_set_are_named_up_to_a_cap() -> None:
    published = derive_inputs([InputField("v", Annotated[str, Choices(list)])])
    members = [f"member-{number:05}" for number in range(10_000)]
    fault = judge_for(resolve_choices(published.schema, [members])).faults({"v": "Member_09999"})[0]
    assert fault.expected is not None
    assert len(fault.expected) < 600
    assert fault.suggestion == "member-09999"


def test_an_empty_derived_set_says_that_nothing_is_valid() -> None:
    published = derive_inputs([InputField("v", Annotated[str, Choices(list)])])
    fault = judge_for(resolve_choices(published.schema, [[]])).faults({"v": "a"})[0]
    assert (fault.code, fault.expected) == (FaultCode.NOT_A_CHOICE, None)


@pytest.mark.parametrize(
    ("annotation", "sent", "code", "expected"),
    [
        (Annotated[int, Field(ge=1, le=5)], 9, FaultCode.OUT_OF_RANGE, "at least 1 and at most 5"),
        (Annotated[float, Field(gt=0)], 0, FaultCode.OUT_OF_RANGE, "more than 0"),
        (Annotated[float, Field(lt=0.5)], 1, FaultCode.OUT_OF_RANGE, "less than 0.5"),
        (Annotated[float, Field(multiple_of=5)], 3, FaultCode.OUT_OF_RANGE, "a multiple of 5"),
        (Annotated[str, Field(min_length=2, max_length=4)], "a", FaultCode.WRONG_LENGTH, "2 to 4 characters"),
        (Annotated[str, Field(min_length=1)], "", FaultCode.WRONG_LENGTH, "at least 1 character"),
        (Annotated[list[int], Field(min_length=3, max_length=3)], [1], FaultCode.WRONG_LENGTH, "3 items"),
        (Annotated[dict[str, int], Field(max_length=1)], {"a": 1, "b": 2}, FaultCode.WRONG_LENGTH, "at most 1 member"),
        (date, "2026-3-1", FaultCode.WRONG_FORMAT, "a date such as 2026-03-14"),
        (
            datetime,
            "2026-03-14T09:30:00",
            FaultCode.WRONG_FORMAT,
            "an instant with its offset such as 2026-03-14T09:30:00Z",
        ),
        (time, "9:30", FaultCode.WRONG_FORMAT, "a time such as 09:30:00"),
        (timedelta, "1 day", FaultCode.WRONG_FORMAT, "an ISO 8601 duration such as P1DT2H30M"),
        (UUID, "x", FaultCode.WRONG_FORMAT, "a UUID such as 123e4567-e89b-42d3-a456-426614174000"),
        (Annotated[str, Field(pattern="^[a-z]+$")], "A", FaultCode.WRONG_FORMAT, "text that matches `^[a-z]+$`"),
        (Decimal, "1e3", FaultCode.WRONG_FORMAT, "a decimal number in plain notation as text, such as 12.50"),
        (
            Annotated[Decimal, Field(ge=0, max_digits=4, decimal_places=2)],
            "NaN",
            FaultCode.WRONG_FORMAT,
            "a decimal number in plain notation as text, such as 12.50",
        ),
        (
            Annotated[Decimal, Field(max_digits=3)],
            "x",
            FaultCode.WRONG_FORMAT,
            "a decimal number in plain notation as text, such as 1.5",
        ),
        (
            date | datetime,
            "x",
            FaultCode.WRONG_FORMAT,
            "a date such as 2026-03-14 or an instant with its offset such as 2026-03-14T09:30:00Z",
        ),
        (date | None, "x", FaultCode.WRONG_FORMAT, "a date such as 2026-03-14"),
    ],
)
def test_a_value_outside_its_constraints_names_the_accepted_form(
    annotation: object, sent: Any, code: FaultCode, expected: str
) -> None:
    fault = only(annotation, sent)
    assert (fault.pointer, fault.code, fault.expected) == ("/v", code, expected)


@pytest.mark.parametrize(
    ("value", "pointer"),
    [([1, 2, 1], "/v/2"), ([1, 1.0], "/v/1")],
)
def test_a_repeated_member_of_a_set_is_pointed_at(value: list[Any], pointer: str) -> None:
    fault = only(set[int], value)
    assert (fault.pointer, fault.code) == (pointer, FaultCode.DUPLICATE)


def test_pointers_are_escaped() -> None:
    schema = {"type": "object", "properties": {"a/b~c": {"type": "integer"}}, "additionalProperties": False}
    assert raw(schema, {"a/b~c": "x", "d/e": 1}) == [
        ("/d~1e", FaultCode.UNKNOWN_ARGUMENT),
        ("/a~1b~0c", FaultCode.WRONG_TYPE),
    ]


def test_a_nullable_union_is_reported_by_its_other_branch() -> None:
    found = faults(Address | None, {"street": "", "zipp": "1"})
    assert [(fault.pointer, fault.code) for fault in found] == [
        ("/v/zipp", FaultCode.UNKNOWN_ARGUMENT),
        ("/v/street", FaultCode.WRONG_LENGTH),
    ]


def test_a_tagged_union_is_reported_by_the_branch_of_its_tag() -> None:
    assert [(fault.pointer, fault.code) for fault in faults(list[Pet], [{"kind": "dog", "lives": 3}])] == [
        ("/v/0/lives", FaultCode.UNKNOWN_ARGUMENT),
        ("/v/0/name", FaultCode.MISSING),
    ]
    unknown = only(Pet, {"kind": "dogg", "name": "Rex"})
    assert (unknown.pointer, unknown.code, unknown.suggestion) == ("/v/kind", FaultCode.NOT_A_CHOICE, "dog")
    missing = only(Pet, {"name": "Rex"})
    assert (missing.pointer, missing.code, missing.expected) == ("/v/kind", FaultCode.MISSING, "one of: cat, dog")


def test_an_untagged_union_is_reported_by_the_branch_that_fits_best() -> None:
    assert [(fault.pointer, fault.code) for fault in faults(Address | Point, {"x": 1, "y": "a"})] == [
        ("/v/y", FaultCode.WRONG_TYPE)
    ]
    assert [(fault.pointer, fault.code) for fault in faults(Cat | Point, {"x": 1, "y": "a"})] == [
        ("/v/y", FaultCode.WRONG_TYPE)
    ]


def test_faults_inside_a_recursive_type_have_their_place() -> None:
    value = {"value": 1, "children": [{"value": 2, "next": {"value": "x"}}]}
    assert [fault.pointer for fault in faults(Node, value)] == ["/v/children/0/next/value"]


def test_keys_and_values_of_maps_are_reported_by_key() -> None:
    found = faults(dict[int, int], {"a": 1, "5": "b"})
    assert [(fault.pointer, fault.code) for fault in found] == [
        ("/v/a", FaultCode.WRONG_FORMAT),
        ("/v/5", FaultCode.WRONG_TYPE),
    ]


@pytest.mark.parametrize(
    ("schema", "value", "expected"),
    [
        ({"not": {"type": "string"}}, "a", [("", FaultCode.NOT_ALLOWED)]),
        ({"type": "array", "contains": {"const": 1}}, [2], [("", FaultCode.NOT_ALLOWED)]),
        ({"if": {"const": 1}, "then": {"type": "string"}}, 1, [("", FaultCode.NOT_ALLOWED)]),
        ({"allOf": [{"type": "integer"}, {"minimum": 5}]}, 3, [("", FaultCode.OUT_OF_RANGE)]),
        ({"oneOf": [{"type": "integer"}, {"minimum": 5}]}, 7, [("", FaultCode.NOT_ALLOWED)]),
        ({"type": ["integer", "null"]}, "a", [("", FaultCode.WRONG_TYPE)]),
        ({"properties": {"a": False}}, {"a": 1}, [("/a", FaultCode.NOT_ALLOWED)]),
        (
            {"$defs": {"a": {"type": "string"}}, "properties": {"x": {"$ref": "#/$defs/a", "maxLength": 1}}},
            {"x": "ab"},
            [("/x", FaultCode.WRONG_LENGTH)],
        ),
        (
            {"properties": {"p": {"type": "string"}, "q": {"$ref": "#/properties/p"}}},
            {"q": 1},
            [("/q", FaultCode.WRONG_TYPE)],
        ),
        (
            {"patternProperties": {"^a": {"type": "string"}}, "additionalProperties": False},
            {"ab": 1, "b": 2},
            [("/ab", FaultCode.WRONG_TYPE), ("/b", FaultCode.UNKNOWN_ARGUMENT)],
        ),
        ({"dependentRequired": {"a": ["b"]}}, {"a": 1}, [("", FaultCode.NOT_ALLOWED)]),
        (
            {
                "$id": "https://example.org/a",
                "$defs": {"a": {"type": "string"}},
                "properties": {"x": {"$ref": "#/$defs/a"}},
            },
            {"x": 1},
            [("/x", FaultCode.WRONG_TYPE)],
        ),
        ({"type": "object", "minProperties": 1}, {}, [("", FaultCode.WRONG_LENGTH)]),
        ({"enum": [1, "a", None]}, "b", [("", FaultCode.NOT_A_CHOICE)]),
    ],
)
def test_schemas_of_the_authors_own_are_explained_alike(
    schema: dict[str, Any], value: Any, expected: list[tuple[str, FaultCode]]
) -> None:
    assert raw(schema, value) == expected


@pytest.mark.parametrize("value", [{1, 2}, date(2026, 3, 14), b"x", object(), "\ud800", {1: 2}, {"v": {"a"}}])
def test_what_is_not_json_is_refused_without_an_exception(value: object) -> None:
    judge = judge_for(derive_inputs([InputField("v", str)]).schema)
    assert not judge.accepts(value)
    assert judge.faults(value)


def test_what_was_sent_is_never_echoed_at_length() -> None:
    long = "x" * 100_000
    found = faults(Address, {"street": long, long: 1, "zip": long, "floor": long})
    assert {fault.code for fault in found} == {
        FaultCode.UNKNOWN_ARGUMENT,
        FaultCode.WRONG_LENGTH,
        FaultCode.WRONG_FORMAT,
        FaultCode.WRONG_TYPE,
    }
    assert all(len(fault.message) + len(fault.pointer) < 400 for fault in found)


def test_faults_are_capped() -> None:
    assert len(faults(list[int], ["x"] * 50)) == 20
    assert len(faults(list[int], ["x"] * 50, limit=3)) == 3
    assert len(judge_for(derive_inputs([]).schema).faults({str(number): 1 for number in range(100)})) == 20


@pytest.mark.parametrize(
    ("annotation", "value"),
    [
        (list[int], ["x"] * 200_000),
        (list[int], [*range(199_999), "x"]),
        (list[Address], [{"street": 1}] * 200_000),
        (dict[str, int], {str(number): "x" for number in range(200_000)}),
        (set[int], [*range(200_000), 5]),
        (list[int] | None, ["x"] * 200_000),
        (list[Pet], [{"kind": "x"}] * 200_000),
    ],
)
def test_work_is_bounded_by_what_is_reported(annotation: object, value: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Fault] = []
    original = Fault.__init__

    def counted(self: Fault, **members: Any) -> None:
        original(self, **members)
        made.append(self)

    monkeypatch.setattr(Fault, "__init__", counted)
    found = faults(annotation, value)
    assert 1 <= len(found) <= 20
    # A fault that is made and thrown away is work for nothing; branches of a union may each make their own.
    assert len(made) <= 100


def test_a_union_of_scalars_suggests_what_a_string_holds() -> None:
    class Range(BaseModel):
        low: int

    fault = only(Range | list[int], '{"low": 1}')
    assert (fault.code, fault.suggestion) == (FaultCode.WRONG_TYPE, {"low": 1})
