"""Reports of a cold run: functions from a `Report` to text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from afford.cold.report import Report
from afford.cold.reports.document import render as render_json
from afford.cold.reports.page import render as render_html
from afford.cold.reports.text import render as render_text


class Format(StrEnum):
    """How a report is written."""

    TEXT = "text"
    JSON = "json"
    HTML = "html"


RENDERERS: Final[Mapping[Format, Callable[[Report], str]]] = MappingProxyType(
    {Format.TEXT: render_text, Format.JSON: render_json, Format.HTML: render_html}
)
"""What writes each format; the text ends without a line break."""
