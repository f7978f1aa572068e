"""A description that names an input of some operation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import SEARCH, with_change
from afford.lint.target import Described, Target

_RESERVED: Final = frozenset({"limit", "cursor"})
"""No schema of a query declares them, so prose is where they belong (house style, section 1)."""


def check(found: Target) -> Iterator[Finding]:
    """Names that can be nothing but an input: with an underscore, in backticks or quotes, or followed by `=` or `:`."""
    operations = {item.name for item in found.operations}
    names = {name for item in found.operations for name in item.inputs} - operations - _RESERVED
    for item in found.operations:
        for name, start, end in _mentions(item, names):
            message = f"the description names the input `{name}`, which its schema already declares"
            yield Finding(subject=item.name, message=message, pointer="/description", span=(start, end))


def _mentions(item: Described, names: set[str]) -> Iterator[tuple[str, int, int]]:
    for found in re.finditer(r"[A-Za-z][A-Za-z0-9_]*", item.description):
        name = found.group()
        if name in names and ("_" in name or _is_marked(item.description, found.start(), found.end())):
            yield name, found.start(), found.end()


def _is_marked(text: str, start: int, end: int) -> bool:
    before, after = text[start - 1 : start], text[end : end + 1]
    quoted = before == after and before in {"`", '"', "'"}
    return quoted or after == "=" or (after == ":" and text[end + 1 : end + 2] not in {"", " ", "\n"})


RULE: Final = Rule(
    code="DSC101",
    name="names-an-input",
    severity=Severity.ERROR,
    what="A description names an input.",
    why="Nobody checks a name in prose: it drifts from the schema, and an assistant sends what the prose says.",
    fix="Say what the caller can ask for in plain words; the schema names the inputs.",
    source="house style checklist, item 2",
    bad=with_change("search_hotels", description=f"{SEARCH.description} Send min_stars to leave out cheap ones."),
    good=with_change("search_hotels", description=f"{SEARCH.description} Filter by rating to leave out cheap ones."),
    check=check,
)
