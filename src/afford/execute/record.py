"""Arguments as a record may show them."""

from __future__ import annotations

from typing import Final

from afford.errors import JsonObject, JsonValue

REDACTED: Final = "[redacted]"


def redacted(arguments: JsonObject, secrets: tuple[str, ...]) -> JsonObject:
    """The arguments with every secret place replaced.

    Args:
        arguments: JSON arguments; not changed.
        secrets: dotted places; a step through an array applies to all of its elements.
    """
    shown: JsonValue = arguments
    for place in secrets:
        shown = _without(shown, place.split(".") if place else [])
    return shown if isinstance(shown, dict) else {}


def _without(value: JsonValue, path: list[str]) -> JsonValue:
    if not path:
        return REDACTED
    if isinstance(value, list):
        return [_without(item, path) for item in value]
    if isinstance(value, dict):
        return {key: _without(item, path[1:]) if key == path[0] else item for key, item in value.items()}
    return value
