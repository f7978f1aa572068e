"""The report for people: grouped by operation, with the offending words marked under their line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from typing import Final

from afford.display import visible
from afford.lint.engine import Diagnosed, Report
from afford.lint.grades import grade, grades, overall
from afford.lint.reports.costs import tables
from afford.lint.reports.excerpts import excerpt
from afford.lint.rule import Severity

_WIDTH: Final = 100
"""Columns of an excerpt."""


def render(report: Report) -> str:
    """The report as lines; text of the target is escaped, so that none of it can steer a terminal."""
    return "\n".join(_lines(report))


def _lines(report: Report) -> Iterator[str]:
    names = {item.name for item in report.target.operations}
    for subject, group in groupby(report.found, key=lambda item: item.subject):
        items = list(group)
        place = items[0].location
        letter = f" [{grade(items)}]" if subject in names else ""
        yield visible(subject or report.target.name) + letter + (f" ({place})" if place else "")
        for item in items:
            yield from _finding(item, place)
        yield ""
    if report.bills:
        yield from _bills(report)
    yield from summary(report)


def _finding(item: Diagnosed, place: str | None) -> Iterator[str]:
    elsewhere = f" ({item.location})" if item.location not in (None, place) else ""
    yield f"  {item.severity.value} {item.code} {item.name}: {visible(item.message)}{elsewhere}"
    if item.span is not None and item.text:
        line, marks = excerpt(item.text, item.span, _WIDTH)
        yield f"    {line}"
        yield f"    {marks}"
    elif item.pointer:
        yield f"    at {visible(item.pointer)}"
    yield f"    fix: {visible(item.fix)}"


def _bills(report: Report) -> Iterator[str]:
    for title, rows in tables(report.bills):
        widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
        yield title
        for first, *numbers in rows:
            cells = [
                first.ljust(widths[0]),
                *(cell.rjust(width) for cell, width in zip(numbers, widths[1:], strict=True)),
            ]
            yield "  " + "  ".join(cells)
        yield ""


def summary(report: Report) -> Iterator[str]:
    """Two lines: the grades, and how much of what was found."""
    letters = Counter(grades(report).values())
    spread = ", ".join(f"{count} {letter}" for letter, count in sorted(letters.items()))
    counts = Counter(item.severity for item in report.found)
    told = ", ".join(_counted(counts[severity], severity) for severity in Severity if counts[severity])
    hushed = [f"{len(found)} {word}" for found, word in ((report.ignored, "ignored"), (report.known, "known")) if found]
    operations = len(report.target.operations)
    noun = "operation" if operations == 1 else "operations"
    yield f"grade {overall(report)}: {operations} {noun}" + (f" ({spread})" if spread else "")
    yield "; ".join([told or "nothing found", *hushed])


def _counted(count: int, severity: Severity) -> str:
    noun = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}[severity]
    return f"{count} {noun}{'' if count == 1 else 's'}"
