"""Two names of the same words in another order."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from afford.lint.naming import parts, squashed
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import CLEAN, SEARCH, closed
from afford.lint.siblings import DIRECTIONS
from afford.lint.target import Described, Origin, Target, target


def check(found: Target) -> Iterator[Finding]:
    """Names of two words or more; those that differ by case and separators alone are another rule's."""
    groups: defaultdict[tuple[str, ...], set[str]] = defaultdict(set)
    for item in found.operations:
        words = parts(item.name)
        if len(set(words)) > 1 and not DIRECTIONS & set(words):
            groups[tuple(sorted(words))].add(item.name)
    for names in groups.values():
        for name in sorted(names):
            other = next((each for each in sorted(names) if squashed(each) != squashed(name)), None)
            if other is not None:
                yield Finding(subject=name, message=f"it has the words of `{other}` in another order")


def _nearby(name: str) -> Described:
    text = (
        "See which places are close by when the person names a street or a landmark. The list is complete, nearest "
        "first, and safe to ask for freely."
    )
    inputs = closed({"landmark": {"type": "string", "description": "What it should be close to."}})
    return replace(
        SEARCH,
        name=name,
        title="",
        description=text,
        input_schema=inputs,
        example_params={"landmark": "Tower"},
        pages=None,
    )


RULE: Final = Rule(
    code="SIB104",
    name="reordered-name",
    severity=Severity.WARNING,
    what="Two names have the same words in another order.",
    why="A model that remembers the words of a name calls the other one.",
    fix="Name each by what is different about it.",
    source="names that models mix up; house conventions for names",
    bad=target(Origin.APP, *CLEAN, _nearby("hotels_search"), name="hotels"),
    good=target(Origin.APP, *CLEAN, _nearby("list_places_nearby"), name="hotels"),
    check=check,
)
