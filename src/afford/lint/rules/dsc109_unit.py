"""A description that says in which unit something is measured."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from afford.lint.prose import each_match
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
)


def check(found: Target) -> Iterator[Finding]:
    """Units of measure. Words for time are left alone: how long something takes is meaning."""
    yield from each_match(found, _UNIT, "`{}` is the unit of a field, and belongs to that field")


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
