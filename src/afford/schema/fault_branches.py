"""Which branch of a union a refused value was meant for: by its JSON type, by a tag, or none.

Knows schemas and values, and nothing of engines: a tag is any property that is a closed set in every branch, so unions
of an author's own schema are read like derived ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias, cast

from afford.errors import Fault, JsonObject, JsonValue
from afford.schema.document import properties_of
from afford.schema.fault_words import json_type, member_pointer, missing, not_a_choice

Branch: TypeAlias = tuple[tuple[str, ...], JsonValue]
"""Where a branch stands, and its schema."""


def types_of(schema: JsonValue) -> list[str] | None:
    """The JSON types that a schema accepts, as far as it says; None where it does not."""
    if not isinstance(schema, dict):
        return None
    declared = schema.get("type")
    if isinstance(declared, str):
        return [declared]
    if isinstance(declared, list):
        return [str(name) for name in declared]
    if "enum" in schema or "const" in schema:
        found = [json_type(member) for member in _closed(schema) or ()]
        return list(dict.fromkeys(name for name in found if name is not None))
    branches = schema.get("anyOf", schema.get("oneOf"))
    if isinstance(branches, list):
        inner = [types_of(branch) for branch in branches]
        if all(names is not None for names in inner):
            return list(dict.fromkeys(name for names in inner for name in names or ()))
    return None


def fitting_branches(branches: Sequence[Branch], value: object) -> list[Branch]:
    """The branches that accept values of this JSON type."""
    received = json_type(value)
    found: list[Branch] = []
    for place, schema in branches:
        types = types_of(schema)
        if types is None or received in types or (received == "integer" and "number" in types):
            found.append((place, schema))
    return found


def tag_fault(branches: Sequence[Branch], value: Mapping[object, object], pointer: str) -> Fault | None:
    """What is wrong with the tag that tells the branches apart; None where there is no tag, or nothing is."""
    tag = _tag_of(branches)
    if tag is None:
        return None
    members = [member for _, schema in branches for member in _tag_members(schema, tag) or ()]
    if tag not in value:
        words = not_a_choice(pointer, members, None).expected
        return missing(pointer, tag, words)
    if value[tag] in members:
        return None
    return not_a_choice(member_pointer(pointer, tag), members, value[tag])


def without_other_tags(branches: Sequence[Branch], value: Mapping[object, object]) -> list[Branch]:
    """The branches whose tag is the one sent; all of them where no tag tells them apart."""
    tag = _tag_of(branches)
    if tag is None:
        return list(branches)
    matching = [(place, schema) for place, schema in branches if value.get(tag) in (_tag_members(schema, tag) or ())]
    return matching or list(branches)


def _tag_of(branches: Sequence[Branch]) -> str | None:
    first = branches[0][1]
    if not isinstance(first, dict):
        return None
    for name in properties_of(first):
        sets = [_tag_members(schema, name) for _, schema in branches]
        members = [member for found in sets if found is not None for member in found]
        is_apart = all(found is not None for found in sets) and len(members) == len(
            {repr(member) for member in members}
        )
        if is_apart:
            return name
    return None


def _tag_members(schema: JsonValue, name: str) -> list[JsonValue] | None:
    inner = properties_of(schema).get(name) if isinstance(schema, dict) else None
    return _closed(inner) if isinstance(inner, dict) else None


def _closed(schema: JsonObject) -> list[JsonValue] | None:
    if "const" in schema:
        return [schema["const"]]
    return cast("list[JsonValue]", schema["enum"]) if "enum" in schema else None
