"""The form of what is published: valid, closed at every depth, ordered, and free of what nobody wrote."""

from __future__ import annotations

import dataclasses
import re
import subprocess
import sys
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, Literal
from uuid import UUID

import jsonschema_rs
import orjson
import pytest
from pydantic import UUID4, BaseModel, ConfigDict, Field, JsonValue, RootModel, SecretStr, create_model
from tests.unit.schema.sample_types import EVERY, Address, Box, Color, Guest, Node, Options, Pet, Point

from afford.schema import (
    Direction,
    InputField,
    TypeSchema,
    derive_inputs,
    derive_model_inputs,
    derive_output,
    is_open,
    judge_for,
    resolve_choices,
)
from afford.schema.markers import Choices, UserText


def inputs(**annotations: object) -> dict[str, Any]:
    return derive_inputs([InputField(name, annotation) for name, annotation in annotations.items()]).schema


def input_of(annotation: object, default: object = ...) -> dict[str, Any]:
    field = InputField("value", annotation) if default is ... else InputField("value", annotation, default)
    return derive_inputs([field]).schema["properties"]["value"]


def every_part(schema: Any) -> Iterator[dict[str, Any]]:
    if isinstance(schema, dict):
        yield schema
        for key, inner in schema.items():
            if key not in ("default", "examples", "enum", "const"):
                yield from every_part(inner)
    elif isinstance(schema, list):
        for inner in schema:
            yield from every_part(inner)


@pytest.mark.requirement("TYPE-01")
@pytest.mark.parametrize("direction", Direction)
@pytest.mark.parametrize("name", EVERY)
def test_a_published_schema_is_valid_closed_and_complete(name: str, direction: Direction) -> None:
    schema = inputs(value=EVERY[name]) if direction is Direction.INPUT else derive_output(EVERY[name]).schema
    jsonschema_rs.meta.validate(schema)
    text = orjson.dumps(schema).decode()
    assert '"title"' not in text
    for part in every_part(schema):
        if part.get("type") == "object" and "properties" in part:
            assert part["additionalProperties"] is False
            assert set(part["required"]) <= set(part["properties"])
        elif part.get("type") == "object" and "oneOf" not in part:
            assert "additionalProperties" in part
        if "$ref" in part:
            assert part["$ref"].removeprefix("#/$defs/") in schema["$defs"]
    assert all("$defs" not in part for part in list(every_part(schema))[1:])


@pytest.mark.parametrize("name", EVERY)
def test_only_types_that_say_any_json_are_open(name: str) -> None:
    assert derive_output(EVERY[name]).is_open is (name in ("free", "free map"))
    assert derive_inputs([InputField("value", EVERY[name])]).is_open is (name in ("free", "free map"))


@pytest.mark.requirement("SCH-03")
@pytest.mark.requirement("SCH-04")
def test_inputs_come_in_their_order_with_what_was_written_about_them() -> None:
    schema = derive_inputs(
        [
            InputField("b", Annotated[str, Field(description="Second letter.", examples=["x"], deprecated=True)]),
            InputField("a", Annotated[int | None, Field(ge=1, title="First")], None),
            InputField("c", Annotated[Color, Field(json_schema_extra={"x-unit": "hue"})], Color.RED),
        ]
    ).schema
    assert schema == {
        "type": "object",
        "properties": {
            "b": {"type": "string", "description": "Second letter.", "examples": ["x"], "deprecated": True},
            "a": {"type": "integer", "title": "First", "minimum": 1, "maximum": 2**53 - 1},
            "c": {"type": "string", "enum": ["red", "green", "dark-blue"], "default": "red", "x-unit": "hue"},
        },
        "required": ["b"],
        "additionalProperties": False,
    }
    assert list(schema["properties"]) == ["b", "a", "c"]


@pytest.mark.requirement("SCH-01")
def test_no_inputs_are_a_closed_object_all_the_same() -> None:
    assert inputs() == {"type": "object", "properties": {}, "required": [], "additionalProperties": False}


