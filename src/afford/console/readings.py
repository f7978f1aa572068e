"""Shared state and resources: what there is for somebody, and what one document holds now.

Reading one runs its operation like any other call, through the executor and into every record.
"""

from __future__ import annotations

import base64
from typing import Final, cast

from afford.caller import Surface
from afford.console.identities import Identity, manifest_of
from afford.errors import Failure, JsonObject, JsonValue, NotFoundError
from afford.execute.contents import Document
from afford.execute.outcome import Invocation
from afford.manifest import Manifest, Resource
from afford.schema.text_arguments import read_text_arguments
from afford.surfaces.http.console import Visit
from afford.surfaces.wire import problem_document

LONGEST_SHOWN: Final = 256 * 1024
"""Characters of a document that the page is sent."""


def documents(visit: Visit, identity: Identity) -> JsonObject:
    """Every resource and shared state that is declared; of what somebody is offered, the documents that exist now."""
    manifest = manifest_of(identity, visit, Surface.MCP)
    by_resource: dict[str, list[JsonValue]] = {}
    for readable in manifest.readables:
        by_resource.setdefault(readable.resource.id, []).append({"uri": readable.uri, "name": readable.name})
    return {
        "resources": [
            _resource(name, item, manifest, by_resource.get(item.id, []))
            for name, item in visit.admitted.runtime.catalog.resources.items()
        ]
    }


async def document(visit: Visit, identity: Identity, uri: str) -> JsonObject:
    """What stands under a URI now, or why somebody does not get it.

    Raises:
        NotFoundError: nothing there is offered.
    """
    manifest = manifest_of(identity, visit, Surface.MCP)
    found = manifest.resource(uri)
    if found is None:
        raise NotFoundError(f"nothing is offered under `{uri}`", fix="take a URI from the list")
    resource, texts = found
    arguments, faults = read_text_arguments(resource.shape, texts)
    invocation = Invocation(resource.operation.wire_name, arguments, faults, request=visit.request)
    outcome = await visit.admitted.runtime.run(manifest, invocation)
    if isinstance(outcome, Failure):
        return {"uri": uri, "problem": problem_document(outcome)}
    content = cast("Document", outcome.value)
    members: JsonObject = {"uri": uri, "mime_type": resource.mime_type or content.mime_type, **_shown(content.data)}
    if resource.state is not None:
        names = resource.state.template.match(resource.state.template.expand(texts))
        members["version"] = resource.state.version(**(names or {}))
    return members


def _shown(data: str | bytes) -> JsonObject:
    if isinstance(data, str):
        return {"text": data[:LONGEST_SHOWN], "length": len(data)}
    shown = base64.b64encode(data).decode("ascii") if len(data) <= LONGEST_SHOWN else None
    return {"base64": shown, "length": len(data)}


def _resource(name: str, item: Resource, manifest: Manifest, found: list[JsonValue]) -> JsonObject:
    told = manifest.explain(name)
    return {
        "name": item.name,
        "operation": name,
        "description": item.description,
        "mime_type": item.mime_type,
        "uri": item.template.text,
        "is_template": not item.template.is_plain,
        "is_state": item.state is not None,
        "access": str(item.operation.access),
        "closed": None if told.gate is None else {"gate": told.gate.value, "message": told.message, "fix": told.fix},
        "documents": found,
    }
