"""`Manifest`: what one caller may see and call through one door, and the only way to execution.

Here, and nowhere else, is decided what a caller is offered. Manifest, dispatch, OpenAPI, schema, gaps and console
all read `first_closed_gate`; the surfaces and the executor know operations only through a manifest.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, cast

from afford.access import Rule, judge
from afford.caller import Caller, Door, Surface
from afford.catalog.model import Catalog, Entity, FeatureInfo, NavigationEntry, Provider, Screen
from afford.catalog.names import wire_name
from afford.catalog.operation import Answer, CheckedExample, Operation, Parameter, Source

__all__ = [
    "Answer",
    "CheckedExample",
    "Entity",
    "Explanation",
    "FeatureInfo",
    "Gate",
    "Manifest",
    "Manifests",
    "NavigationEntry",
    "Operation",
    "Parameter",
    "Provider",
    "Screen",
    "Source",
    "exposed_operations",
    "first_closed_gate",
    "reached_entities",
]

_log: Final = logging.getLogger("afford.manifest")

_MAX_VIEWS: Final = 512
"""Sets of roles and claims whose decisions are remembered; beyond, the least recently used is forgotten."""


class Gate(StrEnum):
    """Why an operation is not offered. Judged in this order; the first closed one is the reason."""

    DECLARED = "declared"
    DOOR = "door"
    """An agent's credential came to the app door."""
    LOADED = "loaded"
    """Its derived closed sets have never loaded."""
    ENABLED = "enabled"
    DENIED = "denied"
    ACCESS = "access"
    EXPOSED = "exposed"
    SURFACE = "surface"


def first_closed_gate(operation: Operation, caller: Caller, allows: Callable[[Rule], bool]) -> Gate | None:
    """The first gate that keeps the operation from the caller; None: it is offered.

    Args:
        operation: any declared operation.
        caller: who asks, and through which door and surface.
        allows: the caller's judgement of a rule, which may remember rules already judged.
    """
    if caller.is_agent and caller.door is Door.APP:
        return Gate.DOOR
    if operation.stale:
        return Gate.LOADED
    if not _is_enabled(operation):
        return Gate.ENABLED
    if operation.denied:
        return Gate.DENIED
    if not allows(operation.access):
        return Gate.ACCESS
    if caller.door is Door.AGENT:
        if not operation.exposed:
            return Gate.EXPOSED
        if operation.surfaces is not None and caller.surface.value not in operation.surfaces:
            return Gate.SURFACE
    return None


def exposed_operations(catalog: Catalog, surface: Surface) -> tuple[Operation, ...]:
    """Every operation that agents with enough rights see on a surface: all gates but access."""
    caller = Caller(None, Door.AGENT, surface)
    offered = [item for item in catalog.operations.values() if first_closed_gate(item, caller, _any_rule) is None]
    return tuple(offered)


def reached_entities(operations: Iterable[Operation], entities: Mapping[str, Entity]) -> list[str]:
    """Names of the entities that the operations are about, and of those these refer to directly; sorted."""
    named = {item.entity for item in operations if item.entity is not None}
    return sorted(named | {other for name in named for other in entities[name].references})


def _any_rule(_rule: Rule) -> bool:
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """Whether a caller is offered an operation, and which gate is the first that closes."""

    id: str
    offered: bool
    gate: Gate | None
    message: str
    fix: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class _View:
    """What all callers with the same roles, claims, door and surface share."""

    offered: Mapping[str, Operation]
    """Offered for certain, by wire name in code point order."""
    undecided: Mapping[str, Operation]
    """Decided by the author's code, and so for each caller anew."""


