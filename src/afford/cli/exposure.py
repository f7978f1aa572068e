"""Who can see what of an application that is about to be served. Pure: asks the catalog and calls none of its loaders.

A closed set that has not loaded yet, or a switch that is off now, does not hide an operation here: both may change
while the server runs.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace
from typing import Final

from afford.access import Rule, judge
from afford.app import App
from afford.caller import Caller, Door, Principal, Surface
from afford.catalog.builtins import BUILT_IN
from afford.catalog.model import Catalog
from afford.cli.failures import CommandError
from afford.declare.operations import Role
from afford.manifest import Manifests, Operation, first_closed_gate
from afford.surfaces.http.openings import is_loopback, open_writes

_MAX_NAMED: Final = 5


@dataclass(frozen=True, slots=True)
class Audience:
    """How much one kind of caller is offered."""

    who: str
    operations: int
    """Over HTTP."""
    tools: int
    """Over MCP, which agents have; without those of afford's own and those that providers hand out."""


def open_door_findings(app: App, host: str, door: Door) -> tuple[Operation, ...]:
    """The writes that strangers could run if the app listened on `host`; empty where that is intended or impossible.

    It is intended with `App(public=True)`, and impossible on loopback or where an app has authentication.

    Raises:
        CatalogError: the app does not build.
    """
    if is_loopback(host) or app.authenticators or app.options.get("public"):
        return ()
    return open_writes(Manifests(fully_on(app.build())), door)


def refuse_open_door(app: App, host: str, door: Door) -> None:
    """Fail closed where strangers could write.

    Raises:
        CommandError: everybody who reaches `host` could.
        CatalogError: the app does not build.
    """
    found = open_door_findings(app, host, door)
    if not found:
        return
    names = ", ".join(f"`{item.id}`" for item in found[:_MAX_NAMED]) + (", ..." if len(found) > _MAX_NAMED else "")
    raise CommandError(
        f"everybody who reaches {host} could run {names}, because the app has no authentication; "
        "give `App` an `authenticate=`, or say `public=True` if that is meant"
    )


def audiences(app: App, door: Door) -> tuple[Audience, ...]:
    """How much anonymous callers, signed-in ones and each role are offered through a door.

    Only rules that are data are judged: asking the author's code about people who do not exist could do anything.
    """
    everything = fully_on(app.build()).operations
    declared = [item for name, item in everything.items() if name not in BUILT_IN and item.access.is_static()]
    people: list[tuple[str, Principal | None]] = [("anonymous", None)]
    if app.authenticators:
        people.append(("signed in", Principal("somebody")))
        people.extend((f"role {role}", Principal("somebody", [role])) for role in sorted(app.build().roles))
    return tuple(Audience(who, *_offered(declared, person, door)) for who, person in people)


def _offered(declared: list[Operation], person: Principal | None, door: Door) -> tuple[int, int]:
    """How many operations, and how many tools, somebody is offered."""
    surfaces = {Role.OPERATION: Surface.HTTP, Role.TOOL: Surface.MCP}
    counts = dict.fromkeys(surfaces, 0)
    for item in declared:
        if item.role is Role.TOOL and door is Door.APP:
            continue
        caller = Caller(person, door, surfaces[item.role])
        counts[item.role] += first_closed_gate(item, caller, functools.partial(_allows, caller)) is None
    return counts[Role.OPERATION], counts[Role.TOOL]


def _allows(caller: Caller, rule: Rule) -> bool:
    return judge(rule, caller)


def decided_by_code(app: App) -> int:
    """How many operations and tools have an access rule that is the author's code, and so are in no count."""
    declared = app.build().operations
    return sum(name not in BUILT_IN and not item.access.is_static() for name, item in declared.items())


def fully_on(catalog: Catalog) -> Catalog:
    """The catalog as if everything that may load had loaded, and every switch that may be on were on."""
    operations = {
        name: replace(item, stale=False, enabled=item.enabled is not False) for name, item in catalog.operations.items()
    }
    return replace(catalog, operations=operations)
