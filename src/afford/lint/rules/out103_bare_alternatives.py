"""An answer that is one of several, without a type."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from afford.errors import JsonObject, JsonValue
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import BOOK, closed, with_change
from afford.lint.schemas import kinds_of
from afford.lint.target import Origin, Target


def check(found: Target) -> Iterator[Finding]:
    """The answer as a whole. Alternatives that are all objects say as much as a type beside them."""
    for item in found.operations:
        schema = item.output_schema or {}
        keyword = next((key for key in ("oneOf", "anyOf") if key in schema), None)
        if keyword and "type" not in schema and "$ref" not in schema and not _are_objects(schema.get(keyword), schema):
            message = f"the output schema is a bare `{keyword}`, and not everything in it is an object"
            yield Finding(subject=item.name, message=message, pointer="/output_schema")


def _are_objects(branches: JsonValue, root: JsonObject) -> bool:
    return isinstance(branches, list) and all(kinds_of(branch, root) == frozenset({"object"}) for branch in branches)


_WAITING: Final = closed({"queue": {"type": "integer", "description": "Place in the queue."}}, "queue")
_REFUSAL: Final[JsonObject] = {"type": "string", "description": "Why the room is not to be had."}

RULE: Final = Rule(
    code="OUT103",
    name="bare-alternatives",
    severity=Severity.WARNING,
    what="An answer is declared as alternatives that are not all objects.",
    why="MCP wants an object at the top, and clients leave out a tool that may answer something else.",
    fix="Make every alternative an object, with a member that says which it is.",
    source="house style checklist, items 10 and 11",
    origins=frozenset({Origin.APP, Origin.CATALOG, Origin.MCP}),
    bad=with_change("book_room", output_schema={"oneOf": [BOOK.output_schema, _REFUSAL]}),
    good=with_change("book_room", output_schema={"oneOf": [BOOK.output_schema, _WAITING]}),
    check=check,
)
