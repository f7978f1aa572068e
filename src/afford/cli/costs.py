"""What the tools of an app cost each of its audiences. Asks the catalog, and no access rule that is code."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

from afford.caller import Caller, Door, Principal, Surface
from afford.catalog.builtins import BUILT_IN
from afford.catalog.model import Catalog
from afford.cli.exposure import fully_on
from afford.lint.cost import Bill, costs
from afford.lint.target import Target
from afford.manifest import Manifests


def bills_of(found: Target, catalog: Catalog | None) -> tuple[Bill, ...]:
    """What everything costs and, of an app, what each audience pays over MCP.

    Audiences that are offered the same share a bill. What is decided by code is in no audience's.

    Args:
        found: what is linted.
        catalog: of the app that it was read from; None: it is no app, or one caller's part of it.
    """
    listed = costs(found)
    whole = Bill(who="all together", costs=listed)
    if catalog is None:
        return (whole,)
    sharing: defaultdict[frozenset[str], list[str]] = defaultdict(list)
    manifests = Manifests(_decided(catalog))
    for who, principal in _audiences(catalog):
        manifest = manifests.of(Caller(principal, Door.AGENT, Surface.MCP))
        names = frozenset(item.wire_name for item in (*manifest.operations, *manifest.tools))
        sharing[names].append(who)
    bills = [
        Bill(who="; ".join(who), costs=tuple(cost for cost in listed if cost.name in names))
        for names, who in sharing.items()
    ]
    return (whole, *bills)


def _decided(catalog: Catalog) -> Catalog:
    """The catalog without what only the author's code can decide, and with everything loaded and switched on."""
    on = fully_on(catalog)
    kept = {name: item for name, item in on.operations.items() if name not in BUILT_IN and item.access.is_static()}
    return replace(on, operations=kept)


def _audiences(catalog: Catalog) -> Iterator[tuple[str, Principal | None]]:
    """Nobody, somebody, and whoever has each set of roles that a rule names, and each role of it alone."""
    yield "anonymous", None
    yield "signed in", Principal("somebody")
    named = {item.access.roles_named() for item in catalog.operations.values()}
    single = {frozenset({role}) for roles in named for role in roles}
    for roles in sorted(map(sorted, named | single), key=lambda roles: (len(roles), roles)):
        if roles:
            yield f"{'role' if len(roles) == 1 else 'roles'} {', '.join(roles)}", Principal("somebody", roles)
