"""What an operation answers, as far as its schemas tell: a list, or what stands behind one row of a list."""

from __future__ import annotations

from typing import Final

from afford.lint.schemas import resolved, types_of
from afford.lint.target import Described

SIZING: Final = frozenset({"limit", "cursor", "page", "offset", "page_size", "per_page", "pageSize", "perPage"})
"""Inputs that say how much is wanted and not what."""


def row_names(item: Described) -> frozenset[str]:
    """Names of the fields of one row, or of the answer where it is no list."""
    row = item.row
    properties = resolved(row, item.output_schema or {}).get("properties") if row is not None else None
    return frozenset(properties) if isinstance(properties, dict) else frozenset()


def is_list(item: Described) -> bool:
    """Whether it reads rows of which there may be many: not one row, and not what is found by a row's own key."""
    schema = item.output_schema
    if not item.reads or schema is None or "array" not in types_of(schema) or schema.get("maxItems") == 1:
        return False
    return not item.required & row_names(item)


def filters(item: Described) -> frozenset[str]:
    """Inputs that a caller may leave out and that say what is wanted."""
    return frozenset(item.inputs) - item.required - SIZING
