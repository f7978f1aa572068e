"""Reports: what a run found, in the form that its reader wants. Functions from a `Report` to text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from afford.lint.engine import Report
from afford.lint.reports.document import render as render_json
from afford.lint.reports.github import render as render_github
from afford.lint.reports.markdown import render as render_markdown
from afford.lint.reports.sarif import render as render_sarif
from afford.lint.reports.text import render as render_text


class Format(StrEnum):
    """How a report is written."""

    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"
    GITHUB = "github"
    MARKDOWN = "markdown"


RENDERERS: Final[Mapping[Format, Callable[[Report], str]]] = MappingProxyType(
    {
        Format.TEXT: render_text,
        Format.JSON: render_json,
        Format.SARIF: render_sarif,
        Format.GITHUB: render_github,
        Format.MARKDOWN: render_markdown,
    }
)
"""What writes each format; the text ends without a line break."""
