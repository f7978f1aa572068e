"""Many servers as one: their tools side by side under names that say whose they are, and a tool that lists them.

Answers the requests of one client. Tools pass whole, but for the name; so do results and errors. Resources and prompts
are not passed on: their addresses and names could not be told apart without rewriting what results say about them.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import Final, NamedTuple

import orjson

from afford import __version__
from afford.connector.audience import Audience
from afford.connector.bridge import forwarded, lost, own, refused, unreachable, written
from afford.connector.connection import LostError
from afford.connector.link import Link, UnreachableError
from afford.connector.names import SEPARATOR, published
from afford.connector.roster import Member, Roster
from afford.errors import Code, JsonObject, JsonValue, failure
from afford.surfaces.mcp.exchange import Exchange
from afford.surfaces.mcp.project import cursor_of, page_of
from afford.surfaces.mcp.protocol import (
    HANDSHAKE_REVISIONS,
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    MODERN,
    Era,
    Incoming,
    ProtocolError,
)

LIST_TOOL: Final = "afford_instances"
"""The connector's own tool; no other name lacks the separator, so none can be equal."""
FIRST_LOOK: Final = 3.0
"""Seconds that the first list waits for servers which have not answered yet."""

_SERVER: Final[JsonObject] = {"name": "afford-connect", "title": "afford connect", "version": str(__version__)}
_INSTRUCTIONS: Final = (
    "The tools of every application that runs on this machine with afford, side by side. A tool's name is that of its "
    f"instance, `{SEPARATOR}`, and its own name there. Instances come and go, and the list of tools with them: call "
    f"`{LIST_TOOL}` to see which there are now, and why one cannot be called."
)
_CAPABILITIES: Final[JsonObject] = {"tools": {"listChanged": True}}
_MOST_FORMER: Final = 4096

_TEXT: Final[JsonObject] = {"type": "string"}
_INSTANCE: Final[JsonObject] = {
    "type": "object",
    "properties": {
        "prefix": {"type": "string", "description": "What the names of its tools begin with."},
        "state": {
            "type": "string",
            "enum": ["connecting", "ready", "unreachable", "without-mcp"],
            "description": "Whether its tools can be called.",
        },
        "problem": {"type": "string", "description": "Why they cannot."},
        "tools": {"type": "integer", "description": "How many it offers."},
        "name": _TEXT,
        "title": _TEXT,
        "version": _TEXT,
        "url": {"type": "string", "description": "Where it answers."},
        "target": {"type": "string", "description": "What it serves."},
        "cwd": {"type": "string", "description": "The folder it was started in."},
        "started_at": {"type": "string", "format": "date-time"},
    },
    "required": ["prefix", "state", "tools", "url"],
    "additionalProperties": False,
}
_OWN: Final[JsonObject] = {
    "name": LIST_TOOL,
    "title": "List instances",
    "description": (
        "Use it to find out which applications run on this machine and can be called, or why the tools of one are not "
        "there."
    ),
    "inputSchema": {"type": "object", "properties": {}, "additionalProperties": False},
    "outputSchema": {
        "type": "object",
        "properties": {"instances": {"type": "array", "items": _INSTANCE}},
        "required": ["instances"],
        "additionalProperties": False,
    },
    "annotations": {
        "title": "List instances",
        "readOnlyHint": True,
        "destructiveHint": False,
        "idempotentHint": True,
        "openWorldHint": False,
    },
}


class _Entry(NamedTuple):
    """One tool of a server."""

    prefix: str
    name: str
    """What the server calls it."""
    link: Link
    shown: JsonObject


