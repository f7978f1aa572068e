"""A description that hands over a value under a one-word name, where the word can only mean the input."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from afford.lint.prose import at
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.rules import dsc102_lists_inputs
from afford.lint.samples import SEARCH, closed, with_change
from afford.lint.target import Described, Target
from afford.lint.vocabulary import is_marked, names, single_inputs
from afford.lint.words import Span

_HANDED_OVER: Final = re.compile(r"\b(?:pass|passing|specify|specifying|omit|omitting)\s+$", re.IGNORECASE)
_SET: Final = re.compile(r"\b(?:set|setting)\s+$", re.IGNORECASE)
_TO: Final = re.compile(r"\s+to\b")
_CALLED_INPUT: Final = re.compile(r"\s+(?:parameter|param|argument|arg)s?\b", re.IGNORECASE)


def check(found: Target) -> Iterator[Finding]:
    """Own inputs only, and only where the sentence treats the word as a name, or lists three and more of them."""
    for item in found.operations:
        text = item.description
        own = {name for name in single_inputs(item) if name in text}
        if not own:
            continue
        runs = list(dsc102_lists_inputs.runs(item))
        listed = [(first.start, last.end) for first, last in runs]
        for first, last in runs:
            if not dsc102_lists_inputs.is_list_of_inputs(text, first):
                said = text[first.start : last.end]
                yield at(item, (first.start, last.end), f"the description names inputs, `{said}`, in a sentence")
        for span in names(text):
            inside = any(start <= span.start < end for start, end in listed)
            if span.text in own and not inside and not is_marked(text, span) and _is_name(item, span):
                yield at(item, span.place, f"the description uses the name of the input `{span.text}`")


def _is_name(item: Described, span: Span) -> bool:
    text = item.description
    if _CALLED_INPUT.match(text, span.end) or _HANDED_OVER.search(text, 0, span.start):
        return True
    return _SET.search(text, 0, span.start) is not None and _TO.match(text, span.end) is not None


_INPUTS: Final = closed(
    {
        "area": {
            "type": "string",
            "enum": ["Besiktas", "Kadikoy"],
            "description": "Exact name of an area of the city.",
        },
        "stars": {"type": "integer", "minimum": 1, "maximum": 5, "description": "Lowest star rating wanted."},
    }
)
_EXAMPLE: Final = {"area": "Besiktas", "stars": 4}

RULE: Final = Rule(
    code="DSC103",
    name="bare-input",
    severity=Severity.WARNING,
    what="A description uses the one-word name of an input as a name.",
    why="Nobody checks a name in prose: it drifts from the schema, and an assistant sends what the prose says.",
    fix="Write the word as the noun it is, with an article, or leave it to the schema.",
    source="house style checklist, item 2",
    bad=with_change(
        "search_hotels",
        description=f"{SEARCH.description} Pass area to stay in one part of the city.",
        input_schema=_INPUTS,
        example_params=_EXAMPLE,
    ),
    good=with_change(
        "search_hotels",
        description=f"{SEARCH.description} Choose an area to stay in one part of the city.",
        input_schema=_INPUTS,
        example_params=_EXAMPLE,
    ),
    check=check,
)
