"""A small catalog with nothing wrong in it, from which rules make their examples by breaking one thing at a time.

Three operations that belong together: a search that pages, the detail behind a row, and an action on it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import islice
from types import MappingProxyType
from typing import Any, Final

from afford.errors import JsonObject, JsonValue
from afford.lint.target import Described, Origin, Pages, Target, target


def closed(properties: JsonObject, *required: str) -> JsonObject:
    """A closed object schema."""
    return {"type": "object", "additionalProperties": False, "properties": properties, "required": [*required]}


def rows(row: JsonObject) -> JsonObject:
    """An answer of rows."""
    return {"type": "array", "items": row}


def _hints(*, reads: bool = False, destroys: bool = False) -> JsonObject:
    return {"readOnlyHint": reads, "destructiveHint": destroys, "idempotentHint": reads, "openWorldHint": False}


SUMMARY: Final[JsonObject] = closed(
    {
        "property_id": {"type": "integer", "minimum": 1, "description": "Identifies the hotel."},
        "name": {"type": "string", "description": "Name of the hotel."},
        "stars": {"type": "integer", "minimum": 1, "maximum": 5, "description": "Official star rating."},
    },
    "property_id",
    "name",
    "stars",
)
SEARCH: Final = Described(
    name="search_hotels",
    title="Search hotels",
    description=(
        "Find hotels that match what the person asked for, best first. Narrow with the person's own constraints rather "
        "than reading everything. Each row is a summary for a shortlist; once one is picked, `hotel_detail` has the "
        "rest. Safe to call freely."
    ),
    reads=True,
    safety="read",
    risk="low",
    reach="principal",
    input_schema=closed(
        {
            "neighbourhood": {
                "type": "string",
                "enum": ["Besiktas", "Kadikoy", "Sultanahmet"],
                "description": "Exact name of an area of the city.",
            },
            "min_stars": {"type": "integer", "minimum": 1, "maximum": 5, "description": "Lowest star rating wanted."},
        }
    ),
    output_schema=rows(SUMMARY),
    pages=Pages(default=20, most=50, is_written=True),
    example_params={"neighbourhood": "Besiktas", "min_stars": 4},
    example_row={"property_id": 4, "name": "Bosphorus Palace", "stars": 5},
)
DETAIL: Final = Described(
    name="hotel_detail",
    title="Hotel detail",
    description=(
        "Read everything about one hotel that the person is seriously considering: where it stands and what it offers. "
        "Call it for the few that were shortlisted, then `book_room` for the one that was chosen."
    ),
    reads=True,
    safety="read",
    risk="low",
    reach="principal",
    input_schema=closed(
        {"property_id": {"type": "integer", "minimum": 1, "description": "Taken from a row of a search."}},
        "property_id",
    ),
    output_schema=rows(
        closed(
            {
                "property_id": {"type": "integer", "minimum": 1, "description": "Identifies the hotel."},
                "name": {"type": "string", "description": "Name of the hotel."},
                "address": {"type": "string", "description": "Street and number."},
                "currency": {"type": "string", "enum": ["EUR"], "description": "Currency of all prices, ISO 4217."},
                "price_cents": {"type": "integer", "minimum": 0, "description": "One night, in euro cents."},
            },
            "property_id",
            "name",
            "address",
            "currency",
            "price_cents",
        )
    ),
    example_params={"property_id": 4},
    example_row={
        "property_id": 4,
        "name": "Bosphorus Palace",
        "address": "Ciragan Caddesi 32",
        "currency": "EUR",
        "price_cents": 15000,
    },
)
BOOK: Final = Described(
    name="book_room",
    title="Book a room",
    description=(
        "Book a room in a hotel for the person, after they said yes to this hotel and these nights. The room is theirs "
        "at once and their card is charged on arrival; `cancel_booking` takes it back."
    ),
    reads=False,
    safety="action",
    risk="high",
    reach="principal",
    input_schema=closed(
        {
            "property_id": {"type": "integer", "minimum": 1, "description": "Taken from a row of a search."},
            "check_in": {"type": "string", "format": "date", "description": "First night, YYYY-MM-DD."},
            "nights": {"type": "integer", "minimum": 1, "maximum": 30, "description": "How many nights."},
        },
        "property_id",
        "check_in",
        "nights",
    ),
    output_schema=closed({"booking_id": {"type": "string", "description": "Identifies the booking."}}, "booking_id"),
    example_params={"property_id": 4, "check_in": "2027-03-01", "nights": 2},
    example_row={"booking_id": "bk_7f3a"},
)
CANCEL: Final = Described(
    name="cancel_booking",
    title="Cancel a booking",
    description=(
        "Cancel a booking of the person for good, after they confirmed which one. The room goes back on sale at once, "
        "and nothing is charged. There is no way back but to book again."
    ),
    reads=False,
    safety="destructive",
    risk="high",
    reach="principal",
    input_schema=closed(
        {"booking_id": {"type": "string", "description": "From the answer of the booking."}}, "booking_id"
    ),
    output_schema=closed(
        {"status": {"type": "string", "enum": ["cancelled"], "description": "What the booking is now."}}, "status"
    ),
    example_params={"booking_id": "bk_7f3a"},
    example_row={"status": "cancelled"},
)
CLEAN: Final = (SEARCH, DETAIL, BOOK, CANCEL)
HINTS: Final[Mapping[str, JsonObject]] = MappingProxyType(
    {
        "read": _hints(reads=True),
        "action": _hints(),
        "destructive": _hints(destroys=True),
    }
)
"""What an MCP server says of operations, by their safety."""


def with_change(name: str, origin: Origin = Origin.APP, /, **changes: Any) -> Target:  # noqa: ANN401 - any field's type
    """The clean catalog with fields of one operation replaced.

    Args:
        name: of the operation.
        origin: what it pretends to be read from.
        **changes: fields of `Described`.
    """
    operations = (replace(item, **changes) if item.name == name else item for item in clean(origin).operations)
    return target(origin, *operations, name="hotels")


def with_input(
    operation: str, name: str, schema: JsonObject, origin: Origin = Origin.APP, *, required_as: JsonValue = None
) -> Target:
    """The clean catalog with one more input of one operation, which is required where an example of it is given."""
    item = next(item for item in CLEAN if item.name == operation)
    inputs: JsonObject = {**item.inputs, name: schema}
    if required_as is None:
        return with_change(operation, origin, input_schema=closed(inputs, *sorted(item.required)))
    return with_change(
        operation,
        origin,
        input_schema=closed(inputs, *sorted(item.required | {name})),
        example_params={**(item.example_params or {}), name: required_as},
    )


def with_output(
    operation: str, name: str, schema: JsonObject, example: JsonValue, origin: Origin = Origin.APP
) -> Target:
    """The clean catalog with one more field in the answers of one operation, and in their example."""
    item = next(item for item in CLEAN if item.name == operation)
    row = item.row or {}
    properties = row.get("properties")
    fields: JsonObject = {**(properties if isinstance(properties, dict) else {}), name: schema}
    answer = closed(fields, *fields)
    sample = item.example_row if isinstance(item.example_row, dict) else {}
    return with_change(
        operation,
        origin,
        output_schema=rows(answer) if item.reads else answer,
        example_row={**sample, name: example},
    )


def with_output_of(reach: str, name: str, example: str) -> Target:
    """The clean catalog with one more text in a detail whose rows have another reach."""
    field: JsonObject = {"type": "string", "description": "Who offers it."}
    found = with_output("hotel_detail", name, field, example)
    operations = (replace(item, reach=reach) if item.name == "hotel_detail" else item for item in found.operations)
    return target(found.origin, *operations, name=found.name)


def clean(origin: Origin = Origin.APP) -> Target:
    """The catalog with nothing wrong in it."""
    return target(origin, *as_read(origin, *CLEAN), name="hotels")


def as_read(origin: Origin, *operations: Described) -> tuple[Described, ...]:
    """Operations with the hints that an MCP server gives of them, where one is what they pretend to be read from."""
    hints: Mapping[str, JsonObject] = HINTS if origin is Origin.MCP else {}
    return tuple(replace(item, hints=hints.get(item.safety or "")) for item in operations)


_UNPORTABLE: Final = frozenset({"minimum", "maximum", "format"})
"""Keywords of the clean catalog's inputs that some provider does not take."""


