"""Asking the judge about schemas of other people, which may be no schemas at all."""

from __future__ import annotations

from afford.errors import Fault, JsonObject, JsonValue
from afford.schema import judge_for

_DEFINITIONS = ("$defs", "definitions", "components")


def faults_of(schema: JsonObject, root: JsonObject, value: JsonValue) -> tuple[Fault, ...]:
    """What a part of a schema finds wrong with a value; nothing where the part cannot be judged.

    Args:
        schema: the part.
        root: the schema that its local references mean.
        value: what is judged, formats included.
    """
    beside = {key: root[key] for key in _DEFINITIONS if key in root}
    unnamed = {key: part for key, part in {**beside, **schema}.items() if key not in {"$id", "$schema"}}
    try:
        return judge_for(unnamed).faults(value)
    except ValueError:
        return ()


def refuses(schema: JsonObject, root: JsonObject, value: JsonValue) -> bool:
    """Whether a part of a schema refuses a value; False where it cannot be judged."""
    return bool(faults_of(schema, root, value))
