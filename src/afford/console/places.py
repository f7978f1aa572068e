"""Entities, screens and navigation: all that are declared, and which of them somebody is shown. Pure over manifests."""

from __future__ import annotations

from afford.caller import Surface
from afford.console.identities import Identity, manifest_of
from afford.errors import JsonObject
from afford.surfaces.http.console import Visit


def places(visit: Visit, identity: Identity) -> JsonObject:
    """Every entity, screen and navigation entry, each with whether it is shown."""
    catalog = visit.admitted.runtime.catalog
    manifest = manifest_of(identity, visit, Surface.MCP)
    screens = {screen.id for screen in manifest.screens}
    entities = {entity.name for entity in manifest.entities}
    entries = {entry.id for entry in manifest.navigation}
    return {
        "entities": [
            {
                "name": item.name,
                "description": item.description,
                "schema": item.schema,
                "references": list(item.references),
                "operations": [name for name, it in catalog.operations.items() if it.entity == item.name],
                "shown": item.name in entities,
            }
            for item in catalog.entities.values()
        ],
        "screens": [
            {
                "id": item.id,
                "type": item.type,
                "path": item.path,
                "parameters": list(item.parameters),
                "description": item.description,
                "entity": item.entity,
                "access": str(item.access),
                "exposed": item.exposed,
                "shown": item.id in screens,
            }
            for item in catalog.screens
        ],
        "navigation": [
            {
                "id": item.id,
                "label": item.label,
                "screen": item.screen,
                "parent": item.parent,
                "access": str(item.access),
                "shown": item.id in entries,
            }
            for item in catalog.navigation
        ],
    }
