"""A descriptor with a `params` key."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import with_change
from afford.lint.target import Origin, Target


def check(found: Target) -> Iterator[Finding]:
    """The key itself, whatever it holds: null says that there is such a thing, too."""
    for item in found.operations:
        if "params" in item.raw:
            yield Finding(subject=item.name, message="the descriptor has a `params` key", pointer="/params")


RULE: Final = Rule(
    code="INP115",
    name="params-key",
    severity=Severity.ERROR,
    what="A descriptor has a `params` key.",
    why="It is a second place to name inputs, which nothing checks; the schema catalog has no such key.",
    fix="Take it out: what an input takes belongs to the input schema, what it means to the description.",
    source="house style checklist, item 14",
    origins=frozenset({Origin.CATALOG}),
    bad=with_change("hotel_detail", Origin.CATALOG, raw={"params": {"property_id": "the hotel"}}),
    good=with_change("hotel_detail", Origin.CATALOG, raw={"name": "hotel_detail"}),
    check=check,
)
