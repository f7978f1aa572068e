"""Words of a shell become the JSON that the published schema describes, and nothing is decided beyond spelling."""

from __future__ import annotations

import pytest

from afford.cli.arguments import read_arguments
from afford.cli.failures import CommandError
from afford.errors import FaultCode, JsonObject, JsonValue

SCHEMA: JsonObject = {
    "type": "object",
    "properties": {
        "text": {"type": "string"},
        "maybe": {"type": ["string", "null"]},
        "area": {"enum": ["1", "2"]},
        "count": {"type": "integer"},
        "size": {"type": "number"},
        "open": {"type": "boolean"},
        "nothing": {"type": ["integer", "null"]},
        "ids": {"type": "array", "items": {"type": "integer"}},
        "tags": {"type": "array", "items": {"$ref": "#/$defs/Tag"}},
        "place": {"$ref": "#/$defs/Place"},
        "either": {"anyOf": [{"type": "integer"}, {"type": "string"}]},
        "few": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]},
        "fixed": {"const": 7},
        "anything": True,
    },
    "$defs": {
        "Tag": {"type": "string"},
        "Place": {"type": "object", "properties": {"next": {"$ref": "#/$defs/Place"}}},
    },
}


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["text=plain"], {"text": "plain"}),
        (["text="], {"text": ""}),
        (["text=a=b"], {"text": "a=b"}),
        (["text=12"], {"text": "12"}),
        (['text={"a": 1}'], {"text": '{"a": 1}'}),
        (["maybe=null"], {"maybe": "null"}),
        (["area=1"], {"area": "1"}),
        (["count=12"], {"count": 12}),
        (["count=-3"], {"count": -3}),
        (["size=5"], {"size": 5}),
        (["size=0.5"], {"size": 0.5}),
        (["open=true"], {"open": True}),
        (["nothing=null"], {"nothing": None}),
        (["ids=1"], {"ids": [1]}),
        (["ids=1", "ids=2"], {"ids": [1, 2]}),
        (["ids=[1, 2]"], {"ids": [1, 2]}),
        (["tags=1", "tags=x y"], {"tags": ["1", "x y"]}),
        (["tags=1"], {"tags": ["1"]}),
        (['place={"next": {}}'], {"place": {"next": {}}}),
        (["either=5"], {"either": 5}),
        (["either=05"], {"either": "05"}),
        (["either=true"], {"either": "true"}),
        (["fixed=7"], {"fixed": 7}),
        (["few=a"], {"few": "a"}),
        (["few=a", "few=b"], {"few": ["a", "b"]}),
        (["anything=5"], {"anything": 5}),
        (["anything=five"], {"anything": "five"}),
        (["undeclared=5"], {"undeclared": 5}),
    ],
)
def test_a_word_is_read_as_its_property_is_typed(words: list[str], expected: JsonObject) -> None:
    read = read_arguments(words, SCHEMA)
    assert (read.arguments, read.faults) == (expected, ())


@pytest.mark.parametrize(
    ("word", "value"),
    [("count=twelve", "twelve"), ("count=01", "01"), ("count=3.5", 3.5), ("open=yes", "yes"), ("count=true", True)],
)
def test_what_spells_no_value_of_the_type_is_left_for_the_schema_to_refuse(word: str, value: JsonValue) -> None:
    read = read_arguments([word], SCHEMA)
    assert list(read.arguments.values()) == [value]
    assert read.faults == ()


@pytest.mark.parametrize(
    ("words", "pointer", "code"),
    [
        (["count=1", "count=2"], "/count", FaultCode.DUPLICATE),
        (["unknown=1", "unknown=2"], "/unknown", FaultCode.DUPLICATE),
        (["ids=[1,"], "/ids", FaultCode.SYNTAX),
        (["place={next: 1}"], "/place", FaultCode.SYNTAX),
    ],
)
def test_a_word_that_no_value_can_be_made_of_is_a_fault(words: list[str], pointer: str, code: FaultCode) -> None:
    read = read_arguments(words, SCHEMA)
    assert [(fault.pointer, fault.code) for fault in read.faults] == [(pointer, code)]
    assert read.arguments == {}


def test_all_faults_are_found_in_one_pass() -> None:
    read = read_arguments(["ids=[", "count=1", "count=2", "text=fine"], SCHEMA)
    assert len(read.faults) == 2
    assert read.arguments == {"text": "fine"}


@pytest.mark.parametrize("word", ["plain", "=value", "", "text=\udcff", "\udcff=text"])
def test_a_word_that_is_no_pair_of_text_is_wrong_usage(word: str) -> None:
    with pytest.raises(CommandError) as raised:
        read_arguments([word], SCHEMA)
    assert raised.value.exit_code == 2


def test_a_reference_to_nowhere_leaves_the_type_open() -> None:
    schema: JsonObject = {"properties": {"a": {"$ref": "#/$defs/Gone"}, "b": {"$ref": "#/properties/b"}}}
    assert read_arguments(["a=1", "b=x"], schema).arguments == {"a": 1, "b": "x"}
