"""What the rules about schemas, examples and ids find, and above all what they leave alone."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import pytest

from afford.errors import JsonObject
from afford.lint.engine import run
from afford.lint.rule import Severity
from afford.lint.rules import all_rules
from afford.lint.samples import BOOK, CANCEL, DETAIL, SEARCH, clean, closed, rows, with_change, with_input, with_output
from afford.lint.target import Described, Origin, Target, target

RULES = [rule for rule in all_rules() if rule.code[:3] in {"INP", "OUT", "EXM", "IDJ"}]
TEXT: JsonObject = {"type": "string", "description": "What it is."}
WHOLE: JsonObject = {"type": "integer", "description": "How many."}


@pytest.mark.requirement("LINT-08")
@pytest.mark.parametrize("origin", list(Origin))
def test_the_clean_catalog_is_clean_whatever_it_was_read_from(origin: Origin) -> None:
    assert codes(clean(origin)) == []


@pytest.mark.parametrize("origin", [Origin.MCP, Origin.OPENAPI])
def test_an_open_schema_is_no_fault_where_everybody_publishes_open_ones(origin: Origin) -> None:
    opened = {key: value for key, value in (BOOK.input_schema or {}).items() if key != "additionalProperties"}
    assert codes(with_change("book_room", origin, input_schema=opened)) == []
    assert codes(with_change("book_room", Origin.APP, input_schema=opened)) == ["INP101"]


def test_a_nested_open_object_is_found_and_a_map_is_not() -> None:
    nested: JsonObject = {"type": "object", "properties": {"floor": WHOLE}, "description": "Wishes."}
    assert codes(with_input("book_room", "wishes", nested)) == ["INP101"]
    mapped: JsonObject = {
        "type": "object",
        "additionalProperties": {"type": "integer"},
        "description": "Beds wanted, by kind.",
    }
    assert codes(with_input("book_room", "beds", mapped)) == []


def test_alternatives_may_require_what_is_declared_beside_them() -> None:
    schema = {**closed(BOOK.inputs, "nights"), "anyOf": [{"required": ["property_id"]}, {"required": ["check_in"]}]}
    assert codes(with_change("book_room", input_schema=schema)) == []


@pytest.mark.parametrize(
    "schema",
    [
        {"type": ["integer", "null"], "default": None},
        {"anyOf": [{"type": "integer"}, {"type": "null"}], "default": None},
        {"type": "number", "default": 1},
        {"type": "string", "format": "date", "default": "2027-03-01"},
        {"type": ["string", "null"], "enum": ["sea", None]},
        {"type": "integer", "enum": [1, 2, 4]},
        {"$ref": "#/$defs/View"},
    ],
)
def test_values_that_agree_with_their_type_are_no_contradiction(schema: JsonObject) -> None:
    inputs = closed({**BOOK.inputs, "view": {"description": "What it looks at.", **schema}}, *BOOK.required)
    view: JsonObject = {"View": {"type": "string", "enum": ["sea", "garden"], "default": "sea"}}
    assert codes(with_change("book_room", Origin.MCP, input_schema={**inputs, "$defs": view})) == []


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "integer", "default": "2"},
        {"type": "string", "enum": ["a", 1]},
        {"type": "integer", "minimum": 1, "default": 0},
        {"type": "array", "items": {"type": "string", "enum": [1, 2]}},
        {"type": "string", "enum": ["sea", "garden"], "default": "city"},
    ],
)
def test_values_that_their_own_schema_refuses_are_a_contradiction(schema: JsonObject) -> None:
    assert codes(with_input("book_room", "view", {"description": "What it is.", **schema})) == ["INP108"]


def test_null_for_something_that_can_be_left_out_is_no_contradiction_elsewhere() -> None:
    schema: JsonObject = {"type": "string", "default": None, "description": "What it is."}
    assert codes(with_input("book_room", "view", schema, Origin.MCP)) == []
    assert codes(with_input("book_room", "view", schema)) == ["INP108"]


@pytest.mark.parametrize(
    "text",
    [
        "Search words, e.g. 'red' or 'blue'.",
        "City name, for example `Paris` or `Rome`.",
        "Name of the city or of the airport.",
        "One of the hotel's own rooms.",
        "One of three or four words.",
        "Either a name or a number.",
        "May be empty, or a comma-separated list.",
        "A regular expression such as a|b.",
        "Column, `name` or `table.name`.",
        "Owner and repository, written 'owner/repo'.",
        "Exact name of an area.",
        "Which of the options to take, by its title.",
        "What to say if the door is open, closed or missing.",
        "Filter with operators like 'is:open' or 'is:closed'.",
        "Values can be read from the list.",
        "Options: see the manual of the house.",
    ],
)
def test_ordinary_words_about_a_text_are_no_closed_set(text: str) -> None:
    assert codes(with_input("book_room", "view", {"type": "string", "description": text})) == []


@pytest.mark.parametrize(
    "text",
    [
        "pending | confirmed | cancelled",
        "State of it: open|closed",
        "One of 'fast', 'slow' or 'auto'.",
        "Must be `asc` or `desc`.",
        "Allowed values: sea, garden, city.",
        "Sort order, one of price, rating or distance.",
        'Either "metric" or "imperial".',
        "Options: small, medium, large",
    ],
)
def test_a_set_that_is_listed_in_prose_is_found_in_inputs_and_answers(text: str) -> None:
    assert codes(with_input("book_room", "view", {"type": "string", "description": text})) == ["INP109"]
    assert codes(with_output("book_room", "view", {"type": "string", "description": text}, "pending")) == ["INP109"]


@pytest.mark.parametrize(
    ("name", "schema"),
    [
        ("max_price", {"type": "integer", "description": "Most to pay for one night, EUR cents."}),
        ("price", {"type": "number", "description": "One night, in US dollars."}),
        ("amount", {"type": "number", "description": "How many grams of flour."}),
        ("amount", {"type": "integer", "description": "Number of units to order."}),
        ("price_text", {"type": "string", "description": "As the house writes it."}),
        ("price_level", {"type": "integer", "description": "From cheap to dear."}),
        ("price_eur", {"type": "number", "description": "For one night."}),
        ("check_in", {"type": "string", "description": "First night, YYYY-MM-DD."}),
        ("start_date", {"type": "string", "description": "First night, such as 2027-03-01."}),
        ("created_at", {"type": "string", "description": "ISO 8601, UTC."}),
        ("created_at", {"type": ["string", "null"], "format": "date-time", "description": "When it was made."}),
        ("created_at", {"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}], "description": "When."}),
        ("created_at", {"type": "integer", "description": "When it was made."}),
        ("update", {"type": "string", "description": "What to change."}),
        ("candidate", {"type": "string", "description": "Who is meant."}),
        ("look_at", {"type": "string", "description": "What to look at."}),
        ("date", {"type": "string", "pattern": "^[0-9]{4}$", "description": "Year."}),
    ],
)
def test_a_unit_that_is_told_and_a_name_that_needs_none_are_left_alone(name: str, schema: JsonObject) -> None:
    assert codes(with_input("book_room", name, schema)) == []


@pytest.mark.parametrize(
    ("name", "schema"),
    [
        ("max_price", {"type": "integer", "description": "Try the cheapest first, for all the items."}),
        ("price_cents", {"type": "integer", "description": "For one night."}),
        ("amount", {"type": "number", "description": "How large it is."}),
        ("maxPrice", {"type": "integer", "description": "Most to pay."}),
        ("start_date", {"type": "string", "description": "First night."}),
        ("startDate", {"type": "string", "description": "First night."}),
        ("expires_at", {"type": "string", "description": "When it ends."}),
    ],
)
def test_money_without_a_unit_and_dates_without_a_form_are_found(name: str, schema: JsonObject) -> None:
    assert codes(with_input("book_room", name, schema)) == ["INP110"]


def test_cents_beside_a_currency_have_their_unit() -> None:
    cents: JsonObject = {"type": "integer", "description": "What breakfast is."}
    assert codes(with_output("hotel_detail", "breakfast_cents", cents, 900)) == []
    assert codes(with_output("book_room", "breakfast_cents", cents, 900)) == ["INP110"]
    assert codes(with_output("hotel_detail", "breakfast_price", cents, 900)) == ["INP110"]


@pytest.mark.parametrize(
    "names",
    [("method", "body"), ("path", "content"), ("url",), ("action", "reason"), ("tool", "size")],
)
def test_inputs_that_are_called_like_parts_of_a_request_make_no_passthrough(names: Sequence[str]) -> None:
    schema = closed({**BOOK.inputs, **dict.fromkeys(names, TEXT)}, *BOOK.required)
    assert codes(with_change("book_room", Origin.MCP, input_schema=schema)) == []


def test_any_action_by_name_with_any_arguments_is_a_passthrough() -> None:
    inputs: JsonObject = {"command": TEXT, "arguments": {"type": "object", "description": "What it takes."}}
    found = codes(with_change("cancel_booking", Origin.MCP, input_schema={"type": "object", "properties": inputs}))
    assert "INP111" in found


@pytest.mark.requirement("LINT-05")
def test_a_bare_id_of_a_row_is_found_with_the_name_that_is_taken() -> None:
    row = closed({"id": WHOLE, "name": TEXT}, "id", "name")
    listed = replace(SEARCH, name="list_hotels", output_schema=rows(row), example_row={"id": 4, "name": "Palace"})
    taker = replace(DETAIL, input_schema=closed({"hotel_id": WHOLE}, "hotel_id"), example_params={"hotel_id": 4})
    for origin in (Origin.CATALOG, Origin.MCP, Origin.OPENAPI):
        found = run(target(origin, listed, taker), RULES).of("list_hotels")
        assert [(item.code, item.fix) for item in found if item.code == "IDJ101"] == [
            ("IDJ101", "call it `hotel_id`, as the operation does that takes it")
        ]


@pytest.mark.requirement("LINT-05")
@pytest.mark.parametrize("origin", [Origin.MCP, Origin.OPENAPI])
def test_a_bare_id_that_nobody_takes_is_left_alone_elsewhere(origin: Origin) -> None:
    assert codes(with_output("book_room", "id", WHOLE, 7, origin)) == []


@pytest.mark.requirement("LINT-05")
def test_an_id_that_goes_by_two_names_is_told_where_it_is_published() -> None:
    pet = closed({"id": WHOLE, "name": TEXT}, "id", "name")
    listed = Described(name="list_pets", reads=True, input_schema=closed({}), output_schema=rows(pet))
    one = Described(name="get_pet", reads=True, input_schema=closed({"pet_id": WHOLE}, "pet_id"), output_schema=pet)
    new = Described(name="create_pet", reads=False, input_schema=pet, output_schema=pet)
    found = run(target(Origin.OPENAPI, listed, one, new), RULES).found
    assert [(item.code, item.subject) for item in found] == [("IDJ101", "get_pet"), ("IDJ101", "list_pets")]


def test_an_id_that_some_operation_takes_is_alive() -> None:
    row = closed({"id": WHOLE, "name": TEXT}, "id", "name")
    listed = replace(SEARCH, output_schema=rows(row), example_row={"id": 4, "name": "Palace"})
    taker = replace(DETAIL, input_schema=closed({"id": WHOLE}, "id"), example_params={"id": 4})
    assert [item.code for item in run(target(Origin.CATALOG, listed, taker), RULES).found] == ["IDJ102"]


@pytest.mark.parametrize("name", ["created_by_agent_id", "owner_id", "trace_id", "parent_property_id", "propertyId"])
def test_ids_for_the_record_and_ids_in_a_role_are_alive(name: str) -> None:
    assert codes(with_output("hotel_detail", name, {"type": "integer", "description": "Says which."}, 3)) == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("rate_id", "Printed on the offer."),
        ("rate_id", "Ask the person for it."),
        ("tax_id", "Of the company."),
        ("room_booking_id", "From the answer of the booking."),
        ("property_ids", "Taken from rows of a search."),
    ],
)
def test_an_id_that_can_be_obtained_somewhere_is_left_alone(name: str, text: str) -> None:
    schema: JsonObject = {"type": "string", "description": text}
    assert codes(with_input("hotel_detail", name, schema, required_as="r7")) == []


def test_nothing_is_unobtainable_where_an_answer_is_not_told() -> None:
    wanting = with_input("hotel_detail", "rate_id", WHOLE, Origin.MCP, required_as=7)
    assert codes(wanting) == ["IDJ103"]
    untold = [replace(item, output_schema=None, example_row=None) for item in wanting.operations]
    assert codes(target(Origin.MCP, *untold)) == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("rate_code", "As printed; used in `hotel_detail` as well."),
        ("rate_code", "Discount code; see `hotel_detail` for who accepts it."),
        ("rate_code", "To be had before `hotel_detail` is called."),
        ("property_id", "From a row of `search_hotels`."),
        ("guests", "As many as a room of `hotel_detail` sleeps."),
    ],
)
def test_naming_an_operation_is_not_coming_from_it(name: str, text: str) -> None:
    assert codes(with_input("book_room", name, {"type": "string", "description": text})) in ([], ["EXM101"])


@pytest.mark.requirement("LINT-07")
@pytest.mark.parametrize("limit", [{"limit": 5}, {"cursor": "c1"}, {}])
def test_the_example_of_a_query_may_show_how_it_is_paged(limit: JsonObject) -> None:
    params: JsonObject = {"neighbourhood": "Kadikoy", "min_stars": 3, **limit}
    assert codes(with_change("search_hotels", Origin.CATALOG, example_params=params)) == []
    sent: JsonObject = {**(BOOK.example_params or {}), **limit}
    assert codes(with_change("book_room", Origin.CATALOG, example_params=sent)) == (["EXM101"] if limit else [])


@pytest.mark.requirement("LINT-07")
def test_a_format_counts_in_an_example() -> None:
    params: JsonObject = {**(BOOK.example_params or {}), "check_in": "1 March 2027"}
    assert codes(with_change("book_room", example_params=params)) == ["EXM101"]


@pytest.mark.requirement("LINT-07")
def test_the_example_of_an_action_that_answers_a_list_is_the_list_or_an_element() -> None:
    answer = rows(closed({"booking_id": TEXT}, "booking_id"))
    for example in ([{"booking_id": "b1"}], {"booking_id": "b1"}):
        assert codes(with_change("book_room", output_schema=answer, example_row=example)) == []


@pytest.mark.requirement("LINT-07")
@pytest.mark.parametrize(
    "value", ["b1", "1", "x", "Your table is ready", "[urgent]", "<abc@host>", "A test of time", "user@example.com"]
)
def test_real_values_are_no_placeholders(value: str) -> None:
    assert codes(with_change("book_room", example_row={"booking_id": value})) == []


@pytest.mark.requirement("LINT-07")
@pytest.mark.parametrize(
    "value", ["string", "Foo", "xxx", "<id>", "{booking_id}", "your_id", "0", "0" * 8 + "-0000" * 3 + "-" + "0" * 12]
)
def test_values_that_stand_for_values_are_placeholders(value: str) -> None:
    assert codes(with_change("book_room", example_row={"booking_id": value})) == ["EXM102"]


@pytest.mark.requirement("LINT-07")
def test_a_flag_that_is_there_only_when_it_is_set_may_be_left_out_of_an_example() -> None:
    flag: JsonObject = {"type": "boolean", "description": "There only when few are left."}
    answer = closed({"booking_id": TEXT, "is_low": flag}, "booking_id")
    assert codes(with_change("book_room", output_schema=answer)) == []


@pytest.mark.requirement("LINT-07")
def test_an_action_without_an_example_is_found_where_no_other_has_one() -> None:
    bare = replace(BOOK, example_params=None, example_row=None)
    assert codes(target(Origin.CATALOG, SEARCH, DETAIL, bare, CANCEL)) == ["EXM104"]
    assert codes(target(Origin.MCP, SEARCH, DETAIL, bare, CANCEL)) == []
    other = replace(BOOK, name="book_later")
    assert codes(target(Origin.CATALOG, SEARCH, DETAIL, bare, other, CANCEL)) == []


@pytest.mark.parametrize(
    "secret",
    [
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.c2lnbmF0dXJl",
        "sk_live_" + "a1" * 12,
        "ghp_" + "A1b2" * 9,
        "postgres://admin:hunter22@db/hotels",
        "-----BEGIN PRIVATE KEY-----",
    ],
)
def test_secrets_in_examples_are_found_by_their_form(secret: str) -> None:
    assert codes(with_change("book_room", example_row={"booking_id": secret})) == ["EXM106"]


@pytest.mark.parametrize(
    "value",
    ["3f2c1e9a-77aa-4c1b-9a55-0d2f0f6f1d2e", "9f86d081884c7d659a2feaa0c55ad015", "sk-7", "https://a.example/x@y"],
)
def test_long_ids_are_no_secrets(value: str) -> None:
    assert codes(with_change("book_room", example_row={"booking_id": value})) == []


def test_arguments_that_a_docstring_lists_are_described_elsewhere() -> None:
    schema = closed({"size": {"type": "integer"}, "view": {"type": "string"}})
    text = f"{BOOK.description}\n\nArgs:\n    size: square metres\n    view (str, optional): what it looks at\n"
    changes = {"input_schema": schema, "description": text, "example_params": None}
    assert "INP105" not in codes(with_change("book_room", Origin.MCP, **changes))
    assert "INP105" in codes(with_change("book_room", Origin.APP, **changes))


def test_a_schema_that_refers_to_itself_is_read_once() -> None:
    tree: JsonObject = closed(
        {"children": {"type": "array", "items": {"$ref": "#/$defs/Tree"}, "description": "Next."}}
    )
    schema: JsonObject = {**closed({"tree": {"$ref": "#/$defs/Tree", "description": "All."}}), "$defs": {"Tree": tree}}
    assert codes(with_change("book_room", input_schema=schema, example_params={"tree": {"children": []}})) == []


def test_what_is_no_schema_at_all_makes_no_rule_fail() -> None:
    chance = random.Random(7)
    for _ in range(25):
        operations = [
            Described(
                name=name,
                reads=chance.choice([True, False, None]),
                input_schema=junk(chance),
                output_schema=junk(chance),
            )
            for name in ("one", "two_ids")
        ]
        run(target(chance.choice(list(Origin)), *operations), RULES)


def junk(chance: random.Random, depth: int = 3) -> JsonObject:
    """Something that looks like a schema and may be none."""
    values = [
        "string",
        "object",
        "#/$defs/a",
        "#",
        "http://x",
        "^(",
        None,
        True,
        2**60,
        1.5,
        [],
        {},
        ["string", "null"],
    ]
    keys = (
        "type",
        "items",
        "$ref",
        "enum",
        "const",
        "default",
        "required",
        "anyOf",
        "description",
        "format",
        "maximum",
    )
    made: JsonObject = {key: chance.choice(values) for key in chance.sample(keys, 4)}
    if depth:
        names = chance.sample(["id", "order_id", "price", "check_in", "limit", "body"], 3)
        made["properties"] = {name: junk(chance, depth - 1) for name in names}
        made["oneOf"] = [junk(chance, depth - 1)]
    return made


def test_errors_are_few_kinds_where_the_house_style_does_not_hold() -> None:
    loud = {
        rule.code for rule in RULES if Origin.MCP in rule.origins and rule.severity_in(Origin.MCP) is Severity.ERROR
    }
    assert loud == {"INP101", "INP106", "INP107", "INP108", "EXM101", "EXM102", "EXM103", "EXM106"}


def test_a_schema_that_requires_the_unknown_is_not_said_to_refuse_its_example() -> None:
    needed: JsonObject = {**(DETAIL.input_schema or {}), "required": ["property_id", "guest"]}
    assert codes(with_change("hotel_detail", input_schema=needed)) == ["INP106"]
    sent = {**(DETAIL.example_params or {}), "guest": "Ada"}
    assert codes(with_change("hotel_detail", input_schema=needed, example_params=sent)) == ["INP106"]


def test_alternatives_that_are_all_objects_need_no_type_beside_them() -> None:
    other = closed({"queue": {**WHOLE, "description": "Place in the queue."}}, "queue")
    assert codes(with_change("book_room", output_schema={"oneOf": [BOOK.output_schema, other]})) == []
    assert codes(with_change("book_room", output_schema={"oneOf": [BOOK.output_schema, WHOLE]})) == ["OUT103"]


def test_a_filter_by_id_may_be_left_out_and_the_id_of_one_thing_may_not() -> None:
    optional = closed(DETAIL.inputs)
    assert codes(with_change("hotel_detail", input_schema=optional)) == ["INP116"]
    told = "Read about one hotel, or about all of them where none is named. Call it before a booking with `book_room`."
    assert codes(with_change("hotel_detail", input_schema=optional, description=told)) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("How often: weekly, monthly or yearly.", ["INP109"]),
        ("Whether to list local ones ('local') or all of them ('all').", ["INP109"]),
        ("Order of the rows: newest, cheapest or nearest.", ["INP109"]),
        ("What people call it: its street, its town or its owner.", list[str]()),
        ("Text to look for: title, author or number.", list[str]()),
        ("How to get there, by car or on foot.", list[str]()),
        ("Must be low, medium or high.", ["INP109"]),
        ("single, double or suite", ["INP109"]),
        ("Kind of room (single/double/suite).", ["INP109"]),
        ("Title, author or number.", list[str]()),
        ("Speed (km/h) or time.", list[str]()),
        ("Either 'min_stars' or 'max_price' has to be sent.", list[str]()),
        ("Common values: 'sea', 'garden', 'street'.", list[str]()),
    ],
)
def test_choices_in_prose_are_told_from_other_lists(text: str, found: list[str]) -> None:
    assert codes(with_input("search_hotels", "wish", {"type": "string", "description": text})) == found


@pytest.mark.parametrize("bounds", [{"minimum": 5, "maximum": 1}, {"minimum": 5, "exclusiveMaximum": 5, "maximum": 4}])
def test_bounds_that_leave_nothing_contradict_each_other(bounds: JsonObject) -> None:
    assert codes(with_input("book_room", "beds", {**WHOLE, **bounds})) == ["INP108"]


def codes(found: Target) -> list[str]:
    """Codes of what is found, each once."""
    return sorted({item.code for item in run(found, RULES).found})