def test_the_same_types_give_the_same_bytes_in_another_process() -> None:
    program = (
        "import orjson\n"
        "from afford.schema import InputField, derive_inputs\n"
        "from tests.unit.schema.sample_types import Booking, Guest\n"
        "print(orjson.dumps(derive_inputs([InputField('b', Booking), InputField('g', list[Guest])]).schema).decode())\n"
    )
    texts = {
        subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONPATH": "src:.", "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    }
    assert len(texts) == 1


@pytest.mark.requirement("TYPE-02")
def test_an_optional_input_is_a_plain_one_that_may_be_left_out_at_every_depth() -> None:
    schema = derive_inputs([InputField("guest", Guest | None, None)]).schema
    assert schema["required"] == []
    guest = schema["properties"]["guest"]
    assert guest["required"] == ["name", "eMail"]
    assert guest["properties"]["born"]["type"] == "string"
    assert guest["properties"]["address"] == {"$ref": "#/$defs/Address"}
    assert schema["$defs"]["Address"]["properties"]["zip"]["type"] == "string"


def test_an_optional_input_without_a_default_is_required_and_takes_null() -> None:
    schema = inputs(value=date | None)
    assert schema["required"] == ["value"]
    assert schema["properties"]["value"]["anyOf"][1] == {"type": "null"}


def test_an_optional_input_with_another_default_takes_null_and_publishes_the_default() -> None:
    assert input_of(int | None, 5)["default"] == 5
    assert input_of(int | None, 5)["anyOf"][1] == {"type": "null"}


def test_an_optional_answer_may_be_null_and_is_always_there() -> None:
    schema = derive_output(Guest).schema
    assert schema["properties"]["born"]["anyOf"][1] == {"type": "null"}
    assert schema["required"] == ["name", "eMail", "born", "address", "tags"]


def test_a_members_null_is_kept_where_the_same_type_has_no_default() -> None:
    text = Annotated[str | None, Field(max_length=3)]

    class Both(BaseModel):
        first: text = None
        second: text

    properties = derive_model_inputs(Both).schema["properties"]
    assert properties["first"] == {"type": "string", "maxLength": 3}
    assert properties["second"]["anyOf"][1] == {"type": "null"}


@pytest.mark.requirement("TYPE-03")
@pytest.mark.requirement("CASE-K17")
@pytest.mark.parametrize(
    ("annotation", "accepted", "refused"),
    [
        (
            Annotated[Decimal, Field(max_digits=5, decimal_places=2, ge=0)],
            ["0", "10.10", "999.99"],
            ["-1", "1000", "1.005", "NaN", "1e2", ".5", "01", 1],
        ),
        (Decimal, ["-0", "123456789012345678901234567890.5"], ["1e400", "", " 1", "\u0661"]),
        (Annotated[Decimal, Field(max_digits=3)], ["0.123", "1.23", "123", "-12.3"], ["1234", "1.234", "12.34"]),
        (UUID, ["123e4567-e89b-12d3-a456-426614174000"], ["123e4567e89b12d3a456426614174000"]),
        (
            UUID4,
            ["123e4567-e89b-42d3-a456-426614174000"],
            ["123e4567-e89b-12d3-a456-426614174000", "123e4567-e89b-42d3-a"],
        ),
        (date, ["0001-01-01", "2024-02-29"], ["0000-01-01", "2023-02-29", "2026-3-14", "2026-03-14T00:00:00Z"]),
        (int, [0, 3.0, 2**53 - 1], [2**53, 3.5, True, "3", 1e300]),
        (bool, [True], ["yes", 0, "false", 1]),
        (dict[int, str], [{"5": "a"}, {"-12": "b"}, {}], [{"a": "b"}, {"05": "b"}, {"1.0": "b"}]),
        (set[int], [[1, 2], []], [[1, 1], [1, 1.0]]),
        (tuple[int, str], [[1, "a"]], [[1], [1, "a", 2], ["a", 1]]),
        (Literal[1, True], [1, True, 1.0], ["1", False, 0]),
        (dict[Annotated[str, Field(pattern="^[a-z]+$")], int], [{"a": 1}], [{"A": 1}, {"a": "x"}]),
        (dict[Color, int], [{"red": 1}], [{"blue": 1}]),
    ],
)
def test_the_published_schema_accepts_what_the_type_means(
    annotation: object, accepted: list[Any], refused: list[Any]
) -> None:
    judge = judge_for(derive_inputs([InputField("value", annotation)]).schema)
    assert [value for value in accepted if not judge.accepts({"value": value})] == []
    assert [value for value in refused if judge.accepts({"value": value})] == []


