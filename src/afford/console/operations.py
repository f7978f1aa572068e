"""What there is to call and to read, whether somebody is offered it, and why not; and one thing of it in full.

Every decision is read from `Manifest.explain`, which `afford why` prints as well.
"""

from __future__ import annotations

from collections.abc import Iterator

from afford.caller import Caller, Door, Surface
from afford.catalog.builtins import BUILT_IN
from afford.catalog.model import Catalog
from afford.console.identities import Identity, manifest_of
from afford.declare.operations import Role
from afford.errors import JsonObject, JsonValue, NotFoundError
from afford.manifest import Explanation, Gate, Manifest, Operation
from afford.surfaces.http.console import Visit
from afford.surfaces.http.project import descriptor
from afford.surfaces.mcp.project import tool, tool_description
from afford.surfaces.openapi.project import path_item
from afford.surfaces.wire import http_description

SURFACES = (Surface.HTTP, Surface.MCP, Surface.CLI)


def operations(visit: Visit, identity: Identity) -> JsonObject:
    """Everything that is declared, and what providers have now, each with what somebody is offered of it."""
    catalog = visit.admitted.runtime.catalog
    manifests = {surface: manifest_of(identity, visit, surface) for surface in SURFACES}
    items: list[JsonValue] = [
        _line(name, item, manifests) for name, item in _everything(catalog, manifests[Surface.MCP])
    ]
    return {"operations": items}


def operation(visit: Visit, identity: Identity, name: str) -> JsonObject:
    """One operation, tool, resource or prompt in full.

    Args:
        visit: who looks.
        identity: as whom.
        name: its wire name.

    Raises:
        NotFoundError: there is none.
    """
    catalog = visit.admitted.runtime.catalog
    manifests = {surface: manifest_of(identity, visit, surface) for surface in SURFACES}
    found = next((item for key, item in _everything(catalog, manifests[Surface.MCP]) if key == name), None)
    if found is None:
        raise NotFoundError(f"nothing is called `{name}`", fix="reload the list of operations")
    return {**_line(name, found, manifests), **_detail(found, manifests[Surface.HTTP].caller)}


def _everything(catalog: Catalog, manifest: Manifest) -> Iterator[tuple[str, Operation]]:
    """By wire name: operations and tools, resources and prompts, then what providers hand out to the caller now."""
    yield from catalog.operations.items()
    yield from catalog.reads.items()
    for item in manifest.tools:
        if item.wire_name not in catalog.operations:
            yield item.wire_name, item


def _line(name: str, item: Operation, manifests: dict[Surface, Manifest]) -> JsonObject:
    # Of resources and prompts the wire name is what they are asked for by.
    asked = name if ":" in name else item.id
    gates = {surface: manifest.explain(asked) for surface, manifest in manifests.items()}
    members: JsonObject = {
        "name": name,
        "id": item.id,
        "title": item.title,
        "role": item.role.value,
        "kind": item.kind.value,
        "feature": item.feature,
        "safety": item.safety.value,
        "risk": item.risk.value,
        "reach": item.reach.value,
        "built_in": name in BUILT_IN,
        "offered": [surface.value for surface, found in gates.items() if found.offered],
    }
    reason = _reason(item, gates)
    if reason.gate is not None:
        members["closed"] = _closed(reason)
    members["gates"] = {surface.value: None if found.offered else _closed(found) for surface, found in gates.items()}
    return members


def _reason(item: Operation, gates: dict[Surface, Explanation]) -> Explanation:
    """The explanation of the surface that it is meant for: HTTP, or MCP for what is there alone."""
    http = gates[Surface.HTTP]
    return gates[Surface.MCP] if http.gate is Gate.SURFACE or item.role is not Role.OPERATION else http


def _closed(found: Explanation) -> JsonObject:
    return {"gate": None if found.gate is None else found.gate.value, "message": found.message, "fix": found.fix}


def _detail(item: Operation, caller: Caller) -> JsonObject:
    is_call = item.role in (Role.OPERATION, Role.TOOL)
    documents: JsonObject = {"mcp": tool(item)} if is_call else {}
    if item.role is Role.OPERATION:
        documents = {"http": descriptor(item, Door.AGENT), **documents, "openapi": path_item(item, caller)}
    return {
        "descriptions": _descriptions(item),
        "access": str(item.access),
        "exposed": item.exposed,
        "enabled": item.enabled if isinstance(item.enabled, bool) else "decided by code",
        "idempotent": item.idempotent,
        "open_world": item.open_world,
        "deadline": item.deadline,
        "tags": list(item.tags),
        "entity": item.entity,
        "paging": None if item.paging is None else {"default": item.paging.default, "max": item.paging.max},
        "owner": (isinstance(item.guard.owner, str) and item.guard.owner) or None,
        "secrets": list(item.secrets),
        "location": item.location,
        "input_schema": item.input.schema,
        "output_schema": item.output.schema,
        "examples": [
            {"params": example.params, **({"row": example.row} if example.has_row else {})} for example in item.examples
        ],
        "problems": [
            {"code": it.code, "status": it.status, "title": it.title, "fix": it.fix, "retryable": it.retryable}
            for it in item.problems
        ],
        "questions": [{"name": it.name, "message": it.message, "schema": it.schema} for it in item.questions],
        "documents": documents,
    }


def _descriptions(item: Operation) -> list[JsonValue]:
    """The text as each surface sends it, texts that are alike together; first what agents read."""
    sent = [("MCP", tool_description(item))]
    if item.role is Role.OPERATION:
        sent = [("HTTP", http_description(item, Door.AGENT)), *sent, ("OpenAPI", http_description(item, Door.AGENT))]
    sent.append(("App door", http_description(item, Door.APP)))
    by_text: dict[str, list[JsonValue]] = {}
    for surface, text in sent:
        by_text.setdefault(text, []).append(surface)
    return [{"surfaces": surfaces, "text": text} for text, surfaces in by_text.items()]
