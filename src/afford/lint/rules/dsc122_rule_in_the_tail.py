"""A description that clients cut, with a rule in the part that is cut off."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from afford.lint.prose import at
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import CANCEL, with_change
from afford.lint.target import Described, Target

MOST: Final = 2048
"""Characters of a description that reach the model in some clients."""
_RULE: Final = re.compile(
    r"\b(?:must|never|only|always|do not|don't|cannot|can't|may not|should|before|after|unless|until|except|ask|"
    r"confirm\w*|important|note that|warning|required|irreversible|undone)\b",
    re.IGNORECASE,
)
_LONG: Final = " ".join(["The hotel hears of it and gives the room to the next guest on its list."] * 28)


def check(found: Target) -> Iterator[Finding]:
    """The text as it is sent, with what the server adds."""
    for item in found.operations:
        match = _RULE.search(item.text, MOST)
        if match:
            message = f"some clients cut at {MOST:,} characters of {len(item.text):,}, and a rule stands behind that"
            yield at(item, match.span(), message)


def has_rule_in_the_tail(item: Described) -> bool:
    """Whether it is one of those."""
    return _RULE.search(item.text, MOST) is not None


RULE: Final = Rule(
    code="DSC122",
    name="rule-in-the-tail",
    severity=Severity.WARNING,
    what="A description is longer than some clients send, with a rule in its tail.",
    why="The tail is cut off without a word, and the model never reads the rule.",
    fix="Move the rule to the front, and take out what the schemas say.",
    source="clients' limit of 2,048 characters to a description",
    bad=with_change("cancel_booking", description=f"{CANCEL.description} {_LONG} Never cancel on the day of arrival."),
    good=with_change("cancel_booking", description=f"{CANCEL.description} Never cancel on the day of arrival."),
    check=check,
)
