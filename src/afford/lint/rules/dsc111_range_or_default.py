"""A description that says a range or a default."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from afford.errors import JsonObject, JsonValue
from afford.lint.fields import snake
from afford.lint.prose import at, sentence_at, without
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import SEARCH, with_change
from afford.lint.schemas import Place, places
from afford.lint.target import Described, Target
from afford.lint.vocabulary import is_compound

PAGING: Final = re.compile(r"\b(?:limit|cursor|page[ -]sizes?|per page|a page|pages?)\b", re.IGNORECASE)
"""In a sentence with one of these a number is about pages: no schema may carry those, so prose has to."""
_DOTS: Final = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?\s?\.\.\s?-?\d+(?:\.\d+)?(?![\w.]\w)")
_NUMBERS: Final = re.compile(
    r"(?:\bbetween\s+|\bfrom\s+)?(?<![\w.:-])(-?\d+(?:\.\d+)?)\s*(?:and|to|-|\u2013)\s*(-?\d+(?:\.\d+)?)(?![\w:-]|"
    r"\.\d)"
)
_VALUE: Final = re.compile(
    r"\b(?:must|should|has to|have to|can|may) be\b|\bvalues?\b|\branges?\b|\branging\b", re.IGNORECASE
)
_VALUE_HERE: Final = re.compile(
    r"(?:\b(?:must|should|has to|have to) be (?:an? \w+ )?|\bvalues? (?:are |is )?|\brang(?:es?|ing):? (?:is )?)$",
    re.IGNORECASE,
)
_STEM: Final = 4
"""Letters by which words of one kind are told: `rating`, `ratings`."""
_EMPTY: Final = frozenset({"from", "with", "that", "this", "each", "must", "only", "than", "when", "have", "what"})
_LARGE: Final = 100
"""Numbers so large are not the same by chance."""
_FEW: Final = 2
_ENDED: Final = re.compile(r"\s*(?:[.;,)\n]|$)")
_TIME: Final = re.compile(
    r"\s*(?:am|pm|o'clock|seconds?|minutes?|hours?|days?|nights?|weeks?|months?|years?|working|business)\b"
)
_DEFAULT_IS: Final = re.compile(r"\bdefault (?:\w+ ){1,2}is [`\"']?([\w.-]*\w)", re.IGNORECASE)
_IS: Final = re.compile(r"(\w+)`?(?: is|:)\s+$")
_DEFAULT: Final = re.compile(
    r"\bdefaults to (?:be )?|\bdefaulting to |\bdefault to (?=[\d`\"']|true\b|false\b|today\b|now\b)"
    r"|\bdefault(?: value)?(?: is|:| =|=) ?(?=[\d`\"'-]|true\b|false\b|none\b|null\b)|\(default[: ]|\bdefault (?=\d)"
    r"|(?<!by )\bdefault: (?=\w)"
    r"|\b(?:up to|at most|no more than|max(?:imum)?(?: of)?|at least|min(?:imum)?(?: of)?) \d+ (?:characters|chars|"
    r"letters|bytes)\b"
    r"|\((?:max|min)(?:imum|\.)?:? ?\d[\d,.]*\)"
    r"|\bmin(?:imum)?(?: of|:|=)? ?\d+,? (?:and )?max(?:imum)?(?: of|:|=)? ?\d+",
    re.IGNORECASE,
)


def check(found: Target) -> Iterator[Finding]:
    """Ranges that are bounds of a field, and defaults; sentences about pages are left alone."""
    for item in found.operations:
        text = without(item.description, PAGING)
        for match in _DEFAULT.finditer(text):
            yield at(item, match.span(), "the description says a default, which the schema declares")
        values = {str(value) for place in places(item.input_schema) for value in _values_of(place.schema)}
        for match in _DEFAULT_IS.finditer(text):
            if match.group(1) in values:
                yield at(item, match.span(), "the description says a default, which the schema declares")
        for match in _DOTS.finditer(text):
            yield at(item, match.span(), f"`{match.group()}` is a range, which the schema declares")
        for match in _NUMBERS.finditer(text):
            if _is_range(item, text, match):
                yield at(item, match.span(), f"`{match.group()}` is a range, which the schema declares")


def _values_of(schema: JsonObject) -> list[JsonValue]:
    """What a field lists as its values."""
    listed = schema.get("enum")
    return [*(listed if isinstance(listed, list) else []), *([schema["default"]] if "default" in schema else [])]


def _is_range(item: Described, text: str, match: re.Match[str]) -> bool:
    """Whether the numbers are what a field may be: hours and floors come in pairs of numbers, too."""
    start = match.start()
    before = sentence_at(text, start).partition(match.group())[0]
    is_between = "between" in match.group().lower()
    if not is_between and "and" in match.group():
        return False
    if _VALUE_HERE.search(text, 0, start) or _says_of_input(item, text[:start]):
        return True
    if is_between and _is_of_input(item, before) and _ENDED.match(text, match.end()):
        return True
    if is_between and _VALUE.search(before[-40:]) and not _TIME.match(text, match.end()):
        return True
    ends = (float(match.group(1)), float(match.group(2)))
    said = _stems(sentence_at(text, start))
    schemas = (item.input_schema, item.output_schema)
    bounded = (place for schema in schemas for place in places(schema) if _bounds(place) == ends)
    return any(ends[1] >= _LARGE or said & _stems_of(place) for place in bounded)


def _bounds(place: Place) -> tuple[JsonValue, JsonValue]:
    return place.schema.get("minimum"), place.schema.get("maximum")


def _stems_of(place: Place) -> frozenset[str]:
    """What a field is about, by its name and description."""
    return _stems(f"{place.name} {place.schema.get('description', '')}")


def _stems(text: str) -> frozenset[str]:
    return frozenset(word[:_STEM] for word in re.findall(r"[a-z]{4,}", text.lower())) - _EMPTY


def _is_of_input(item: Described, before: str) -> bool:
    """Whether all that a sentence says before the numbers is one or two words of an input's name."""
    said = [word.lower() for word in re.findall(r"[A-Za-z]+", before) if word.lower() not in {"the", "a", "an"}]
    known = {part for name in item.inputs for part in snake(name).split("_")}
    return 0 < len(said) <= _FEW and all(word in known or word.removesuffix("s") in known for word in said)


def _says_of_input(item: Described, before: str) -> bool:
    """Whether a text ends with the name of an input and `is`, so that what follows is its value."""
    said = _IS.search(before)
    return (
        said is not None
        and is_compound(said.group(1))
        and any(place.name == said.group(1) for place in places(item.input_schema))
    )


RULE: Final = Rule(
    code="DSC111",
    name="range-or-default",
    severity=Severity.ERROR,
    what="A description says a range or a default.",
    why="The schema declares bounds and defaults where they are checked; a number in prose stays when they change.",
    fix="Declare `minimum`, `maximum` or `default` on the field, and take the number out.",
    source="house style checklist, item 2",
    bad=with_change("search_hotels", description=f"{SEARCH.description} Ratings go from 1 to 5."),
    good=with_change(
        "search_hotels", description=f"{SEARCH.description} Page size defaults to 20 and is held to 1..50."
    ),
    check=check,
)
