"""Ids and wire names: the grammar, the one translation, and what is reserved."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from typing import Final

from afford.catalog.findings import Findings

SEGMENT: Final = r"[A-Za-z][A-Za-z0-9_-]*"
_ID: Final = re.compile(rf"{SEGMENT}(:{SEGMENT})*")
_SEGMENT: Final = re.compile(SEGMENT)
MAX_WIRE_NAME: Final = 64
RESERVED_PREFIX: Final = "afford"
RESERVED: Final = frozenset({"schema", "manifest", "openapi", "mcp", "health", "console", "webmcp", "approvals"})
"""First path segments of the fixed routes, with and without their ending."""


def wire_name(operation_id: str) -> str:
    """The name on every surface: `:` becomes `_`."""
    return operation_id.replace(":", "_")


def is_id(text: str) -> bool:
    """Whether the text is segments joined by `:`."""
    return _ID.fullmatch(text) is not None


def is_segment(text: str) -> bool:
    """Whether the text is one segment, as feature and entity names are."""
    return _SEGMENT.fullmatch(text) is not None


def title_of(operation_id: str) -> str:
    """A title made from the id: `widget:list_all` gives `Widget: list all`."""
    words = operation_id.replace("_", " ").replace("-", " ").replace(":", ": ")
    return words[:1].upper() + words[1:]


def check_names(ids: Iterable[tuple[str, str | None]], findings: Findings) -> None:
    """Report ids that are malformed, reserved, or that clash, also but for case.

    Args:
        ids: id and location of every operation.
        findings: where reports go.
    """
    groups: dict[str, list[tuple[str, str | None]]] = defaultdict(list)
    for operation_id, location in ids:
        _check_name(operation_id, location, findings)
        groups[wire_name(operation_id).lower()].append((operation_id, location))
    for group in groups.values():
        for operation_id, location in group[1:]:
            message = f"the wire name `{wire_name(operation_id)}` clashes with that of `{group[0][0]}`"
            findings.add("DEC102", operation_id, message, location=location)


def _check_name(operation_id: str, location: str | None, findings: Findings) -> None:
    name = wire_name(operation_id)
    if not is_id(operation_id):
        findings.add("DEC101", operation_id or "(no id)", f"`{operation_id}` is not a valid id", location=location)
    elif len(name) > MAX_WIRE_NAME:
        message = f"the wire name has {len(name)} characters, over {MAX_WIRE_NAME}"
        findings.add("DEC101", operation_id, message, location=location)
    if name.lower().startswith(RESERVED_PREFIX) or name.lower() in RESERVED:
        findings.add("DEC103", operation_id, f"the name `{name}` is reserved", location=location)
