"""An input without a description."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import with_input
from afford.lint.schemas import places, states, texts_of
from afford.lint.target import ELSEWHERE, Described, Target


def check(found: Target) -> Iterator[Finding]:
    """At any depth. Elsewhere a list of arguments in the text counts: much is made from docstrings."""
    for item in found.operations:
        for place in places(item.input_schema):
            root = item.input_schema or {}
            told = texts_of(place.schema, root).strip() or states(place.schema, root, "const")
            if not told and not (found.origin in ELSEWHERE and _is_listed(item, place.name)):
                message = f"`{place.name}` has no description"
                yield Finding(subject=item.name, message=message, pointer=f"/input_schema{place.pointer}")


def _is_listed(item: Described, name: str) -> bool:
    """Whether a line of the text is about it, as in a docstring: `city: ...`, `- city (str): ...`."""
    bullet = r"(?:[-*\u2022]\s*|:param\s+(?:\w+\s+)?|@param\s+)?"
    pattern = rf"^\s*{bullet}[`*]*{re.escape(name)}[`*]*\s*(?:\([^)\n]*\))?\s*[:\u2013-]"
    return re.search(pattern, item.description, re.MULTILINE) is not None


RULE: Final = Rule(
    code="INP105",
    name="undescribed-input",
    severity=Severity.ERROR,
    by_origin=dict.fromkeys(ELSEWHERE, Severity.WARNING),
    what="An input has no description.",
    why="Its unit, its form and where to get it are said nowhere, and an assistant guesses.",
    fix="Describe it in one line: unit, form, and for an id the operation that has it.",
    source="house style checklist, item 11",
    bad=with_input("book_room", "floor", {"type": "integer"}),
    good=with_input("book_room", "floor", {"type": "integer", "description": "Floor to be on, 0 for the ground."}),
    check=check,
)
