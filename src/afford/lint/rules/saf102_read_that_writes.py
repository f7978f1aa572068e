"""A read that is described as something that makes or changes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from afford.lint.prose import about
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import with_change
from afford.lint.target import Target
from afford.lint.verbs import opening, verb_of_text

_WRITES: Final = frozenset(
    (
        *("create", "add", "insert", "update", "edit", "modify", "rename", "move", "upload", "save", "store", "write"),
        *("register", "remove", "archive", "reset", "restart", "enable", "disable", "assign", "invite", "approve"),
        *("reject", "submit", "book", "buy", "purchase", "reserve", "post", "pause", "resume", "mark", "schedule"),
        *("merge", "install", "grant", "reopen", "lock", "unlock", "restore", "trigger", "deploy", "notify"),
    )
)
_THING: Final = re.compile(
    r"[\w-]+(?:\s+(?:and|or)\s+\w+)?\s+(?:an?|the|one|this|all|any|every|each|their|your|its|somebody's|new)\s",
    re.IGNORECASE,
)
"""A verb with its object: `Book search`, `Post office` and `Update history` have none."""
_MADE_TO_BE_READ: Final = re.compile(
    r"\b(?:summar\w+|reports?|previews?|quotes?|quotation|estimates?|plan|lists?|tables?|charts?|graphs?|diagrams?|"
    r"diff|quer(?:y|ies)|views?|snapshots?|maps?|json|csv|pdf|links?|urls?|texts?|strings?|numbers?|images?|arrays?|"
    r"drafts?|comparison|forecast|embeddings?|hash\w*|dates?|duplicates|whitespace|passwords?|dry[- ]run|simulat\w+|"
    r"would|without|what|whether|prompts?|sentences?|code|answers?|vectors?|context|in memory|hypothetical|cursor|"
    r"background|temporary|report)\b",
    re.IGNORECASE,
)


def check(found: Target) -> Iterator[Finding]:
    """By the verb that the description opens with; what is made only to be answered is a read."""
    for item in found.operations:
        if not (item.reads or item.safety == "read"):
            continue
        text = opening(item)
        if verb_of_text(item) in _WRITES and _THING.match(text) and not _MADE_TO_BE_READ.search(text):
            yield about(item, f"it is said to only read, and its text opens with `{text.split()[0]}`")


RULE: Final = Rule(
    code="SAF102",
    name="read-that-writes",
    severity=Severity.WARNING,
    what="An operation that is said to only read is described as making or changing something.",
    why="Reads are called freely and repeated; a write among them is done twice, and nobody is asked.",
    fix="Declare it as an action, or open the description with what it reads.",
    source="contradictions between text and safety",
    bad=with_change(
        "hotel_detail",
        description=(
            "Update the record of one hotel that the person is seriously considering. Call it for the few that were "
            "shortlisted, then `book_room` for the one that was chosen."
        ),
    ),
    good=with_change(
        "hotel_detail",
        description=(
            "Create a summary of one hotel that the person is seriously considering, as of today. Call it for the few "
            "that were shortlisted, then `book_room` for the one that was chosen."
        ),
    ),
    check=check,
)
