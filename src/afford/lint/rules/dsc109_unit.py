"""A description that says in which unit something is measured."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from afford.lint.prose import each_match, sentence_at
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import SEARCH, with_change
from afford.lint.target import Target

_SHORT: Final = r"km|kg|ms|lbs?|mph|km/h|cm|mm|kWh|°[CF]|m²|sqm|sq ft"
_LONG: Final = (
    r"kilomet(?:re|er)s|met(?:re|er)s|centimet(?:re|er)s|miles|kilograms|kilos|grams|pounds|litres|liters|"
    r"milliseconds"
)
_UNIT: Final = re.compile(
    rf"(?<![\w.])(\d+(?:\.\d+)? ?(?:{_SHORT}))(?![\w/])"
    rf"|\b(in (?:{_LONG}|km|kg|ms|cm|mm|degrees (?:Celsius|Fahrenheit)))(?![\w/-])"
    rf"|(\((?:{_LONG}|km|kg|ms|cm|mm|°[CF])\))"
    r"|\b(?i:durations?|lengths?|timeouts?|intervals?|delays?|ttl|lifetimes?|latency)\s+(?:(?:is|are|given|measured|"
    r"expressed)\s+)*(in (?:milli)?(?:seconds|minutes|hours|days))\b"
    rf"|\b((?:is|are) (?:a )?(?:{_LONG}|percent(?:ages?)?|kelvin|degrees (?:Celsius|Fahrenheit)))"
    rf"(?=\s*(?:[.,;)]|and\b|$))"
)


_MEASURED: Final = re.compile(
    r"\b(?:radius|distances?|range|lengths?|widths?|heights?|weights?|weigh\w*|speeds?|temperatures?|depths?|altitudes?|"
    r"sizes?|default\w*|max\w*|min\w*)\b",
    re.IGNORECASE,
)


_COMPARED: Final = re.compile(r"\b(?:above|over|under|below|beyond|more than|less than) $", re.IGNORECASE)
_CONVERTS: Final = re.compile(r"\bconver(?:t|sion)\w*\b", re.IGNORECASE)
"""What an operation says whose subject is units."""


def check(found: Target) -> Iterator[Finding]:
    """Units of measure. Words for time are left alone: how long something takes is meaning."""
    message = "`{}` is the unit of a field, and belongs to that field"
    yield from each_match(found, _UNIT, message, but=_is_fact)


def _is_fact(text: str, match: re.Match[str]) -> bool:
    """Whether it is a measure of the world, as in "within 10 km of the airport", and not of something asked for."""
    if _CONVERTS.search(text) or _COMPARED.search(text, 0, match.start()):
        return True
    return match.group(1) is not None and not _MEASURED.search(sentence_at(text, match.start()))


RULE: Final = Rule(
    code="DSC109",
    name="unit",
    severity=Severity.WARNING,
    what="A description says in which unit something is measured.",
    why="The unit belongs to one field, and prose does not say to which.",
    fix="Say it in the description of the field that is measured.",
    source="house style checklist, item 2",
    bad=with_change("search_hotels", description=f"{SEARCH.description} Distances are in kilometres."),
    good=with_change("search_hotels", description=f"{SEARCH.description} Ask again every 15 seconds at most."),
    check=check,
)
