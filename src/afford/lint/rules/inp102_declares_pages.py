"""A query that declares an input which every query has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from afford.errors import JsonObject
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import with_input
from afford.lint.target import Origin, Target
from afford.lint.vocabulary import RESERVED


def check(found: Target) -> Iterator[Finding]:
    """Top-level inputs of the queries of a catalog; an app that declares them is not built at all."""
    for item in found.operations:
        for name in sorted(RESERVED & item.inputs.keys()) if item.reads else ():
            pointer = f"/input_schema/properties/{name}"
            yield Finding(subject=item.name, message=f"`{name}` is a reserved name", pointer=pointer)


_LIMIT: Final[JsonObject] = {"type": "integer", "minimum": 1, "description": "Most hotels to answer."}

RULE: Final = Rule(
    code="INP102",
    name="declares-pages",
    severity=Severity.ERROR,
    what="A query declares `limit` or `cursor` as an input of its own.",
    why="Both are part of the protocol: what a schema says about them is not what happens.",
    fix="Take it out of the schema; the description says how the result is paged.",
    source="house style checklist, item 8",
    origins=frozenset({Origin.CATALOG}),
    bad=with_input("search_hotels", "limit", _LIMIT, Origin.CATALOG),
    good=with_input("search_hotels", "max_rooms", _LIMIT, Origin.CATALOG),
    check=check,
)
