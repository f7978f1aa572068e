"""An input of a query that may be null."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import with_input
from afford.lint.schemas import escaped, is_nullable, resolved
from afford.lint.target import Origin, Target


def check(found: Target) -> Iterator[Finding]:
    """Top-level inputs of the queries of a catalog."""
    for item in found.operations:
        root = item.input_schema or {}
        for name, part in item.inputs.items() if item.reads else ():
            if is_nullable(resolved(part, root), root):
                message = f"`{name}` may be null, which no query string can say"
                yield Finding(subject=item.name, message=message, pointer=f"/input_schema/properties/{escaped(name)}")


RULE: Final = Rule(
    code="INP114",
    name="nullable-query-input",
    severity=Severity.WARNING,
    what="An input of a query may be null.",
    why="A query string has no spelling for null; an assistant sends the word, or an empty text.",
    fix="Take `null` out of its types: leaving the input out says the same.",
    source="house style checklist, item 9; clients that send nulls as text",
    origins=frozenset({Origin.CATALOG}),
    bad=with_input(
        "search_hotels", "view", {"type": ["string", "null"], "description": "What it looks at."}, Origin.CATALOG
    ),
    good=with_input("search_hotels", "view", {"type": "string", "description": "What it looks at."}, Origin.CATALOG),
    check=check,
)
