"""`Manifest`: what one caller may see and call through one door, and the only way to execution."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote

from afford.access import judge
from afford.caller import Caller, Door, Surface
from afford.catalog.model import (
    Catalog,
    Entity,
    FeatureInfo,
    NavigationEntry,
    Prompt,
    Provider,
    Resource,
    Screen,
    ToolsOfNow,
)
from afford.catalog.names import wire_name
from afford.catalog.operation import Operation
from afford.declare.operations import Role
from afford.declare.states import STATE_PREFIX
from afford.manifest.gates import (
    HIDDEN_STATE,
    TOOL_SURFACES,
    Explanation,
    Gate,
    explained,
    exposed_operations,
    first_closed_gate,
)
from afford.manifest.locations import LONGEST_URI, stays_inside
from afford.manifest.reached import reached_entities

_STATE: Final = "state:"
"""What the wire name of reading a shared state begins with; its key follows."""


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """What all callers with the same roles, claims, door and surface share."""

    offered: Mapping[str, Operation]
    """Offered for certain, by wire name in code point order."""
    undecided: Mapping[str, Operation]
    """Decided by the author's code, and so for each caller anew."""
    reads: Mapping[str, Operation]
    """Of resources and prompts, those offered for certain."""
    undecided_reads: Mapping[str, Operation]


@dataclass(frozen=True, slots=True)
class Readable:
    """One document that exists under one URI."""

    uri: str
    name: str
    resource: Resource


