"""What the Python drivers share: a job from standard input, outcomes to standard output. See jobs.py."""

from __future__ import annotations

import asyncio
import json
import sys
import traceback
import uuid
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from typing import Any, Protocol

from mcp import ClientSession, MCPError
from mcp.client.subscriptions import ResourceUpdated, listen
from mcp_types import ElicitResult, ResourceUpdatedNotification
from pydantic import BaseModel

MODES = {"modern": "auto", "handshake": "legacy"}
"""How both packages call the eras."""
PATIENCE = 60.0
"""Seconds after which nothing is waited for any more."""

Call = Callable[..., Awaitable[Any]]


class Person:
    """Who answers questions and hears of changes on one connection."""

    def __init__(self, answers: dict[str, Any]) -> None:
        """Take what is filled into a form, by the names of its fields."""
        self.updates: asyncio.Queue[str] = asyncio.Queue()
        self._answers = answers

    async def hears(self, message: object) -> None:
        if isinstance(message, ResourceUpdatedNotification):
            self.updates.put_nowait(str(message.params.uri))

    async def answers(self, _context: object, params: Any) -> ElicitResult:
        fields = params.requested_schema["properties"]
        return ElicitResult(action="accept", content={name: self._answers[name] for name in fields})


class Connect(Protocol):
    """Opens a connection through one library."""

    def __call__(self, connection: dict[str, Any], person: Person) -> AbstractAsyncContextManager[Any]: ...


async def drive(connect: Connect, session: Callable[[Any], ClientSession], verbs: Mapping[str, Call]) -> None:
    """Do the job: every step on every connection."""
    job = json.load(sys.stdin)
    seen: dict[str, object] = {}
    for label, connection in job["connections"].items():
        person = Person(job["answers"])
        try:
            async with connect(connection, person) as client:
                own = {**verbs, **_common(session(client), client, person, verbs["call"])}
                left_out = connection["cannot"]
                seen[label] = [
                    None if verb in left_out else await _outcome(own[verb], client, params)
                    for verb, params in job["steps"]
                ]
        except Exception:  # noqa: BLE001 - what a client cannot stand is the finding
            seen[label] = {"failed": traceback.format_exc()}
    json.dump(seen, sys.stdout)


async def _outcome(verb: Call, client: object, params: dict[str, Any]) -> object:
    try:
        found = await verb(client, params)
    except MCPError as error:
        return {"error": {"code": error.code, "message": error.message, "data": error.data}}
    return {"result": wire(found) if isinstance(found, BaseModel) else found}


def _common(session: ClientSession, client: object, person: Person, call: Call) -> dict[str, Call]:
    """What does not differ between the two libraries, one of which is built on the other."""

    async def server(_client: object, _params: dict[str, Any]) -> object:
        return {
            "version": session.protocol_version,
            "info": wire(session.server_info),
            "capabilities": wire(session.server_capabilities),
            "instructions": session.instructions,
        }

    async def walk(_client: object, params: dict[str, Any]) -> object:
        pages = [wire(await call(client, params))]
        while cursor := pages[-1]["structuredContent"].get("next_cursor"):
            pages.append(wire(await call(client, {**params, "arguments": {**params["arguments"], "cursor": cursor}})))
        return pages

    async def watch(_client: object, params: dict[str, Any]) -> object:
        uri = params["uri"]
        async with asyncio.timeout(PATIENCE):
            if session.protocol_version in MODERN:
                async with listen(session, resource_subscriptions=[uri]) as events:
                    await call(client, params["call"])
                    event = await anext(aiter(events))
                    return event.uri if isinstance(event, ResourceUpdated) else repr(event)
            await session.subscribe_resource(uri)
            await call(client, params["call"])
            return await person.updates.get()

    async def cancel(_client: object, params: dict[str, Any]) -> object:
        token, begun = uuid.uuid4().hex, asyncio.Event()

        async def report(_done: float, _total: float | None, _message: str | None) -> None:
            begun.set()

        async with asyncio.timeout(PATIENCE):
            waiting = asyncio.create_task(call(client, {"name": params["call"], "arguments": {"token": token}}, report))
            await begun.wait()
            waiting.cancel()
            await asyncio.wait({waiting})
            return wire(await call(client, {"name": params["then"], "arguments": {"token": token}}))

    async def progress(_client: object, params: dict[str, Any]) -> object:
        reports: list[object] = []

        async def report(done: float, total: float | None, message: str | None) -> None:
            reports.append([done, total, message])

        await call(client, params, report)
        return reports

    return {"server": server, "walk": walk, "watch": watch, "cancel": cancel, "progress": progress}


MODERN = ("2026-07-28",)


def wire(value: BaseModel | None) -> Any:
    """What the package read, as the JSON that it was."""
    return None if value is None else value.model_dump(mode="json", by_alias=True, exclude_none=True)
