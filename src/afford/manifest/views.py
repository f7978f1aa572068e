"""`Manifests`: decisions over one epoch of the catalog, shared by callers that no rule can tell apart."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, cast

from afford.access import Rule, judge
from afford.caller import Caller
from afford.catalog.model import Catalog
from afford.catalog.operation import Operation
from afford.manifest.gates import any_rule, first_closed_gate
from afford.manifest.offer import Manifest, View

_log: Final = logging.getLogger("afford.manifest")

_MAX_VIEWS: Final = 512
"""Sets of roles and claims whose decisions are remembered; beyond, the least recently used is forgotten."""


class Manifests:
    """Manifests over one epoch of the catalog; decisions are shared by callers that no rule can tell apart."""

    def __init__(self, catalog: Catalog) -> None:
        """Prepare for one epoch."""
        self.catalog = catalog
        self._claims = tuple(sorted(catalog.claims_named))
        self._standing: dict[Hashable, tuple[_Standing, _Standing]] = {}
        self._views: OrderedDict[Hashable, View] = OrderedDict()

    def of(self, caller: Caller) -> Manifest:
        """The caller's manifest."""
        key = self._key(caller)
        view = self._views.get(key)
        if view is None:
            view = self._views[key] = self._judged(caller)
            if len(self._views) > _MAX_VIEWS:
                self._views.popitem(last=False)
        return Manifest(self.catalog, caller, view)

    def _key(self, caller: Caller) -> Hashable:
        principal = caller.principal
        if principal is None:
            return (caller.door, caller.surface)
        if not self._claims:
            return (caller.door, caller.surface, principal.agent, principal.roles)
        claims = tuple(_hashable(principal.claims.get(name, _log)) for name in self._claims)
        return (caller.door, caller.surface, principal.agent, principal.roles, claims)

    def _judged(self, caller: Caller) -> View:
        """Decisions for a new set of roles and claims: each distinct rule is judged once, however many it guards."""
        calls, reads = self._standing_for(caller)
        return View(calls.offered(caller), calls.undecided, reads.offered(caller), reads.undecided)

    def _standing_for(self, caller: Caller) -> tuple[_Standing, _Standing]:
        """What all callers through a door and a surface share, whoever they are: every gate but access."""
        key = (caller.door, caller.surface, caller.is_agent)
        standing = self._standing.get(key)
        if standing is None:
            catalog = self.catalog
            calls = _standing_of(catalog.operations.items(), caller)
            standing = self._standing[key] = (calls, _standing_of(catalog.reads.items(), caller))
        return standing


@dataclass(frozen=True, slots=True)
class _Standing:
    """The operations of one door and surface that access alone still decides about."""

    rules: tuple[Rule, ...]
    decided: tuple[tuple[str, Operation, int], ...]
    """Wire name, operation, and which of the rules guards it, in the order of the catalog."""
    undecided: Mapping[str, Operation]

    def offered(self, caller: Caller) -> dict[str, Operation]:
        """Those that the caller is offered."""
        allowed = [judge(rule, caller) for rule in self.rules]
        return {name: operation for name, operation, rule in self.decided if allowed[rule]}


def _standing_of(operations: Iterable[tuple[str, Operation]], caller: Caller) -> _Standing:
    numbers: dict[Rule, int] = {}
    decided: list[tuple[str, Operation, int]] = []
    undecided: dict[str, Operation] = {}
    for name, operation in operations:
        if callable(operation.enabled) or not operation.access.is_static():
            undecided[name] = operation
        elif first_closed_gate(operation, caller, any_rule) is None:
            decided.append((name, operation, numbers.setdefault(operation.access, len(numbers))))
    return _Standing(tuple(numbers), tuple(decided), undecided)


def _hashable(value: object) -> Hashable:
    """A key that is equal only for claim values that no rule tells apart; it keeps True from 1."""
    if isinstance(value, (list, tuple)):
        return (list, *map(_hashable, cast("Sequence[object]", value)))
    if isinstance(value, (set, frozenset)):
        return (set, frozenset(map(_hashable, cast("Iterable[object]", value))))
    if isinstance(value, dict):
        return (dict, frozenset((key, _hashable(item)) for key, item in cast("dict[str, object]", value).items()))
    # What has no hash cannot be looked up again, so its caller shares decisions with nobody.
    return (type(value), value if isinstance(value, Hashable) else object())
