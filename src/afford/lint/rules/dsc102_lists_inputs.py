"""A description that lists inputs whose names are ordinary words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from afford.lint.prose import at, is_noun
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import SEARCH, closed, with_change
from afford.lint.target import Described, Target
from afford.lint.vocabulary import is_compound, is_marked, names, single_inputs
from afford.lint.words import Span

_JOINED: Final = re.compile(r"\s*(?:,|/|\+|&|,?\s*\b(?:and|or|and/or)\b)\s*")
_TAKES: Final = re.compile(
    r"\b(?:pass|passing|takes?|accepts?|specify|specifying|provide|providing|supply|supplying|params|parameters?|arguments?|args|"
    r"inputs?|fields)(?: (?:are|is|include))?[:\s(]+$",
    re.IGNORECASE,
)
_ALONE: Final = re.compile(r"(?:^|[:(\n-]|[.;]\s)\s*$")
_SECTION: Final = re.compile(
    r"^[ \t]*(?:args|arguments|parameters|params|inputs):[ \t]*$", re.IGNORECASE | re.MULTILINE
)
_LINE: Final = re.compile(r"^[ \t]*(?:[-*][ \t]*)?`?(\w+)`?[ \t]*(?:\([^)\n]*\))?:", re.MULTILINE)
_GOES_ON: Final = re.compile(
    r"\s+(?!(?:to|for|in|as|and|or|with|when|if|is|are|of|from|by|on|at|only|together|both|fields?|params|parameters?|"
    r"arguments?|args|inputs?)\b)[a-z]"
)
"""How a sentence goes on where two names describe the word behind them: "email and phone orders"."""
_MANY: Final = 3
"""Two ordinary words side by side happen; three that are all inputs are a list of inputs."""


def check(found: Target) -> Iterator[Finding]:
    """Runs of an operation's own single-word inputs, joined by commas, slashes, `and` and `or`."""
    for item in found.operations:
        for first, last in runs(item):
            if is_list_of_inputs(item.description, first):
                listed = item.description[first.start : last.end]
                message = f"the description lists inputs, `{listed}`, which the schema already declares"
                yield at(item, (first.start, last.end), message)
        lines = _documented(item)
        if lines:
            message = "the description documents the inputs line by line, as the schema should"
            yield at(item, (lines[0].start(), lines[-1].end()), message)


def _documented(item: Described) -> list[re.Match[str]]:
    """Lines of a section about arguments, as in a docstring; names that are no ordinary words are found elsewhere."""
    text = item.description
    header = _SECTION.search(text)
    lines = [line for line in _LINE.finditer(text, header.end()) if line.group(1) in item.inputs] if header else []
    return [] if any(is_compound(line.group(1)) for line in lines) else lines


def is_list_of_inputs(text: str, first: Span) -> bool:
    """Whether a run stands by itself or is said to be sent; "by date, time and class" reads as a sentence."""
    return _TAKES.search(text, 0, first.start) is not None or _ALONE.search(text, 0, first.start) is not None


def runs(item: Described) -> Iterator[tuple[Span, Span]]:
    """First and last name of each run: of three and more, or of two that are said to be sent; not after `the`."""
    run: list[Span] = []
    text = item.description
    own = {name for name in single_inputs(item) if name in text}
    if not own:
        return
    for span in [*(span for span in names(text) if span.text in own and not is_marked(text, span)), None]:
        if span is not None and run and _JOINED.fullmatch(text, run[-1].end, span.start):
            run.append(span)
            continue
        is_sent = len(run) > 1 and _TAKES.search(text, 0, run[0].start) and not _GOES_ON.match(text, run[-1].end)
        is_run = len(run) >= _MANY or is_sent
        if is_run and not is_noun(text, run[0].start):
            yield run[0], run[-1]
        run = [] if span is None else [span]


_INPUTS: Final = closed(
    {
        "area": {
            "type": "string",
            "enum": ["Besiktas", "Kadikoy"],
            "description": "Exact name of an area of the city.",
        },
        "stars": {"type": "integer", "minimum": 1, "maximum": 5, "description": "Lowest star rating wanted."},
        "view": {"type": "string", "enum": ["sea", "garden"], "description": "What the window looks at."},
    }
)
_EXAMPLE: Final = {"area": "Besiktas", "stars": 4}


RULE: Final = Rule(
    code="DSC102",
    name="lists-inputs",
    severity=Severity.ERROR,
    what="A description lists inputs.",
    why="The list says what the schema says, and is wrong as soon as the schema grows.",
    fix="Say what the caller can ask for in plain words; the schema lists the inputs.",
    source="house style checklist, item 2",
    bad=with_change(
        "search_hotels",
        description=f"{SEARCH.description} Filters: area, stars or view.",
        input_schema=_INPUTS,
        example_params=_EXAMPLE,
    ),
    good=with_change(
        "search_hotels",
        description=f"{SEARCH.description} Ask for an area, for a rating or for a view.",
        input_schema=_INPUTS,
        example_params=_EXAMPLE,
    ),
    check=check,
)
