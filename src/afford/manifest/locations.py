"""Which URIs are looked at, and which values the placeholders of a document's URI may stand for.

A URI comes from outside, and its values often end up in a file name or a path: percent-encoding hides from whoever
looks at the URI what the author's code receives.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from afford.catalog.model import Resource
from afford.errors import JsonValue

LONGEST_URI: Final = 8192
"""Characters; RFC 9110, section 4.1 asks for 8,000. What is longer names no document."""
_JUDGED: Final = frozenset({"pattern", "enum", "const"})
"""Keywords by which an author says which texts are fine, whatever they look like."""
_OUTSIDE: Final = re.compile(r"(?:^|[/\\])\.\.(?:[/\\]|$)|^[/\\]|^[A-Za-z]:[/\\]|[\x00-\x1f\x7f]")
"""A step up, the beginning of an absolute path, and control characters."""


def stays_inside(resource: Resource, texts: Mapping[str, str]) -> bool:
    """Whether every value stays below the place that the author's code puts it in."""
    properties = resource.operation.input.schema.get("properties")
    declared = properties if isinstance(properties, dict) else {}
    return not any(_OUTSIDE.search(text) and not _is_judged(declared.get(name)) for name, text in texts.items())


def _is_judged(schema: JsonValue) -> bool:
    return isinstance(schema, dict) and not _JUDGED.isdisjoint(schema)
