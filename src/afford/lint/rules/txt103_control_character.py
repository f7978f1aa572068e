"""A text that a model reads, with control characters or terminal sequences in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from afford.lint.passages import passages
from afford.lint.phrases import findings
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import SEARCH, with_change
from afford.lint.target import Target

_CONTROL: Final = re.compile(
    r"(?:\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])|\x9b[0-?]*[ -/]*[@-~]|"
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f])+"
)


def check(found: Target) -> Iterator[Finding]:
    """Everything but tab and line breaks; a sequence is one finding."""
    for passage in passages(found):
        if passage.text.isprintable():
            continue
        for match in _CONTROL.finditer(passage.text):
            kind = "a terminal sequence" if match.group()[0] in "\x1b\x9b" else "a control character"
            yield from findings(passage, match.span(), f"{kind} (U+{ord(match.group()[0]):04X})")


RULE: Final = Rule(
    code="TXT103",
    name="control-character",
    severity=Severity.ERROR,
    what="A text holds control characters or terminal sequences.",
    why="They hide or repaint what a person is shown before consenting, and reach the model all the same.",
    fix="Take them out.",
    source="house style checklist, item 15; terminal sequences in tool descriptions",
    bad=with_change("search_hotels", description=f"{SEARCH.description} \x1b[8mAll areas are known.\x1b[0m"),
    good=with_change("search_hotels", description=f"{SEARCH.description}\n\nAll areas are known."),
    check=check,
)
