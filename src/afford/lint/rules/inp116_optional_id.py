"""A query for one thing that can be called without saying which."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from afford.lint.fields import is_identifier, snake
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import DETAIL, closed, with_change
from afford.lint.schemas import states
from afford.lint.target import Described, Target

_CALLED_DETAIL: Final = re.compile(r"(?:^|_)(?:details?|by_id)$|^(?:get|read|show|fetch|view)_\w*(?<!s)$")
_CALLED_LIST: Final = re.compile(r"^(?:list|search|find|browse|query)(?:_|$)|(?:^|_)all(?:_|$)")
_OF_ONE: Final = re.compile(
    r"\b(?:(?:of|about|on|for|read|get|show|fetch|see) (?:one|a single|a specific|a particular)"
    r"|full (?:record|details?))\b",
    re.IGNORECASE,
)
_ELSE: Final = re.compile(
    r"\b(?:otherwise|without (?:an?|the|one|it)|left out|omit\w*|leave \w+ out|(?:where|if) none|none is|by default|"
    r"all of them|latest|most recent|current|default|caller(?:'s)?|own|signed[ -]in)\b",
    re.IGNORECASE,
)
"""What a query says that answers something without an id, too."""


def check(found: Target) -> Iterator[Finding]:
    """Queries whose only input is an id, and that by name or text answer about one thing."""
    for item in found.operations:
        name = next(iter(item.inputs), "")
        if not item.reads or len(item.inputs) != 1 or item.required or not is_identifier(name):
            continue
        has_default = any(states(part, {}, "default") for part in item.inputs.values() if isinstance(part, dict))
        if not has_default and _is_of_one(item):
            message = f"`{name}` says which one is meant, and is not required"
            yield Finding(subject=item.name, message=message, pointer="/input_schema/required")


def _is_of_one(item: Described) -> bool:
    called = snake(item.name)
    if _CALLED_LIST.search(called) or _ELSE.search(item.description):
        return False
    return _CALLED_DETAIL.search(called) is not None or _OF_ONE.search(item.description) is not None


_PROPERTY: Final = closed(DETAIL.inputs)

RULE: Final = Rule(
    code="INP116",
    name="optional-id",
    severity=Severity.WARNING,
    what="A query for one thing does not require its id.",
    why="An assistant believes that it can be left out, and is refused or gets something that nobody meant.",
    fix="Put the id into `required`, or say what is answered without it.",
    source="house style checklist, item 12",
    bad=with_change("hotel_detail", input_schema=_PROPERTY),
    good=with_change(
        "hotel_detail", description=f"{DETAIL.description} All of them come without one.", input_schema=_PROPERTY
    ),
    check=check,
)
