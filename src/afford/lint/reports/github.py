"""The report as workflow commands of GitHub Actions, which become annotations on the lines of a change."""

from __future__ import annotations

from typing import Final

from afford.display import visible
from afford.lint.engine import Diagnosed, Report
from afford.lint.grades import overall
from afford.lint.reports.places import place_of
from afford.lint.rule import Severity

_COMMANDS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def render(report: Report) -> str:
    """One command per finding, and the grade last."""
    grade = f"grade {overall(report)} for {visible(report.target.name)}"
    return "\n".join([*(_command(item, report) for item in report.found), grade])


def _command(item: Diagnosed, report: Report) -> str:
    place = place_of(item, report.target)
    members = {"title": f"{item.code} {item.name}"}
    if place.path and "://" not in place.path:
        members["file"] = place.path
        if place.line is not None:
            members["line"] = str(place.line)
    told = ",".join(f"{key}={escaped_property(value)}" for key, value in members.items())
    subject = f"{item.subject}{item.pointer}" or report.target.name
    return f"::{_COMMANDS[item.severity]} {told}::{escaped(f'{subject}: {item.message}; fix: {item.fix}')}"


def escaped(text: str) -> str:
    """Escaped as the runner undoes it, so that no text of a target starts a command of its own."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def escaped_property(text: str) -> str:
    """The same, for a value before the message."""
    return escaped(text).replace(":", "%3A").replace(",", "%2C")
