"""JSON values as the cells of a table. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import orjson

from afford.display import visible
from afford.errors import JsonObject, JsonValue

Rows: TypeAlias = tuple[Sequence[str], list[Sequence[str]]]
"""Column headings, and the cells of each row."""


def table_of(value: JsonValue, columns: Sequence[str]) -> Rows | None:
    """A value as a table: several objects by their members, one object as names and values; None: it is neither.

    Args:
        value: what was answered.
        columns: members in the order of the schema; others follow as they come.
    """
    given = value if isinstance(value, list) else [value]
    rows = [row for row in given if isinstance(row, dict) and row]
    if len(rows) < len(given) or not rows:
        return None
    names = _members(rows, columns)
    if len(rows) == 1:
        return ("", ""), [(name, _cell(rows[0].get(name))) for name in names]
    return names, [[_cell(row.get(name)) for name in names] for row in rows]


def _members(rows: Sequence[JsonObject], columns: Sequence[str]) -> list[str]:
    """Names of the members that any row has."""
    found = dict.fromkeys(name for row in rows for name in row)
    return [*(name for name in columns if name in found), *(name for name in found if name not in columns)]


def _cell(value: JsonValue) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return ", ".join(visible(str(item)) for item in value)
    if isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
        return "\n".join(map(_cell, value))
    if isinstance(value, dict):
        return ", ".join(f"{visible(name)}: {_inner(item)}" for name, item in value.items())
    return visible(orjson.dumps(value).decode())


def _inner(value: JsonValue) -> str:
    """A member of an object that is a cell itself."""
    return _cell(value) if isinstance(value, (str, int, float)) else visible(orjson.dumps(value).decode())
