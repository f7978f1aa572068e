"""Tools on MCP: listing them, and calling one."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from dataclasses import replace
from typing import NamedTuple

from afford.errors import Failure, JsonValue
from afford.execute.outcome import Invocation, Progress, no_progress
from afford.execute.refusals import unknown_operation
from afford.manifest import Manifest, Operation
from afford.runtime import Runtime
from afford.surfaces.mcp.deferral import CALL_TOOL, SEARCH_TOOL, Deferral, called_tool
from afford.surfaces.mcp.exchange import Exchange, Notify
from afford.surfaces.mcp.headers import Mirrors
from afford.surfaces.mcp.pages import Pages
from afford.surfaces.mcp.project import Fragments, cursor_of, listing, page_of
from afford.surfaces.mcp.protocol import INVALID_PARAMS, Era, Incoming, ProtocolError, notification_frame
from afford.surfaces.mcp.render import Budget, failed_result, tool_result
from afford.surfaces.mcp.replies import asking, cacheable, complete
from afford.surfaces.mcp.running import Questions, run_asking


class Tools:
    """Answers `tools/list` and `tools/call`."""

    def __init__(self, runtime: Runtime, budget: Budget) -> None:
        """Prepare; `budget` bounds every result."""
        self._runtime = runtime
        self._budget = budget
        self._fragments = Fragments()
        self._pages = Pages()
        self._mirrors = Mirrors()
        self._deferral = Deferral(runtime.tool_budget, self._fragments)

    def defers(self, manifest: Manifest) -> bool:
        """Whether the list holds a search instead of everything."""
        return self._deferral.applies(manifest.operations)

    async def list(self, incoming: Incoming, _exchange: Exchange, manifest: Manifest) -> bytes:
        """`tools/list`."""
        after, shown = cursor_of(incoming.params), manifest.shared_by
        known = None if shown is None else self._pages.get(shown, after)
        if known is None:
            known = self._listed(manifest, after)
            if shown is not None:
                self._pages.keep(shown, after, known)
        return cacheable(incoming.era, (known,), manifest)

    def _listed(self, manifest: Manifest, after: str | None) -> bytes:
        """One page of the list, as the members of a result."""
        operations = manifest.operations
        if self._deferral.applies(operations):
            return b"".join(listing("tools", self._deferral.listed(operations), None))
        page, more = page_of(operations, after, _wire_name)
        return b"".join(listing("tools", [self._fragments.of(item) for item in page], more))

    def call(self, incoming: Incoming, exchange: Exchange, manifest: Manifest) -> Awaitable[bytes]:
        """`tools/call`."""
        name, arguments = incoming.params.get("name"), incoming.params.get("arguments", {})
        if not isinstance(name, str):
            raise ProtocolError(INVALID_PARAMS, "params.name must be the name of a tool")
        operation = manifest.find(name)
        if operation is None and not self._stands_in(name, manifest):
            raise ProtocolError(INVALID_PARAMS, f"Unknown tool: {name}")
        if not isinstance(arguments, dict):
            raise ProtocolError(INVALID_PARAMS, "params.arguments must be an object")
        if operation is not None and incoming.era is Era.MODERN and exchange.request is not None:
            self._mirrors.check(operation, arguments, exchange.request)
        invocation = Invocation(
            name=name,
            arguments=arguments,
            request=exchange.request,
            progress=no_progress if exchange.notify is None else _progress(incoming, exchange.notify),
            watch=exchange.watch,
        )
        request = _Request(incoming, exchange, manifest)
        return self._stand_in(invocation, request) if operation is None else self._run(operation, invocation, request)

    def _stands_in(self, name: str, manifest: Manifest) -> bool:
        """Whether the name is of a tool that a deferred list holds in place of the others."""
        return name in (SEARCH_TOOL, CALL_TOOL) and self._deferral.applies(manifest.operations)

    async def _stand_in(self, invocation: Invocation, request: _Request) -> bytes:
        """`afford_search_tools`, or `afford_call_tool` with the call that it stands for."""
        found = await self._stood_for(invocation, request.manifest)
        if isinstance(found, bytes):
            return complete(request.incoming.era, found, request.manifest)
        return await self._run(*found, request)

    async def _stood_for(self, invocation: Invocation, manifest: Manifest) -> tuple[Operation, Invocation] | bytes:
        """The call that a call of `afford_call_tool` stands for; or what was searched for, or the refusal."""
        if invocation.name == SEARCH_TOOL:
            # In a thread, because indexing a large catalog takes a second; every later search takes milliseconds.
            search, operations = self._deferral.search, manifest.operations
            return await asyncio.to_thread(search, operations, invocation.arguments, self._budget)
        called = called_tool(invocation.arguments)
        if isinstance(called, Failure):
            return failed_result(called)
        name, arguments = called
        operation = manifest.find(name)
        if operation is not None:
            return operation, invocation._replace(name=name, arguments=arguments)
        unknown = unknown_operation(manifest, name)
        return failed_result(unknown if unknown.choices else replace(unknown, fix=f"find it with `{SEARCH_TOOL}`"))

    async def _run(self, operation: Operation, invocation: Invocation, request: _Request) -> bytes:
        if operation.paging is not None:
            invocation = _with_page(invocation)
        if operation.questions:
            answered = await run_asking(self._runtime, request.manifest, invocation, request.incoming, request.exchange)
            if isinstance(answered, Questions):
                return asking(answered.members, request.manifest)
            outcome = answered
        else:
            outcome = await self._runtime.run(request.manifest, invocation)
        return complete(request.incoming.era, tool_result(outcome, invocation, self._budget), request.manifest)


class _Request(NamedTuple):
    """What came, through what, for whom."""

    incoming: Incoming
    exchange: Exchange
    manifest: Manifest


def _wire_name(operation: Operation) -> str:
    return operation.wire_name


def _with_page(invocation: Invocation) -> Invocation:
    """The invocation with `limit` and `cursor` out of the arguments; a value of another type stays, to be refused."""
    arguments = dict(invocation.arguments)
    limit, cursor = arguments.get("limit"), arguments.get("cursor")
    if isinstance(limit, int) and not isinstance(limit, bool):
        del arguments["limit"]
    else:
        limit = None
    if isinstance(cursor, str):
        del arguments["cursor"]
    else:
        cursor = None
    return invocation._replace(arguments=arguments, limit=limit, cursor=cursor)


def _progress(incoming: Incoming, notify: Notify) -> Progress:
    """Where a handler's progress goes: to the client, if it asked."""
    token = incoming.progress_token
    if token is None:
        return no_progress

    def report(done: float, total: float | None, message: str | None) -> None:
        params: dict[str, JsonValue] = {"progressToken": token, "progress": done}
        if total is not None:
            params["total"] = total
        if message is not None:
            params["message"] = message
        notify(notification_frame("notifications/progress", params))

    return report
