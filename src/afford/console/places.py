"""Entities, screens and navigation: all that are declared, and which of them somebody is shown. Pure over manifests."""

from __future__ import annotations

from afford.caller import Surface
from afford.catalog.model import Catalog
from afford.console.identities import Identity, manifest_of
from afford.errors import JsonObject
from afford.manifest import Entity, NavigationEntry, Screen
from afford.surfaces.http.console import Visit


def places(visit: Visit, identity: Identity) -> JsonObject:
    """Every entity, screen and navigation entry, each with whether it is shown."""
    catalog = visit.admitted.runtime.catalog
    manifest = manifest_of(identity, visit, Surface.MCP)
    entities = {item.name for item in manifest.entities}
    screens = {item.id for item in manifest.screens}
    entries = {item.id for item in manifest.navigation}
    return {
        "entities": [{**_entity(it, catalog), "shown": it.name in entities} for it in catalog.entities.values()],
        "screens": [{**_screen(it), "shown": it.id in screens} for it in catalog.screens],
        "navigation": [{**_entry(it), "shown": it.id in entries} for it in catalog.navigation],
    }


def _entity(item: Entity, catalog: Catalog) -> JsonObject:
    return {
        "name": item.name,
        "description": item.description,
        "schema": item.schema,
        "references": list(item.references),
        "operations": [name for name, operation in catalog.operations.items() if operation.entity == item.name],
    }


def _screen(item: Screen) -> JsonObject:
    return {
        "id": item.id,
        "type": item.type,
        "path": item.path,
        "parameters": list(item.parameters),
        "description": item.description,
        "entity": item.entity,
        "access": str(item.access),
        "exposed": item.exposed,
    }


def _entry(item: NavigationEntry) -> JsonObject:
    return {
        "id": item.id,
        "label": item.label,
        "screen": item.screen,
        "parent": item.parent,
        "access": str(item.access),
    }
