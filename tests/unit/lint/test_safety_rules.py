"""What the rules about safety, risk and reach find, and above all what they leave alone."""

from __future__ import annotations

from typing import Any

import pytest

from afford.errors import JsonObject, JsonValue
from afford.lint.engine import run
from afford.lint.rule import Severity
from afford.lint.rules import all_rules
from afford.lint.samples import BOOK, CANCEL, DETAIL, HINTS, SEARCH, clean, closed, rows, with_change
from afford.lint.target import Origin, Target
from afford.lint.targets.reading import from_document

RULES = [rule for rule in all_rules() if rule.code[:3] in {"SAF", "RCH"}]


@pytest.mark.requirement("LINT-10")
@pytest.mark.parametrize("origin", list(Origin))
def test_the_clean_catalog_contradicts_itself_nowhere(origin: Origin) -> None:
    assert codes(clean(origin)) == set()


@pytest.mark.requirement("LINT-10")
@pytest.mark.parametrize(
    ("sentence", "code"),
    [
        ("Delete a room and all its bookings.", "SAF101"),
        ("Deletes a room.", "SAF101"),
        ("Permanently erase the guest book.", "SAF101"),
        ("This tool cancels a booking.", "SAF101"),
        ("Use this to send a message to the guest.", "SAF101"),
        ("Charge the card of the guest.", "SAF101"),
        ("Refund a payment.", "SAF101"),
        ("Revokes an access key.", "SAF101"),
        ("It is a powerful tool. Delete a room.", "SAF101"),
        ("Create a booking for the guest.", "SAF102"),
        ("Updates the address of a hotel.", "SAF102"),
        ("Allows you to add a guest to a room.", "SAF102"),
        ("Book a room.", "SAF102"),
        ("Approve or reject a request of the guest.", "SAF102"),
    ],
)
def test_a_read_that_is_described_as_a_write_is_found(sentence: str, code: str) -> None:
    assert codes(with_change("hotel_detail", description=sentence)) == {code}
    assert codes(with_change("hotel_detail", Origin.MCP, description=sentence)) == {code}


@pytest.mark.requirement("LINT-10")
@pytest.mark.parametrize(
    "sentence",
    [
        "Deleted rooms of a hotel, newest first.",
        "Cancellations of a day.",
        "Cancelled bookings of the guest.",
        "Preview what deleting a room would take along.",
        "Delete nothing, but show what would go.",
        "Charges of a card in a month.",
        "Transfers of the day, with their state.",
        "Refunds that are on their way.",
        "Charge level of a bicycle.",
        "Send a query to the database.",
        "Send a GET request to a server and return what it answers.",
        "Sent messages of the guest.",
        "Pay of an employee by month.",
        "Book search by title and author.",
        "Books of a library.",
        "Post offices near a place.",
        "Order history of the guest.",
        "Update history of a page.",
        "Updates that are ready to be installed.",
        "Add two numbers.",
        "Add a number to another.",
        "Create a summary of the reviews.",
        "Create a chart of the prices.",
        "Create a presigned URL to the file.",
        "Remove duplicates from a list of names.",
        "Remove the background of an image.",
        "Move list of a chess game.",
        "Mark sheet of a student.",
        "Store hours and places.",
        "Schedule of a ship.",
        "Reserve price of a lot.",
        "Write a poem of the given length as text.",
        "Lock states of all doors.",
        "Reset codes are not shown; look up the guest instead.",
        "Check whether a booking can be cancelled.",
        "Read the terms before deleting a room.",
        "Insert-only tables of the database.",
        "Merge conflicts of a branch.",
    ],
)
def test_a_read_whose_words_merely_look_like_a_write_is_left_alone(sentence: str) -> None:
    assert codes(with_change("hotel_detail", description=sentence)) == set()


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("delete_room", {"SAF101"}),
        ("rooms_purge", {"SAF101"}),
        ("cancelBooking", {"SAF101"}),
        ("list_deleted_rooms", set[str]()),
        ("can_delete_room", set[str]()),
        ("delete_room_preview", set[str]()),
        ("get_cancel_policy", set[str]()),
        ("cancellation_terms", set[str]()),
        ("publisher", set[str]()),
        ("room_delete_requests", set[str]()),
    ],
)
def test_the_verb_of_a_name_counts_unless_the_name_asks_about_it(name: str, found: set[str]) -> None:
    assert codes(with_change("search_hotels", name=name)) == found


