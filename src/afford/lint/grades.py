"""Grades: one letter for an operation, one for everything together."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from afford.lint.engine import Diagnosed, Report
from afford.lint.rule import Severity

LETTERS: Final = ("A", "B", "C", "D", "F")
"""Best first. A: nothing to mend; B: one warning; C: more of them; D: one error; F: more of them."""


def grade(found: Collection[Diagnosed]) -> str:
    """The letter for what was found about one operation; what is merely worth knowing never counts."""
    errors = sum(item.severity is Severity.ERROR for item in found)
    warnings = sum(item.severity is Severity.WARNING for item in found)
    return LETTERS[min(errors + 2, 4) if errors else min(warnings, 2)]


def grades(report: Report) -> dict[str, str]:
    """The letter of every operation, in the order of the target."""
    found = report.by_subject()
    return {item.name: grade(found.get(item.name, ())) for item in report.target.operations}


def overall(report: Report) -> str:
    """The letter for everything: the mean of the operations' letters, and never A or B with an error.

    What is about no single operation counts as one operation more.
    """
    letters = list(grades(report).values())
    names = {item.name for item in report.target.operations}
    beside = [item for item in report.found if item.subject not in names]
    if beside or not letters:
        letters.append(grade(beside))
    mean = sum(map(LETTERS.index, letters)) / len(letters)
    rounded = int(mean + 0.5)
    return LETTERS[max(rounded, 2) if report.has_errors else rounded]
