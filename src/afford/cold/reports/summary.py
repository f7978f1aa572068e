"""What every report for people says, in the same words. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from afford.cold.replies import Verdict
from afford.cold.report import AblationReport, OperationReport, PickReport, Report

COLUMNS = ("operation", "first call", "from", "first retry", "mistakes refused", "mended", "pages", "ids")


def cells(item: OperationReport) -> tuple[str, ...]:
    """One operation as a row under `COLUMNS`."""
    if item.first is None:
        return (item.name, "not called" if item.not_called else "no reply yet", *[""] * (len(COLUMNS) - 2))
    return (
        item.name,
        _first(item.first),
        "" if item.source is None else item.source.value,
        "" if item.first_retry is None else ("ok" if item.first_retry else "failed"),
        _of(item.refused, item.mistakes),
        _of(item.mended, item.retried),
        f"{item.pages} ({item.rows} rows)" if item.pages else "",
        str(item.joins or ""),
    )


def conclusion(report: Report) -> Iterator[str]:
    """The figures of the whole run, a line each."""
    answered, tried = report.rate()
    mended, retried = report.retry_rate()
    yield f"first call: {_share(answered, tried)}; first retry: {_share(mended, retried)}"
    notes = len(report.findings) - len(report.failures)
    yield f"{counted(len(report.failures), 'failure')}, {counted(notes, 'note')}, {counted(report.calls, 'call')}"
    if report.ablations or report.not_ablated:
        noticed = len(report.ablations) - len(report.unnoticed)
        yield f"ablations noticed: {_share(noticed, len(report.ablations))}"
    if report.not_ablated:
        yield f"nothing in this catalog can suffer: {', '.join(report.not_ablated)}"
    if all(item.first is None for item in report.operations):
        yield "no operation was called, so nothing is shown; see above why"
    if report.stopped:
        yield f"ended early: {report.stopped}"


def ablated(item: AblationReport) -> str:
    """What was broken, and what came of it."""
    noticed = ", ".join(dict.fromkeys(finding.check.value for finding in item.red))
    return f"{item.operation}, without {item.place}: {f'red ({noticed})' if noticed else 'STAYS GREEN'}"


def picked(item: PickReport) -> str:
    """How well goals were met."""
    parts = [f"hit@1 {_share(item.hit1, item.goals)}"]
    if item.hit3 is not None:
        parts.append(f"hit@3 {_share(item.hit3, item.goals)}")
        parts.append(f"MRR {item.reciprocal:.2f}")
    if item.first_calls is not None:
        parts.append(f"first call right {_share(item.first_calls, item.goals)}")
    if item.retries is not None:
        parts.append(f"with one retry {_share(item.first_calls or 0, item.goals, item.retries)}")
    return f"{item.by}: {', '.join(parts)}"


def counted(count: int, noun: str) -> str:
    """A count with its noun."""
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _first(verdict: Verdict) -> str:
    return {Verdict.STATE: "nothing there"}.get(verdict, verdict.value)


def _of(part: int, whole: int) -> str:
    return f"{part}/{whole}" if whole else ""


def _share(part: int, whole: int, more: int = 0) -> str:
    return f"{part + more} of {whole} ({(part + more) / whole:.0%})" if whole else "nothing to try"
