"""Whether an app runs already, so that `afford mcp` can speak for the running one.

Imports the records and the MCP client only where there is a record to read: hosts start `afford mcp` for each
conversation, and most of them find nothing running.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Protocol, cast

from afford.cli.target import place_of


class _Instance(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def target(self) -> str: ...
    @property
    def cwd(self) -> str: ...
    @property
    def mcp(self) -> str | None: ...
    @property
    def url(self) -> str: ...


class _Instances(Protocol):
    """What `afford.instances` offers."""

    def folder(self) -> Path: ...
    def read_all(self, place: Path | None = None) -> list[_Instance]: ...


class _Attaching(Protocol):
    """What `afford.connector.attached` offers."""

    async def serve_attached(self, locate: Callable[[], object], what: str) -> None: ...


class _Roster(Protocol):
    """What `afford.connector.roster` offers."""

    def place_of(self, instance: _Instance) -> object: ...


@dataclass(frozen=True, slots=True)
class Running:
    """An instance of an app, and how to speak for it."""

    url: str
    """Where it answers."""
    serve: Callable[[], None]
    """Serve it on standard input and output, until the input ends."""


def running(address: str | None) -> Running | None:
    """The newest instance of an app that serves MCP; None: there is none, or no extra to reach it by.

    Args:
        address: how the app is named; None: by the program that is running.
    """
    try:
        instances = cast("_Instances", import_module("afford.instances"))
        found = _newest(instances, address)
        if found is None:
            return None
        attaching = cast("_Attaching", import_module("afford.connector.attached"))
        roster = cast("_Roster", import_module("afford.connector.roster"))
    except ModuleNotFoundError:
        return None

    def locate() -> object:
        now = _newest(instances, address)
        return None if now is None else roster.place_of(now)

    def serve() -> None:
        # The client logs a traceback for every connection that ends, and a development server ends many.
        logging.getLogger("mcp").setLevel(logging.CRITICAL)
        asyncio.run(attaching.serve_attached(locate, f"`{found.name}`"))

    return Running(f"{found.url}{found.mcp}", serve)


def _newest(instances: _Instances, address: str | None) -> _Instance | None:
    folder = instances.folder()
    if not any(folder.glob("*.json")):
        return None
    file, target = place_of(address)
    matching = [
        item
        for item in instances.read_all(folder)
        if item.mcp is not None and _is_same(item.target, target) and (file is not None or item.cwd == os.getcwd())  # noqa: PTH109 - compared as the record spells it
    ]
    return matching[-1] if matching else None


def _is_same(one: str, other: str) -> bool:
    """Whether two addresses name one app: a file or module that is named without an attribute holds only one."""
    if one == other:
        return True
    shorter, longer = sorted((one, other), key=len)
    return longer.startswith(f"{shorter}:")
