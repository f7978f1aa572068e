"""An example of a row that lacks what every row has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from afford.errors import FaultCode
from afford.lint.examples import row_faults
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import with_change
from afford.lint.target import Target


def check(found: Target) -> Iterator[Finding]:
    """Required fields, at any depth."""
    for item in found.operations:
        for fault in row_faults(item):
            if fault.code is FaultCode.MISSING:
                name = fault.pointer.rpartition("/")[2]
                message = f"the example lacks `{name}`, which every answer has"
                yield Finding(subject=item.name, message=message, pointer="/example_row")


RULE: Final = Rule(
    code="EXM103",
    name="incomplete-row",
    severity=Severity.ERROR,
    what="An example of an answer lacks a field that every answer has.",
    why="An assistant does not learn the field: the currency of a price, the id for the next call.",
    fix="Show a whole row.",
    source="house style checklist, item 18",
    bad=with_change("search_hotels", example_row={"property_id": 4, "name": "Bosphorus Palace"}),
    good=with_change("search_hotels", example_row={"property_id": 5, "name": "Galata Inn", "stars": 3}),
    check=check,
)