@pytest.mark.requirement("LINT-10")
@pytest.mark.parametrize(
    ("sentence", "is_found"),
    [
        ("This is a read-only operation.", True),
        ("Read-only.", True),
        ("It changes nothing.", True),
        ("It does not modify any data.", True),
        ("It has no side effects.", True),
        ("The folder is read-only for guests.", False),
        ("It makes the room read-only.", False),
        ("Share a read-only link.", False),
        ("With a dry run, it changes nothing.", False),
        ("Calling it again changes nothing.", False),
        ("If the room is free, it changes nothing.", False),
        ("It is read-only until the manager opens it.", False),
    ],
)
def test_an_action_that_claims_to_only_read_is_found(sentence: str, *, is_found: bool) -> None:
    found = codes(with_change("cancel_booking", description=f"{CANCEL.description} {sentence}"))
    assert found == ({"SAF103"} if is_found else set())
    assert codes(with_change("search_hotels", description=f"{SEARCH.description} {sentence}")) == set()


@pytest.mark.requirement("LINT-10")
@pytest.mark.parametrize(
    ("sentence", "is_found"),
    [
        ("Delete a note for good.", True),
        ("Erases the disk.", True),
        ("Delete a note; it cannot be restored.", True),
        ("Delete a note, which moves it to the trash.", False),
        ("Delete a note; it can be restored for a month.", False),
        ("Delete a dish from the basket.", False),
        ("Change a note.", False),
        ("Remove a label.", False),
    ],
)
def test_a_deletion_that_is_called_harmless_is_found(sentence: str, *, is_found: bool) -> None:
    expected = {"SAF104"} if is_found else set[str]()
    assert codes(with_change("cancel_booking", safety="action", description=sentence)) == expected
    theirs = with_change("cancel_booking", Origin.MCP, safety=None, hints=HINTS["action"], description=sentence)
    assert codes(theirs) == expected
    unsaid = with_change("cancel_booking", Origin.OPENAPI, safety=None, description=sentence)
    assert codes(unsaid) == set()


@pytest.mark.requirement("LINT-10")
@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ({"safety": "destructive"}, {"SAF105"}),
        ({"safety": "action"}, {"SAF105"}),
        ({"safety": "write"}, {"SAF106"}),
        ({"risk": "medium"}, {"SAF106"}),
        ({"reach": "public"}, {"RCH104"}),
        ({"reach": "published"}, set[str]()),
        ({"safety": None, "risk": None, "reach": None}, set[str]()),
    ],
)
def test_words_of_a_foreign_catalog_are_checked(changes: dict[str, Any], found: set[str]) -> None:
    assert codes(with_change("search_hotels", Origin.CATALOG, **changes)) == found


def test_an_action_may_only_read_to_take_a_rich_input() -> None:
    target = with_change("book_room", Origin.CATALOG, safety="read", risk="low", description="Price a stay.")
    assert codes(target) == set()
    low = with_change("cancel_booking", Origin.CATALOG, risk="low", description="Cancel a booking.")
    assert codes(low) == {"SAF105"}


