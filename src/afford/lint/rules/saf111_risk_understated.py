"""An action of low risk whose text says that it takes money, or that there is no way back."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from afford.lint.phrases import is_denied
from afford.lint.prose import at, sentence_at
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import BOOK, with_change
from afford.lint.target import Target

_OWNER: Final = r"(?:card|account|wallet|balance|customer|guest|person|user|buyer|member|client|payer)"
_GRAVE: Final = re.compile(
    rf"\b(?:charges?|debits?)\s+(?:the|their|a|an|your|his|her)\s+(?:[\w-]+\s+){{0,3}}{_OWNER}(?:'s)?\b|"
    rf"\b{_OWNER}\s+(?:is|are|gets|will\s+be)\s+(?:(?:then|also|immediately|automatically)\s+)?(?:charged|debited|"
    r"billed)\b|\b(?:transfers?|moves?|pays?\s+out|sends?|withdraws?)\s+(?:real\s+)?(?:money|funds)\b|"
    r"\breal\s+money\b|\b(?:cannot|can't|can\s+not|can\s+never)\s+be\s+(?:undone|reversed|restored|recovered|"
    r"taken\s+back|reverted|brought\s+back)\b|\b(?:irreversibl[ey]|irrevocabl[ey]|irretrievabl[ey])\b|"
    r"\bnot\s+reversible\b|\bno\s+way\s+back\b|\bpermanently\s+(?:delet|remov|eras|destroy|lost|gone)\w*",
    re.IGNORECASE,
)
_LATER: Final = re.compile(
    r"\b(?:only\s+(?:when|on|at|after|once|if|by)|until|later|at\s+checkout|not\s+yet|unless|may|might|would)\b",
    re.IGNORECASE,
)
"""What shows that something else does it, or nothing yet."""


def check(found: Target) -> Iterator[Finding]:
    """What the text says happens; what it says does not happen, or happens later, is left alone."""
    for item in found.operations:
        text = item.description
        for match in _GRAVE.finditer(text) if item.risk == "low" and item.reads is False else ():
            if not is_denied(text.lower(), match.start()) and not _LATER.search(sentence_at(text, match.start())):
                yield at(item, match.span(), f"its risk is `low`, and `{match.group()}` says otherwise")


RULE: Final = Rule(
    code="SAF111",
    name="risk-understated",
    severity=Severity.WARNING,
    what="An action of low risk is described as taking money or as irreversible.",
    why="Policies and people decide by the risk whether somebody is asked first.",
    fix='Say `risk="mid"` or `risk="high"`, or tell what the text leaves out.',
    source="contradictions between text and risk",
    bad=with_change("book_room", risk="low"),
    good=with_change("book_room", risk="mid", description=BOOK.description),
    check=check,
)
