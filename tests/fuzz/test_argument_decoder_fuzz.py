"""Whatever arrives, the readers of arguments answer; what they accept is what was written, and only that."""

from __future__ import annotations

import json
import re
from urllib.parse import unquote_plus

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from afford.errors import JsonObject, JsonValue
from afford.schema.strict_json import JsonSyntaxError, parse_json, parse_object
from afford.surfaces.http.query_string import (
    MAX_FAULTS,
    DecodedQuery,
    decode_query,
    encode_query,
    query_shape,
    shape_errors,
)

LONGEST_REFUSAL = 300

thorough = settings(deadline=None, max_examples=300)

SCALARS: dict[str, st.SearchStrategy[JsonValue]] = {
    "string": st.text(),
    "integer": st.integers(),
    # Whole floats are left out, since they are written, and come back, as integers.
    "number": st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False).filter(lambda number: not number.is_integer()),
    "boolean": st.booleans(),
}
NAMES = st.text(max_size=6) | st.sampled_from(["a", "b", "a[]", "a[b]", "a+b", "a%5B", "limit", "cursor", "[", "]"])

FIXED: JsonObject = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "q": {"type": "string"},
        "n": {"type": "integer"},
        "x": {"type": "number"},
        "b": {"type": "boolean"},
        "a": {"type": "array", "items": {"type": "integer"}},
        "o": {
            "type": "object",
            "additionalProperties": False,
            "properties": {"k": {"type": "string"}, "n": {"type": "integer"}},
        },
    },
}
FIXED_SHAPE = query_shape(FIXED)

FRAGMENTS = [
    b"q", b"n", b"x", b"b", b"a", b"o", b"k", b"limit", b"cursor", b"[", b"]", b"[]", b"[k]", b"[n]", b"%5B", b"%5d",
    b"=", b"=", b"=", b"&", b"&", b"&", b";", b"+", b"%", b"%2", b"%zz", b"%20", b"%ff", b"%C3%A9", b"\xc3\xa9",
    b"\xff", b"5", b"-", b"0", b"1", b".", b"e3", b"e400", b"true", b"false", b"null", b"\xef\xbc\x95", b" ", b"_",
]  # fmt: skip
QUERY_LIKE = st.lists(st.sampled_from(FRAGMENTS), max_size=30).map(b"".join)

SPELLINGS = {
    "n": re.compile(r"-?(0|[1-9][0-9]*)"),
    "x": re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?"),
    "b": re.compile(r"true|false"),
    "a": re.compile(r"-?(0|[1-9][0-9]*)"),
    "a[]": re.compile(r"-?(0|[1-9][0-9]*)"),
    "o[n]": re.compile(r"-?(0|[1-9][0-9]*)"),
    "limit": re.compile(r"-?(0|[1-9][0-9]*)"),
    "q": re.compile(r".*", re.DOTALL),
    "o[k]": re.compile(r".*", re.DOTALL),
    "cursor": re.compile(r".*", re.DOTALL),
}
JSON_FRAGMENTS = [
    b"{", b"}", b"[", b"]", b",", b":", b" :", b'"', b'"a"', b'"a":', b'"b":1', b'"a" :2', b'"\\"a\\":"', b"\\u0061",
    b"1", b"-", b"0", b".5", b"e9", b"1e999", b"12345678901234567890", b"1" * 400, b"NaN", b"Infinity", b"null",
    b"true", b"\\ud800", b"\\udc00", b"\\", b"\n", b" ", b"\xef\xbb\xbf", b"\xc3\xa9", b"\xff", b"\x00",
]  # fmt: skip
JSON_LIKE = st.lists(st.sampled_from(JSON_FRAGMENTS), max_size=25).map(b"".join)
JSON_VALUES: st.SearchStrategy[JsonValue] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=20,
)


@st.composite
def inputs(draw: st.DrawFn) -> tuple[JsonObject, st.SearchStrategy[JsonValue]]:
    """The schema of one input, and the values that a query string can spell for it."""
    form = draw(st.sampled_from(["scalar", "array", "object"]))
    kind = draw(st.sampled_from(list(SCALARS)))
    if form == "scalar":
        return {"type": [kind, "null"]}, SCALARS[kind]
    if form == "array":
        return {"type": "array", "items": {"type": kind}}, st.lists(SCALARS[kind], min_size=1, max_size=5).map(list)
    members = draw(st.dictionaries(NAMES, st.sampled_from(list(SCALARS)), min_size=1, max_size=3))
    schema: JsonObject = {
        "type": "object",
        "additionalProperties": False,
        "properties": {key: {"type": member} for key, member in members.items()},
    }
    values = st.fixed_dictionaries({}, optional={key: SCALARS[member] for key, member in members.items()})
    return schema, values.filter(bool).map(dict)


@st.composite
def calls(draw: st.DrawFn) -> tuple[JsonObject, JsonObject]:
    """An input schema and arguments for it, in an order of their own."""
    declared = draw(st.dictionaries(NAMES, inputs(), max_size=4))
    schema: JsonObject = {
        "type": "object",
        "additionalProperties": False,
        "properties": {name: schema for name, (schema, _) in declared.items()},
    }
    sent = draw(st.lists(st.sampled_from(list(declared)), unique=True)) if declared else []
    return schema, {name: draw(declared[name][1]) for name in sent}