@pytest.mark.requirement("LINT-10")
@pytest.mark.parametrize(
    ("hints", "found"),
    [
        (None, {"SAF109"}),
        ({}, {"SAF109"}),
        ({"readOnlyHint": True}, {"SAF110"}),
        ({"readOnlyHint": True, "destructiveHint": False}, set[str]()),
        ({"readOnlyHint": True, "destructiveHint": True}, {"SAF107"}),
        ({"readOnlyHint": True, "destructiveHint": False, "idempotentHint": False}, {"SAF108"}),
        ({"readOnlyHint": False}, {"SAF109"}),
        ({"readOnlyHint": False, "destructiveHint": False}, set[str]()),
        ({"readOnlyHint": False, "destructiveHint": True, "idempotentHint": True}, set[str]()),
        ({"readOnlyHint": "true", "destructiveHint": False}, {"SAF106"}),
        ({"destructiveHint": True, "readOnlyHint": False, "openWorldHint": 1}, {"SAF106"}),
    ],
)
def test_hints_of_a_tool_are_there_and_agree(hints: JsonObject | None, found: set[str]) -> None:
    tool: JsonObject = {"name": "price", "title": "Price", "description": "Price a stay.", "inputSchema": {}}
    document: JsonValue = [tool if hints is None else {**tool, "annotations": hints}]
    assert codes(from_document(document, "tools.json")) == found


@pytest.mark.requirement("LINT-10")
@pytest.mark.parametrize(
    ("sentence", "is_found"),
    [
        ("It charges the guest's card.", True),
        ("The card is charged at once.", True),
        ("It cannot be undone.", True),
        ("It transfers money to the hotel.", True),
        ("The change is irreversible.", True),
        ("There is no way back.", True),
        ("It permanently deletes the old ones.", True),
        ("The card is not charged.", False),
        ("Nobody charges the guest's card.", False),
        ("The card is charged only on arrival.", False),
        ("The card is charged later, by the hotel.", False),
        ("It never transfers money.", False),
        ("It charges the battery of the bicycle.", False),
        ("It transfers the call to the front desk.", False),
        ("The guest is told.", False),
        ("It can be undone within a day.", False),
        ("In charge of it is the front desk.", False),
    ],
)
def test_a_low_risk_that_the_text_denies_is_found(sentence: str, *, is_found: bool) -> None:
    text = f"Note a wish of the guest for the stay. {sentence}"
    assert codes(with_change("book_room", risk="low", description=text)) == ({"SAF111"} if is_found else set())
    assert codes(with_change("book_room", risk="mid", description=text)) == set()


@pytest.mark.requirement("LINT-10")
@pytest.mark.parametrize(
    ("sentence", "idempotent", "is_found"),
    [
        ("It is idempotent.", False, True),
        ("Safe to retry.", False, True),
        ("Calling it twice changes nothing.", False, True),
        ("It is not idempotent.", False, False),
        ("Never safe to retry.", False, False),
        ("It is idempotent.", True, False),
        ("It is not idempotent.", True, True),
        ("Each call creates another booking.", True, True),
        ("Each call creates another booking.", False, False),
        ("Each call is logged.", True, False),
    ],
)
def test_text_and_hint_about_repetition_agree(sentence: str, *, idempotent: bool, is_found: bool) -> None:
    hints = {**HINTS["action"], "idempotentHint": idempotent}
    target = with_change("book_room", Origin.MCP, hints=hints, description=f"{BOOK.description} {sentence}")
    assert codes(target) == ({"SAF112"} if is_found else set())


@pytest.mark.requirement("LINT-11")
@pytest.mark.parametrize(
    ("name", "field", "is_found"),
    [
        ("email", {}, True),
        ("ownerEmail", {}, True),
        ("phone", {}, True),
        ("mobile_number", {}, True),
        ("username", {}, True),
        ("login", {}, True),
        ("reach_at", {"format": "email"}, True),
        ("contact_email", {}, False),
        ("hotel_phone", {}, False),
        ("support_email_address", {}, False),
        ("email", {"description": "The public address of the front desk."}, False),
        ("phone", {"description": "Of the shop, not of a person."}, False),
        ("phone_model", {}, False),
        ("email_count", {"type": "integer"}, False),
        ("has_phone", {"type": "boolean"}, False),
        ("microphone", {}, False),
        ("alias", {}, False),
        ("name", {}, False),
    ],
)
def test_a_login_in_published_rows_is_found(name: str, field: JsonObject, *, is_found: bool) -> None:
    assert codes(answering({name: field}, "published")) == ({"RCH101"} if is_found else set())
    assert codes(answering({name: field}, "principal")) == set()