class Manifest:
    """What one caller may see and call."""

    __slots__ = ("_catalog", "_view", "caller")

    def __init__(self, catalog: Catalog, caller: Caller, view: _View) -> None:
        """Made by `Manifests`."""
        self._catalog = catalog
        self._view = view
        self.caller = caller

    def find(self, name: str) -> Operation | None:
        """The operation of that wire name, if the caller is offered it."""
        operation = self._view.offered.get(name)
        if operation is not None or not self._view.undecided:
            return operation
        operation = self._view.undecided.get(name)
        if operation is None or self._closed(operation) is not None:
            return None
        return operation

    @property
    def operations(self) -> tuple[Operation, ...]:
        """Everything the caller is offered, by wire name in code point order."""
        if not self._view.undecided:
            return tuple(self._view.offered.values())
        decided = [item for item in self._view.undecided.values() if self._closed(item) is None]
        return tuple(sorted((*self._view.offered.values(), *decided), key=lambda item: item.wire_name))

    @property
    def exposed(self) -> tuple[Operation, ...]:
        """Every operation that some agent sees on the caller's surface, whoever it is."""
        return exposed_operations(self._catalog, self.caller.surface)

    @property
    def entities(self) -> tuple[Entity, ...]:
        """Entities that an offered operation is about, and those they refer to directly; sorted by name."""
        declared = self._catalog.entities
        return tuple(declared[name] for name in reached_entities(self.operations, declared))

    @property
    def screens(self) -> tuple[Screen, ...]:
        """Screens the caller may open; agents are not shown those that opted out."""
        return tuple(screen for screen in self._catalog.screens if self._shows(screen))

    @property
    def navigation(self) -> tuple[NavigationEntry, ...]:
        """Navigation entries whose screen and parents are visible, sorted by id."""
        screens = {screen.id for screen in self.screens}
        kept: dict[str, NavigationEntry] = {}
        entries = {entry.id: entry for entry in self._catalog.navigation}
        for entry in entries.values():
            if all(self._leads(item, screens) for item in _with_parents(entry, entries)):
                kept[entry.id] = entry
        return tuple(kept.values())

    @property
    def built_for_roles(self) -> tuple[str, ...]:
        """The caller's roles, sorted."""
        return tuple(sorted(self.caller.roles))

    @property
    def providers(self) -> Mapping[object, Provider]:
        """How the values are made that handlers receive by type."""
        return self._catalog.providers

    @property
    def app(self) -> tuple[str, str, str]:
        """Title, version and description of the application."""
        return self._catalog.title, self._catalog.version, self._catalog.description

    @property
    def name(self) -> str:
        """The application's short name."""
        return self._catalog.name

    @property
    def features(self) -> tuple[FeatureInfo, ...]:
        """Features of the application, in the order they joined."""
        return self._catalog.features

    @property
    def shared_by(self) -> object | None:
        """An identity that manifests with equal operations share; None where the author's code decides per caller.

        Screens and navigation are judged by rules that the same callers share, so documents may be kept under it.
        """
        return None if self._view.undecided or not self._catalog.has_static_places else self._view

    @property
    def epoch(self) -> int:
        """Which state of the catalog this was made from."""
        return self._catalog.epoch

    def explain(self, operation_id: str) -> Explanation:
        """Why the caller is offered the operation, or which gate closes first."""
        name = self._catalog.ids.get(operation_id, wire_name(operation_id))
        operation = self._catalog.operations.get(name)
        if operation is None:
            return _explained(operation_id, Gate.DECLARED, None, self.caller)
        return _explained(operation.id, self._closed(operation), operation, self.caller)

    def _closed(self, operation: Operation) -> Gate | None:
        return first_closed_gate(operation, self.caller, lambda rule: judge(rule, self.caller))

    def _shows(self, screen: Screen) -> bool:
        return (screen.exposed or not self.caller.is_agent) and judge(screen.access, self.caller)

    def _leads(self, entry: NavigationEntry, screens: set[str]) -> bool:
        return (entry.screen is None or entry.screen in screens) and judge(entry.access, self.caller)


