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
from afford.lint.rule import Severity

_ACTIVE: Final = re.compile(r"([\\*_\[\]<>#|~!&@])")
_CODE: Final = re.compile(r"(`[^`]*`)")


def render(report: Report) -> str:
    """A heading with the grade, a table of operations, and the findings under each; quoted text starts no markup."""
    return "\n".join(_lines(report))


def _lines(report: Report) -> Iterator[str]:
    counts = Counter(item.severity for item in report.found)
    yield f"## {_plain(report.target.name)}: grade {overall(report)}"
    yield ""
    yield ", ".join(f"{counts[severity]} {severity.value}" for severity in Severity)
    letters = grades(report)
    if letters:
        yield from ("", "| operation | grade | findings |", "|---|---|---|")
    for name, letter in letters.items():
        yield f"| {_plain(name)} | {letter} | {len(report.of(name))} |"
    for subject, group in groupby(report.found, key=lambda item: item.subject):
        yield from ("", f"### {_plain(subject or report.target.name)}", "")
        for item in group:
            yield from _finding(item)


def _finding(item: Diagnosed) -> Iterator[str]:
    yield f"- **{item.severity.value} {item.code}** {item.name}: {_prose(item.message)}"
    if item.span is not None and item.text:
        yield f"  - found: {_plain(item.text[item.span[0] : item.span[1]])}"
    yield f"  - fix: {_prose(item.fix)}"


def _prose(text: str) -> str:
    """Our own sentence: code in backticks stays code."""
    parts = _CODE.split(visible(text))
    return "".join(
        part if part.startswith("`") and part.endswith("`") and part != "`" else _plain(part) for part in parts
    )


def _plain(text: str) -> str:
    return _ACTIVE.sub(r"\\\1", visible(text)).replace("`", "\\`")
