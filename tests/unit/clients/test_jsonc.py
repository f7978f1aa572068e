"""One member of a JSON document is changed, and every other character stays where it was."""

from __future__ import annotations

import json
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from afford.clients.jsonc import DocumentError, read, with_member, without_member

FULL = """\
// Mine.
{
    "theme": "One Dark", // the best
    /* servers */
    "servers": {
        // kept
        "other": { "command": "x", "args": [] }, // also kept
    },
    "last": [1, 2,], // the end
}
"""
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=10,
)


@pytest.mark.requirement("INST-02")
def test_a_member_is_added_among_comments_in_the_style_of_the_file() -> None:
    assert (
        with_member(FULL, ["servers", "mine"], {"command": "y"})
        == """\
// Mine.
{
    "theme": "One Dark", // the best
    /* servers */
    "servers": {
        // kept
        "other": { "command": "x", "args": [] }, // also kept
        "mine": {
            "command": "y"
        },
    },
    "last": [1, 2,], // the end
}
"""
    )


@pytest.mark.requirement("INST-02")
def test_a_value_is_replaced_in_its_place() -> None:
    assert with_member(FULL, ["servers", "other", "command"], "z") == FULL.replace('"x"', '"z"')


@pytest.mark.requirement("INST-02")
def test_adding_and_taking_out_again_leaves_what_was() -> None:
    assert without_member(with_member(FULL, ["servers", "mine"], {"a": 1}), ["servers", "mine"]) == FULL


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", '{\n  "a": {\n    "b": 1\n  }\n}\n'),
        ("{}", '{\n  "a": {\n    "b": 1\n  }\n}'),
        ('{"x": 1}', '{"x": 1,\n  "a": {\n    "b": 1\n  }\n}'),
        ('{\n\t"x": 1 // one\n}', '{\n\t"x": 1, // one\n\t"a": {\n\t\t"b": 1\n\t}\n}'),
        ("{\r\n  // nothing yet\r\n}", '{\r\n  // nothing yet\r\n  "a": {\r\n    "b": 1\r\n  }\r\n}'),
        ('\ufeff{"a": {}}', '\ufeff{"a": {\n  "b": 1\n}}'),
    ],
)
def test_missing_objects_are_made_and_indents_and_line_ends_are_those_of_the_file(before: str, after: str) -> None:
    assert with_member(before, ["a", "b"], 1) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('{"a": {"b": 1}}', '{"a": {}}'),
        ('{"a": {"b": 1, "c": 2}}', '{"a": { "c": 2}}'),
        ('{"a": {"c": 2, "b": 1}}', '{"a": {"c": 2 }}'),
        ('{"a": {\n "c": 2, // two\n "b": 1\n}}', '{"a": {\n "c": 2 // two\n}}'),
        ('{"a": {\n "c": 2,\n // one\n "b": 1,\n}}', '{"a": {\n "c": 2,\n // one\n}}'),
        ('{"a": {"c": 2}}', '{"a": {"c": 2}}'),
        ("{}", "{}"),
        ("", ""),
    ],
)
def test_a_member_is_taken_out_with_its_comma_and_no_comment(before: str, after: str) -> None:
    assert without_member(before, ["a", "b"]) == after


BROKEN = (
    "[]",
    "1",
    "{",
    '{"a" 1}',
    '{"a": 1 "b": 2}',
    '{"a": 01}',
    "{'a': 1}",
    '{"a": 1} x',
    '{"a": "\n"}',
    "{,}",
    '{"a": [1 2]}',
)


@pytest.mark.parametrize("text", BROKEN)
def test_what_is_no_document_is_refused_where_it_is_wrong(text: str) -> None:
    with pytest.raises(DocumentError):
        with_member(text, ["a", "b"], 1)


@pytest.mark.parametrize("text", ['{"a": 1}', '{"a": []}', '{"a": {}, "a": {}}', '{"a": {"b": 1, "b": 2}}'])
def test_a_path_that_does_not_lead_to_one_object_is_refused(text: str) -> None:
    with pytest.raises(DocumentError):
        with_member(text, ["a", "b"], 1)


def test_nesting_without_end_is_refused() -> None:
    with pytest.raises(DocumentError):
        read('{"a": ' + "[" * 100_000)


@given(
    st.dictionaries(st.text(string.ascii_letters, max_size=3), JSON, max_size=4), JSON, st.sampled_from([None, 2, "\t"])
)
def test_any_document_reads_back_with_the_one_change(
    document: dict[str, object], value: object, indent: int | str | None
) -> None:
    text = json.dumps(document, indent=indent)
    assert read(text) == document
    assert read(with_member(text, ["new member"], value)) == {**document, "new member": value}
    for name in document:
        assert read(with_member(text, [name], value)) == {**document, name: value}
        rest = {key: item for key, item in document.items() if key != name}
        assert read(without_member(text, [name])) == rest