class Gateway:
    """Answers one client for many servers."""

    def __init__(self) -> None:
        """Prepare; `attach` says for whom."""
        self.hub = Audience()
        self._roster: Roster | None = None
        self._entries: dict[str, _Entry] = {}
        self._former: OrderedDict[str, str] = OrderedDict()
        """Names that went, and whose they were."""
        self._awaited: set[str] = set()

    def attach(self, roster: Roster) -> None:
        """Speak for these servers."""
        self._roster = roster

    def changed(self) -> None:
        """Something about the servers is different: tell the client if the list is another one."""
        entries = self._collected()
        if {name: entry.shown for name, entry in entries.items()} == {
            name: entry.shown for name, entry in self._entries.items()
        }:
            self._entries = entries
            return
        for name in self._entries.keys() - entries.keys():
            self._former[name] = self._entries[name].prefix
            self._former.move_to_end(name)
        while len(self._former) > _MOST_FORMER:
            self._former.popitem(last=False)
        self._entries = entries
        self.hub.tell()

    async def answer(self, incoming: Incoming, exchange: Exchange) -> bytes:
        """The result of a request, as JSON.

        Raises:
            ProtocolError: there is no such method or tool, or a server answered this error.
        """
        match incoming.method:
            case "tools/list":
                return await self._list(incoming)
            case "tools/call":
                return await self._call(incoming, exchange)
            case "initialize" | "ping" if incoming.era is Era.HANDSHAKE:
                return b"{}" if incoming.method == "ping" else _greeting(incoming)
            case "server/discover" if incoming.era is Era.MODERN:
                members: JsonObject = {"supportedVersions": [MODERN], "instructions": _INSTRUCTIONS}
                return own(incoming.era, {**members, "capabilities": _CAPABILITIES, **_fresh()}, _SERVER)
            case "subscriptions/listen" if incoming.era is Era.MODERN:
                await self.hub.listen(incoming, exchange.notify, exchange.caller)
                return own(incoming.era, {}, _SERVER)
            case _:
                message = f"the connector passes on tools alone; there is no method {incoming.method!r}"
                raise ProtocolError(METHOD_NOT_FOUND, message)

    async def _list(self, incoming: Incoming) -> bytes:
        await self._settle()
        named = [_OWN, *(self._entries[name].shown for name in sorted(self._entries))]
        page, more = page_of(sorted(named, key=_name), cursor_of(incoming.params), _name)
        members: JsonObject = {"tools": [*page]}
        if more is not None:
            members["nextCursor"] = more
        return own(incoming.era, {**members, **(_fresh() if incoming.era is Era.MODERN else {})}, _SERVER)

    async def _settle(self) -> None:
        """Wait, once for each, for servers that were found only just now; one that is slow holds nobody up for long."""
        fresh = {prefix: member.link for prefix, member in self._members().items() if prefix not in self._awaited}
        self._awaited.update(fresh)
        waiting = [asyncio.ensure_future(link.settled.wait()) for link in fresh.values() if link is not None]
        if waiting:
            _, late = await asyncio.wait(waiting, timeout=FIRST_LOOK)
            for task in late:
                task.cancel()

    async def _call(self, incoming: Incoming, exchange: Exchange) -> bytes:
        name = incoming.params.get("name")
        if not isinstance(name, str):
            raise ProtocolError(INVALID_PARAMS, "params.name must be the name of a tool")
        if name == LIST_TOOL:
            return await self._instances(incoming)
        entry = self._entries.get(name)
        if entry is None:
            return self._missing(name, incoming)
        try:
            return await forwarded(entry.link, {**incoming.params, "name": entry.name}, incoming, exchange)
        except LostError:
            return refused(incoming.era, lost(f"`{entry.prefix}`"), _SERVER)
        except UnreachableError as error:
            return refused(incoming.era, unreachable(f"`{entry.prefix}`", str(error)), _SERVER)

    def _missing(self, name: str, incoming: Incoming) -> bytes:
        """The answer for a tool that went with its server; of one that never was there is none."""
        prefix = self._former.get(name)
        if prefix is None:
            raise ProtocolError(INVALID_PARAMS, f"Unknown tool: {name}")
        if prefix in self._members():
            message, fix = f"`{prefix}` no longer offers this tool", "list the tools again"
        else:
            message, fix = f"`{prefix}` does not run any more", f"see `{LIST_TOOL}` for what runs"
        return refused(incoming.era, failure(Code.UNAVAILABLE, message, fix=fix), _SERVER)

    async def _instances(self, incoming: Incoming) -> bytes:
        if incoming.params.get("arguments") not in (None, {}):
            told = failure(Code.BAD_REQUEST, f"`{LIST_TOOL}` takes no arguments", fix="leave them out")
            return refused(incoming.era, told, _SERVER)
        if self._roster is not None:
            await self._roster.look()
        members = self._members()
        document: JsonObject = {"instances": [_told(members[prefix]) for prefix in sorted(members)]}
        text: JsonValue = [{"type": "text", "text": orjson.dumps(document).decode()}]
        return own(incoming.era, {"content": text, "structuredContent": document, "isError": False}, _SERVER)

    def _members(self) -> dict[str, Member]:
        return {} if self._roster is None else dict(self._roster.members)

    def _collected(self) -> dict[str, _Entry]:
        entries: dict[str, _Entry] = {}
        for prefix, member in sorted(self._members().items()):
            for tool in () if member.link is None else member.link.tools:
                own_name = str(tool["name"])
                name = published(prefix, own_name, entries)
                assert member.link is not None  # noqa: S101 - it has tools
                entries[name] = _Entry(prefix, own_name, member.link, {**tool, "name": name})
        return entries


def _name(tool: JsonObject) -> str:
    return str(tool["name"])


def _fresh() -> JsonObject:
    """How long a client of the modern era may keep what it is told: not at all, unless it listens."""
    return {"ttlMs": 0, "cacheScope": "private"}


def _greeting(incoming: Incoming) -> bytes:
    asked = incoming.params.get("protocolVersion")
    members: JsonObject = {
        "protocolVersion": asked if asked in HANDSHAKE_REVISIONS else HANDSHAKE_REVISIONS[0],
        "capabilities": _CAPABILITIES,
        "serverInfo": _SERVER,
        "instructions": _INSTRUCTIONS,
    }
    return written(incoming.era, members)


def _told(member: Member) -> JsonObject:
    """What may be said of a server; never its token."""
    link, instance = member.link, member.instance
    told: JsonObject = {
        "prefix": member.prefix,
        "state": "without-mcp" if link is None else link.state.value,
        "tools": 0 if link is None else len(link.tools),
    }
    if link is None:
        told["problem"] = "it serves no MCP; start it with `--mcp`"
    elif link.problem:
        told["problem"] = link.problem
    if instance is None:
        return {**told, "url": "" if member.remote is None else member.remote.url}
    return {
        **told,
        "name": instance.name,
        "title": instance.title,
        "version": instance.version,
        "url": f"{instance.url}{instance.mcp or instance.mount}",
        "target": instance.target,
        "cwd": instance.cwd,
        "started_at": instance.started_at,
    }
