"""Two operations with much the same name and task, of which none says when to take the other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from afford.errors import JsonObject
from afford.lint.prose import about
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import CLEAN, DETAIL, closed
from afford.lint.siblings import NEAR, Pair, pairs, share
from afford.lint.target import Described, Origin, Target, target

_ENOUGH: Final = 0.5
"""Share of common inputs from which two operations do the same kind of thing."""


def check(found: Target) -> Iterator[Finding]:
    """Related pairs of which one's name has all words of the other's."""
    for pair in pairs(found):
        if _is_confusable(pair):
            for one, other in ((pair.one.item, pair.other.item), (pair.other.item, pair.one.item)):
                yield about(
                    one, f"its name and text are close to those of `{other.name}`, and it does not say which to take"
                )


def _is_confusable(pair: Pair) -> bool:
    one, other = pair.one, pair.other
    duplicates = pair.likeness >= NEAR and one.inputs == other.inputs
    named_alike = one.name <= other.name or other.name <= one.name
    return not duplicates and named_alike and share(one.inputs, other.inputs) >= _ENOUGH


_MORE: Final = (
    "Read about one hotel that the person is seriously considering: where it stands, what it offers and who runs it. "
    "Call it for the few that were shortlisted."
)

_LANGUAGE: Final[JsonObject] = {"type": "string", "enum": ["en", "tr"], "description": "Language of the answer."}


def _full(text: str) -> Described:
    inputs = closed({**DETAIL.inputs, "language": _LANGUAGE}, "property_id")
    return replace(DETAIL, name="hotel_detail_full", description=text, input_schema=inputs)


RULE: Final = Rule(
    code="SIB103",
    name="untold-sibling",
    severity=Severity.WARNING,
    what="Two operations have much the same name and task, and neither says when to take the other.",
    why="A model guesses; told which is for what, it took the right one of such a pair twice as often.",
    fix='Name the other, and say when to take it: "for the whole record take `hotel_detail`".',
    source="word-set Jaccard of 0.35 or more needs a word on the other one (mcp-toolgauge: 100 % against 44 % right)",
    bad=target(Origin.APP, *CLEAN, _full(_MORE), name="hotels"),
    good=target(
        Origin.APP,
        *CLEAN,
        _full(f"{_MORE} `hotel_detail` is enough for a price."),
        name="hotels",
    ),
    check=check,
)
