"""What an OpenAPI document shares between its operations, and its dialect of JSON Schema."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from afford.errors import JsonObject, JsonValue
from afford.lint.targets.members import object_of, objects_of

_SCHEMAS: Final = "#/components/schemas/"
_DEFS: Final = "#/$defs/"
_HOPS: Final = 16
"""References that are followed one after the other, at most."""
_NAMED: Final = frozenset({"$defs", "definitions", "dependentSchemas", "patternProperties", "properties"})
"""Keywords whose members are schemas under names of the author's."""
_DATA: Final = frozenset({"const", "default", "enum", "example", "examples"})
"""Keywords that hold values, in which nothing is a schema."""
_BOUNDS: Final = (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum"))


class Components:
    """What the references of one document lead to."""

    def __init__(self, document: JsonObject) -> None:
        """Keep the document."""
        self._document = document
        self._schemas = object_of(object_of(document, "components") or {}, "schemas") or {}

    def resolved(self, value: JsonValue) -> JsonObject:
        """What is meant, through references inside the document; empty where they lead nowhere."""
        for _ in range(_HOPS):
            reference = value.get("$ref") if isinstance(value, dict) else None
            if not isinstance(reference, str):
                return value if isinstance(value, dict) else {}
            value = self._at(reference)
        return {}

    def complete(self, schema: JsonObject) -> JsonObject:
        """The schema with every shared schema that it needs as a definition of its own."""
        needed: JsonObject = {}
        pending = [*_referenced(schema)]
        while pending:
            name = pending.pop()
            if name not in needed and name in self._schemas:
                found = nullable_as_type(self._schema(name))
                needed[name] = _local(found)
                pending.extend(_referenced(found))
        local = _local(schema)
        root: JsonObject = local if isinstance(local, dict) else {}
        return {**root, "$defs": {name: needed[name] for name in sorted(needed)}} if needed else root

    def _schema(self, name: str) -> JsonObject:
        return object_of(self._schemas, name) or {}

    def _at(self, reference: str) -> JsonValue:
        value: JsonValue = self._document if reference.startswith("#/") else None
        for step in reference.removeprefix("#/").split("/"):
            value = value.get(_unescaped(step)) if isinstance(value, dict) else None
        return value


def merged(schema: JsonObject, components: Components, hops: int = _HOPS) -> JsonObject:
    """An object schema with the properties of everything in its `allOf`, references followed."""
    found = components.resolved(schema)
    parts = [merged(part, components, hops - 1) for part in objects_of(found, "allOf") if hops]
    if not parts:
        return found
    properties: JsonObject = {}
    required: list[JsonValue] = []
    for part in (*parts, found):
        properties.update(object_of(part, "properties") or {})
        needed = part.get("required")
        required.extend(needed if isinstance(needed, list) else [])
    return {**found, "properties": properties, "required": required} if properties else found


def nullable_as_type(value: JsonObject) -> JsonObject:
    """A schema of OpenAPI 3.0 in the JSON Schema of today; one of 3.1 stays as it is."""
    converted = _converted(value)
    return converted if isinstance(converted, dict) else {}


def _converted(schema: JsonValue) -> JsonValue:
    if isinstance(schema, list):
        return [_converted(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    found: JsonObject = {}
    for key, value in schema.items():
        if key in _NAMED and isinstance(value, dict):
            found[key] = {name: _converted(item) for name, item in value.items()}
        else:
            found[key] = value if key in _DATA else _converted(value)
    for exclusive, bound in _BOUNDS:
        if isinstance(found.get(exclusive), bool):
            is_exclusive = found.pop(exclusive)
            if is_exclusive and bound in found:
                found[exclusive] = found.pop(bound)
    return _with_null(found) if found.pop("nullable", None) is True else found


def _with_null(schema: JsonObject) -> JsonObject:
    kind = schema.get("type")
    if isinstance(kind, str):
        widened: JsonObject = {**schema, "type": [kind, "null"]}
        choices = schema.get("enum")
        if isinstance(choices, list) and None not in choices:
            widened["enum"] = [*choices, None]
        return widened
    if "$ref" in schema or "allOf" in schema:
        text = {"description": schema["description"]} if "description" in schema else {}
        return {**text, "anyOf": [schema, {"type": "null"}]}
    return schema


def _local(value: JsonValue) -> JsonValue:
    """With references to shared schemas as references to definitions."""
    if isinstance(value, list):
        return [_local(item) for item in value]
    if not isinstance(value, dict):
        return value
    found = {key: _local(item) for key, item in value.items()}
    reference = found.get("$ref")
    if isinstance(reference, str) and reference.startswith(_SCHEMAS):
        found["$ref"] = _DEFS + reference.removeprefix(_SCHEMAS)
    return found


def _referenced(value: JsonValue) -> Iterator[str]:
    """Names of the shared schemas that a value refers to."""
    if isinstance(value, list):
        for item in value:
            yield from _referenced(item)
    elif isinstance(value, dict):
        reference = value.get("$ref")
        if isinstance(reference, str) and reference.startswith(_SCHEMAS):
            yield _unescaped(reference.removeprefix(_SCHEMAS))
        for item in value.values():
            yield from _referenced(item)


def _unescaped(step: str) -> str:
    return step.replace("~1", "/").replace("~0", "~")
