"""The comparison as JSON, for programs."""

from __future__ import annotations

import json

from afford.errors import JsonObject
from afford.lock.changes import Change, Comparison, Grade


def render(comparison: Comparison) -> str:
    """The comparison on one line of JSON."""
    return json.dumps(document(comparison), ensure_ascii=False, separators=(",", ":"))


def document(comparison: Comparison) -> JsonObject:
    """Names, counts and changes; members of a change that say nothing are absent."""
    return {
        "old": comparison.old,
        "new": comparison.new,
        "counts": {grade.value: len(comparison.of(grade)) for grade in Grade},
        "changes": [change_document(change) for change in comparison.changes],
        "notes": [*comparison.notes],
    }


def change_document(change: Change) -> JsonObject:
    """One change."""
    members: JsonObject = {
        "grade": change.grade.value,
        "subject": change.subject,
        "pointer": change.pointer,
        "what": change.what,
        "why": change.why,
        "fix": change.fix,
    }
    if change.before is not None or change.after is not None:
        members |= {"before": change.before, "after": change.after}
    if change.is_shown:
        members["witness"] = change.witness
    return members