def _portable(schema: JsonObject | None) -> JsonObject:
    properties = (schema or {}).get("properties")
    fields = properties if isinstance(properties, dict) else {}
    kept: JsonObject = {
        name: {key: value for key, value in field.items() if key not in _UNPORTABLE}
        for name, field in fields.items()
        if isinstance(field, dict)
    }
    return closed(kept, *kept)


PORTABLE: Final = tuple(
    replace(item, input_schema=_portable(item.input_schema)) for item in as_read(Origin.MCP, *CLEAN)
)
"""The clean catalog with inputs that every provider takes, in its strict mode too."""


def with_portable(example: JsonObject, schema: JsonObject | None = None, /, **inputs: JsonValue) -> Target:
    """The portable catalog, as an MCP server lists it, with other inputs of one operation.

    Args:
        example: values of what is added, for the operation's example.
        schema: keywords that the schema of the inputs has beside those it has; null takes one out.
        **inputs: schemas of inputs that are added, and required.
    """
    item = next(item for item in PORTABLE if item.name == "book_room")
    whole: JsonObject = {**closed({**item.inputs, **inputs}, *item.inputs, *inputs), **(schema or {})}
    changed = replace(
        item,
        input_schema={key: value for key, value in whole.items() if value is not None},
        example_params={**(item.example_params or {}), **example},
    )
    return target(Origin.MCP, *(changed if each is item else each for each in PORTABLE), name="hotels")


def with_reports(
    count: int, fields: int, origin: Origin = Origin.MCP, *, base: tuple[Described, ...] = CLEAN
) -> Target:
    """The clean catalog with more actions beside it, for what depends on how much there is.

    Args:
        count: how many more.
        fields: how many optional inputs each of them has.
        origin: what it pretends to be read from.
        base: in place of the clean catalog's operations.
    """
    things = islice((f"{quality} {thing}" for thing in _THINGS for quality in _QUALITIES), count)
    return target(origin, *as_read(origin, *base, *(_report_of(thing, fields) for thing in things)), name="hotels")


_SEEN: Final = (
    "What the person saw on this floor and where, in their own words and as exactly as they remember it: in which "
    "corner of which room or hall, beside what, since when, and whether somebody of the house has seen it as well, "
    "with the name of whoever that was."
)
_QUALITIES: Final = ("broken", "missing", "dirty", "noisy", "cold", "lost")
_THINGS: Final = ("lamp", "towel", "window", "carpet", "shower", "key", "chair", "mirror")


def _report_of(thing: str, fields: int) -> Described:
    text = f"Tell the desk about a {thing} once the person complains; the desk is told at once and sends somebody."
    inputs: JsonObject = {f"floor_{floor}": {"type": "string", "description": _SEEN} for floor in range(1, fields + 1)}
    return Described(
        name=f"report_{thing.replace(' ', '_')}",
        title=f"Report a {thing}",
        description=text,
        reads=False,
        safety="action",
        risk="low",
        reach="principal",
        input_schema=closed(inputs),
        output_schema=closed({"told": {"type": "boolean", "description": "Whether the desk knows."}}, "told"),
        example_params={},
        example_row={"told": True},
    )
