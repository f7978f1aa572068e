"""A format of text that Gemini may not take."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from afford.lint.providers import GEMINI, Part, each_keyword
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import with_portable
from afford.lint.schemas import types_of
from afford.lint.target import Target

_TAKEN: Final = frozenset({"enum", "date-time"})


def check(found: Target) -> Iterator[Finding]:
    """Formats of texts."""
    return each_keyword(found, _told, "not every API of Gemini takes {}")


def _told(part: Part) -> Iterator[str]:
    form = part.schema.get("format")
    if "string" in types_of(part.schema) and isinstance(form, str) and form not in _TAKEN:
        yield f"format: {form}"


RULE: Final = Rule(
    code="PRO144",
    name="gemini-format",
    severity=Severity.WARNING,
    profile=GEMINI,
    what="A text has a format other than `date-time`.",
    why="Some APIs of Gemini refuse the request for it, and clients that know this take it out and lose it.",
    fix="Say the form in the description as well, so that it is told where the keyword is not.",
    source="answer of the Gemini API: only 'enum' and 'date-time' are supported for STRING type",
    bad=with_portable(
        {"arrival": "2027-03-01"},
        arrival={"type": "string", "format": "date", "description": "Day of arrival, YYYY-MM-DD."},
    ),
    good=with_portable(
        {"arrival": "2027-03-01"}, arrival={"type": "string", "description": "Day of arrival, YYYY-MM-DD."}
    ),
    check=check,
)
