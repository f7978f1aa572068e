"""Query strings: how each input is spelled, and that every other spelling is a fault."""

from __future__ import annotations

import sys

import pytest

from afford.errors import Fault, FaultCode, JsonObject, JsonValue
from afford.surfaces.http.query_string import (
    MAX_FAULTS,
    MAX_PAIRS,
    DecodedQuery,
    decode_query,
    encode_query,
    query_shape,
)

STRING: JsonObject = {"type": "string"}
INTEGER: JsonObject = {"type": "integer"}
ROOM: JsonObject = {"type": "object", "additionalProperties": False, "properties": {"beds": INTEGER, "view": STRING}}


def closed(properties: JsonObject) -> JsonObject:
    return {"type": "object", "additionalProperties": False, "properties": properties, "required": []}


def array(items: JsonValue) -> JsonObject:
    return {"type": "array", "items": items}


HOTELS = closed(
    {
        "q": STRING,
        "stars": INTEGER,
        "price": {"type": "number"},
        "quiet": {"type": "boolean"},
        "ids": array(INTEGER),
        "tags": array(STRING),
        "room": ROOM,
    }
)


def decode(raw: str | bytes, schema: JsonObject = HOTELS) -> DecodedQuery:
    return decode_query(raw if isinstance(raw, bytes) else raw.encode(), query_shape(schema))


def arguments_of(raw: str | bytes, schema: JsonObject = HOTELS) -> JsonObject:
    decoded = decode(raw, schema)
    assert decoded.faults == ()
    return decoded.arguments


def faults_of(raw: str | bytes, schema: JsonObject = HOTELS) -> list[tuple[str, FaultCode]]:
    return [(fault.pointer, fault.code) for fault in decode(raw, schema).faults]


def only_fault(raw: str | bytes, schema: JsonObject = HOTELS) -> Fault:
    (fault,) = decode(raw, schema).faults
    return fault


def read_one(kind: JsonValue, text: str) -> JsonValue:
    return arguments_of(f"n={text}", closed({"n": kind}))["n"]


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        (INTEGER, "0", 0),
        (INTEGER, "-0", 0),
        (INTEGER, "-12", -12),
        (INTEGER, "%35", 5),
        (INTEGER, "9007199254740993", 9007199254740993),
        (INTEGER, "9" * 4300, 10**4300 - 1),
        ({"type": "number"}, "5", 5),
        ({"type": "number"}, "9007199254740993", 9007199254740993),
        ({"type": "number"}, "-0.5", -0.5),
        ({"type": "number"}, "1e3", 1000.0),
        ({"type": "number"}, "1E-2", 0.01),
        ({"type": "number"}, "1e%2B2", 100.0),
        ({"type": "boolean"}, "true", True),
        ({"type": "boolean"}, "false", False),
        (STRING, "", ""),
        (STRING, "true", "true"),
        (STRING, "01", "01"),
        (STRING, "null", "null"),
        (STRING, "a=b=c", "a=b=c"),
        (STRING, "a;n=b", "a;n=b"),
        (STRING, "a+b%2Bc%20d", "a b+c d"),
        (STRING, "%C3%A9%F0%9F%98%80", "é\U0001f600"),
        (STRING, "é", "é"),
        (STRING, "é%C3%A9", "éé"),
        (STRING, "%26%3D%25", "&=%"),
    ],
)
def test_a_scalar_is_read_from_its_one_spelling(kind: JsonObject, text: str, value: JsonValue) -> None:
    read = read_one(kind, text)
    assert read == value
    assert type(read) is type(value)


@pytest.mark.parametrize(
    "text",
    ["", "+5", "%2B5", "%205", "5%20", "5%0A", "01", "-01", "-", "--1", "1e3", "2.0", "5.", "1_000", "0x1A", "four",
     "\uff15", "\u0665", "null", "true", "1,2", "1%00", "9" * 4301],
)  # fmt: skip
def test_any_other_spelling_of_an_integer_is_a_fault(text: str) -> None:
    fault = only_fault(f"stars={text}")
    assert (fault.pointer, fault.code) == ("/stars", FaultCode.WRONG_TYPE)
    assert fault.expected is not None
    assert "integer" in fault.expected


@pytest.mark.parametrize(
    "text", ["", ".5", "5.", "%2B1", "01.5", "1e", "1e400", "-1e400", "9" * 400, "nan", "NaN", "inf", "Infinity", "1_0",
             "0x1A", "1,5", "\uff15"]
)  # fmt: skip
def test_any_other_spelling_of_a_number_is_a_fault(text: str) -> None:
    fault = only_fault(f"price={text}")
    assert (fault.pointer, fault.code) == ("/price", FaultCode.WRONG_TYPE)
    assert fault.expected is not None
    assert "number" in fault.expected