@pytest.mark.requirement("TYPE-04")
def test_integers_are_bounded_to_what_every_reader_keeps() -> None:
    assert input_of(int) == {"type": "integer", "minimum": -(2**53) + 1, "maximum": 2**53 - 1}
    assert input_of(Annotated[int, Field(gt=0, le=2**60)]) == {
        "type": "integer",
        "exclusiveMinimum": 0,
        "maximum": 2**53 - 1,
    }


class Rate(Enum):
    """For the reader of the code."""

    LOW = "low"


class Suite(BaseModel):
    """For the reader of the code."""

    rate: Annotated[Rate, Field(description="What it costs.")]


@dataclasses.dataclass
class Floor:
    """For the reader of the code."""

    suites: list[Suite]


def test_docstrings_and_class_names_are_not_published_and_descriptions_are() -> None:
    text = orjson.dumps(inputs(floor=Floor, rate=Rate)).decode()
    assert "reader" not in text
    assert '"title"' not in text
    assert "What it costs." in text


def test_a_title_that_the_author_chose_is_kept() -> None:
    class Room(BaseModel):
        model_config = ConfigDict(title="A room")
        number: Annotated[int, Field(title="Number on the door")]

    schema = derive_output(Room).schema
    assert schema["title"] == "A room"
    assert schema["properties"]["number"]["title"] == "Number on the door"


@pytest.mark.requirement("SCH-07")
def test_closed_sets_stand_where_they_are_used() -> None:
    class Car(BaseModel):
        color: Annotated[Color, Field(description="Of the roof.")]

    schema = derive_output(Car).schema
    assert "$defs" not in schema
    assert schema["properties"]["color"]["enum"] == ["red", "green", "dark-blue"]
    assert schema["properties"]["color"]["description"] == "Of the roof."


def test_a_member_called_like_a_keyword_is_no_keyword() -> None:
    made = create_model("Odd", title=(str, ...), type=(int, ...), properties=(str | None, None), enum=(list[int], ...))
    schema = derive_model_inputs(made).schema
    assert list(schema["properties"]) == ["title", "type", "properties", "enum"]
    assert schema["properties"]["title"] == {"type": "string"}


def test_definitions_of_the_same_name_and_another_meaning_stay_apart() -> None:
    first = create_model("Same", a=(int, ...), inner=(list[Address], ...))
    second = create_model("Same", b=(str, ...))
    third = create_model("Same", c=(str, ...), others=(list["Node"], ...), __module__=__name__)
    schema = inputs(first=list[first], second=list[second], third=list[third], again=list[first])
    names = {name: part["items"]["$ref"].removeprefix("#/$defs/") for name, part in schema["properties"].items()}
    assert names == {"first": "Same", "second": "Same_2", "third": "Same_3", "again": "Same"}
    assert list(schema["$defs"]["Same_2"]["properties"]) == ["b"]
    assert schema["$defs"]["Same_3"]["properties"]["others"]["items"] == {"$ref": "#/$defs/Node"}


def test_a_recursive_type_is_spelled_out_at_the_root() -> None:
    schema = derive_model_inputs(Node).schema
    assert schema["type"] == "object"
    assert schema["properties"]["next"] == {"$ref": "#/$defs/Node"}
    assert derive_output(Node).schema["type"] == "object"


