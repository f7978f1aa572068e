"""The report for a terminal or a log."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from afford.cold.report import Finding, Report
from afford.cold.reports.summary import COLUMNS, ablated, cells, conclusion, picked
from afford.display import visible


def render(report: Report) -> str:
    """The report as lines; text of the target is escaped, so that none of it can steer a terminal."""
    return "\n".join(map(str.rstrip, _lines(report)))


def _lines(report: Report) -> Iterator[str]:
    yield from _aligned([COLUMNS, *(tuple(map(visible, cells(item))) for item in report.operations)])
    not_called = [item for item in report.operations if item.not_called]
    yield from [""] if not_called else []
    yield from (f"{visible(item.name)} was not called: {visible(item.not_called)}" for item in not_called)
    for operation, group in groupby(report.findings, key=lambda item: item.operation):
        yield ""
        yield visible(operation or report.target)
        yield from map(_finding, group)
    if report.ablations:
        yield from ("", "ablations")
        yield from (f"  {visible(ablated(item))}" for item in report.ablations)
    for pick in report.picks:
        yield from ("", visible(picked(pick)))
        for goal, expected, chosen in pick.confusions:
            yield f"  {visible(goal)}: expected {visible(expected)}, picked {visible(chosen) or 'nothing'}"
    yield ""
    yield from map(visible, conclusion(report))


def _finding(item: Finding) -> str:
    return f"  {'note' if item.is_note else 'failed'} {item.check.value}: {visible(item.message)}"


def _aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(map(str.ljust, row, widths))
