"""Reading members of somebody else's JSON: what has another type than it should counts as not said."""

from __future__ import annotations

from afford.errors import JsonObject, JsonValue


def text_of(value: JsonObject, name: str) -> str:
    """A member that is text; empty otherwise."""
    found = value.get(name)
    return found if isinstance(found, str) else ""


def object_of(value: JsonObject, name: str) -> JsonObject | None:
    """A member that is an object; None otherwise."""
    found = value.get(name)
    return found if isinstance(found, dict) else None


def objects_of(value: JsonObject, name: str) -> list[JsonObject]:
    """The objects in a member that is a list."""
    return objects_in(value.get(name))


def objects_in(value: JsonValue) -> list[JsonObject]:
    """The objects in a list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
