"""The comparison as workflow commands of GitHub Actions, which become annotations of the run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from afford.display import visible
from afford.lint.reports.github import escaped, escaped_property
from afford.lock.changes import Comparison, Grade
from afford.lock.reports.lines import place, sentence, summary

_COMMANDS: Final = {Grade.BREAKING: "error", Grade.NEEDS_APPROVAL: "warning", Grade.COMPATIBLE: "notice"}


def render(comparison: Comparison) -> str:
    """One command per change, and the counts last; no text of a record starts a command of its own."""
    return "\n".join(_lines(comparison))


def _lines(comparison: Comparison) -> Iterator[str]:
    for change in comparison.changes:
        title = escaped_property(f"{change.grade.value} {place(change)}")
        yield f"::{_COMMANDS[change.grade]} title={title}::{escaped(sentence(change))}"
    yield f"{visible(comparison.old)} to {visible(comparison.new)}: {summary(comparison)}"
