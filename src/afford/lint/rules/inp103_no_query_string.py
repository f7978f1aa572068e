"""A query whose inputs do not fit a query string."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from afford.errors import JsonObject
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import closed, with_input
from afford.lint.schemas import kinds_of, resolved
from afford.lint.target import Origin, Target
from afford.schema.query_string import ShapeError, shape_errors


def check(found: Target) -> Iterator[Finding]:
    """Queries of a catalog; an app that declares one is not built at all."""
    for item in found.operations:
        schema = item.input_schema
        for error in shape_errors(schema) if item.reads and schema is not None else ():
            if not _is_said_elsewhere(error, schema or {}):
                place = error.pointer.replace("/", "/properties/")
                message = f"`{error.pointer[1:]}`: {error.message}"
                yield Finding(subject=item.name, message=message, pointer=f"/input_schema{place}", fix=error.fix)


def _is_said_elsewhere(error: ShapeError, root: JsonObject) -> bool:
    """Whether the schema lacks a type or is open, which other rules find in any operation."""
    schema: JsonObject = root
    for step in error.pointer.split("/")[1:]:
        properties = schema.get("properties")
        schema = resolved(properties.get(step) if isinstance(properties, dict) else None, root)
    kinds = kinds_of(schema, root)
    is_open = "object" in kinds and schema.get("additionalProperties", True) in (True, {})
    return not error.pointer or not kinds or is_open


_GUESTS: Final[JsonObject] = {
    "type": "array",
    "items": closed({"age": {"type": "integer", "description": "Age in years."}}),
}

RULE: Final = Rule(
    code="INP103",
    name="no-query-string",
    severity=Severity.ERROR,
    what="A query takes something that no query string can carry.",
    why="A query is read from the address: lists of objects and deeper nesting cannot arrive, so nobody can call it.",
    fix="Flatten the input, or make the operation an action, whose input is a JSON body.",
    source="house style checklist, item 9",
    origins=frozenset({Origin.CATALOG}),
    bad=with_input("search_hotels", "guests", {**_GUESTS, "description": "Who travels."}, Origin.CATALOG),
    good=with_input(
        "search_hotels",
        "ages",
        {"type": "array", "items": {"type": "integer"}, "description": "Ages of who travels, in years."},
        Origin.CATALOG,
    ),
    check=check,
)