class Manifests:
    """Manifests over one epoch of the catalog; decisions are shared by callers that no rule can tell apart."""

    def __init__(self, catalog: Catalog) -> None:
        """Prepare for one epoch."""
        self.catalog = catalog
        self._claims = tuple(sorted(catalog.claims_named))
        self._standing: dict[Hashable, _Standing] = {}
        self._views: OrderedDict[Hashable, _View] = OrderedDict()

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

    def _judged(self, caller: Caller) -> _View:
        """Decisions for a new set of roles and claims: each distinct rule is judged once, however many it guards."""
        standing = self._standing_for(caller)
        allowed = [judge(rule, caller) for rule in standing.rules]
        offered = {name: operation for name, operation, rule in standing.decided if allowed[rule]}
        return _View(offered, standing.undecided)

    def _standing_for(self, caller: Caller) -> _Standing:
        """What all callers through a door and a surface share, whoever they are: every gate but access."""
        key = (caller.door, caller.surface, caller.is_agent)
        standing = self._standing.get(key)
        if standing is None:
            standing = self._standing[key] = _standing_of(self.catalog, caller)
        return standing


@dataclass(frozen=True, slots=True)
class _Standing:
    """The operations of one door and surface that access alone still decides about."""

    rules: tuple[Rule, ...]
    decided: tuple[tuple[str, Operation, int], ...]
    """Wire name, operation, and which of the rules guards it, in code point order."""
    undecided: Mapping[str, Operation]


def _standing_of(catalog: Catalog, caller: Caller) -> _Standing:
    numbers: dict[Rule, int] = {}
    decided: list[tuple[str, Operation, int]] = []
    undecided: dict[str, Operation] = {}
    for name, operation in catalog.operations.items():
        if callable(operation.enabled) or not operation.access.is_static():
            undecided[name] = operation
        elif first_closed_gate(operation, caller, _any_rule) is None:
            decided.append((name, operation, numbers.setdefault(operation.access, len(numbers))))
    return _Standing(tuple(numbers), tuple(decided), undecided)


def _is_enabled(operation: Operation) -> bool:
    """Whether the operation is switched on; a switch that raises is off, and is logged."""
    if isinstance(operation.enabled, bool):
        return operation.enabled
    try:
        return operation.enabled() is True
    except Exception:  # noqa: BLE001 - fail closed, whatever the switch raises
        _log.exception("the switch of %s raised; the operation is off", operation.id)
        return False


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


def _with_parents(entry: NavigationEntry, entries: Mapping[str, NavigationEntry]) -> list[NavigationEntry]:
    """The entry and everything above it; a circle ends where it closes."""
    chain = [entry]
    while chain[-1].parent is not None and entries[chain[-1].parent] not in chain:
        chain.append(entries[chain[-1].parent])
    return chain


def _explained(operation_id: str, gate: Gate | None, operation: Operation | None, caller: Caller) -> Explanation:
    message, fix = _REASONS[gate]
    who = f"the {caller.door.value} door on {caller.surface.value}"
    text = message.format(who=who, rule=operation.access if operation else "", roles=sorted(caller.roles) or "no roles")
    return Explanation(id=operation_id, offered=gate is None, gate=gate, message=text, fix=fix)


_REASONS: Final[Mapping[Gate | None, tuple[str, str | None]]] = {
    None: ("offered through {who}", None),
    Gate.DECLARED: ("no such operation is declared", "check the id"),
    Gate.DOOR: ("agent credentials do not open the app door", "use the agent door"),
    Gate.LOADED: ("its closed set of choices has never loaded", "see the log for why the loader fails"),
    Gate.ENABLED: ("it is switched off", "look at its `enabled=`"),
    Gate.DENIED: ("the app removes it", "take it out of `App(deny=[...])`"),
    Gate.ACCESS: (
        "the rule `{rule}` does not allow this caller, who has {roles}",
        "call with credentials that satisfy it",
    ),
    Gate.EXPOSED: (
        "agents do not see it: it has no description, or was opted out",
        "write a description, or set `agent={'expose': True}`",
    ),
    Gate.SURFACE: ("agents reach it through other surfaces only ({who} is not one)", "look at its `agent.surfaces`"),
}
