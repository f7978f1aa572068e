"""Who can see what of an application that is about to be served. Pure: asks the catalog and calls none of its loaders.

A closed set that has not loaded yet, or a switch that is off now, does not hide an operation here: both may change
while the server runs.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from afford.access import Rule, judge
from afford.app import App
from afford.caller import Caller, Door, Principal, Surface
from afford.catalog.model import Catalog
from afford.manifest import Manifests, Operation, first_closed_gate
from afford.surfaces.http.openings import is_loopback, open_writes


@dataclass(frozen=True, slots=True)
class Audience:
    """How many operations one kind of caller is offered."""

    who: str
    count: int


def open_door_findings(app: App, host: str, door: Door) -> tuple[Operation, ...]:
    """The writes that strangers could run if the app listened on `host`; empty where that is intended or impossible.

    It is intended with `App(public=True)`, and impossible on loopback or where an app has authentication.

    Raises:
        CatalogError: the app does not build.
    """
    if is_loopback(host) or app.authenticators or app.options.get("public"):
        return ()
    return open_writes(Manifests(_fully_on(app.build())), door)


def audiences(app: App, door: Door) -> tuple[Audience, ...]:
    """How many operations anonymous callers, signed-in ones and each role are offered over HTTP.

    Only rules that are data are judged: asking the author's code about people who do not exist could do anything.
    """
    operations = [item for item in _fully_on(app.build()).operations.values() if item.access.is_static()]
    people: list[tuple[str, Principal | None]] = [("anonymous", None)]
    if app.authenticators:
        people.append(("signed in", Principal("somebody")))
        people.extend((f"role {role}", Principal("somebody", [role])) for role in sorted(app.build().roles))
    return tuple(Audience(who, _offered(operations, Caller(person, door, Surface.HTTP))) for who, person in people)


def _offered(operations: list[Operation], caller: Caller) -> int:
    def allows(rule: Rule) -> bool:
        return judge(rule, caller)

    return sum(first_closed_gate(item, caller, allows) is None for item in operations)


def decided_by_code(app: App) -> int:
    """How many operations have an access rule that is the author's code, and so are in no count."""
    return sum(not item.access.is_static() for item in app.build().operations.values())


def _fully_on(catalog: Catalog) -> Catalog:
    operations = {
        name: replace(item, stale=False, enabled=item.enabled is not False) for name, item in catalog.operations.items()
    }
    return replace(catalog, operations=operations)
