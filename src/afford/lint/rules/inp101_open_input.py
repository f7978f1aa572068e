"""An input schema that is missing, is no object, or takes names that it does not declare."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from afford.errors import JsonObject
from afford.lint.nodes import nodes
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import SEARCH, with_change
from afford.lint.schemas import types_of
from afford.lint.target import SERVED_BY_US, Described, Origin, Target

_CLOSE: Final = "add `additionalProperties: false`"


def check(found: Target) -> Iterator[Finding]:
    """Nested objects have to be closed as well; a map says what its members are and is closed enough."""
    for item in found.operations:
        if item.input_schema is None:
            if found.origin in SERVED_BY_US:
                yield _finding(
                    item, "", "there is no input schema", 'declare one, with `"properties": {}` for no inputs'
                )
        elif "object" not in types_of(item.input_schema) and "$ref" not in item.input_schema:
            yield _finding(item, "", "the input schema is not of `type: object`", 'declare `"type": "object"`')
        elif found.origin in SERVED_BY_US:
            yield from _open_objects(item, item.input_schema)


def _open_objects(item: Described, schema: JsonObject) -> Iterator[Finding]:
    if any("unevaluatedProperties" in node.schema for node in nodes(schema)):
        return
    for node in nodes(schema):
        is_object = "object" in types_of(node.schema) and not node.is_branch
        if is_object and node.schema.get("additionalProperties", True) in (True, {}) and "allOf" not in node.schema:
            where = f"`{node.pointer}`" if node.pointer else "the input schema"
            yield _finding(item, node.pointer, f"{where} takes names that it does not declare", _CLOSE)


def _finding(item: Described, pointer: str, message: str, fix: str) -> Finding:
    return Finding(subject=item.name, message=message, pointer=f"/input_schema{pointer}", fix=fix)


RULE: Final = Rule(
    code="INP101",
    name="open-input",
    severity=Severity.ERROR,
    what="An input schema is missing, is no object, or takes names that it does not declare.",
    why="A misspelt or invented input is accepted and ignored, and the caller never learns that it did nothing.",
    fix="Declare a closed object schema, with empty `properties` where there is nothing to send.",
    source="house style checklist, item 7",
    origins=frozenset({Origin.APP, Origin.CATALOG, Origin.MCP}),
    bad=with_change("search_hotels", input_schema={**(SEARCH.input_schema or {}), "additionalProperties": True}),
    good=with_change(
        "search_hotels",
        input_schema={"type": "object", "additionalProperties": False, "properties": {}, "required": []},
        example_params={},
    ),
    check=check,
)
