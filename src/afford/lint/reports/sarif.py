"""The report as SARIF 2.1.0, for code scanning (OASIS standard, sections 3.13, 3.14, 3.19, 3.27 and 3.49)."""

from __future__ import annotations

from typing import Final
from urllib.parse import quote

import orjson

from afford.errors import JsonObject, JsonValue
from afford.lint.engine import Diagnosed, Report
from afford.lint.reports.places import place_of
from afford.lint.rule import Rule, Severity
from afford.lint.rules import all_rules

SCHEMA: Final = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}


def render(report: Report) -> str:
    """The report as an indented SARIF log."""
    return orjson.dumps(document(report), option=orjson.OPT_INDENT_2).decode()


def document(report: Report) -> JsonObject:
    """One run; what was ignored or is known is there as suppressed, as viewers expect."""
    results = [_result(item, report) for item in report.found]
    results += [_suppressed(item, report, "inSource", reason) for item, reason in report.ignored]
    results += [_suppressed(item, report, "external", "in the baseline") for item in report.known]
    used = {str(result["ruleId"]) for result in results}
    known = [_descriptor(rule) for rule in all_rules() if rule.code in used]
    # Build errors, gaps and the engine's own findings are no rules of a table; their code is all there is to say.
    others: list[JsonValue] = [{"id": code} for code in sorted(used - {str(rule["id"]) for rule in known})]
    driver: JsonObject = {"name": "afford", "rules": [*known, *others]}
    run: JsonObject = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": [*results]}
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _descriptor(rule: Rule) -> JsonObject:
    return {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": rule.what},
        "fullDescription": {"text": f"{rule.what} {rule.why}"},
        "help": {"text": rule.fix},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
    }


def _result(item: Diagnosed, report: Report) -> JsonObject:
    place = place_of(item, report.target)
    name = f"{item.subject}{item.pointer}" or report.target.name
    location: JsonObject = {"logicalLocations": [{"fullyQualifiedName": name}]}
    if place.path:
        physical: JsonObject = {"artifactLocation": {"uri": quote(place.path, safe="/:?&=%#@~")}}
        if place.line is not None:
            physical["region"] = {"startLine": place.line}
        location["physicalLocation"] = physical
    return {
        "ruleId": item.code,
        "level": _LEVELS[item.severity],
        "message": {"text": f"{item.message}; fix: {item.fix}"},
        "locations": [location],
        "partialFingerprints": {"afford/v1": item.fingerprint},
    }


def _suppressed(item: Diagnosed, report: Report, kind: str, reason: str) -> JsonObject:
    return {**_result(item, report), "suppressions": [{"kind": kind, "justification": reason}]}
