"""What the rules about prose find, and above all what they leave alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from afford.errors import JsonObject
from afford.lint.engine import run
from afford.lint.rule import Severity
from afford.lint.rules import all_rules
from afford.lint.samples import BOOK, CANCEL, DETAIL, SEARCH, closed, rows, with_change
from afford.lint.target import Origin, Pages, Target, target

RULES = [rule for rule in all_rules() if rule.code.startswith("DSC")]
TEXT: JsonObject = {"type": "string", "description": "What it is."}
WHOLE: JsonObject = {"type": "integer", "minimum": 1, "maximum": 5, "description": "How many."}
INPUTS = closed(
    {
        "date": {**TEXT, "format": "date"},
        **dict.fromkeys(("time", "title", "body", "code", "keyword", "status", "name", "email", "phone", "slot"), TEXT),
        "qty": WHOLE,
    }
)
"""Names that are ordinary words."""
LABEL = "Label the rooms that the person has named, after they have said which."
PAGES = Pages(default=20, most=50, is_written=True)


@pytest.mark.requirement("LINT-03")
@pytest.mark.parametrize(
    "sentence",
    [
        "Reserve a slot for the person.",
        "Share the collaboration code with them.",
        "Find a slot on a date and time the person likes.",
        "Search by name and status.",
        "Change the title, body or status of a note.",
        "The person's name, email and phone are kept.",
        "Send email to the customer when done.",
        "The answer is always a bare array.",
        "An array of solar panels is a site.",
        "An object in the museum.",
        "The number of guests matters.",
        "A connection string is a secret.",
        "Generate a UUID for a new device.",
        "Bring the required documents.",
        "A licence-required vehicle needs a licence.",
        "Approval is required before the shipment leaves.",
        "The default payment method is charged.",
        "Sets the default to production for everyone.",
        "Charges a $25 late fee.",
        "Cancelling late costs 20 EUR.",
        "Convert an amount from USD to EUR.",
        "Two cents of advice.",
        "Look up exchange rates. The base is EUR.",
        "Validates an ISO 8601 duration.",
        "Works with iPhone operation modes.",
        "The sensors 1 and 5 are broken.",
        "Values 3 and 4 are broken.",
        "Ask again every ~15 seconds.",
        "A 10-minute code is sent.",
        "Rides within 10 km of the airport need a permit.",
        "Open between 9 and 17.",
        "Delivered between 2 and 4 days after the order.",
        "The museum has 40 rooms on floors 2 and 3.",
        "In 2024-2025 it was renovated.",
        "Dial 555-0100 for help.",
        "Convert a date to ISO 8601 for a spreadsheet.",
        "A spending limit of 500 applies.",
        "Page size defaults to 20 and is held to 1..50.",
        "Send `limit` to change it.",
        "Pay in dollars or euros at the desk.",
        "Children between 12 and 17 pay half.",
        "If the tenant defaults, the deposit is kept.",
        "A string quartet plays in the hall.",
        "Find rooms by date, or by name.",
        "The default key is copied for each guest.",
        "Up to 50 people fit in.",
        "ISO 9001 certified houses come first.",
        "Read the letter page by page.",
        "Known limits of the **title:** none.",
        "Opens a USD account for the person.",
        "The fund is traded in USD.",
        "The bank holds money in EUR and USD.",
        "Refused with sold_out when nothing is left.",
        "Its state becomes `checked_in` at noon.",
        "The lift goes to floors 1-5.",
        "Accepts email and phone orders.",
        "Speeds above 30 km/h are fined.",
        "Once picked, hotel_detail returns the rest.",
        "Refused with not_found where there is none.",
        "Works with my_file.py, /v1/user_profile and MAX_SIZE.",
    ],
)
def test_a_sentence_about_the_service_is_left_alone(sentence: str) -> None:
    assert codes(said(sentence)) == set()


@pytest.mark.requirement("LINT-03")
@pytest.mark.parametrize(
    ("sentence", "code"),
    [
        ("Send `date` for a day.", "DSC101"),
        ("Filters: date, time, slot.", "DSC102"),
        ("Takes date and time.", "DSC102"),
        ("Search by name, email or phone.", "DSC103"),
        ("Pass date to pick a day.", "DSC103"),
        ("Set status to cancelled.", "DSC103"),
        ("The date parameter picks a day.", "DSC103"),
        ("The price is in price_cents.", "DSC104"),
        ("Keep the old_field in mind.", "DSC105"),
        ("Hotels are identified by uuid.", "DSC106"),
        ("Every filter is optional.", "DSC107"),
        ("The keyword (required) narrows.", "DSC107"),
        ("date is optional.", "DSC107"),
        ("Prices are in EUR cents.", "DSC108"),
        ("Amounts are in cents.", "DSC108"),
        ("All totals in euros.", "DSC108"),
        ("Prices (USD) include tax.", "DSC108"),
        ("Radius in kilometres.", "DSC109"),
        ("The radius is 5 km at most.", "DSC109"),
        ("An optional area filter.", "DSC107"),
        ("Ratings must be 2 to 4.", "DSC111"),
        ("Timestamps are ISO 8601.", "DSC110"),
        ("Dates are formatted as YYYY-MM-DD.", "DSC110"),
        ("Payouts are in cents.", "DSC108"),
        ("Times are HH:MM.", "DSC110"),
        ("Rating 1..5.", "DSC111"),
        ("Quantity must be between 2 and 9.", "DSC111"),
        ("Ratings 1-5.", "DSC111"),
        ("Sort order defaults to newest.", "DSC111"),
        ("Status (default: open).", "DSC111"),
        ("Dates must be in ISO format.", "DSC110"),
        ("The price is in Turkish lira.", "DSC108"),
        ("Duration is in minutes.", "DSC109"),
        ("Brightness is percent.", "DSC109"),
        ("Title up to 50 characters.", "DSC111"),
        ("Quantity (max 50) counts.", "DSC111"),
        ("Qty between 1 and 9.", "DSC111"),
        ("Default: newest first.", "DSC111"),
        ("Returns a string.", "DSC106"),
        ("Numbers of rooms are integers.", "DSC106"),
        ("Required: date.", "DSC107"),
        ("The day (string, optional) to look at.", "DSC107"),
        ("Provide date and time.", "DSC102"),
        ("\n\nArgs:\n    date: The day.\n    time: The hour.", "DSC102"),
        ("Page size defaults to 25.", "DSC113"),
        ("They come 30 per page.", "DSC113"),
        ("Then call hotel_details.", "DSC117"),
        ("Use `hotel_details` for the rest.", "DSC117"),
    ],
)
def test_what_a_schema_says_is_found_in_a_sentence(sentence: str, code: str) -> None:
    assert codes(said(sentence)) == {code}


@pytest.mark.requirement("LINT-01")
@pytest.mark.parametrize(
    ("description", "found"),
    [
        ("Get hotel detail", {"DSC118"}),
        ("Get hotel by ID.", {"DSC118"}),
        ("Handles data.", {"DSC118"}),
        ("Records changes to the repository.", set[str]()),
        ("Mute a hotel for everyone.", set[str]()),
        ("Gets the details of the hotel. It is a powerful tool.", {"DSC118"}),
        ("Look up the address, price and amenities of one hotel.", set[str]()),
        ("Get hotel details before booking a room.", set[str]()),
        ("Convert Markdown documents to HTML.", set[str]()),
        ("Return the session summary object.", {"DSC119"}),
        ("This endpoint returns rates of a hotel when asked.", {"DSC119"}),
        ("List of amenities of one hotel when somebody asks.", {"DSC119"}),
        ("Look up hotels when asked. Returns the address.", set[str]()),
    ],
)
def test_a_read_is_to_say_what_it_does_and_when(description: str, found: set[str]) -> None:
    assert codes(with_change("hotel_detail", description=description)) == found


@pytest.mark.requirement("LINT-02")
@pytest.mark.parametrize(("words", "is_found"), [("", True), ("Safe to call freely.", False), ("As of today.", False)])
def test_what_is_computed_is_to_say_how_fresh_or_dear_it_is(words: str, *, is_found: bool) -> None:
    target = with_change("hotel_detail", description=f"Summarise how one hotel did when asked. {words}")
    assert ("DSC124" in {item.code for item in run(target, RULES).found}) is is_found


@pytest.mark.requirement("LINT-04")
@pytest.mark.parametrize(
    ("name", "description", "found"),
    [
        ("search_hotels", "Find hotels for somebody who plans a trip.", {"DSC115"}),
        ("search_hotels", "Find hotels by area or rating when somebody plans a trip.", set[str]()),
        ("book_room", "Book a room once the person said yes; the card is charged at once.", {"DSC116"}),
        ("book_room", "Book a room once the person said yes; cancel_booking takes it back.", set[str]()),
    ],
)
def test_a_search_is_to_narrow_and_a_write_to_name_what_follows(name: str, description: str, found: set[str]) -> None:
    assert codes(with_change(name, description=description)) == found


@pytest.mark.parametrize(
    ("description", "found"),
    [
        ("Cancel a booking by its reference number.", {"DSC121"}),
        ("Remove somebody's reservation from the calendar.", {"DSC121"}),
        ("Cancel a booking for good.", set[str]()),
        ("Cancel the booking and refund the guest.", set[str]()),
        ("Cancel a stay and all that was ordered with it.", set[str]()),
    ],
)
def test_a_grave_action_is_to_say_what_happens(description: str, found: set[str]) -> None:
    assert codes(with_change("cancel_booking", description=description)) == found


@pytest.mark.requirement("LINT-04")
@pytest.mark.parametrize(
    ("sentence", "found"),
    [
        ("", {"DSC112"}),
        ("Results are paginated.", {"DSC112"}),
        ("Follow the Link header until it is absent.", set[str]()),
        ("Paged: send the next cursor back until there is none.", set[str]()),
    ],
)
def test_a_paging_operation_is_to_say_how_to_read_to_the_end(sentence: str, found: set[str]) -> None:
    pages = Pages(default=20, most=50)
    target = with_change("search_hotels", description=f"{SEARCH.description} {sentence}", pages=pages)
    assert codes(target) == found


@pytest.mark.parametrize(
    "description",
    [
        "L\u00f6scht die Buchung und das Zimmer.",
        "\u53d6\u6d88\u9884\u8ba2",
        "Supprime une r\u00e9servation pour les clients.",
    ],
)
def test_what_is_missing_is_said_of_english_only(description: str) -> None:
    assert codes(with_change("cancel_booking", description=description)) == set()


def said(sentence: str) -> Target:
    """The clean catalog with one sentence more in its search."""
    return with_change(
        "search_hotels",
        description=f"{SEARCH.description} {sentence}",
        input_schema=INPUTS,
        example_params={"qty": 2},
        pages=PAGES,
    )


def codes(target: Target) -> set[str]:
    """What counts of what is found."""
    return {item.code for item in run(target, RULES).found if item.severity is not Severity.INFO}


@pytest.mark.parametrize(
    ("sentence", "found"),
    [
        ("Find rooms that match.", {"DSC112"}),
        ("Find rooms that match, 20 per page.", {"DSC112"}),
        ('Find rooms that match; follow rel="next" until there is none.', {"DSC112"}),
        ('Find rooms that match, 20 to a page; follow rel="next" until there is none.', set[str]()),
    ],
)
def test_a_catalog_whose_example_shows_a_limit_has_to_tell_of_pages(sentence: str, found: set[str]) -> None:
    example = {"min_stars": 4, "limit": 10}
    target = with_change("search_hotels", Origin.CATALOG, description=sentence, pages=None, example_params=example)
    assert codes(target) & {"DSC112"} == found


@pytest.mark.parametrize(
    "description",
    [
        "Annule un séjour quand le campeur renonce. La place est rendue aux autres.",
        "Le menu du jour, plat par plat, en entier, quand on a faim.",
        "Zeigt die freien Zimmer der kommenden Woche, wenn ein Gast fragt.",
        "Muestra las habitaciones libres de la semana cuando el cliente pregunta.",
    ],
)
def test_other_languages_are_not_said_to_lack_english_words(description: str) -> None:
    assert codes(with_change("cancel_booking", description=description)) == set()


@pytest.mark.requirement("LINT-04")
@pytest.mark.parametrize(("name", "found"), [("book_room", {"DSC116"}), ("move_guest", set[str]())])
def test_only_what_an_action_makes_has_to_be_followed_up(name: str, found: set[str]) -> None:
    text = (
        "Settle the stay for the person once the dates are fixed. The room is theirs at once, and nothing is charged."
    )
    doing = replace(BOOK, name=name, description=text)
    listed = replace(
        DETAIL, name="my_stays", output_schema=rows(closed({"booking_id": TEXT}, "booking_id")), example_row=None
    )
    assert codes(target(Origin.APP, SEARCH, listed, doing, CANCEL)) & {"DSC116"} == found


def test_a_name_without_the_prefix_of_its_server_is_a_name_that_drifted_and_no_missing_operation() -> None:
    other = replace(DETAIL, name="inn_hotel_detail")
    text = f"{BOOK.description} Call hotel_detail for the rest."
    assert codes(target(Origin.MCP, SEARCH, other, replace(BOOK, description=text), CANCEL)) >= {"DSC105"}
    assert "DSC117" not in codes(target(Origin.MCP, SEARCH, other, replace(BOOK, description=text), CANCEL))


@pytest.mark.parametrize(("name", "found"), [("delete_room", {"DSC121"}), ("label_room", set[str]())])
def test_a_hint_that_every_write_has_by_default_makes_nothing_grave(name: str, found: set[str]) -> None:
    tool = replace(CANCEL, name=name, safety=None, risk=None, hints={"destructiveHint": True}, description=LABEL)
    assert codes(target(Origin.MCP, SEARCH, DETAIL, BOOK, tool)) & {"DSC121"} == found


def test_a_tool_that_takes_where_to_go_on_has_not_to_tell_of_pages() -> None:
    text = "Find hotels that match what the person asked for. Supports pagination for long lists."
    for name, found in (("start_index", set[str]()), ("colour", {"DSC112"})):
        inputs = closed({**SEARCH.inputs, name: TEXT})
        tool = with_change("search_hotels", Origin.MCP, description=text, pages=None, input_schema=inputs)
        assert codes(tool) & {"DSC112"} == found