def rewritten(decoded: DecodedQuery) -> JsonObject:
    """Everything that was read, in one object."""
    page: JsonObject = {"limit": decoded.limit, "cursor": decoded.cursor}
    return decoded.arguments | {name: value for name, value in page.items() if value is not None}


def refused(text: bytes) -> bool:
    try:
        parse_json(text)
    except JsonSyntaxError:
        return True
    return False


@thorough
@given(call=calls())
def test_arguments_come_back_from_their_query_string_unchanged(call: tuple[JsonObject, JsonObject]) -> None:
    schema, arguments = call
    assume(not shape_errors(schema))
    decoded = decode_query(encode_query(arguments).encode(), query_shape(schema))
    assert decoded.faults == ()
    # As text, so that the order counts and 1, 1.0 and true stay apart.
    assert json.dumps(decoded.arguments) == json.dumps(arguments)
    assert (decoded.limit, decoded.cursor) == (None, None)


@thorough
@given(raw=st.binary(max_size=200) | QUERY_LIKE)
def test_any_query_string_is_answered_by_faults_or_by_exactly_what_it_spells(raw: bytes) -> None:
    decoded = decode_query(raw, FIXED_SHAPE)
    assert len(decoded.faults) <= MAX_FAULTS
    again = decode_query(encode_query(rewritten(decoded)).encode(), FIXED_SHAPE)
    assert again.faults == ()
    assert rewritten(again) == rewritten(decoded)
    if not decoded.faults:
        pairs = [piece.partition(b"=") for piece in raw.split(b"&") if piece]
        written = [tuple(unquote_plus(part.decode(), errors="strict") for part in pair[::2]) for pair in pairs]
        assert all(SPELLINGS[name].fullmatch(value) for name, value in written)
        singles = [name for name, _ in written if name not in {"a", "a[]"}]
        assert len(singles) == len(set(singles))
        assert len({name for name, _ in written if name in {"a", "a[]"}}) <= 1


@thorough
@given(raw=QUERY_LIKE)
def test_what_is_read_beside_faults_is_of_the_declared_types(raw: bytes) -> None:
    arguments = decode_query(raw, FIXED_SHAPE).arguments
    elements = arguments.get("a", [1])
    assert isinstance(elements, list)
    assert elements
    assert all(type(element) is int for element in elements)
    assert type(arguments.get("n", 1)) is int
    assert type(arguments.get("b", True)) is bool
    assert type(arguments.get("q", "")) is str
    assert type(arguments.get("x", 0.5)) in {int, float}
    assert isinstance(arguments.get("o", {}), dict)


@thorough
@given(value=JSON_VALUES, spaced=st.booleans(), ascii_only=st.booleans())
def test_a_json_value_comes_back_from_its_text_unchanged(value: JsonValue, *, spaced: bool, ascii_only: bool) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only, separators=(" , ", " : ") if spaced else None).encode()
    assert json.dumps(parse_json(text)) == json.dumps(value)


@thorough
@given(text=st.binary(max_size=200) | JSON_LIKE)
def test_any_text_is_a_value_that_can_be_written_again_or_a_syntax_error(text: bytes) -> None:
    try:
        value = parse_json(text)
    except JsonSyntaxError:
        return
    # Only what every reader takes alike is accepted: the lenient one sees the same value, and no pair of it was lost.
    pairs = 0

    def count(members: list[tuple[str, JsonValue]]) -> JsonObject:
        nonlocal pairs
        pairs += len(members) - len(dict(members))
        return dict(members)

    lenient = json.loads(text.decode(), object_pairs_hook=count)
    assert pairs == 0
    assert json.dumps(value, allow_nan=False, ensure_ascii=False).encode().decode() == json.dumps(
        lenient, ensure_ascii=False
    )


@thorough
@given(
    members=st.lists(st.tuples(st.text(max_size=3) | st.sampled_from(["a", ":", '":', " :"]), JSON_VALUES), max_size=4),
    gap=st.sampled_from(["", " ", "\n", "\t", "\r", "\r\n"]),
    around=st.sampled_from(["%s", "[%s]", '{"a":%s}', '[{"a":1},%s]']),
)
def test_an_object_is_refused_exactly_if_a_name_comes_twice(
    members: list[tuple[str, JsonValue]], gap: str, around: str
) -> None:
    body = ",".join(f"{json.dumps(name)}{gap}:{json.dumps(value)}" for name, value in members)
    names = [name for name, _ in members]
    assert refused((around % f"{{{body}}}").encode()) is (len(set(names)) < len(names))


@thorough
@given(text=st.binary(max_size=60) | JSON_LIKE, depth=st.integers(0, 5))
def test_any_body_is_an_object_or_a_syntax_error_that_can_be_sent(text: bytes, depth: int) -> None:
    try:
        value = parse_object(text, max_depth=depth)
    except JsonSyntaxError as error:
        refusal = f"{error.message} {error.fix}"
    else:
        assert type(value) is dict
        refusal = ""
    assert len(refusal.encode()) < LONGEST_REFUSAL
