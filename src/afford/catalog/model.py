"""`Catalog` and what it holds beside operations: entities, screens, navigation, providers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from afford.access import Rule
from afford.caller import Caller
from afford.catalog.operation import Operation, Parameter, with_schemas
from afford.declare.providers import Scope
from afford.declare.resources import Complete
from afford.declare.states import SharedState
from afford.declare.templates import UriTemplate
from afford.errors import JsonObject
from afford.schema import resolve_choices
from afford.schema.markers import Choices
from afford.schema.query_string import QueryShape


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """A domain type that operations are about."""

    name: str
    description: str
    feature: str
    schema: JsonObject
    """The type as JSON, output side."""
    references: tuple[str, ...]
    """Names of the entities its fields hold, directly."""
    location: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Screen:
    """A place in the user interface."""

    id: str
    type: str
    path: str | None
    parameters: tuple[str, ...]
    """Placeholders of the path, in order."""
    description: str
    panels: tuple[object, ...]
    access: Rule
    exposed: bool
    opted_out: bool
    """Whether the author wrote `expose=False`."""
    entity: str | None
    feature: str
    location: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NavigationEntry:
    """One line of the application's navigation."""

    id: str
    label: str
    screen: str | None
    parent: str | None
    access: Rule


@dataclass(frozen=True, slots=True, kw_only=True)
class Resource:
    """A readable document, or a template of many; reading it is an operation like any other."""

    id: str
    name: str
    description: str
    mime_type: str | None
    """As declared, or what the type of the content says; None: decided by each content."""
    template: UriTemplate
    shape: QueryShape
    """How the placeholders' texts become arguments."""
    complete: Mapping[str, Complete]
    operation: Operation
    state: SharedState[object] | None
    """The shared state that it shows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """A prompt that people pick; filling it in is an operation like any other."""

    name: str
    title: str
    description: str
    shape: QueryShape
    complete: Mapping[str, Complete]
    operation: Operation


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """How a value that handlers receive by type is made."""

    type: object
    provider: Callable[..., object]
    parameters: tuple[Parameter, ...]
    scope: Scope


class ToolsOfNow(Protocol):
    """What providers had for one caller at one moment, unchecked against its rights."""

    def find(self, name: str) -> Operation | None:
        """The tool of that wire name."""
        ...

    def all(self) -> Sequence[Operation]:
        """Every tool, at most one of a name."""
        ...


class ProvidedTools(Protocol):
    """Where tools come from that are no declarations."""

    def is_empty(self) -> bool:
        """Whether nobody has to be asked."""
        ...

    def ask(self, caller: Caller) -> ToolsOfNow:
        """Ask every provider what it has for a caller now."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class FeatureInfo:
    """A feature's name and what it is about."""

    name: str
    description: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalog:
    """Every declaration, cross-checked and frozen. One epoch of it serves catalog and validation alike."""

    name: str
    title: str
    version: str
    description: str
    roles: frozenset[str]
    operations: Mapping[str, Operation]
    """Operations and tools by wire name, in code point order."""
    ids: Mapping[str, str]
    """Operation id to wire name."""
    entities: Mapping[str, Entity]
    screens: tuple[Screen, ...]
    navigation: tuple[NavigationEntry, ...]
    providers: Mapping[object, Provider]
    features: tuple[FeatureInfo, ...]
    resources: Mapping[str, Resource]
    """By wire name of their operation."""
    prompts: Mapping[str, Prompt]
    """By wire name of their operation."""
    provided_tools: ProvidedTools
    """Tools that providers hand out while the app runs."""
    shows_state: bool | Callable[[str], bool]
    """Whether agents may see shared state at all, or what says so of a full key."""
    members: Mapping[int, tuple[str, ...]] = field(default_factory=dict[int, tuple[str, ...]])
    """Members of derived closed sets, under the `id` of their loader."""
    epoch: int = 0
    reads: Mapping[str, Operation] = field(init=False, compare=False)
    """Reading each resource and filling in each prompt, by wire name."""

    @property
    def claims_named(self) -> frozenset[str]:
        """Every claim that any rule reads."""
        rules = {item.access for item in self.everything} | {place.access for place in self._places}
        return frozenset[str]().union(*(rule.claims_named() for rule in rules))

    def __post_init__(self) -> None:
        """Put everything that can be read into one table."""
        resources = {name: item.operation for name, item in self.resources.items()}
        prompts = {name: item.operation for name, item in self.prompts.items()}
        object.__setattr__(self, "reads", resources | prompts)

    @property
    def everything(self) -> Iterator[Operation]:
        """Whatever a caller can run: operations, tools, reads of resources, prompts."""
        yield from self.operations.values()
        yield from self.reads.values()

    @property
    def has_static_places(self) -> bool:
        """Whether roles and claims alone decide who sees the screens and the navigation."""
        return all(place.access.is_static() for place in self._places)

    @property
    def _places(self) -> tuple[Screen | NavigationEntry, ...]:
        return (*self.screens, *self.navigation)

    @property
    def choices(self) -> tuple[Choices, ...]:
        """Every derived closed set, each once."""
        found: dict[int, Choices] = {}
        for operation in self.everything:
            for marker in (*operation.input.choices, *operation.output.choices):
                found.setdefault(id(marker.load), marker)
        return tuple(found.values())


def with_choices(catalog: Catalog, members: Mapping[int, tuple[str, ...]]) -> Catalog:
    """The next epoch of the catalog, with derived closed sets filled in.

    Args:
        catalog: any epoch.
        members: members of each set under the `id` of its loader; an operation with a set that is missing here has
            never had one and stays out of every manifest.
    """
    operations = {name: _resolved(operation, members) for name, operation in catalog.operations.items()}
    resources = {
        name: replace(item, operation=_resolved(item.operation, members)) for name, item in catalog.resources.items()
    }
    prompts = {
        name: replace(item, operation=_resolved(item.operation, members)) for name, item in catalog.prompts.items()
    }
    return replace(
        catalog,
        operations=operations,
        resources=resources,
        prompts=prompts,
        members=dict(members),
        epoch=catalog.epoch + 1,
    )


def _resolved(operation: Operation, members: Mapping[int, tuple[str, ...]]) -> Operation:
    markers = (*operation.input.choices, *operation.output.choices)
    if not markers:
        return operation
    if any(id(marker.load) not in members for marker in markers):
        return replace(operation, stale=True)
    return with_schemas(
        operation,
        input_schema=_filled(operation.input.template, operation.input.schema, operation.input.choices, members),
        output_schema=_filled(operation.output.template, operation.output.schema, operation.output.choices, members),
    )


def _filled(
    template: JsonObject | None,
    schema: JsonObject,
    choices: tuple[Choices, ...],
    members: Mapping[int, tuple[str, ...]],
) -> JsonObject:
    if template is None:
        return schema
    return resolve_choices(template, [members[id(marker.load)] for marker in choices])
