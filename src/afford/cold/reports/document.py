"""The report for programs; its members are described in `docs/cold-run.md`."""

from __future__ import annotations

import dataclasses

import orjson

from afford.cold.report import Report
from afford.errors import JsonObject


def render(report: Report) -> str:
    """The report as indented JSON."""
    return orjson.dumps(document(report), option=orjson.OPT_INDENT_2).decode()


def document(report: Report) -> JsonObject:
    """The report as a JSON object: its own fields, and what follows from them."""
    answered, tried = report.rate()
    mended, retried = report.retry_rate()
    members = dataclasses.asdict(report)
    return {
        "version": 1,
        "failed": report.has_failed,
        "first_call": {"succeeded": answered, "tried": tried},
        "first_retry": {"succeeded": mended, "tried": retried},
        **members,
    }
