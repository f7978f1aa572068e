"""An operation that deletes, and is declared as not destructive."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from afford.lint.prose import about
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import with_change
from afford.lint.target import ELSEWHERE, Described, Target
from afford.lint.verbs import verb_of_text, verbs_of_name

_DESTROYS: Final = frozenset({"delete", "erase", "destroy", "purge", "wipe", "truncate", "uninstall", "terminate"})
_WAY_BACK: Final = re.compile(
    r"\b(?:undo\w*|restor\w+|recover\w*|undelet\w+|trash\w*|recycle|archiv\w+|soft[- ]delet\w+|bin|revers\w+|"
    r"bring(?:s|ing)? (?:it|them) back|kept for|keeps? a copy|versions?|from (?:an?|the|your|their|"
    r"his) (?:\w+ )?(?:cart|basket|list|group|album|collection|favou?rites|watchlist|queue|selection|playlist|draft|"
    r"team|channel|folder))\b",
    re.IGNORECASE,
)
_NO_WAY: Final = re.compile(
    r"\b(?:cannot|can't|can not|never|not|no|without|ir)\b[^.;]{0,30}\b(?:undo\w*|restor\w+|recover\w*|revers\w+)",
    re.IGNORECASE,
)


def check(found: Target) -> Iterator[Finding]:
    """By the verb of the description or of the name, where nothing tells of a way back."""
    for item in found.operations:
        verbs = ({verb_of_text(item)} | verbs_of_name(item)) & _DESTROYS
        if verbs and _is_said_harmless(item) and not _has_way_back(item.description):
            message = f"it does `{min(verbs)}`, and is declared as an action that destroys nothing"
            yield about(item, message)


def _is_said_harmless(item: Described) -> bool:
    hints = item.hints or {}
    if item.reads or item.safety in {"read", "destructive"} or hints.get("readOnlyHint") is True:
        return False
    return item.safety == "action" or hints.get("destructiveHint") is False


def _has_way_back(text: str) -> bool:
    return _WAY_BACK.search(_NO_WAY.sub("", text)) is not None


RULE: Final = Rule(
    code="SAF104",
    name="destruction-understated",
    severity=Severity.ERROR,
    by_origin=dict.fromkeys(ELSEWHERE, Severity.WARNING),
    what="An operation that deletes is declared as not destructive.",
    why="Clients ask a person before what is destructive, and let the rest pass.",
    fix='Say `safety="destructive"`, or tell how it is brought back.',
    source="contradictions between text and safety",
    bad=with_change(
        "cancel_booking",
        safety="action",
        description=(
            "Delete a booking of the person for good, after they confirmed which one. The room goes back on sale at "
            "once, and nothing is charged. There is no way back but to book again."
        ),
    ),
    good=with_change(
        "cancel_booking",
        safety="action",
        description=(
            "Delete a booking of the person, after they confirmed which one. The room is kept for a day, in which the "
            "front desk can restore the booking; nothing is charged."
        ),
    ),
    check=check,
)