@pytest.mark.requirement("LINT-11")
@pytest.mark.parametrize(
    ("name", "field", "reach", "is_found"),
    [
        ("owner_email", {}, "consented", True),
        ("seller", {"type": "object", "properties": {"phone": {"type": "string"}}}, "consented", True),
        ("email", {}, "consented", False),
        ("guest_email", {}, "role", False),
        ("owner_email", {}, "principal", False),
    ],
)
def test_a_login_of_an_owner_in_shared_rows_is_found(
    name: str, field: JsonObject, reach: str, *, is_found: bool
) -> None:
    assert codes(answering({name: field}, reach)) == ({"RCH102"} if is_found else set())


@pytest.mark.requirement("LINT-11")
@pytest.mark.parametrize(
    ("name", "reach", "is_found"),
    [
        ("my_bookings", "published", True),
        ("list_my_bookings", "role", True),
        ("listMine", "consented", True),
        ("my_bookings", "principal", False),
        ("my_bookings", None, False),
        ("mystery_tours", "published", False),
        ("owner_listings", "published", False),
        ("gold_mines", "published", False),
    ],
)
def test_a_name_that_promises_ones_own_is_found(name: str, reach: str | None, *, is_found: bool) -> None:
    assert codes(with_change("search_hotels", name=name, reach=reach)) == ({"RCH103"} if is_found else set())


@pytest.mark.requirement("LINT-11")
@pytest.mark.parametrize(
    ("sentence", "reach", "found"),
    [
        ("Only your own are listed.", "published", {"RCH105"}),
        ("Just the person's own come up.", "consented", {"RCH105"}),
        ("Nobody else's are in it.", "published", {"RCH105"}),
        ("Staff see all, others only their own.", "role", set[str]()),
        ("Only their own and those shared with them.", "consented", set[str]()),
        ("Only one's own can be edited: people cancel only their own.", "published", set[str]()),
        ("Narrow with the person's own constraints.", "published", set[str]()),
        ("Only your own are listed.", "principal", set[str]()),
        ("Everyone's bookings are listed.", "principal", {"RCH106"}),
        ("Offers posted by other members are in it.", "principal", {"RCH106"}),
        ("All users' notes are in it.", "principal", {"RCH106"}),
        ("Ratings of other guests are in it.", "principal", {"RCH106"}),
        ("Other guests' notes are not in it.", "principal", set[str]()),
        ("It never shows what was written by other guests.", "principal", set[str]()),
        ("Everyone's bookings are listed.", "published", set[str]()),
        ("Somebody has to pay the bill.", "principal", set[str]()),
        ("Everyone is welcome, and all guests get a towel.", "principal", set[str]()),
    ],
)
def test_a_text_that_contradicts_the_reach_is_found(sentence: str, reach: str, found: set[str]) -> None:
    assert codes(with_change("search_hotels", reach=reach, description=f"{SEARCH.description} {sentence}")) == found


def test_hints_that_are_left_out_never_count() -> None:
    found = run(from_document([{"name": "price", "inputSchema": {}}], "tools.json"), RULES).found
    assert {(item.code, item.severity) for item in found} == {("SAF109", Severity.INFO), ("SAF110", Severity.INFO)}


def answering(fields: JsonObject, reach: str) -> Target:
    """The clean catalog with other rows behind its detail."""
    texts: JsonObject = {
        name: {"type": "string", **(field if isinstance(field, dict) else {})} for name, field in fields.items()
    }
    return with_change("hotel_detail", reach=reach, output_schema=rows(closed(texts)), description=DETAIL.description)


def codes(target: Target) -> set[str]:
    return {item.code for item in run(target, RULES).found}
