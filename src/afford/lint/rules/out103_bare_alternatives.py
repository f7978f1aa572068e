"""An answer that is one of several, without a type."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import BOOK, closed, with_change
from afford.lint.target import Origin, Target


def check(found: Target) -> Iterator[Finding]:
    """The answer as a whole."""
    for item in found.operations:
        schema = item.output_schema or {}
        keyword = next((key for key in ("oneOf", "anyOf") if key in schema), None)
        if keyword and "type" not in schema and "$ref" not in schema:
            message = f"the output schema is a bare `{keyword}`, without a `type`"
            yield Finding(subject=item.name, message=message, pointer="/output_schema")


_WAITING: Final = closed({"queue": {"type": "integer", "description": "Place in the queue."}}, "queue")

RULE: Final = Rule(
    code="OUT103",
    name="bare-alternatives",
    severity=Severity.WARNING,
    what="An answer is declared as alternatives, without a type.",
    why="MCP wants an object at the top, and clients leave out a tool that does not say so.",
    fix='Add `"type": "object"` beside the alternatives.',
    source="house style checklist, items 10 and 11",
    origins=frozenset({Origin.APP, Origin.CATALOG, Origin.MCP}),
    bad=with_change("book_room", output_schema={"oneOf": [BOOK.output_schema, _WAITING]}),
    good=with_change("book_room", output_schema={"type": "object", "oneOf": [BOOK.output_schema, _WAITING]}),
    check=check,
)
