"""The strict reader of JSON: what it reads, what it refuses, and that it refuses in one way only."""

from __future__ import annotations

import json
import sys

import pytest

from afford.errors import JsonValue
from afford.schema.strict_json import JsonSyntaxError, parse_json, parse_object


def refusal(text: bytes) -> JsonSyntaxError:
    with pytest.raises(JsonSyntaxError) as caught:
        parse_json(text)
    return caught.value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (b"null", None),
        (b"true", True),
        (b" \t\r\n5 \t\r\n", 5),
        (b"-0", 0),
        (b"1e3", 1000.0),
        (b"1e-400", 0.0),
        (b'""', ""),
        ('"é \U0001f600"'.encode(), "é \U0001f600"),
        (b'"\\ud83d\\ude00"', "\U0001f600"),
        (b'"\\\\ud800"', "\\ud800"),
        (b'"\\u0000"', "\x00"),
        (b'{"a": {"a": [{"a": 1}, {"a": 2}]}}', {"a": {"a": [{"a": 1}, {"a": 2}]}}),
        (b'{"a" : 1, "b"\n:2, "c"\t:3, "d"\r\n:4}', {"a": 1, "b": 2, "c": 3, "d": 4}),
        (b'{"at": "12:30", ":": " :", "quoted": "{\\"a\\":1,\\"a\\":2}"}',
         {"at": "12:30", ":": " :", "quoted": '{"a":1,"a":2}'}),
    ],
)  # fmt: skip
def test_a_json_value_is_read_as_what_it_spells(text: bytes, value: JsonValue) -> None:
    read = parse_json(text)
    assert read == value
    assert type(read) is type(value)


@pytest.mark.parametrize("digits", ["9007199254740993", "18446744073709551616", "-9223372036854775809", "9" * 4300])
def test_an_integer_keeps_every_digit(digits: str) -> None:
    assert parse_json(f'{{"n": [{digits}]}}'.encode()) == {"n": [int(digits)]}


@pytest.mark.parametrize("digits", ["1e19", "-1e19", "1.7976931348623157e308"])
def test_a_large_float_stays_a_float(digits: str) -> None:
    read = parse_json(digits.encode())
    assert isinstance(read, float)
    assert read == float(digits)


@pytest.mark.parametrize(
    "text",
    [
        b'{"seat": 1, "seat": 1}',
        b'{"seat" : 1, "seat": 2}',
        b'{"seat"\n:1, "seat"\t:2}',
        b'[{"a": {"seat": 1, "x": 2, "seat": 3}}]',
        b'{"seat": {"b": 1, "c": 2}, "seat": 0}',
        b'{"seat": 1, "\\u0073eat": 2}',
        b'{"note": "12:30", "seat": 1, "seat": 2}',
        b'{"": ":", "seat": 1, "seat": "\\":"}',
    ],
)
def test_a_member_given_twice_is_refused_by_name(text: bytes) -> None:
    assert "`seat`" in refusal(text).message


def test_the_name_of_a_member_given_twice_is_echoed_encodable_and_short() -> None:
    name = "\\ud800" + "x" * 1000
    message = refusal(f'{{"{name}": 1, "{name}": 2}}'.encode()).message
    assert len(message.encode()) < 200


@pytest.mark.parametrize(
    "text",
    [
        b"NaN",
        b'{"n": Infinity}',
        b"[-Infinity]",
        b"1e400",
        b'{"n": [-1e400]}',
        b"1" * 400 + b".0",
        b"9" * 4301,
    ],
)
def test_a_number_that_is_none_or_does_not_fit_is_refused(text: bytes) -> None:
    assert refusal(text).fix


def test_an_integer_beyond_the_digit_limit_of_the_interpreter_is_refused() -> None:
    usual = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(640)
    try:
        assert refusal(b"9" * 641).fix
    finally:
        sys.set_int_max_str_digits(usual)


@pytest.mark.parametrize(
    "text",
    [
        b'"\\ud800"',
        b'"\\uDFFF"',
        b'["\\ude00\\ud83d"]',
        b'{"\\ud800": 1}',
        b'"\\ud800\\\\udc00"',
        b'"\xed\xa0\x80"',
        b'"\xff"',
        b'"\xc0\x80"',
        b'"\xe9"',
        '"é"'.encode("utf-16"),
    ],
)
def test_text_that_no_character_spells_is_refused(text: bytes) -> None:
    assert refusal(text).fix


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b" ",
        b"\xef\xbb\xbf{}",
        b"{} {}",
        b"1 2",
        b"nul",
        b"{'a': 1}",
        b"{a: 1}",
        b"[1,]",
        b'{"a": 1,}',
        b"01",
        b"+1",
        b".5",
        b"5.",
        b"0x1A",
        b"1_000",
        "\uff15".encode(),
        b'"\n"',
        b'"\\x41"',
        b'"\\u12g4"',
        b"[1] // one",
        b"\x0c1",
        b"\xc2\xa01",
        b"1\x00",
    ],
)
def test_text_that_is_not_json_is_refused(text: bytes) -> None:
    assert refusal(text).fix


def test_a_refusal_says_where_the_text_stops_being_json() -> None:
    assert "line 2, column 3" in refusal(b"[1,\n2 x]").message


@pytest.mark.parametrize(("before", "after"), [(b"[", b"]"), (b'{"a":', b"}"), (b'{"a" : [[', b"]]}")])
def test_the_allowed_depth_is_read_and_one_more_is_refused(before: bytes, after: bytes) -> None:
    containers = before.count(b"[") + before.count(b"{")
    text = before * 4 + b"1" + after * 4
    parse_json(text, max_depth=4 * containers)
    with pytest.raises(JsonSyntaxError):
        parse_json(text, max_depth=4 * containers - 1)


def test_empty_containers_count_for_the_depth() -> None:
    assert parse_json(b"[[]]", max_depth=2) == [[]]
    with pytest.raises(JsonSyntaxError):
        parse_json(b"[[]]", max_depth=1)
    assert parse_json(b"1", max_depth=0) == 1


def test_many_containers_side_by_side_are_not_deep() -> None:
    rows: JsonValue = [{"tags": ["a"]} for _ in range(500)]
    assert parse_json(json.dumps(rows).encode(), max_depth=3) == rows


@pytest.mark.parametrize("text", [b"[" * 100_000, b'{"a":' * 100_000, b"[" * 2_000 + b"]" * 2_000])
def test_text_deeper_than_the_interpreter_can_follow_is_refused(text: bytes) -> None:
    assert refusal(text).fix


@pytest.mark.parametrize("text", [b"", b" ", b"\r\n\t ", b"{}", b" {} "])
def test_an_empty_or_blank_body_is_the_empty_object(text: bytes) -> None:
    assert parse_object(text) == {}


@pytest.mark.parametrize("text", [b"[]", b"null", b"1", b"1.5", b"true", b'"{}"'])
def test_a_body_that_is_no_object_is_refused(text: bytes) -> None:
    with pytest.raises(JsonSyntaxError) as caught:
        parse_object(text)
    assert caught.value.fix == "send one JSON object"


def test_a_body_is_read_as_strictly_as_any_value() -> None:
    assert parse_object(b'{"a": [1]}', max_depth=2) == {"a": [1]}
    with pytest.raises(JsonSyntaxError):
        parse_object(b'{"a": [1]}', max_depth=1)
    with pytest.raises(JsonSyntaxError):
        parse_object(b'{"a": 1, "a": 1}')
