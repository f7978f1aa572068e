"""A list of large rows that nothing bounds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from afford.errors import JsonObject
from afford.lint.answers import is_list
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import closed, rows, with_change
from afford.lint.schemas import places, types_of
from afford.lint.target import Described, Target

_MANY_FIELDS: Final = 10
_LONG: Final = frozenset({"content", "contents", "html", "markdown", "full_text", "transcript", "raw"})


def check(found: Target) -> Iterator[Finding]:
    """Lists that are not paged and take no input at all, with rows that are more than a summary."""
    for item in found.operations:
        bounded = item.pages is not None or item.inputs or "maxItems" in (item.output_schema or {})
        if is_list(item) and not bounded and _is_large(item):
            message = "it answers all rows at once, each of them large, and nothing can be sent to have fewer"
            yield Finding(subject=item.name, message=message, pointer="/output_schema")


def _is_large(item: Described) -> bool:
    fields = list(places(item.output_schema))
    nested = any("array" in types_of(place.schema) and place.depth == 0 for place in fields)
    lists_objects = nested and any(place.depth > 0 for place in fields)
    return len(fields) >= _MANY_FIELDS or lists_objects or any(place.name in _LONG for place in fields)


_NOTHING: Final = closed({})
_BODY: Final[JsonObject] = {"type": "string", "description": "Everything that was written about the hotel."}
_TEXT: Final = (
    "Read every hotel that takes part, when the person wants the whole list. It is complete, in no order; once one is "
    "picked, `hotel_detail` has the rest. Safe to call freely."
)

RULE: Final = Rule(
    code="OUT105",
    name="boundless-answer",
    severity=Severity.WARNING,
    what="A list of large rows is not paged and takes nothing that would make it shorter.",
    why="Clients cut or refuse answers over some 25,000 tokens, and pay for all of it when they do not.",
    fix="Page it, or let the caller say which rows; keep summaries in lists and the rest in a detail query.",
    source="results beyond what clients accept",
    bad=with_change(
        "search_hotels",
        description=_TEXT,
        input_schema=_NOTHING,
        example_params={},
        pages=None,
        output_schema=rows(
            closed(
                {"property_id": {"type": "integer", "description": "Identifies the hotel."}, "content": _BODY},
                "property_id",
                "content",
            )
        ),
        example_row={"property_id": 4, "content": "A palace at the Bosphorus."},
    ),
    good=with_change("search_hotels", description=_TEXT, input_schema=_NOTHING, example_params={}, pages=None),
    check=check,
)