@pytest.mark.parametrize("text", ["", "1", "0", "on", "yes", "no", "TRUE", "True", "False", "t", "%20true", "true%20"])
def test_any_other_spelling_of_a_boolean_is_a_fault(text: str) -> None:
    fault = only_fault(f"quiet={text}")
    assert (fault.pointer, fault.code) == ("/quiet", FaultCode.WRONG_TYPE)
    assert fault.expected == "true or false"


@pytest.mark.parametrize(("limit", "digits"), [(640, 641), (0, 4301)])
def test_too_many_digits_are_a_fault_whatever_the_interpreter_allows(limit: int, digits: int) -> None:
    usual = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(limit)
    try:
        assert faults_of(f"stars={'9' * digits}") == [("/stars", FaultCode.WRONG_TYPE)]
    finally:
        sys.set_int_max_str_digits(usual)


def test_an_empty_query_string_has_no_arguments() -> None:
    decoded = decode("")
    assert (decoded.arguments, decoded.limit, decoded.cursor, decoded.faults) == ({}, None, None, ())


def test_a_name_without_a_value_is_the_empty_string() -> None:
    assert arguments_of("q") == {"q": ""}
    assert faults_of("stars") == [("/stars", FaultCode.WRONG_TYPE)]


def test_pairs_with_nothing_in_them_are_passed_over() -> None:
    assert arguments_of("&q=a&&stars=1&") == {"q": "a", "stars": 1}


def test_arguments_keep_the_order_in_which_they_first_appear() -> None:
    raw = "tags[]=a&stars=1&room[view]=sea&tags[]=b&q=x&room[beds]=2"
    assert list(arguments_of(raw)) == ["tags", "stars", "room", "q"]


@pytest.mark.parametrize(
    "raw", ["ids[]=3&ids[]=1&ids[]=3", "ids%5B%5D=3&ids%5b%5D=1&ids[]=3", "ids=3&ids=1&ids=3", "i%64s=3&ids=1&ids=3"]
)
def test_an_array_is_read_in_order_from_brackets_or_bare_repeats(raw: str) -> None:
    assert arguments_of(raw) == {"ids": [3, 1, 3]}


@pytest.mark.parametrize(("raw", "elements"), [("tags=a", ["a"]), ("tags[]=", [""]), ("tags[]", [""]), ("tags", [""])])
def test_one_element_is_an_array_where_one_is_declared(raw: str, elements: list[str]) -> None:
    assert arguments_of(raw) == {"tags": elements}


def test_an_element_with_a_bad_spelling_is_named_by_its_position() -> None:
    assert faults_of("ids[]=1&ids[]=x&ids[]=3&ids[]=%zz") == [
        ("/ids/1", FaultCode.WRONG_TYPE),
        ("/ids/3", FaultCode.SYNTAX),
    ]


@pytest.mark.parametrize(
    "raw",
    ["ids[]=1&ids=2", "ids=1&ids[]=2", "ids[0]=1", "ids[0]=1&ids[1]=2", "ids[][]=1", "ids[=1", "ids]]=1&ids[x]=1"],
)
def test_an_array_in_any_other_shape_is_a_fault_that_says_how_arrays_are_spelled(raw: str) -> None:
    fault = next(fault for fault in decode(raw).faults if fault.pointer == "/ids")
    assert fault.code is FaultCode.SYNTAX
    assert fault.expected is not None
    assert "ids[]=" in fault.expected


@pytest.mark.parametrize("raw", ["room[beds]=2&room[view]=sea", "room%5Bbeds%5D=2&%72oom%5bview%5d=s%65a"])
def test_an_object_is_read_from_its_members(raw: str) -> None:
    assert arguments_of(raw) == {"room": {"beds": 2, "view": "sea"}}


@pytest.mark.parametrize(
    "raw", ["room=x", "room", "room[]=x", "room[beds][]=1", "room[beds][a]=1", "room[beds=1", "room[a]b=1"]
)
def test_an_object_in_any_other_shape_is_a_fault_that_says_how_objects_are_spelled(raw: str) -> None:
    fault = only_fault(raw)
    assert (fault.pointer, fault.code) == ("/room", FaultCode.SYNTAX)
    assert fault.expected is not None
    assert "room[key]=" in fault.expected


def test_faults_inside_an_object_point_at_the_member() -> None:
    assert faults_of("room[beds]=x&room[veiw]=sea&room[view]=a&room[view]=b") == [
        ("/room/beds", FaultCode.WRONG_TYPE),
        ("/room/veiw", FaultCode.UNKNOWN_ARGUMENT),
        ("/room/view", FaultCode.DUPLICATE),
    ]


