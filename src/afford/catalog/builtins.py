"""Tools that every app has for free: reading shared state, and finding the way to a screen.

They are operations like any other, so that access, exposure and checks are those of everything else. Each is there
when there is something to show, for whoever may see any of it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Final
from urllib.parse import quote

from pydantic import Field

from afford.access import Rule
from afford.catalog.model import Resource, Screen
from afford.catalog.offered import Offered
from afford.declare.operations import OperationDeclaration, OperationOptions, Role
from afford.declare.states import state_uri
from afford.declare.vocabulary import Agent, Kind
from afford.errors import InvalidInputError, JsonObject, NotFoundError

STATE_TOOL: Final = "afford_state_read"
NAVIGATION_TOOL: Final = "afford_navigate"
BUILT_IN: Final = frozenset({STATE_TOOL, NAVIGATION_TOOL})
"""Wire names of what no author declared."""


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


def builtin_declarations(screens: Iterable[Screen], resources: Mapping[str, Resource]) -> list[OperationDeclaration]:
    """The built-in tools that this app has something for."""
    shown = [screen.access for screen in screens if screen.exposed]
    states = [item.operation.access for item in resources.values() if item.state is not None and item.operation.exposed]
    found: list[OperationDeclaration] = []
    if states:
        text = (
            "Read the live state that the application shares. Call it without `key` for the keys and what each one "
            "shows, then with a key for its current value. Safe to call freely; values change, so read again."
        )
        found.append(_declaration(STATE_TOOL, "Read shared state", text, read_state, states))
    if shown:
        text = (
            "Find the place in the application's user interface where a person can see or do something. Call it "
            "without `screen` for the screens; with a `screen` and the `values` its path needs it answers the exact "
            "path to give to the person. It opens nothing by itself."
        )
        found.append(_declaration(NAVIGATION_TOOL, "Find a screen", text, navigate, shown))
    return found


def _declaration(
    name: str, title: str, text: str, handler: Callable[..., object], rules: list[Rule]
) -> OperationDeclaration:
    return OperationDeclaration(
        kind=Kind.ACTION,
        name=name,
        handler=handler,
        feature="",
        options=OperationOptions(
            description=text,
            access=_any_of(rules),
            safety="read",
            agent=Agent(title=title, expose=True),
        ),
        role=Role.TOOL,
    )


def _any_of(rules: list[Rule]) -> Rule:
    """Who may see any of what is shown."""
    distinct = list(dict.fromkeys(rules))
    return functools.reduce(lambda one, other: one | other, distinct)


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
        path = (path or "").replace("{" + name + "}", quote(given[name], safe=""))
    return Directions([_destination(wanted)], path)


def _listed(key: str, resource: Resource) -> JsonObject:
    listed: JsonObject = {"key": key, "uri": state_uri(key)}
    if resource.description:
        listed["description"] = resource.description
    return listed


def _destination(screen: Screen) -> Destination:
    return Destination(screen.id, screen.type, screen.description, screen.path, list(screen.parameters))
