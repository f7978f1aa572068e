"""The report as one HTML page that needs nothing else: no script, no request, readable in light and dark.

Its policy allows the one style that is in it, by its hash, and nothing beyond.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Final

from afford.cold.report import Finding, Report
from afford.cold.reports.summary import COLUMNS, ablated, cells, conclusion, picked
from afford.display import visible

_STYLE: Final = """
:root { color-scheme: light dark; --line: light-dark(#ccc, #444); --bad: light-dark(#a11, #f88); }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
caption { text-align: start; font-weight: 600; padding-block: 0.5rem; }
th, td { text-align: start; vertical-align: top; padding: 0.25rem 0.75rem 0.25rem 0; }
tr { border-bottom: 1px solid var(--line); }
.failed { color: var(--bad); font-weight: 600; }
li { overflow-wrap: anywhere; }
"""


def render(report: Report) -> str:
    """The page."""
    digest = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>Cold run of {_text(report.target)}</title>",
            f"<style>{_STYLE}</style>",
            "</head>",
            "<body>",
            "<main>",
            *_body(report),
            "</main>",
            "</body>",
            "</html>",
        ]
    )


def _body(report: Report) -> Iterator[str]:
    outcome = '<span class="failed">failed</span>' if report.has_failed else "passed"
    yield f"<h1>Cold run of {_text(report.target)}: {outcome}</h1>"
    yield from _list(map(_text, conclusion(report)))
    yield from _table("Operations", COLUMNS, [cells(item) for item in report.operations])
    not_called = [item for item in report.operations if item.not_called]
    if not_called:
        yield "<h2>Not called</h2>"
        yield from _list(f"<b>{_text(item.name)}</b>: {_text(item.not_called)}" for item in not_called)
    if report.findings:
        yield "<h2>Findings</h2>"
        yield from _list(map(_finding, report.findings))
    if report.ablations:
        yield "<h2>Ablations</h2>"
        yield from _list(
            _text(ablated(item)) if item.red else f'<span class="failed">{_text(ablated(item))}</span>'
            for item in report.ablations
        )
    for pick in report.picks:
        yield f"<h2>Goals, by {_text(pick.by)}</h2>"
        yield f"<p>{_text(picked(pick))}</p>"
        rows = [(goal, expected, chosen or "nothing") for goal, expected, chosen in pick.confusions]
        if rows:
            yield from _table(f"Missed by {pick.by}", ("goal", "expected", "picked"), rows)


def _finding(item: Finding) -> str:
    kind = "note" if item.is_note else '<span class="failed">failed</span>'
    return f"<b>{_text(item.operation)}</b> {kind} {item.check.value}: {_text(item.message)}"


def _table(caption: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield '<div class="wide" role="region" tabindex="0" aria-label="' + _text(caption) + '">'
    yield f"<table><caption>{_text(caption)}</caption>"
    yield "<thead><tr>" + "".join(f'<th scope="col">{_text(name)}</th>' for name in columns) + "</tr></thead><tbody>"
    for first, *others in rows:
        cells_of_row = "".join(f"<td>{_text(cell)}</td>" for cell in others)
        yield f'<tr><th scope="row">{_text(first)}</th>{cells_of_row}</tr>'
    yield "</tbody></table></div>"


def _list(items: Iterable[str]) -> Iterator[str]:
    yield "<ul>"
    yield from (f"<li>{item}</li>" for item in items)
    yield "</ul>"


def _text(text: str) -> str:
    return escape(visible(text))
