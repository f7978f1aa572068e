"""The comparison for people: one line for each change, grouped by grade."""

from __future__ import annotations

from collections.abc import Iterator

from afford.display import visible
from afford.lock.changes import Comparison, Grade
from afford.lock.reports.lines import place, sentence, summary


def render(comparison: Comparison) -> str:
    """The comparison as lines."""
    return "\n".join(_lines(comparison))


def _lines(comparison: Comparison) -> Iterator[str]:
    for grade in Grade:
        changes = comparison.of(grade)
        if changes:
            yield grade.value
            yield from (f"  {place(change)}: {sentence(change)}" for change in changes)
            yield ""
    yield from (f"note: {visible(note)}" for note in comparison.notes)
    yield f"{visible(comparison.old)} -> {visible(comparison.new)}: {summary(comparison)}"
