"""A text and a hint that contradict each other about calling a tool again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from afford.lint.phrases import is_denied
from afford.lint.prose import at
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import CANCEL, HINTS, with_change
from afford.lint.target import Origin, Target

_HARMLESS: Final = re.compile(
    r"\bidempotent\b|\bsafe to (?:retry|repeat|call (?:again|twice|repeatedly|more than once|multiple times))\b|"
    r"\b(?:calling|running|doing|repeating|sending) (?:it|this)(?: twice| again| repeatedly)? (?:changes nothing|"
    r"has no (?:further|more|additional) effect|is harmless)\b",
    re.IGNORECASE,
)
_HARMFUL: Final = re.compile(
    r"\b(?:not|non-?)\s?idempotent\b|\bnot safe to (?:retry|repeat)\b|\b(?:each|every) call (?:creates|adds|sends|"
    r"charges|books|makes|appends|places) (?:another|a new|one more|an additional)\b|\bcalling (?:it|this) (?:twice|"
    r"again) (?:creates|adds|sends|charges|books|makes|places)\b",
    re.IGNORECASE,
)


def check(found: Target) -> Iterator[Finding]:
    """Of tools that write: a claim against `idempotentHint`, either way."""
    for item in found.operations:
        hints = item.hints or {}
        if hints.get("readOnlyHint") is True or not isinstance(hints.get("idempotentHint"), bool):
            continue
        harmless = hints["idempotentHint"]
        for match in (_HARMFUL if harmless else _HARMLESS).finditer(item.description):
            if harmless or not is_denied(item.description.lower(), match.start()):
                said = "nothing more" if harmless else "something more"
                yield at(
                    item, match.span(), f"`idempotentHint` says that repeating it does {said}, and the text differs"
                )


RULE: Final = Rule(
    code="SAF112",
    name="repetition-differs",
    severity=Severity.WARNING,
    what="Text and `idempotentHint` differ about what a second call does.",
    why="After a timeout a client repeats the call or does not, and one of both is wrong.",
    fix="Make the hint say what the text says.",
    source="MCP, tool annotations",
    origins=frozenset({Origin.MCP}),
    bad=with_change("cancel_booking", Origin.MCP, description=f"{CANCEL.description} It is safe to repeat."),
    good=with_change(
        "cancel_booking",
        Origin.MCP,
        description=f"{CANCEL.description} It is safe to repeat.",
        hints={**HINTS["destructive"], "idempotentHint": True},
    ),
    check=check,
)