def test_a_misspelt_member_is_answered_with_the_closest_one() -> None:
    assert only_fault("room[veiw]=sea").suggestion == "view"


@pytest.mark.parametrize("raw", ["stars[]=1", "stars[0]=1", "stars[a]=1", "stars%5B%5D=1"])
def test_brackets_on_a_scalar_are_a_fault_that_says_how_it_is_spelled(raw: str) -> None:
    fault = only_fault(raw)
    assert (fault.pointer, fault.code) == ("/stars", FaultCode.SYNTAX)
    assert fault.expected is not None
    assert "stars=" in fault.expected


@pytest.mark.parametrize("raw", ["stars=1&stars=2", "stars=1&stars=1", "stars=1&st%61rs=2", "stars=1&stars=1&stars=1"])
def test_a_scalar_given_twice_is_a_fault_whatever_its_name_is_encoded_as(raw: str) -> None:
    assert faults_of(raw) == [("/stars", FaultCode.DUPLICATE)]


def test_a_scalar_given_twice_is_noticed_although_the_first_one_was_faulty() -> None:
    assert faults_of("stars=x&stars=1") == [("/stars", FaultCode.WRONG_TYPE), ("/stars", FaultCode.DUPLICATE)]


@pytest.mark.parametrize(
    ("raw", "pointer", "suggestion"),
    [
        ("star=1", "/star", "stars"),
        ("STARS=1", "/STARS", "stars"),
        ("id[]=1", "/id", "ids"),
        ("rooms[beds]=1", "/rooms", "room"),
        ("limt=5", "/limt", "limit"),
        ("a/b~c=1", "/a~1b~0c", None),
        ("=1", "/", None),
        ("[a]=1", "/[a]", None),
        ("zz;stars=1", "/zz;stars", "stars"),
    ],
)
def test_an_undeclared_name_is_a_fault_with_the_closest_declared_one(
    raw: str, pointer: str, suggestion: str | None
) -> None:
    fault = only_fault(raw)
    assert (fault.pointer, fault.code) == (pointer, FaultCode.UNKNOWN_ARGUMENT)
    assert fault.document().get("suggestion") == suggestion


def test_a_long_undeclared_name_is_not_echoed_at_length() -> None:
    fault = only_fault("x" * 5000 + "=1")
    assert len(fault.pointer) + len(fault.message) < 300


@pytest.mark.parametrize("text", ["%", "%4", "%zz", "%F", "%%20", "a%", "%ff", "%C3", "%ED%A0%80", "%C0%80"])
def test_a_value_that_is_not_percent_encoded_text_is_a_fault(text: str) -> None:
    assert faults_of(f"q={text}") == [("/q", FaultCode.SYNTAX)]
    assert faults_of(f"{text}=1") == [("", FaultCode.SYNTAX)]


def test_raw_bytes_that_are_no_utf_8_are_a_fault_where_they_stand() -> None:
    decoded = decode(b"q=\xff&tags=\xc3\xa9&\xfe=1")
    assert [(fault.pointer, fault.code) for fault in decoded.faults] == [
        ("/q", FaultCode.SYNTAX),
        ("", FaultCode.SYNTAX),
    ]
    assert decoded.arguments == {"tags": ["é"]}


def test_all_faults_are_found_in_one_pass_and_the_rest_is_read() -> None:
    decoded = decode("stars=x&nope=1&q=a&q=b&ids[]=1&ids=2&price=%zz&quiet=true&room[beds]=1")
    assert [(fault.pointer, fault.code) for fault in decoded.faults] == [
        ("/stars", FaultCode.WRONG_TYPE),
        ("/nope", FaultCode.UNKNOWN_ARGUMENT),
        ("/q", FaultCode.DUPLICATE),
        ("/ids", FaultCode.SYNTAX),
        ("/price", FaultCode.SYNTAX),
    ]
    assert decoded.arguments == {"quiet": True, "room": {"beds": 1}}


def test_the_number_of_faults_is_capped() -> None:
    raw = "&".join(f"nope{number}=1" for number in range(MAX_FAULTS + 5))
    assert len(faults_of(raw)) == MAX_FAULTS


def test_more_pairs_than_allowed_are_one_fault_and_nothing_is_read() -> None:
    assert arguments_of("&".join(["ids[]=1"] * MAX_PAIRS)) == {"ids": [1] * MAX_PAIRS}
    decoded = decode("&".join(["ids[]=1"] * (MAX_PAIRS + 1)))
    assert [(fault.pointer, fault.code) for fault in decoded.faults] == [("", FaultCode.SYNTAX)]
    assert decoded.arguments == {}


