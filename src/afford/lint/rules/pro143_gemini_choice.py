"""Choices that are no texts, which Gemini does not take."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from afford.lint.providers import GEMINI, GEMINI_SOURCE, Part, each_keyword
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import with_portable
from afford.lint.target import Target


def check(found: Target) -> Iterator[Finding]:
    """Sets of choices with anything but texts among them."""
    return each_keyword(found, _refused, "Gemini refuses {} with anything but texts in it")


def _refused(part: Part) -> Iterator[str]:
    choices = part.schema.get("enum")
    if isinstance(choices, list) and not all(isinstance(choice, str) for choice in choices):
        yield "enum"


RULE: Final = Rule(
    code="PRO143",
    name="gemini-choice",
    severity=Severity.ERROR,
    profile=GEMINI,
    what="A closed set of inputs has members that are no texts.",
    why="Gemini takes only texts as choices, and refuses the request with all tools in it.",
    fix="Take texts, or a number with `minimum` and `maximum`.",
    source=f"{GEMINI_SOURCE}: `enum` is a list of strings",
    bad=with_portable({"beds": 2}, beds={"type": "integer", "enum": [1, 2, 4], "description": "How many beds."}),
    good=with_portable(
        {"beds": "two"}, beds={"type": "string", "enum": ["one", "two"], "description": "How many beds."}
    ),
    check=check,
)
