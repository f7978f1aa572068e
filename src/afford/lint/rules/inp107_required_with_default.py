"""An input that is required and has a default."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from afford.errors import JsonObject
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import BOOK, closed, with_change
from afford.lint.schemas import places
from afford.lint.target import Target


def check(found: Target) -> Iterator[Finding]:
    """At any depth."""
    for item in found.operations:
        for place in places(item.input_schema):
            if place.is_required and "default" in place.schema:
                message = f"`{place.name}` has a default and is required all the same"
                yield Finding(subject=item.name, message=message, pointer=f"/input_schema{place.pointer}/default")


_NIGHTS: Final[JsonObject] = {"type": "integer", "minimum": 1, "default": 1, "description": "How many nights."}
_INPUTS: Final[JsonObject] = {**BOOK.inputs, "nights": _NIGHTS}

RULE: Final = Rule(
    code="INP107",
    name="required-with-default",
    severity=Severity.ERROR,
    what="An input is required and has a default.",
    why="The default says that it can be left out; whoever believes it is refused.",
    fix="Take it out of `required`, or take the default away.",
    source="house style checklist, item 12",
    bad=with_change("book_room", input_schema=closed(_INPUTS, "property_id", "check_in", "nights")),
    good=with_change("book_room", input_schema=closed(_INPUTS, "property_id", "check_in")),
    check=check,
)
