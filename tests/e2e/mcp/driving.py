"""What the Python drivers share: a job from standard input, outcomes to standard output. See jobs.py."""

from __future__ import annotations

import json
import sys
import traceback
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from typing import Any

from mcp import MCPError
from pydantic import BaseModel

MODES = {"modern": "auto", "handshake": "legacy"}
"""How both packages call the eras."""

Call = Callable[[Any, dict[str, Any]], Awaitable[Any]]


async def drive(
    connected: Callable[[dict[str, Any]], AbstractAsyncContextManager[Any]], verbs: Mapping[str, Call]
) -> None:
    """Do the job: every step on every connection."""
    job = json.load(sys.stdin)
    seen: dict[str, object] = {}
    for label, connection in job["connections"].items():
        try:
            async with connected(connection) as client:
                seen[label] = [await outcome(verbs, client, verb, params) for verb, params in job["steps"]]
        except Exception:  # noqa: BLE001 - what a client cannot stand is the finding
            seen[label] = {"failed": traceback.format_exc()}
    json.dump(seen, sys.stdout)


async def outcome(verbs: Mapping[str, Call], client: object, verb: str, params: dict[str, object]) -> object:
    try:
        if verb == "walk":
            return {"result": await walk(verbs["call"], client, params)}
        return {"result": await verbs[verb](client, params)}
    except MCPError as error:
        return {"error": {"code": error.code, "message": error.message}}


async def walk(call: Call, client: object, params: dict[str, Any]) -> list[Any]:
    """Every page, from the first to the one that has no next."""
    pages = [await call(client, params)]
    while cursor := pages[-1]["structuredContent"].get("next_cursor"):
        pages.append(await call(client, {**params, "arguments": {**params["arguments"], "cursor": cursor}}))
    return pages


def wire(value: BaseModel | None) -> Any:
    """What the package read, as the JSON that it was."""
    return None if value is None else value.model_dump(mode="json", by_alias=True, exclude_none=True)


def server(session: Any) -> object:
    """Who answered, and what it says it can do."""
    return {
        "version": session.protocol_version,
        "info": wire(session.server_info),
        "capabilities": wire(session.server_capabilities),
        "instructions": session.instructions,
    }
