"""What the list of tools costs an assistant's context, for each kind of caller. Pure over manifests.

Counted is what MCP sends before the first call: the tools, and the instructions of the server.
"""

from __future__ import annotations

from typing import Final

from afford.caller import Principal, Surface
from afford.console.identities import Identity, manifest_of
from afford.errors import JsonObject
from afford.lint.cost import tokens
from afford.surfaces.http.console import Visit
from afford.surfaces.mcp.project import Fragments, instructions

_SOMEBODY: Final = "somebody"
"""An account that is nobody's: only its roles matter."""


def costs(visit: Visit, identity: Identity) -> JsonObject:
    """Tokens for anonymous callers, signed-in ones, each role, and whoever is looked as."""
    runtime = visit.admitted.runtime
    people: list[tuple[str, Identity]] = [
        ("anonymous", Identity(None)),
        ("signed in", Identity(Principal(_SOMEBODY))),
        *((f"role {role}", Identity(Principal(_SOMEBODY, [role]))) for role in sorted(runtime.catalog.roles)),
        ("chosen", identity),
    ]
    written = Fragments()
    callers: list[JsonObject] = [{"who": who, **_cost(visit, person, written)} for who, person in people]
    return {"budget": runtime.tool_budget, "callers": [*callers]}


def _cost(visit: Visit, person: Identity, written: Fragments) -> JsonObject:
    manifest = manifest_of(person, visit, Surface.MCP)
    tools = [(item.wire_name, tokens(written.of(item).decode())) for item in manifest.operations]
    told = tokens(instructions(manifest))
    return {
        "tokens": told + sum(cost for _, cost in tools),
        "instructions": told,
        "tools": [{"name": name, "tokens": cost} for name, cost in sorted(tools, key=lambda pair: (-pair[1], pair))],
    }
