"""A description that says no more than the operation's name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from afford.lint.prose import about, telling
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import clean, with_change
from afford.lint.signals import EFFECT, RESULT, TRIGGER, contents, domain_stems, name_stems
from afford.lint.target import Described, Target
from afford.lint.vocabulary import named_operations
from afford.lint.words import Span

_FEW: Final = 2
"""Words with a meaning that a name would have, too."""


def check(found: Target) -> Iterator[Finding]:
    """Descriptions with a sentence that repeats the name and no sentence that adds to it. Length does not count."""
    operations = frozenset(item.name for item in found.operations)
    for item in found.operations:
        if not item.description.strip() or named_operations(item, operations):
            continue
        if is_thin(item):
            yield about(item, "the description says no more than the name does")


def is_thin(item: Described) -> bool:
    """Whether some sentence repeats the name, and none adds to it."""
    said = list(telling(item.description))
    return not said or (any(_repeats(item, part) for part in said) and not any(_adds(item, part) for part in said))


def _repeats(item: Described, sentence: Span) -> bool:
    said = contents(sentence)
    return len(said) <= _FEW or len(said - name_stems(item)) <= 1


def _adds(item: Described, sentence: Span) -> bool:
    """Whether it says when, what happens or what comes back, or at least something about its subject."""
    said = contents(sentence)
    if any(pattern.search(sentence.text) for pattern in (TRIGGER, RESULT)):
        return bool(said - name_stems(item))
    if len(said - name_stems(item)) > 1 and EFFECT.search(sentence.text):
        return True
    return len(said - name_stems(item)) > _FEW and bool(said & domain_stems(item))


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