@pytest.mark.parametrize("limit", [20, 0, -5, 10**30])
def test_the_reserved_names_are_read_beside_the_arguments(limit: int) -> None:
    decoded = decode(f"limit={limit}&cursor=a%2Bb&q=x")
    assert (decoded.arguments, decoded.limit, decoded.cursor, decoded.faults) == ({"q": "x"}, limit, "a+b", ())


@pytest.mark.parametrize(
    ("raw", "fault"),
    [
        ("limit=abc", ("/limit", FaultCode.WRONG_TYPE)),
        ("limit=", ("/limit", FaultCode.WRONG_TYPE)),
        ("limit=01", ("/limit", FaultCode.WRONG_TYPE)),
        ("limit=5&limit=6", ("/limit", FaultCode.DUPLICATE)),
        ("limit=5&l%69mit=5", ("/limit", FaultCode.DUPLICATE)),
        ("limit[]=5", ("/limit", FaultCode.SYNTAX)),
        ("cursor=a&cursor=b", ("/cursor", FaultCode.DUPLICATE)),
        ("cursor=%ff", ("/cursor", FaultCode.SYNTAX)),
        ("Cursor=a", ("/Cursor", FaultCode.UNKNOWN_ARGUMENT)),
    ],
)
def test_a_reserved_name_is_held_to_one_spelling(raw: str, fault: tuple[str, FaultCode]) -> None:
    decoded = decode(raw)
    assert [(found.pointer, found.code) for found in decoded.faults] == [fault]
    assert (decoded.limit, decoded.cursor) == (None, None)


def test_a_reserved_name_that_the_operation_declares_is_an_ordinary_input() -> None:
    schema = closed({"limit": STRING, "cursor": array(STRING)})
    decoded = decode("limit=abc&cursor[]=a", schema)
    assert (decoded.arguments, decoded.limit, decoded.cursor) == ({"limit": "abc", "cursor": ["a"]}, None, None)
    assert faults_of("limit=5", closed({"limit": ROOM})) == [("/limit", FaultCode.SYNTAX)]


def test_a_name_that_is_not_reserved_for_this_call_is_unknown() -> None:
    decoded = decode_query(b"limit=5&cursor=a&page=1", query_shape(closed({})), reserved=frozenset({"cursor", "page"}))
    assert [fault.pointer for fault in decoded.faults] == ["/limit", "/page"]
    assert decoded.cursor == "a"


@pytest.mark.parametrize("name", ["a b", "a+b", "a%20b", "a&b", "a=b", "a[]", "a[b]", "é", "", "%5B", "a]"])
def test_an_input_of_any_name_can_be_sent(name: str) -> None:
    schema = closed({name: INTEGER})
    assert arguments_of(encode_query({name: 7}), schema) == {name: 7}


def test_a_plus_in_a_raw_name_is_a_space_even_if_an_input_is_called_so() -> None:
    assert faults_of("a+b=1", closed({"a+b": INTEGER})) == [("/a b", FaultCode.UNKNOWN_ARGUMENT)]


def test_arguments_are_encoded_with_every_reserved_character_escaped() -> None:
    arguments: JsonObject = {"q": "a b&c=d+é", "ids": [1, 2], "room": {"beds": 2}, "quiet": False, "price": 1e300}
    assert encode_query(arguments) == (
        "q=a%20b%26c%3Dd%2B%C3%A9&ids%5B%5D=1&ids%5B%5D=2&room%5Bbeds%5D=2&quiet=false&price=1e%2B300"
    )


def test_no_arguments_are_the_empty_query_string() -> None:
    assert encode_query({}) == ""


@pytest.mark.parametrize(("number", "text"), [(4.0, "4"), (-0.0, "0"), (0.5, "0.5"), (1e-7, "1e-07"), (2.0**60, None)])
def test_a_whole_float_is_encoded_as_the_integer_that_it_equals(number: float, text: str | None) -> None:
    encoded = encode_query({"price": number})
    assert arguments_of(encoded) == {"price": number}
    assert text is None or encoded == f"price={text}"


@pytest.mark.parametrize(
    "arguments",
    [
        {"q": None},
        {"ids": []},
        {"room": {}},
        {"ids": [None]},
        {"ids": [[1]]},
        {"room": {"beds": {"a": 1}}},
        {"room": {"beds": [1]}},
        {"price": float("inf")},
        {"price": float("nan")},
        {"q": "\ud800"},
    ],
)
def test_what_has_no_spelling_cannot_be_encoded(arguments: JsonObject) -> None:
    with pytest.raises(ValueError, match=r"`\w+.*`|surrogates"):
        encode_query(arguments)
