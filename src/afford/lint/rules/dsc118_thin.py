"""A description that says no more than the operation's name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from afford.lint.prose import about, may_judge, telling
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import clean, with_change
from afford.lint.signals import EFFECT, RESULT, TRIGGER, contents, domain_stems, name_stems
from afford.lint.target import Described, Target
from afford.lint.vocabulary import named_operations, ways_to_say

_FEW: Final = 2
"""Words with a meaning that a name would have, too."""


def check(found: Target) -> Iterator[Finding]:
    """Descriptions with a sentence that repeats the name and no sentence that adds to it. Length does not count."""
    ways = ways_to_say(found)
    for item in found.operations:
        if may_judge(item) and is_thin(item) and not named_operations(item, ways):
            yield about(item, "the description says no more than the name does")


def is_thin(item: Described) -> bool:
    """Whether some sentence repeats the name, and none adds to it."""
    own = name_stems(item)
    said = [(part.text, contents(part)) for part in telling(item.description)]
    if any(_repeats(meant, own) for _, meant in said):
        return not any(_adds(item, text, meant - own) for text, meant in said)
    return not said


def _repeats(meant: frozenset[str], own: frozenset[str]) -> bool:
    return meant <= own or (len(meant) <= _FEW and bool(meant & own))


def _adds(item: Described, text: str, meant: frozenset[str]) -> bool:
    """Whether it says when, what happens or what comes back, or at least something about its subject."""
    if any(pattern.search(text) for pattern in (TRIGGER, RESULT, EFFECT)):
        return bool(meant)
    return len(meant) > _FEW and bool(meant & domain_stems(item))


RULE: Final = Rule(
    code="DSC118",
    name="thin",
    severity=Severity.WARNING,
    what="A description says no more than the name.",
    why="An assistant chooses by the description: without one that adds something it guesses from the name.",
    fix="Say what it is for, when to call it, and what the answer means.",
    source="house style checklist, item 1",
    bad=with_change("hotel_detail", description="Gets the hotel's details."),
    good=clean(),
    check=check,
)
