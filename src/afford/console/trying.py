"""A call that somebody makes by hand: the same executor, the same refusals, the same record as any other call."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final, cast

import orjson

from afford.caller import Surface
from afford.console.identities import Identity, manifest_of
from afford.declare.content import Message
from afford.declare.operations import Role
from afford.errors import Failure, InvalidInputError, JsonObject, JsonValue
from afford.execute.outcome import Invocation, Success
from afford.schema.strict_json import JsonSyntaxError, parse_object
from afford.surfaces.http.console import Visit
from afford.surfaces.mcp.render import block
from afford.surfaces.wire import problem_document

_SURFACES: Final = {surface.value: surface for surface in (Surface.HTTP, Surface.MCP, Surface.CLI)}
_MEMBERS: Final = frozenset({"name", "surface", "arguments", "answers", "limit", "cursor"})


def read_invocation(body: bytes, visit: Visit) -> tuple[Surface, Invocation]:
    """The call that a body describes: `name`, `surface`, `arguments`, and perhaps `answers`, `limit` and `cursor`.

    Raises:
        InvalidInputError: it describes none.
    """
    try:
        sent = parse_object(body)
    except JsonSyntaxError as error:
        raise InvalidInputError(error.message, fix=error.fix) from error
    for member in sorted(sent.keys() - _MEMBERS):
        raise InvalidInputError(f"a call has no `{member}`", pointer=f"/{member}", fix="leave it out")
    surface = _SURFACES.get(str(sent.get("surface")))
    name, arguments = sent.get("name"), sent.get("arguments", {})
    if surface is None or not isinstance(name, str) or not isinstance(arguments, dict):
        raise InvalidInputError(
            "a call has a name, a surface and an object of arguments", fix=f"surfaces are {', '.join(_SURFACES)}"
        )
    limit, cursor = sent.get("limit"), sent.get("cursor")
    return surface, Invocation(
        name,
        arguments,
        limit=limit if type(limit) is int else None,
        cursor=cursor if isinstance(cursor, str) else None,
        request=visit.request,
        answers=_answers(sent.get("answers", {})),
    )


async def try_call(visit: Visit, identity: Identity, surface: Surface, invocation: Invocation) -> JsonObject:
    """Run it as somebody, and tell what came of it; `status` is what HTTP would answer."""
    started = time.perf_counter()
    outcome = await visit.admitted.runtime.run(manifest_of(identity, visit, surface), invocation)
    taken = {"ms": round((time.perf_counter() - started) * 1000, 3)}
    if isinstance(outcome, Failure):
        return {"ok": False, "status": outcome.status, "problem": problem_document(outcome), **taken}
    return {"ok": True, "status": 200, **_answer(outcome), **taken}


def _answer(success: Success) -> JsonObject:
    if success.operation.role is Role.PROMPT:
        messages = cast("Sequence[Message]", success.value)
        return {"value": [{"role": item.role, "content": block(item.content)} for item in messages]}
    members: JsonObject = {"value": orjson.loads(success.body)}
    if success.content:
        members["content"] = [block(item) for item in success.content]
    if success.next_cursor is not None:
        members["next_cursor"] = success.next_cursor
    if success.total is not None:
        members["total"] = success.total
    return members


def _answers(value: JsonValue) -> dict[str, JsonObject]:
    if not isinstance(value, dict) or not all(isinstance(item, dict) for item in value.values()):
        raise InvalidInputError("answers are objects by question", pointer="/answers", fix="send `{}` where none are")
    return cast("dict[str, JsonObject]", value)