def test_a_tag_is_required_even_where_the_branch_has_a_default_for_it() -> None:
    judge = judge_for(inputs(pet=Pet))
    assert judge.accepts({"pet": {"kind": "cat"}})
    assert not judge.accepts({"pet": {"lives": 9}})


@pytest.mark.requirement("TYPE-05")
@pytest.mark.parametrize("model", [Guest, Point, Options, Box[int]])
def test_the_fields_of_one_model_are_the_inputs(model: type) -> None:
    schema = derive_model_inputs(model).schema
    assert schema["type"] == "object"
    assert schema["additionalProperties"] is False


@pytest.mark.requirement("TEXT-01")
def test_text_of_users_is_marked_wherever_it_stands() -> None:
    class Review(BaseModel):
        text: Annotated[str | None, UserText()] = None
        lines: list[Annotated[str, UserText(), Field(max_length=9)]]

    for schema in (derive_model_inputs(Review).schema, derive_output(Review).schema):
        assert schema["properties"]["text"]["x-user-text"] is True
        assert schema["properties"]["lines"]["items"] == {"type": "string", "maxLength": 9, "x-user-text": True}
    assert input_of(Annotated[str, UserText()]) == {"type": "string", "x-user-text": True}


def test_a_secret_input_is_text_that_is_never_read_back() -> None:
    assert input_of(SecretStr) == {"type": "string", "writeOnly": True}


def test_any_json_is_open_and_says_so() -> None:
    published = derive_output(dict[str, JsonValue])
    assert published == TypeSchema({"type": "object", "additionalProperties": {}}, (), is_open=True)
    assert is_open({"type": "array"})
    assert is_open({"type": "object", "properties": {"a": True}, "additionalProperties": False})
    assert not is_open(derive_output(Guest).schema)


def areas() -> list[str]:
    return ["b", "a"]


def moods() -> list[str]:
    return []


@pytest.mark.requirement("SCH-05")
def test_derived_closed_sets_are_numbered_in_the_order_met_and_filled_in_later() -> None:
    area, mood = Choices(areas), Choices(moods)

    class Filter(BaseModel):
        mood: Annotated[str | None, mood]
        areas: list[Annotated[str, area]] = []

    published = derive_inputs(
        [
            InputField("area", Annotated[str, area, Field(description="Where.")]),
            InputField("filters", list[Filter]),
            InputField("other", Annotated[str | None, mood], None),
        ]
    )
    assert published.choices == (area, mood)
    before = orjson.dumps(published.schema)
    schema = resolve_choices(published.schema, [["b", "a", "b"], []])
    assert orjson.dumps(published.schema) == before
    assert schema["properties"]["area"] == {"type": "string", "description": "Where.", "enum": ["a", "b"]}
    assert schema["properties"]["other"] == {"type": "string", "enum": []}
    inner = schema["$defs"]["Filter"]["properties"]
    assert inner["mood"] == {"anyOf": [{"type": "string", "enum": []}, {"type": "null"}]}
    assert inner["areas"]["items"]["enum"] == ["a", "b"]
    judge = judge_for(schema)
    assert judge.accepts({"area": "a", "filters": [{"mood": None, "areas": ["b"]}]})
    assert not judge.accepts({"area": "c", "filters": []})


def test_a_root_model_is_what_it_holds() -> None:
    names = RootModel[list[Annotated[str, Field(max_length=3)]]]
    assert derive_output(names).schema == {"type": "array", "items": {"type": "string", "maxLength": 3}}


def test_an_alias_is_the_published_name_of_a_parameter() -> None:
    schema = derive_inputs([InputField("from_", Annotated[str, Field(alias="from")])]).schema
    assert schema["required"] == ["from"]


def test_patterns_need_no_engine_of_pythons_own() -> None:
    for annotation in (date, Decimal, Annotated[Decimal, Field(max_digits=3)], UUID4):
        pattern = input_of(annotation)["pattern"]
        assert re.compile(pattern)
        assert "(?=" not in pattern
        assert "\\d" not in pattern
