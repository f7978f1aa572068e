"""An action whose text claims that it changes nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from afford.lint.prose import at, sentence_at
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import CANCEL, with_change
from afford.lint.target import Target

_CLAIM: Final = re.compile(
    r"\b(?:this|it|(?:this|the)\s+(?:tool|operation|call|action|endpoint))\s+is\s+(?:a\s+)?(?:strictly\s+|purely\s+|"
    r"completely\s+)?read[- ]only\b(?!\s+(?:for|to|until|after|once|when|if|copy|replica|file|folder|field|mode)\b)|"
    r"(?:^|(?<=[.!;(\n])\s?)read[- ]only(?:\s+(?:operation|tool|call|action|query))?\s*(?=[.:;!)]|\u2014|$)|"
    r"\bchanges\s+nothing\b|\bnothing\s+is\s+(?:changed|modified|written|stored)\b|\b(?:does|will)\s+not\s+(?:change|"
    r"modify|alter|mutate|write)\s+(?:anything|any\s+(?:data|state|record)s?)\b|\b(?:without|has\s+no|have\s+no|"
    r"no)\s+side[- ]effects\b",
    re.IGNORECASE,
)
_CONDITION: Final = re.compile(
    r"\b(?:dry|previews?|unless|if|when|while|until|otherwise|simulat\w+|twice|again|repeat\w*|second|already|refused|"
    r"fails?|failed|error|before|first|validate\w*|check\w*)\b",
    re.IGNORECASE,
)
"""What makes it a claim about some calls only."""


def check(found: Target) -> Iterator[Finding]:
    """Of all calls; what a dry run or a repetition leaves alone is another matter."""
    for item in found.operations:
        if item.reads is not False or item.safety == "read":
            continue
        for match in _CLAIM.finditer(item.description):
            if not _CONDITION.search(sentence_at(item.description, match.end() - 1)):
                yield at(item, match.span(), f"it is an action, and `{match.group().strip()}` says that it is none")


RULE: Final = Rule(
    code="SAF103",
    name="claims-to-only-read",
    severity=Severity.ERROR,
    what="The text of an action claims that it changes nothing.",
    why="Whoever believes the text calls it without asking; whoever believes the declaration asks for nothing.",
    fix="Declare it as a read where it is one; else say what it changes.",
    source="contradictions between text and safety",
    bad=with_change("cancel_booking", description=f"{CANCEL.description} This operation is read-only."),
    good=with_change("cancel_booking", description=f"{CANCEL.description} What was cancelled is read-only afterwards."),
    check=check,
)
