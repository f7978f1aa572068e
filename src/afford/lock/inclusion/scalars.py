"""Numbers and texts: bounds, lengths, patterns and formats that one leaf has and a schema asks for."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from afford.errors import JsonValue
from afford.lock.inclusion.documents import RUN_TIME_SET, Part
from afford.lock.inclusion.gaps import Flaw
from afford.lock.inclusion.leaves import Leaf, exact, is_number, lower, upper

ASSERTED_FORMATS: Final = frozenset(
    {
        "date",
        "date-time",
        "duration",
        "email",
        "hostname",
        "idn-email",
        "idn-hostname",
        "ipv4",
        "ipv6",
        "iri",
        "iri-reference",
        "json-pointer",
        "regex",
        "relative-json-pointer",
        "time",
        "uri",
        "uri-reference",
        "uri-template",
        "uuid",
    }
)
"""Formats that the engine asserts; any other one only tells something."""


def flaws(leaf: Leaf, part: Part) -> Iterator[Flaw]:
    """Keywords of a schema that a leaf of numbers or texts does not imply."""
    if leaf.kind == "number":
        yield from _bounds(leaf, part)
        yield from _multiples(leaf, part)
    elif leaf.kind == "string":
        yield from _lengths(leaf, part)
        yield from _texts(leaf, part)


def is_empty(leaf: Leaf) -> bool:
    """Whether bounds alone leave no value."""
    if leaf.kind == "number":
        least, most = lower(leaf), upper(leaf)
        if least is None or most is None:
            return False
        return least[0] > most[0] or (least[0] == most[0] and (least[1] or most[1]))
    return leaf.kind == "string" and over(leaf.numbers("minLength"), leaf.numbers("maxLength"))


def over(least: list[Fraction], most: list[Fraction]) -> bool:
    """Whether a lower bound is above an upper one."""
    return bool(least and most) and max(least) > min(most)


def _bounds(leaf: Leaf, part: Part) -> Iterator[Flaw]:
    for keyword, bound, sign in (
        ("minimum", lower(leaf), 1),
        ("exclusiveMinimum", lower(leaf), 1),
        ("maximum", upper(leaf), -1),
        ("exclusiveMaximum", upper(leaf), -1),
    ):
        wanted = part.said(keyword)
        if not is_number(wanted):
            continue
        if bound is not None:
            distance, is_open = (bound[0] - exact(wanted)) * sign, bound[1]
            if distance > 0 or (distance == 0 and (is_open or not keyword.startswith("exclusive"))):
                continue
        yield Flaw(keyword=keyword, left=_stated(leaf, keyword), right=wanted)


def _multiples(leaf: Leaf, part: Part) -> Iterator[Flaw]:
    wanted = part.said("multipleOf")
    if not is_number(wanted):
        return
    steps = [*leaf.numbers("multipleOf"), *([Fraction(1)] if leaf.is_integer else [])]
    if not any((step / exact(wanted)).denominator == 1 for step in steps):
        yield Flaw(keyword="multipleOf", left=_stated(leaf, "multipleOf"), right=wanted)


def _lengths(leaf: Leaf, part: Part) -> Iterator[Flaw]:
    yield from least_and_most(leaf, part, "minLength", "maxLength")


def least_and_most(leaf: Leaf, part: Part, least: str, most: str) -> Iterator[Flaw]:
    """Flaws of a pair of keywords that count something."""
    wanted = part.said(least)
    if is_number(wanted) and exact(wanted) > max(leaf.numbers(least), default=Fraction(0)):
        yield Flaw(keyword=least, left=_stated(leaf, least), right=wanted)
    wanted = part.said(most)
    if is_number(wanted) and not any(bound <= exact(wanted) for bound in leaf.numbers(most)):
        yield Flaw(keyword=most, left=_stated(leaf, most), right=wanted)


def _texts(leaf: Leaf, part: Part) -> Iterator[Flaw]:
    pattern, form = part.said("pattern"), part.said("format")
    if isinstance(pattern, str) and pattern not in leaf.said("pattern"):
        reason = "nobody can tell which texts two patterns share" if any(leaf.said("pattern")) else ""
        yield Flaw(keyword="pattern", left=_stated(leaf, "pattern"), right=pattern, reason=reason)
    if isinstance(form, str) and form in ASSERTED_FORMATS and form not in leaf.said("format"):
        yield Flaw(keyword="format", left=_stated(leaf, "format"), right=form)
    if part.says(RUN_TIME_SET) and not any(leaf.said(RUN_TIME_SET)):
        reason = "the set of values is known only while the application runs"
        yield Flaw(keyword=RUN_TIME_SET, left=_stated(leaf, "enum"), right="a set known at run time", reason=reason)


def _stated(leaf: Leaf, keyword: str) -> JsonValue:
    """What the left schema writes under a keyword; None: nothing."""
    return next(leaf.said(keyword), None)
