"""Which servers there are: every instance on the machine whose process lives, and the addresses that were named.

Follows the folder of instance records. Reads records and never writes any.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from afford import instances
from afford.connector.connection import Place
from afford.connector.link import Link
from afford.connector.names import Prefixes
from afford.connector.remotes import Remote
from afford.instances import Instance

_log: Final = logging.getLogger("afford.connect")

INTERVAL: Final = 0.5
"""Seconds between two looks at the records."""


@dataclass(slots=True)
class Member:
    """One server of the roster."""

    prefix: str
    """What its tools begin with."""
    instance: Instance | None
    """The record of an instance; None: the server was named by its address."""
    remote: Remote | None
    link: Link | None
    """None: it serves no MCP."""


class Roster:
    """The servers that there are."""

    def __init__(self, changed: Callable[[], None], remotes: Sequence[Remote] = (), place: Path | None = None) -> None:
        """Prepare; nobody is looked for before `start`.

        Args:
            changed: called when a server came or went, or offers something else.
            remotes: servers that are there all the time.
            place: the folder of instance records; None: no instances are wanted.
        """
        self._changed = changed
        self._remotes = remotes
        self._place = place
        self._prefixes = Prefixes()
        self._members: dict[str, Member] = {}
        self._lock = asyncio.Lock()
        self._gone: set[asyncio.Task[None]] = set()
        self._looking: asyncio.Task[None] | None = None

    @property
    def members(self) -> Mapping[str, Member]:
        """The servers by prefix."""
        return {member.prefix: member for member in self._members.values()}

    async def start(self) -> None:
        """Look once, then follow."""
        for remote in self._remotes:
            prefix = self._prefixes.take(remote.url, remote.name, (remote.url,))
            link = Link(_fixed(remote), self._changed, outlives=lambda: False)
            self._members[remote.url] = Member(prefix, None, remote, link)
            link.start()
        await self.look()
        if self._place is not None:
            self._looking = asyncio.get_running_loop().create_task(self._follow())

    async def stop(self) -> None:
        """Let everybody go."""
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.wait({self._looking})
        for member in self._members.values():
            self._release(member)
        self._members.clear()
        if self._gone:
            await asyncio.wait(self._gone)

    async def look(self) -> None:
        """Compare the records with what is known, now and not only in a while."""
        if self._place is None:
            return
        async with self._lock:
            try:
                records = await asyncio.to_thread(instances.read_all, self._place)
            except OSError as error:
                _log.warning("the instance records cannot be read: %s", error)
                return
            self._compare({item.id: item for item in records})

    async def _follow(self) -> None:
        while True:
            await asyncio.sleep(INTERVAL)
            await self.look()

    def _compare(self, found: Mapping[str, Instance]) -> None:
        news = False
        for identity, member in list(self._members.items()):
            if member.instance is not None and identity not in found:
                del self._members[identity]
                self._prefixes.free(member.prefix)
                self._release(member)
                news = True
        for identity, instance in found.items():
            news |= self._met(identity, instance)
        if news:
            self._changed()

    def _met(self, identity: str, instance: Instance) -> bool:
        """Take in a record; answers whether it says something new."""
        member = self._members.get(identity)
        if member is None:
            prefix = self._prefixes.take(identity, instance.name, (instance.name, instance.target, instance.cwd))
            member = self._members[identity] = Member(prefix, instance, None, None)
        elif member.instance == instance:
            return False
        member.instance = instance
        if instance.mcp is not None and member.link is None:
            member.link = Link(_located(member), self._changed, outlives=_alive(member))
            member.link.start()
        return True

    def _release(self, member: Member) -> None:
        if member.link is not None:
            task = asyncio.get_running_loop().create_task(member.link.stop())
            self._gone.add(task)
            task.add_done_callback(self._gone.discard)


def _fixed(remote: Remote) -> Callable[[], Place | None]:
    place = Place(remote.url, remote.token)
    return lambda: place


def _located(member: Member) -> Callable[[], Place | None]:
    return lambda: None if member.instance is None else place_of(member.instance)


def _alive(member: Member) -> Callable[[], bool]:
    return lambda: member.instance is not None and instances.is_alive(member.instance)


def place_of(instance: Instance) -> Place | None:
    """Where an instance answers; None: it serves no MCP."""
    if instance.mcp is None:
        return None
    return Place(f"{instance.url}{instance.mcp}", instance.token, is_local=True)
