"""One change in one line, which the forms for people share; text of a record is escaped, so that none can steer."""

from __future__ import annotations

import json
from typing import Final

from afford.display import visible
from afford.errors import JsonValue
from afford.lock.changes import Change, Comparison, Grade

_LONGEST: Final = 60
"""Characters of a value."""
_AROUND: Final = 16
"""Characters of a text that are shown before its first difference."""


def place(change: Change) -> str:
    """Subject and pointer."""
    return visible(" ".join(part for part in (change.subject, change.pointer) if part)) or "the application"


def sentence(change: Change) -> str:
    """What changed, from what to what, why that has its grade, and what to do."""
    fix = "" if change.fix == "nothing" else f"; fix: {visible(change.fix)}"
    return f"{visible(change.what)}{_in_brackets(values(change))}: {visible(reason(change))}{fix}"


def reason(change: Change) -> str:
    """Why a change has its grade, with a value that shows it."""
    return f"{change.why}, such as {_shown(change.witness)}" if change.is_shown else change.why


def summary(comparison: Comparison) -> str:
    """How many changes of each grade."""
    told = [f"{len(found)} {grade.value}" for grade in Grade if (found := comparison.of(grade))]
    return ", ".join(told) or "no changes"


def values(change: Change) -> str:
    """From what to what; empty where that says nothing."""
    before, after = change.before, change.after
    if before is None and after is None:
        return ""
    if isinstance(before, str) and isinstance(after, str):
        before, after = _differing(before, after)
    return f"{_shown(before)} -> {_shown(after)}"


def _in_brackets(text: str) -> str:
    return f" ({text})" if text else ""


def _differing(before: str, after: str) -> tuple[str, str]:
    """Two long texts from shortly before their first difference on."""
    if max(len(before), len(after)) <= _LONGEST:
        return before, after
    start = max(_common(before, after) - _AROUND, 0)
    head = "..." if start else ""
    return head + before[start:], head + after[start:]


def _common(before: str, after: str) -> int:
    """How many characters both begin with."""
    pairs = zip(before, after, strict=False)
    return next((place for place, (one, other) in enumerate(pairs) if one != other), min(len(before), len(after)))


def _shown(value: JsonValue) -> str:
    """A value as JSON, cut where it is long; nothing as such."""
    if value is None:
        return "nothing"
    text = visible(json.dumps(value, ensure_ascii=False))
    return text if len(text) <= _LONGEST * 2 else f"{text[: _LONGEST * 2]}..."
