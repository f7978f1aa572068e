"""A read that is described as something that takes away, ends or sends."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from afford.lint.prose import about
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import with_change
from afford.lint.target import Described, Target
from afford.lint.verbs import opening, verb_of_text, verbs_of_name

_GRAVE: Final = frozenset(
    (
        *("delete", "erase", "destroy", "purge", "wipe", "revoke", "uninstall", "unsubscribe", "deactivate", "cancel"),
        *("terminate", "overwrite", "ban", "publish", "unpublish"),
    )
)
_WITH_OBJECT: Final = re.compile(
    r"(?:send|e-?mail|charge|refund|transfer|pay)s?\s+(?:(?:an?|the|one|this|all|any|every|each|their|"
    r"your)\s+(?!(?:\w+\s+){0,2}(?:query|queries|requests?|questions?|prompts?|pings?|probe|packets?|get|head|"
    r"command)\b)|money|funds|payments?|messages?\s+to|e-?mails?\s+to)",
    re.IGNORECASE,
)
"""Verbs that are nouns as well: `Transfers of a day`, `Charge of a card`, `Send a query`."""
_NOT_DONE: Final = re.compile(r"\b(?:preview\w*|dry[- ]run|simulat\w+|would|without|in memory)\b", re.IGNORECASE)
"""What shows that nothing is really done."""
_INPUT_ALONE: Final = re.compile(
    r"\b(?:what|whether|strings?|texts?|arrays?|images?|whitespace|substrings?|duplicates|nothing|copy)\b",
    re.IGNORECASE,
)
"""What shows that a question is answered, or that only the input is worked on."""


def check(found: Target) -> Iterator[Finding]:
    """By the verb that the description opens with, or by the verb of the name."""
    for item in found.operations:
        verb = _verb(item) if item.reads or item.safety == "read" else ""
        if verb and not _NOT_DONE.search(item.description):
            yield about(item, f"it is said to only read, and it is described as what does `{verb}`")


def _verb(item: Described) -> str:
    text, verb = opening(item), verb_of_text(item)
    if (verb in _GRAVE or _WITH_OBJECT.match(text)) and not _INPUT_ALONE.search(text):
        return verb
    return min(verbs_of_name(item) & _GRAVE, default="")


RULE: Final = Rule(
    code="SAF101",
    name="read-that-destroys",
    severity=Severity.ERROR,
    what="An operation that is said to only read is described as deleting, ending, paying or sending.",
    why="Reads are called freely, ahead of time and again: whatever this one does happens without anybody being asked.",
    fix="Declare it as the action that it is, or say what it reads.",
    source="contradictions between text and safety",
    bad=with_change(
        "hotel_detail",
        description=(
            "Delete everything that is known of one hotel which the person dropped. Call it for the few that were "
            "dropped, then `book_room` for the one that was chosen."
        ),
    ),
    good=with_change(
        "hotel_detail",
        description=(
            "Preview what deleting one hotel would take along. Call it for the few that were dropped, then `book_room` "
            "for the one that was chosen."
        ),
    ),
    check=check,
)
