"""Comparisons in the form that their reader wants. Functions from a `Comparison` to text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from afford.lock.changes import Comparison
from afford.lock.reports.document import render as render_json
from afford.lock.reports.github import render as render_github
from afford.lock.reports.markdown import render as render_markdown
from afford.lock.reports.text import render as render_text


class Format(StrEnum):
    """How a comparison is written."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"
    GITHUB = "github"


RENDERERS: Final[Mapping[Format, Callable[[Comparison], str]]] = MappingProxyType(
    {
        Format.TEXT: render_text,
        Format.JSON: render_json,
        Format.MARKDOWN: render_markdown,
        Format.GITHUB: render_github,
    }
)
"""What writes each format; the text ends without a line break."""
