"""A description of a field that is more than a line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import with_input
from afford.lint.schemas import places
from afford.lint.target import SERVED_BY_US, Target

_MOST: Final = 200


def check(found: Target) -> Iterator[Finding]:
    """Fields of inputs and answers."""
    for item in found.operations:
        for part, schema in (("/input_schema", item.input_schema), ("/output_schema", item.output_schema)):
            for place in places(schema):
                text = place.schema.get("description")
                if isinstance(text, str) and (len(text) > _MOST or "\n" in text.strip()):
                    size = f"{len(text)} characters" if len(text) > _MOST else "several lines"
                    message = f"the description of `{place.name}` has {size}"
                    yield Finding(subject=item.name, message=message, pointer=f"{part}{place.pointer}/description")


_LONG: Final = (
    "Floor to be on. Counted from the street, where the ground floor is zero and cellars are below it; in a house that "
    "stands on a slope the street is the one with the entrance, and towers count on from the house they stand on."
)

RULE: Final = Rule(
    code="INP112",
    name="long-field-text",
    severity=Severity.WARNING,
    what="The description of a field is longer than a line.",
    why="It is read with every call; what does not belong to the field is said better once, by the operation.",
    fix="Keep unit, form and provenance, in one line of at most 200 characters.",
    source="house style checklist, item 11",
    origins=SERVED_BY_US,
    bad=with_input("book_room", "floor", {"type": "integer", "description": _LONG}),
    good=with_input("book_room", "floor", {"type": "integer", "description": _LONG[:15]}),
    check=check,
)
