"""An example of a row that leaves out fields that rows may have."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from afford.errors import JsonObject
from afford.lint.examples import row_faults
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import closed, with_change
from afford.lint.schemas import kinds_of, resolved
from afford.lint.target import SERVED_BY_US, Target


def check(found: Target) -> Iterator[Finding]:
    """Fields of the row itself. A flag may be there only when it is set, and no row has them all then."""
    for item in found.operations:
        root = item.output_schema or {}
        row = resolved(item.row, root)
        properties = row.get("properties")
        if not isinstance(item.example_row, dict) or not isinstance(properties, dict) or row_faults(item):
            continue
        for name in sorted(properties.keys() - item.example_row.keys()):
            if "boolean" not in kinds_of(properties[name], root):
                message = f"the example does not show `{name}`"
                yield Finding(subject=item.name, message=message, pointer="/example_row")


_FIELDS: Final[JsonObject] = {
    "booking_id": {"type": "string", "description": "Identifies the booking."},
    "note": {"type": "string", "description": "What the hotel adds, where it adds anything."},
}
_ANSWER: Final = closed(_FIELDS, "booking_id")

RULE: Final = Rule(
    code="EXM107",
    name="partial-row",
    severity=Severity.WARNING,
    what="An example of an answer leaves out a field that an answer may have.",
    why="An assistant does not learn that the field exists.",
    fix="Show a row that has it.",
    source="house style checklist, item 18",
    origins=SERVED_BY_US,
    bad=with_change("book_room", output_schema=_ANSWER),
    good=with_change("book_room", output_schema=_ANSWER, example_row={"booking_id": "bk_7f3a", "note": "Late arrival"}),
    check=check,
)
