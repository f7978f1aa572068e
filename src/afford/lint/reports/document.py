"""The report as JSON, for programs."""

from __future__ import annotations

from collections import Counter

import orjson

from afford.errors import JsonObject
from afford.lint.engine import Diagnosed, Report
from afford.lint.grades import grades, overall
from afford.lint.reports.costs import document as cost_document
from afford.lint.rule import Severity


def render(report: Report) -> str:
    """The report on one line of JSON."""
    return orjson.dumps(document(report)).decode()


def document(report: Report) -> JsonObject:
    """Target, grades, counts and findings; members that say nothing are absent."""
    counts = Counter(item.severity for item in report.found)
    cost: JsonObject = {"cost": cost_document(report.bills)} if report.bills else {}
    return {
        "target": {"origin": report.target.origin.value, "name": report.target.name},
        "grade": overall(report),
        "operations": dict(grades(report)),
        "counts": {severity.value: counts[severity] for severity in Severity},
        "found": [finding(item) for item in report.found],
        "ignored": [{**finding(item), "reason": reason} for item, reason in report.ignored],
        "known": [finding(item) for item in report.known],
        **cost,
    }


def finding(item: Diagnosed) -> JsonObject:
    """One finding."""
    members: JsonObject = {
        "code": item.code,
        "name": item.name,
        "severity": item.severity.value,
        "subject": item.subject,
        "message": item.message,
        "fix": item.fix,
        "fingerprint": item.fingerprint,
    }
    if item.pointer:
        members["pointer"] = item.pointer
    if item.span is not None:
        members["span"] = [*item.span]
        members["words"] = item.text[item.span[0] : item.span[1]]
    if item.location is not None:
        members["location"] = item.location
    return members
