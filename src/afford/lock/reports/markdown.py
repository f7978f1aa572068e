"""The comparison as Markdown, for comments on a change and for job summaries."""

from __future__ import annotations

from collections.abc import Iterator

from afford.lint.reports.markdown import plain, prose
from afford.lock.changes import Change, Comparison, Grade
from afford.lock.reports.lines import place, reason, summary, values


def render(comparison: Comparison) -> str:
    """A heading with the counts, and a list of changes for each grade; quoted text starts no markup."""
    return "\n".join(_lines(comparison))


def _lines(comparison: Comparison) -> Iterator[str]:
    yield f"## {plain(comparison.old)} to {plain(comparison.new)}: {summary(comparison)}"
    for grade in Grade:
        changes = comparison.of(grade)
        if changes:
            yield from ("", f"### {grade.value}", "")
            yield from map(_line, changes)
    if comparison.notes:
        yield ""
        yield from (f"- note: {prose(note)}" for note in comparison.notes)


def _line(change: Change) -> str:
    told = values(change)
    shift = f" ({plain(told)})" if told else ""
    fix = "" if change.fix == "nothing" else f"; fix: {prose(change.fix)}"
    return f"- **{plain(place(change))}**: {prose(change.what)}{shift}: {plain(reason(change))}{fix}"
