"""What the page asks first: which application this is, who looks, and as whom it may look. Pure."""

from __future__ import annotations

from collections import Counter

from afford.caller import Surface
from afford.errors import TABLE, JsonObject, JsonValue
from afford.surfaces.http.console import Visit
from afford.surfaces.http.message import base_path


def overview(visit: Visit, boot: str) -> JsonObject:
    """The application and its visitor.

    Args:
        visit: who looks.
        boot: names this run of the process; another one has other calls.
    """
    runtime, caller = visit.admitted.runtime, visit.admitted.caller
    catalog = runtime.catalog
    counts = Counter(item.role.value for item in catalog.everything)
    mount = base_path(visit.scope)
    return {
        "name": catalog.name,
        "title": catalog.title,
        "version": catalog.version,
        "description": catalog.description,
        "boot": boot,
        "epoch": catalog.epoch,
        "roles": [*sorted(catalog.roles)],
        "claims": [*sorted(catalog.claims_named)],
        "counts": {role: counts[role] for role in sorted(counts)},
        "is_developer": visit.is_developer,
        "you": {"id": caller.id, "roles": [*sorted(caller.roles)]},
        "mount": mount,
        "mcp": f"{mount}/mcp",
        "surfaces": [surface.value for surface in (Surface.HTTP, Surface.MCP, Surface.CLI)],
        "codes": codes(),
    }


def codes() -> JsonObject:
    """What each code of a refused call means, and the status it has over HTTP."""
    meanings: dict[str, JsonValue] = {
        code.value: {"title": row.title, "status": row.status, "retryable": row.retryable}
        for code, row in TABLE.items()
    }
    return meanings
