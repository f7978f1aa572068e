"""A description that says in which currency or unit of money something is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from afford.lint.prose import each_match, sentence_at
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import DETAIL, with_change
from afford.lint.target import Target

CODES: Final = "EUR|USD|GBP|JPY|CHF|CNY|AUD|NZD|SEK|NOK|DKK|PLN|CZK|HUF|BRL|ZAR|KRW|SGD|HKD|MXN|ILS|THB|AED|IDR"
"""Currencies whose codes are no words and no other abbreviations."""
_PLURALS: Final = "euros|dollars|pounds sterling|pence|yen|yuan|rupees|lira|francs|pesos"
_CURRENCY: Final = re.compile(
    rf"(?<![\w-])(?:(?:{CODES})(?:[ -]cents)?|(?:euro|dollar|US)[ -]cents|(?<![Tt]wo )(?<!per )cents"
    rf"|in (?:whole |US |full |[A-Z][a-z]+ )*(?:{_PLURALS})|\((?:{_PLURALS}|[€$£¥])\)|in [€£¥$])(?![\w-])"
)
_AMOUNT_BEFORE: Final = re.compile(r"[\d€$£¥]\s*$")
_AMOUNT_AFTER: Final = re.compile(r"\s*\d")
_PAID: Final = re.compile(r"\b(?:pay|pays|paying|paid|payable|settle|cash)(?: \w+)? $", re.IGNORECASE)
"""How a sentence goes on that says in which money somebody pays."""
_CODE: Final = re.compile(rf"\b(?:{CODES})\b")
_KIND_BEFORE: Final = re.compile(
    r"\b(?:accounts?|cards?|traded|trades?|pay(?:s|ing)? out|paid out|payouts?)\b[^.;\n]{0,30}$", re.IGNORECASE
)
_KIND_AFTER: Final = re.compile(
    r"\s+(?:accounts?|wallets?|cards?|rates?|payments?|cash|notes|coins?|markets?|funds?|invoices?|customers?)\b"
)
"""What is of a currency, and is no sum."""
_EXCHANGE: Final = re.compile(
    r"\b(?:exchange|conver(?:t|sion)\w*|forex|fx|pairs?|transfers?|payouts?|wallets?|currenc(?:y|ies) (?:such|"
    r"like))\b",
    re.IGNORECASE,
)
_EXCHANGES: Final = re.compile(
    r"\b(?:exchange rates?|forex|currency pairs?|conver\w+ (?:\w+ ){0,4}(?:currenc(?:y|ies)|money|amounts?|prices?))\b",
    re.IGNORECASE,
)
"""What an operation says whose subject is currencies."""


def check(found: Target) -> Iterator[Finding]:
    """Currencies that stand for themselves. A sum, as in a fee of the service, is a fact and not a unit."""
    message = "`{}` is the unit of a field, and belongs to that field"
    yield from each_match(found, _CURRENCY, message, but=_is_fact)


def _is_fact(text: str, match: re.Match[str]) -> bool:
    if (
        _PAID.search(text, 0, match.start())
        or _AMOUNT_BEFORE.search(text, 0, match.start())
        or _AMOUNT_AFTER.match(text, match.end())
    ):
        return True
    if "cents" in match.group():
        return False
    if (
        _KIND_BEFORE.search(text, 0, match.start())
        or _KIND_AFTER.match(text, match.end())
        or _is_one_of_many(text, match)
    ):
        return True
    return _EXCHANGE.search(sentence_at(text, match.start())) is not None or _EXCHANGES.search(text) is not None


def _is_one_of_many(text: str, match: re.Match[str]) -> bool:
    """Whether the sentence names several currencies: a field has one unit."""
    return len(set(_CODE.findall(sentence_at(text, match.start())))) > 1


RULE: Final = Rule(
    code="DSC108",
    name="currency",
    severity=Severity.ERROR,
    what="A description says in which currency or unit of money something is.",
    why="The unit belongs to one field, and prose does not say to which; an assistant is off by a factor of a hundred.",
    fix="Say it in the description of the field that holds the money, or in a field of its own.",
    source="house style checklist, item 2",
    bad=with_change("hotel_detail", description=f"{DETAIL.description} Prices are in EUR cents."),
    good=with_change("hotel_detail", description=f"{DETAIL.description} Prices are for one night, not for the stay."),
    check=check,
)
