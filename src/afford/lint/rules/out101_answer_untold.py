"""An operation whose answer has no schema, or a query whose answer is no list of rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import DETAIL, with_change
from afford.lint.schemas import resolved, types_of
from afford.lint.target import SERVED_BY_US, Origin, Target


def check(found: Target) -> Iterator[Finding]:
    """Queries of a catalog answer arrays; what else reads, such as a tool of an app, may answer anything declared."""
    for item in found.operations:
        schema = item.output_schema
        if schema is None:
            yield Finding(subject=item.name, message="there is no output schema", pointer="/output_schema")
        elif item.reads and found.origin is Origin.CATALOG:
            followed = resolved(schema, schema)
            if types_of(followed) != frozenset({"array"}) or not isinstance(followed.get("items"), dict):
                message = "a query answers an array, and the output schema does not say of what"
                yield Finding(subject=item.name, message=message, pointer="/output_schema")


RULE: Final = Rule(
    code="OUT101",
    name="answer-untold",
    severity=Severity.ERROR,
    what="An operation has no output schema, or a query has one that is no array of rows.",
    why="An assistant cannot tell what it gets, nor which field of it the next call needs.",
    fix="Declare the whole answer: an array with `items` for a query, the object that is returned for an action.",
    source="house style checklist, item 10",
    origins=SERVED_BY_US,
    bad=with_change("hotel_detail", Origin.CATALOG, output_schema=DETAIL.row, example_row=None),
    good=with_change("hotel_detail", Origin.CATALOG, example_params={"property_id": 5}),
    check=check,
)
