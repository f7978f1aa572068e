"""Documents over one manifest: the schema catalog with its own schema, and the agent manifest. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from afford.caller import Door
from afford.declare.operations import Role
from afford.declare.vocabulary import Reach, Risk, Safety
from afford.errors import JsonObject, JsonValue
from afford.manifest import Entity, Manifest, NavigationEntry, Operation, Resource, Screen
from afford.surfaces.wire import description, http_description


def catalog_document(operations: Iterable[Operation], door: Door) -> JsonObject:
    """The schema catalog: exactly `queries` and `actions`, each a list of descriptors by wire name."""
    queries: list[JsonValue] = []
    actions: list[JsonValue] = []
    for operation in operations:
        (queries if operation.reads else actions).append(descriptor(operation, door))
    return {"queries": queries, "actions": actions}


def descriptor(operation: Operation, door: Door) -> JsonObject:
    """One operation as a cold reader meets it; absent keys say nothing, and there never is a `params`."""
    members: JsonObject = {
        "name": operation.wire_name,
        "description": http_description(operation, door),
        "reach": operation.reach.value,
        "risk": operation.risk.value,
        "safety": operation.safety.value,
    }
    if operation.has_title:
        members["title"] = operation.title
    members["input_schema"] = operation.input.schema
    members["output_schema"] = operation.output.schema
    if operation.examples:
        example = operation.examples[0]
        members["example_params"] = example.params
        if example.has_row:
            members["example_row"] = example.row
    return members


_TEXT: Final[JsonObject] = {"type": "string"}

_DESCRIPTOR: Final[JsonObject] = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "name": {"type": "string", "pattern": "^[A-Za-z][A-Za-z0-9_-]{0,63}$"},
        "description": _TEXT,
        "reach": {"type": "string", "enum": [word.value for word in Reach]},
        "risk": {"type": "string", "enum": [word.value for word in Risk]},
        "safety": {"type": "string", "enum": [word.value for word in Safety]},
        "title": _TEXT,
        "input_schema": {
            "allOf": [
                {"$ref": "https://json-schema.org/draft/2020-12/schema"},
                {
                    "type": "object",
                    "properties": {
                        "type": {"const": "object"},
                        "additionalProperties": {"const": False},
                        "properties": {"type": "object", "additionalProperties": {"type": "object"}},
                        "required": {"type": "array", "items": _TEXT},
                    },
                    "required": ["type", "additionalProperties", "properties", "required"],
                },
            ]
        },
        "output_schema": {"allOf": [{"$ref": "https://json-schema.org/draft/2020-12/schema"}, {"type": "object"}]},
        "example_params": {"type": "object"},
        "example_row": True,
        "params": False,
    },
    "required": ["name", "description", "reach", "risk", "safety", "input_schema", "output_schema"],
}

CATALOG_SCHEMA: Final[JsonObject] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Schema catalog",
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "queries": {
            "type": "array",
            "items": {
                "allOf": [
                    {"$ref": "#/$defs/descriptor"},
                    {
                        "properties": {
                            "output_schema": {"properties": {"type": {"const": "array"}}, "required": ["items"]}
                        }
                    },
                ]
            },
        },
        "actions": {"type": "array", "items": {"$ref": "#/$defs/descriptor"}},
    },
    "required": ["queries", "actions"],
    "$defs": {"descriptor": _DESCRIPTOR},
}
"""The schema of the catalog itself; served beside it, and what is served validates against it."""


def manifest_document(manifest: Manifest) -> JsonObject:
    """Everything one caller may see and call, in one document, which has the same parts on every surface.

    Operations and tools stay apart also where both are called alike. Resources are those that are declared, plain URIs
    before templates: keys of a template come and go, and are not listed one by one.
    """
    door = manifest.caller.door
    return {
        "built_for_roles": list(manifest.built_for_roles),
        "operations": [_operation(item, door) for item in manifest.operations if item.role is Role.OPERATION],
        "entities": [_entity(item) for item in manifest.entities],
        "screens": [_screen(item) for item in manifest.screens],
        "navigation": [_entry(item) for item in manifest.navigation],
        "resources": [_resource(item) for item in resources_of(manifest)],
        "tools": [_tool(item, door) for item in manifest.tools],
    }


def resources_of(manifest: Manifest) -> list[Resource]:
    """The declared resources that a caller may read, plain URIs before templates, each sorted."""
    plain = [item.resource for item in manifest.readables if item.resource.template.is_plain]
    return [*plain, *manifest.templates]


def _operation(operation: Operation, door: Door) -> JsonObject:
    members: JsonObject = {
        "id": operation.id,
        "name": operation.wire_name,
        "kind": operation.kind.value,
        "description": description(operation, door),
        "risk": operation.risk.value,
        "safety": operation.safety.value,
        "reach": operation.reach.value,
    }
    if operation.entity is not None:
        members["entity"] = operation.entity
    members["input_schema"] = operation.input.schema
    members["output_schema"] = operation.output.schema
    members["examples"] = [
        {"params": example.params, **({"row": example.row} if example.has_row else {})}
        for example in operation.examples
    ]
    return members


def _tool(tool: Operation, door: Door) -> JsonObject:
    members: JsonObject = {
        "id": tool.id,
        "name": tool.wire_name,
        "title": tool.title,
        "description": description(tool, door),
        "risk": tool.risk.value,
        "safety": tool.safety.value,
        "input_schema": tool.input.schema,
    }
    if tool.output.schema:
        members["output_schema"] = tool.output.schema
    return members


def _resource(resource: Resource) -> JsonObject:
    members: JsonObject = {"uri" if resource.template.is_plain else "uri_template": resource.template.text}
    members["name"] = resource.name
    if resource.description:
        members["description"] = resource.description
    if resource.mime_type is not None:
        members["mime_type"] = resource.mime_type
    return members


def _entity(entity: Entity) -> JsonObject:
    members: JsonObject = {"name": entity.name}
    if entity.description:
        members["description"] = entity.description
    members["schema"] = entity.schema
    members["references"] = list(entity.references)
    return members


def _screen(screen: Screen) -> JsonObject:
    members: JsonObject = {"id": screen.id, "type": screen.type}
    if screen.path is not None:
        members["path"] = screen.path
    if screen.description:
        members["description"] = screen.description
    if screen.entity is not None:
        members["entity"] = screen.entity
    members["parameters"] = list(screen.parameters)
    return members


def _entry(entry: NavigationEntry) -> JsonObject:
    members: JsonObject = {"id": entry.id, "label": entry.label}
    if entry.screen is not None:
        members["screen"] = entry.screen
    if entry.parent is not None:
        members["parent"] = entry.parent
    return members
