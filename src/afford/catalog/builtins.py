"""Tools that every app has for free: reading shared state, and finding the way to a screen.

They are operations like any other, so that access, exposure and checks are those of everything else. Each is there
when there is something to show, for whoever may see any of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Final, cast
from urllib.parse import quote

from pydantic import Field

from afford.access import AnySeparately, Rule
from afford.caller import Caller, Door
from afford.catalog.model import Resource, Screen
from afford.catalog.offered import Offered
from afford.declare.operations import OperationDeclaration, OperationOptions, Role
from afford.declare.vocabulary import Agent, Kind, SurfaceWord
from afford.errors import InvalidInputError, JsonObject, NotFoundError

STATE_TOOL: Final = "afford_state_read"
NAVIGATION_TOOL: Final = "afford_navigate"
BUILT_IN: Final = frozenset({STATE_TOOL, NAVIGATION_TOOL})
"""Wire names of what no author declared."""
_DOTS: Final = frozenset({".", ".."})


@dataclass(frozen=True, slots=True)
class Destination:
    """A screen of the application."""

    screen: str
    type: Annotated[str, Field(description="dashboard, list, detail, form or custom.")]
    description: str
    path: Annotated[str | None, Field(description="Where it is; `{name}` stands for a value that it needs.")] = None
    needs: Annotated[list[str], Field(description="Values to give, by name, to get the exact path.")] = field(
        default_factory=list[str]
    )


@dataclass(frozen=True, slots=True)
class Directions:
    """Where the caller can go in the application."""

    screens: list[Destination]
    path: Annotated[str | None, Field(description="The exact path of the screen that was asked for.")] = None


def builtin_declarations(
    screens: Iterable[Screen], resources: Mapping[str, Resource], *, shows_state: bool | Callable[[str], bool]
) -> list[OperationDeclaration]:
    """The built-in tools that this app has something for.

    Args:
        screens: all of the app's.
        resources: all of the app's.
        shows_state: whether agents may see shared state at all, or what says so of a full key.
    """
    shown = [screen.access for screen in screens if screen.exposed]
    states = [item for item in resources.values() if item.state is not None and item.operation.exposed]
    found: list[OperationDeclaration] = []
    if states and shows_state is not False:
        text = (
            "Read the live state that the application shares. Call it without `key` for the keys and what each one "
            "shows, then with a key for its current value. Safe to call freely; values change, so read again."
        )
        rules = [_rule_of(item, shows_state=shows_state) for item in states]
        agent = Agent(title="Read shared state", expose=True, surfaces=_surfaces_of(states))
        found.append(_declaration(STATE_TOOL, text, read_state, rules, agent))
    if shown:
        text = (
            "Find the place in the application's user interface where a person can see or do something. Call it "
            "without `screen` for the screens; with a `screen` and the `values` its path needs it answers the exact "
            "path to give to the person. It opens nothing by itself."
        )
        found.append(_declaration(NAVIGATION_TOOL, text, navigate, shown, Agent(title="Find a screen", expose=True)))
    return found


def _declaration(
    name: str, text: str, handler: Callable[..., object], rules: Iterable[Rule], agent: Agent
) -> OperationDeclaration:
    return OperationDeclaration(
        kind=Kind.ACTION,
        name=name,
        handler=handler,
        feature="",
        options=OperationOptions(
            description=text, access=AnySeparately(tuple(dict.fromkeys(rules))), safety="read", agent=agent
        ),
        role=Role.TOOL,
    )


def _rule_of(resource: Resource, *, shows_state: bool | Callable[[str], bool]) -> Rule:
    """Who may see some value of a shared state."""
    state, access = resource.state, resource.operation.access
    if isinstance(shows_state, bool) or state is None:
        return access

    def is_shown(caller: Caller) -> bool:
        keys = state.keys()
        # Of a template without keys nobody can say it yet.
        return caller.door is Door.APP or not keys or any(map(shows_state, keys))

    return access & is_shown


def _surfaces_of(states: Iterable[Resource]) -> list[SurfaceWord] | None:
    """The surfaces on which agents see any of them; None: all."""
    found: set[str] = set()
    for item in states:
        if item.operation.surfaces is None:
            return None
        found |= item.operation.surfaces
    return cast("list[SurfaceWord]", sorted(found))


async def read_state(
    offered: Offered,
    key: Annotated[str | None, Field(description="One of the keys; leave out for the list of them.")] = None,
) -> object:
    """The keys that the caller may read, or the value under one of them: of any type, so the answer's is left open."""
    states = offered.states
    if key is None:
        return {"keys": [_listed(name, resource) for name, resource in states.items()]}
    resource = states.get(key)
    found = None if resource is None or resource.state is None else resource.state.read(key)
    if found is None:
        known = ", ".join(f"`{name}`" for name in list(states)[:10]) or "none"
        raise NotFoundError("there is no shared state under that key", fix=f"use one of the keys: {known}")
    value, version = found
    return {"key": key, "version": version, "value": value}


async def navigate(
    offered: Offered,
    screen: Annotated[str | None, Field(description="A screen; leave out for all of them.")] = None,
    values: Annotated[dict[str, str] | None, Field(description="Values that the screen's path needs, by name.")] = None,
) -> Directions:
    """The screens of the caller, or the exact path of one."""
    screens = {item.id: item for item in offered.screens}
    if screen is None:
        return Directions([_destination(item) for item in screens.values()])
    wanted = screens.get(screen)
    if wanted is None:
        known = ", ".join(f"`{name}`" for name in list(screens)[:10]) or "none"
        raise NotFoundError("there is no such screen", fix=f"use one of the screens: {known}")
    given = values or {}
    missing = [name for name in wanted.parameters if not given.get(name)]
    if missing:
        needed = ", ".join(f"`{name}`" for name in missing)
        raise InvalidInputError("the path needs more values", pointer="/values", fix=f"send `values` with {needed}")
    path = wanted.path
    for name in wanted.parameters:
        if given[name] in _DOTS:
            # Even percent-encoded it is no value to whoever follows the path, but a step up (WHATWG URL Standard).
            raise InvalidInputError("no path can hold that value", pointer=f"/values/{name}", fix=f"correct `{name}`")
        path = (path or "").replace("{" + name + "}", quote(given[name], safe=""))
    return Directions([_destination(wanted)], path)


def _listed(key: str, resource: Resource) -> JsonObject:
    listed: JsonObject = {"key": key}
    if resource.state is not None:
        listed["uri"] = resource.state.uri(key)
    if resource.description:
        listed["description"] = resource.description
    return listed


def _destination(screen: Screen) -> Destination:
    return Destination(screen.id, screen.type, screen.description, screen.path, list(screen.parameters))
