"""An action that is hard to take back, with a description that does not say what happens."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from afford.lint.fields import snake
from afford.lint.prose import about, may_judge
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import clean, with_change
from afford.lint.signals import has_effect
from afford.lint.target import Described, Target

_GRAVE: Final = re.compile(
    r"(?:^|_)(?:delete|remove|destroy|drop|purge|wipe|erase|clear|cancel|revoke|close|terminate|kill|stop|shut|disable|"
    r"reset|overwrite|replace|restore|rollback|merge|sync|pay|charge|refund|transfer|send|publish|deploy|release|buy|"
    r"order|book|ban|block|suspend|rm|del|unlink|format|truncate|archive|execute|run)(?:_|$)"
)
"""Names of what is hard to take back: the protocol takes every write for destructive that does not say otherwise."""


def check(found: Target) -> Iterator[Finding]:
    """Destructive and high-risk operations whose text has no word for a consequence beside the operation's own verb."""
    for item in found.operations:
        if _is_grave(item) and may_judge(item) and not has_effect(item):
            yield about(item, "nothing says what happens because of it, and whether it can be taken back")


def _is_grave(item: Described) -> bool:
    if item.reads:
        return False
    hints = item.hints or {}
    declared = hints.get("destructiveHint") is True and hints.get("readOnlyHint") is not True
    return (
        (declared and _GRAVE.search(snake(item.name)) is not None)
        or item.safety == "destructive"
        or item.risk == "high"
    )


RULE: Final = Rule(
    code="DSC121",
    name="effect-untold",
    severity=Severity.WARNING,
    what="A description of a grave action does not say what happens because of it.",
    why="Neither an assistant nor the person who is asked can weigh what is not said.",
    fix="Say who is charged, told or affected, and whether it can be taken back.",
    source="house style, section 1: what happens as a side effect",
    bad=with_change("cancel_booking", description="Cancel one of the person's bookings, after they named the one."),
    good=clean(),
    check=check,
)