class Manifest:
    """What one caller may see and call."""

    __slots__ = ("_catalog", "_of_now", "_view", "caller")

    def __init__(self, catalog: Catalog, caller: Caller, view: View) -> None:
        """Made by `Manifests`."""
        self._catalog = catalog
        self._view = view
        self._of_now: ToolsOfNow | None = None
        self.caller = caller

    def of_now(self) -> Manifest:
        """The same for a later request of the caller: providers of tools are asked anew."""
        return self if self._catalog.provided_tools.is_empty() else Manifest(self._catalog, self.caller, self._view)

    def find(self, name: str) -> Operation | None:
        """The operation or tool of that wire name, if the caller is offered it."""
        operation = self._view.offered.get(name)
        if operation is not None:
            return operation
        if self._view.undecided:
            operation = self._view.undecided.get(name)
            if operation is not None:
                return None if self._closed(operation) is not None else operation
        if self._catalog.provided_tools.is_empty() or self.caller.surface not in TOOL_SURFACES:
            return None
        operation = self._provided_now().find(name)
        return None if operation is None or self._closed(operation) is not None else operation

    def resolve(self, name: str) -> Operation | None:
        """What can be run under that name: an operation or tool, or reading a resource, or filling in a prompt."""
        if ":" not in name:
            return self.find(name)
        operation = self._catalog.reads.get(name)
        return operation if operation is not None and self._reads(operation) else None

    @property
    def operations(self) -> tuple[Operation, ...]:
        """Everything the caller is offered on its surface, tools included, by wire name in code point order."""
        offered = self._view.offered.values()
        if not self._view.undecided and self._catalog.provided_tools.is_empty():
            return tuple(offered)
        decided = [item for item in self._view.undecided.values() if self._closed(item) is None]
        return tuple(sorted((*offered, *decided, *self._provided_tools()), key=_by_wire_name))

    @property
    def tools(self) -> tuple[Operation, ...]:
        """Tools without an operation that the caller is offered, on the surfaces that have them."""
        caller = Caller(self.caller.principal, self.caller.door, Surface.MCP)
        declared = [item for item in self._catalog.operations.values() if item.role is Role.TOOL]
        provided = self._catalog.provided_tools.ask(caller).all()
        offered = [item for item in (*declared, *provided) if _closed_for(caller, item) is None]
        return tuple(sorted(offered, key=_by_wire_name))

    @property
    def is_empty(self) -> bool:
        """Whether the caller is offered nothing to call and nothing to read."""
        if self._view.offered or any(map(self._reads, self._catalog.reads.values())):
            return False
        return not (self.operations or self.tools)

    @property
    def readables(self) -> tuple[Readable, ...]:
        """Every document that exists now and that the caller may read, by URI in code point order."""
        plain = [
            Readable(item.template.text, item.name, item)
            for item in self._catalog.resources.values()
            if item.state is None and item.template.is_plain and self._reads(item.operation)
        ]
        states = [
            Readable(item.state.uri(key), key, item) for key, item in self.states.items() if item.state is not None
        ]
        return tuple(sorted((*plain, *states), key=lambda item: item.uri))

    @property
    def templates(self) -> tuple[Resource, ...]:
        """Templates of documents that the caller may read, by template."""
        templates = [item for item in self._catalog.resources.values() if not item.template.is_plain]
        return tuple(item for item in templates if self._may_show(item))

    @property
    def states(self) -> Mapping[str, Resource]:
        """Full keys of the shared state that the caller may read, sorted, each with its declaration."""
        found: dict[str, Resource] = {}
        for resource in self._catalog.resources.values():
            if resource.state is not None and self._reads(resource.operation):
                for key in filter(self._shows_state, resource.state.keys()):
                    # A plain key stands before a template that could spell it, as it does where a URI is looked up.
                    found.setdefault(key, resource)
        return {key: found[key] for key in sorted(found)}

    def resource(self, uri: str) -> tuple[Resource, dict[str, str]] | None:
        """The document at a URI, and the texts of its placeholders; None: the caller is offered none."""
        if len(uri) > LONGEST_URI:
            return None
        exact = ((item, item.template.match(uri)) for item in self._catalog.resources.values())
        for resource, texts in itertools.chain(exact, self._states_at(uri)):
            if texts is not None and self._reads(resource.operation) and self._shows(resource, texts):
                return resource, texts
        return None

    def canonical_uri(self, uri: str) -> str | None:
        """The spelling of a URI under which changes of its document are announced; None: the caller is offered none."""
        found = self.resource(uri)
        return None if found is None else found[0].template.expand(found[1])

    @property
    def prompts(self) -> tuple[Prompt, ...]:
        """Prompts that the caller is offered, by name."""
        return tuple(prompt for prompt in self._catalog.prompts.values() if self._reads(prompt.operation))

    def prompt(self, name: str) -> Prompt | None:
        """The prompt of that name, if the caller is offered it."""
        return next((prompt for prompt in self.prompts if prompt.name == name), None)

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
        return tuple(screen for screen in self._catalog.screens if self._opens(screen))

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
        """Features of which the caller is offered something, in the order they joined."""
        documents = [item.operation for item in self._catalog.resources.values() if self._may_show(item)]
        operations = (*self.operations, *documents, *(item.operation for item in self.prompts))
        shown = {item.feature for item in operations} | {item.feature for item in self.screens}
        return tuple(feature for feature in self._catalog.features if feature.name in shown)

    @property
    def shared_by(self) -> object | None:
        """An identity that manifests with equal operations share; None where the author's code decides per caller.

        Screens and navigation are judged by rules that the same callers share, so documents may be kept under it.
        """
        catalog = self._catalog
        is_dynamic = (
            self._view.undecided
            or self._view.undecided_reads
            or not isinstance(catalog.shows_state, bool)
            or not catalog.provided_tools.is_empty()
        )
        return None if is_dynamic or not catalog.has_static_places else self._view

    @property
    def epoch(self) -> int:
        """Which state of the catalog this was made from."""
        return self._catalog.epoch

    def explain(self, asked: str) -> Explanation:
        """Why the caller is offered something, or which gate closes first.

        Args:
            asked: id or wire name of an operation or a tool; `resource:ID`, `state:KEY` or `prompt:ID` of the rest.
        """
        operation = self._declared(asked)
        if operation is None:
            return explained(asked, Gate.DECLARED, None, self.caller)
        gate = self._closed(operation)
        resource = self._catalog.resources.get(operation.wire_name)
        if gate is None and resource is not None and not self._shows_under(asked, resource):
            return explained(asked, Gate.EXPOSED, operation, self.caller, HIDDEN_STATE)
        return explained(asked, gate, operation, self.caller)

    def _shows_under(self, asked: str, resource: Resource) -> bool:
        """Whether the application shows a shared state under the id: of one key, or of a template of them."""
        if resource.state is None:
            return True
        is_template = asked == resource.operation.wire_name and not resource.template.is_plain
        return resource in self.templates if is_template else self._shows_state(asked.removeprefix(_STATE))

    def _declared(self, asked: str) -> Operation | None:
        """What somebody means by an id, whether the caller is offered it or not."""
        catalog = self._catalog
        found = catalog.operations.get(catalog.ids.get(asked, "")) or catalog.reads.get(asked)
        if found is None and asked.startswith(_STATE):
            key = asked.removeprefix(_STATE)
            states = ((item.operation, item.state) for item in catalog.resources.values())
            found = next((read for read, state in states if state and state.template.match(key) is not None), None)
        if found is None:
            name = wire_name(asked)
            found = catalog.operations.get(name) or catalog.provided_tools.ask(self.caller).find(name)
        return found

    def _closed(self, operation: Operation) -> Gate | None:
        return _closed_for(self.caller, operation)

    def _reads(self, operation: Operation) -> bool:
        """Whether the caller may read the resource, or fill in the prompt."""
        name = operation.wire_name
        if name in self._view.reads:
            return True
        return name in self._view.undecided_reads and self._closed(operation) is None

    def _states_at(self, uri: str) -> Iterator[tuple[Resource, dict[str, str] | None]]:
        """Shared state whose key a URI holds with more characters encoded than it has to."""
        if uri.startswith(STATE_PREFIX) and "%" in uri:
            key = unquote(uri.removeprefix(STATE_PREFIX))
            for resource in self._catalog.resources.values():
                if resource.state is not None:
                    yield resource, resource.state.template.match(key)

    def _may_show(self, resource: Resource) -> bool:
        """Whether the caller may read the document, or some of those under its template."""
        shows_states = self._catalog.shows_state is not False or self.caller.door is Door.APP
        return (resource.state is None or shows_states) and self._reads(resource.operation)

    def _shows(self, resource: Resource, texts: Mapping[str, str]) -> bool:
        if resource.state is None:
            return stays_inside(resource, texts)
        return self._shows_state(resource.state.template.expand(texts))

    def _shows_state(self, key: str) -> bool:
        shows = self._catalog.shows_state
        return self.caller.door is Door.APP or (shows if isinstance(shows, bool) else shows(key))

    def _provided_tools(self) -> list[Operation]:
        """Provided tools that the caller is offered."""
        if self._catalog.provided_tools.is_empty() or self.caller.surface not in TOOL_SURFACES:
            return []
        return [item for item in self._provided_now().all() if self._closed(item) is None]

    def _provided_now(self) -> ToolsOfNow:
        """What providers have, asked for once by each manifest, so that one request has one answer."""
        if self._of_now is None:
            self._of_now = self._catalog.provided_tools.ask(self.caller)
        return self._of_now

    def _opens(self, screen: Screen) -> bool:
        return (screen.exposed or not self.caller.is_agent) and judge(screen.access, self.caller)

    def _leads(self, entry: NavigationEntry, screens: set[str]) -> bool:
        return (entry.screen is None or entry.screen in screens) and judge(entry.access, self.caller)


def _with_parents(entry: NavigationEntry, entries: Mapping[str, NavigationEntry]) -> list[NavigationEntry]:
    """The entry and everything above it; a circle ends where it closes."""
    chain = [entry]
    while chain[-1].parent is not None and entries[chain[-1].parent] not in chain:
        chain.append(entries[chain[-1].parent])
    return chain


def _closed_for(caller: Caller, operation: Operation) -> Gate | None:
    return first_closed_gate(operation, caller, lambda rule: judge(rule, caller))


def _by_wire_name(operation: Operation) -> str:
    return operation.wire_name
