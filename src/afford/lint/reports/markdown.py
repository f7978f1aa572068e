"""The report as Markdown, for comments on a change and for job summaries."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from typing import Final

from afford.display import visible
from afford.lint.engine import Diagnosed, Report
from afford.lint.grades import grades, overall
from afford.lint.reports.costs import tables
from afford.lint.rule import Severity

_ACTIVE: Final = re.compile(r"([\\*_\[\]<>#|~!&@])")
_CODE: Final = re.compile(r"(?<!`)(`[^`]+`)(?!`)")


def render(report: Report) -> str:
    """A heading with the grade, a table of operations, and the findings under each; quoted text starts no markup."""
    return "\n".join(_lines(report))


def _lines(report: Report) -> Iterator[str]:
    counts = Counter(item.severity for item in report.found)
    yield f"## {plain(report.target.name)}: grade {overall(report)}"
    yield ""
    yield ", ".join(f"{counts[severity]} {severity.value}" for severity in Severity)
    letters, by_subject = grades(report), report.by_subject()
    if letters:
        yield from ("", "| operation | grade | findings |", "|---|---|---|")
    for name, letter in letters.items():
        yield f"| {plain(name)} | {letter} | {len(by_subject.get(name, ()))} |"
    for subject, group in groupby(report.found, key=lambda item: item.subject):
        yield from ("", f"### {plain(subject or report.target.name)}", "")
        for item in group:
            yield from _finding(item)
    if report.bills:
        yield from _bills(report)


def _bills(report: Report) -> Iterator[str]:
    for title, rows in tables(report.bills):
        yield from (
            "",
            f"### {plain(title)}",
            "",
            f"| {' | '.join(rows[0])} |",
            f"|---{'|---:' * (len(rows[0]) - 1)}|",
        )
        yield from (f"| {' | '.join(map(plain, row))} |" for row in rows[1:])


def _finding(item: Diagnosed) -> Iterator[str]:
    yield f"- **{item.severity.value} {item.code}** {item.name}: {prose(item.message)}"
    if item.span is not None and item.text:
        yield f"  - found: {plain(item.text[item.span[0] : item.span[1]])}"
    yield f"  - fix: {prose(item.fix)}"


def prose(text: str) -> str:
    """Our own sentence: code in backticks stays code, and other backticks mark none."""
    parts = _CODE.split(visible(text))
    return "".join(part if index % 2 else plain(part) for index, part in enumerate(parts))


def plain(text: str) -> str:
    """Text of somebody else: nothing in it is markup."""
    return _ACTIVE.sub(r"\\\1", visible(text)).replace("`", "\\`")
