"""Schemas as MCP clients need them: an object at the root, and no references that could be written out.

Pure. Clients lose `$defs` or refuse them, so every reference that is not recursive is replaced by what it names.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from afford.declare.vocabulary import Paging
from afford.errors import JsonObject, JsonValue
from afford.manifest import Answer, Carries, Operation

_DEFS: Final = "#/$defs/"
_ANYTHING: Final = frozenset({"$ref", "allOf", "anyOf", "const", "enum", "if", "not", "oneOf"})
_WHOLE: Final = {
    "string": _ANYTHING | {"format", "minLength", "pattern"},
    "array": _ANYTHING | {"contains", "minItems"},
}
"""Keywords under which the beginning of a valid text, or of a valid list, may be invalid."""

TRUNCATED: Final[JsonObject] = {
    "type": "object",
    "description": "Present when the answer was cut to fit: how much is here, and how to get the rest.",
    "properties": {
        "returned": {"type": "integer", "description": "Rows (or elements, or characters) in this answer."},
        "of": {"type": "integer", "description": "Rows (or elements, or characters) that there were."},
        "hint": {"type": "string", "description": "The next call to make."},
    },
    "required": ["returned", "of", "hint"],
    "additionalProperties": False,
}


_OF_ROWS: Final = (Answer.ROWS, Answer.PAGE)


class ResultShape(StrEnum):
    """How a value becomes structured content, decided by the static type."""

    ROWS = "rows"
    OBJECT = "object"
    WRAPPED = "result"
    OPEN = "open"
    """No schema: an object as it is, everything else wrapped."""


def result_shape(operation: Operation) -> ResultShape:
    """The shape of an operation's structured content."""
    output = operation.output
    if output.answer in _OF_ROWS:
        return ResultShape.ROWS
    value: JsonValue = output.schema.get("items") if operation.reads else output.schema
    if not value and "$defs" not in output.schema:
        return ResultShape.OPEN
    is_object = isinstance(value, dict) and value.get("type") == "object"
    return ResultShape.OBJECT if is_object else ResultShape.WRAPPED


def is_cuttable(operation: Operation) -> bool:
    """Whether the result may be a text or a list of which the beginning is valid too."""
    schema = _value_schema(operation)
    whole = _WHOLE.get(str(schema.get("type")))
    return not schema or (whole is not None and not whole & schema.keys())


def input_schema(operation: Operation) -> JsonObject:
    """The published input schema, with `limit` and `cursor` where pages are, since no header can carry them."""
    # An author's own schema is published as it was written: its references may lead elsewhere than to `$defs`.
    schema = operation.input.schema if operation.input.decoder is None else inlined(operation.input.schema)
    if operation.paging is None:
        return schema
    properties = schema.get("properties")
    return {
        **schema,
        "properties": {**(properties if isinstance(properties, dict) else {}), **_page_inputs(operation.paging)},
    }


def output_schema(operation: Operation) -> JsonObject | None:
    """The schema of the structured content; None where the result is left open."""
    shape = result_shape(operation)
    if shape == ResultShape.OPEN or operation.output.carries is Carries.CONTENT:
        return None
    if shape == ResultShape.OBJECT:
        return inlined(_value_schema(operation))
    if shape == ResultShape.WRAPPED:
        members: JsonObject = {"result": _value_schema(operation)}
        return _closed({**members, "truncated": TRUNCATED} if is_cuttable(operation) else members, ["result"])
    properties: JsonObject = {"rows": operation.output.schema, "truncated": TRUNCATED}
    if operation.paging is not None:
        properties["next_cursor"] = {"type": "string", "description": "Send it back as `cursor` for the next page."}
        properties["total"] = {"type": "integer", "description": "How many rows match in all.", "minimum": 0}
    return _closed(properties, ["rows"])


def inlined(schema: JsonObject) -> JsonObject:
    """The schema with every local reference that is not recursive written out; recursive ones keep their `$defs`."""
    definitions = schema.get("$defs")
    if not isinstance(definitions, dict):
        return schema
    recursive = {name for name in definitions if _reaches(name, name, definitions)}
    body = {key: value for key, value in schema.items() if key != "$defs"}
    written = _written(body, definitions, recursive)
    result = written if isinstance(written, dict) else body
    if recursive:
        result["$defs"] = {name: _written(definitions[name], definitions, recursive) for name in sorted(recursive)}
    return result


def _value_schema(operation: Operation) -> JsonObject:
    """The schema of the value itself: of one row for a read of one row."""
    schema = operation.output.schema
    if not operation.reads or operation.output.answer in _OF_ROWS:
        return schema
    items = schema.get("items")
    row: JsonObject = dict(items) if isinstance(items, dict) else {}
    return {**row, "$defs": schema["$defs"]} if "$defs" in schema else row


def _closed(properties: JsonObject, required: list[JsonValue]) -> JsonObject:
    """A closed object; definitions of its members move to the root, where references look for them."""
    definitions: JsonObject = {}
    members: JsonObject = {}
    for name, member in properties.items():
        own = member.get("$defs") if isinstance(member, dict) else None
        if isinstance(member, dict) and isinstance(own, dict):
            definitions.update(own)
            members[name] = {key: value for key, value in member.items() if key != "$defs"}
        else:
            members[name] = member
    schema: JsonObject = {"type": "object", "properties": members, "required": required, "additionalProperties": False}
    return inlined({**schema, "$defs": definitions}) if definitions else schema


def _page_inputs(paging: Paging) -> JsonObject:
    limit = f"Rows wanted; {paging.default} unless said otherwise, clamped to 1..{paging.max}."
    return {
        "limit": {"type": "integer", "description": limit},
        "cursor": {"type": "string", "description": "`next_cursor` of the page before; leave out for the first page."},
    }


def _written(value: JsonValue, definitions: JsonObject, recursive: set[str]) -> JsonValue:
    if isinstance(value, list):
        return [_written(item, definitions, recursive) for item in value]
    if not isinstance(value, dict):
        return value
    name = _referenced(value)
    if name is not None and name in definitions and name not in recursive:
        target = _written(definitions[name], definitions, recursive)
        beside = {key: _written(item, definitions, recursive) for key, item in value.items() if key != "$ref"}
        return {**target, **beside} if isinstance(target, dict) else target
    return {key: _written(item, definitions, recursive) for key, item in value.items()}


def _reaches(start: str, goal: str, definitions: JsonObject) -> bool:
    pending, seen = [start], {start}
    while pending:
        for name in _references(definitions.get(pending.pop())):
            if name == goal:
                return True
            if name not in seen:
                seen.add(name)
                pending.append(name)
    return False


def _references(value: JsonValue) -> list[str]:
    if isinstance(value, list):
        return [name for item in value for name in _references(item)]
    if not isinstance(value, dict):
        return []
    name = _referenced(value)
    inner = [found for item in value.values() for found in _references(item)]
    return inner if name is None else [name, *inner]


def _referenced(value: JsonObject) -> str | None:
    reference = value.get("$ref")
    return reference.removeprefix(_DEFS) if isinstance(reference, str) and reference.startswith(_DEFS) else None
