"""`client`: calls an application's operations as any principal, over the executor or over HTTP, with one answer type.

Every link starts the application's lifespan, goes through the same manifest and runs the same checks as in
production; only the socket is left out.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final, Literal, Protocol, TypeAlias, cast
from urllib.parse import parse_qs

import httpx
import orjson

from afford.app import App
from afford.caller import Caller, Door, Principal, Surface
from afford.errors import Failure, JsonObject, JsonValue
from afford.execute.outcome import Invocation
from afford.manifest import Manifest
from afford.request import Request
from afford.runtime import Runtime
from afford.schema.strict_json import parse_json
from afford.surfaces.http.project import manifest_document
from afford.surfaces.http.query_string import encode_query
from afford.surfaces.wire import error_document, unauthenticated, wrong_door

Over: TypeAlias = Literal["executor", "http"]
DoorWord: TypeAlias = Literal["agent", "app"]

_BASE_URL: Final = "http://127.0.0.1"


class CallFailed(AssertionError):
    """A call that a test expected to succeed did not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came back, the same over every link."""

    value: JsonValue = None
    """Rows of a read, the value of a write; None after a failure."""
    next_cursor: str | None = None
    total: int | None = None
    error: JsonObject | None = None
    """What the caller was told: code, message, fix, errors and so on; None after a success."""

    @property
    def ok(self) -> bool:
        """Whether the call succeeded."""
        return self.error is None

    @property
    def code(self) -> str:
        """`ok`, or the failure's code."""
        return "ok" if self.error is None else str(self.error["code"])

    @property
    def rows(self) -> list[JsonObject]:
        """The rows of a read.

        Raises:
            CallFailed: the call failed, or answered no rows.
        """
        if not isinstance(self.value, list):
            raise CallFailed(f"no rows: {orjson.dumps(self.error or self.value).decode()}")
        return cast("list[JsonObject]", self.value)

    @property
    def row(self) -> JsonObject:
        """The one row of a read.

        Raises:
            CallFailed: there is not exactly one.
        """
        rows = self.rows
        if len(rows) != 1:
            raise CallFailed(f"{len(rows)} rows instead of one")
        return rows[0]

    @property
    def faults(self) -> list[JsonObject]:
        """What was wrong with the input, place by place."""
        found = (self.error or {}).get("errors", [])
        return cast("list[JsonObject]", found)

    def fault_codes(self) -> dict[str, str]:
        """Fault code by JSON pointer."""
        return {str(fault["pointer"]): str(fault["code"]) for fault in self.faults}


class _Link(Protocol):
    async def call(self, name: str, arguments: JsonObject, limit: int | None, cursor: str | None) -> Answer: ...

    async def manifest(self) -> JsonObject: ...


class Client:
    """Calls one application as one caller."""

    def __init__(self, link: _Link) -> None:
        """Made by `client`."""
        self._link = link

    async def call(
        self,
        name: str,
        arguments: Mapping[str, object] | None = None,
        /,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        **more: object,
    ) -> Answer:
        """Call an operation by its wire name.

        Args:
            name: wire name.
            arguments: JSON arguments; keyword arguments are added to them.
            limit: rows wanted from a paging query.
            cursor: `next_cursor` of the page before.
            **more: further arguments by name.
        """
        given = {**(arguments or {}), **more}
        return await self._link.call(name, cast("JsonObject", given), limit, cursor)

    async def all_rows(
        self, name: str, arguments: Mapping[str, object] | None = None, /, *, limit: int | None = None
    ) -> list[JsonObject]:
        """Every row of a paging query, page by page to the end."""
        rows: list[JsonObject] = []
        answer = await self.call(name, arguments, limit=limit)
        rows.extend(answer.rows)
        while answer.next_cursor is not None:
            answer = await self.call(name, arguments, limit=limit, cursor=answer.next_cursor)
            rows.extend(answer.rows)
        return rows

    async def manifest(self) -> JsonObject:
        """The caller's manifest document."""
        return await self._link.manifest()

    async def names(self) -> list[str]:
        """Wire names that the caller is shown, in the order they are listed."""
        operations = cast("Sequence[JsonObject]", (await self.manifest())["operations"])
        return [str(operation["name"]) for operation in operations]


@asynccontextmanager
async def client(
    app: App, *, as_: Principal | None = None, over: Over = "executor", door: DoorWord = "agent"
) -> AsyncGenerator[Client]:
    """A client for an application, with its lifespan around it.

    Args:
        app: the application under test.
        as_: who calls; None: an anonymous caller.
        over: `executor` (in process) or `http` (through the whole ASGI application).
        door: `agent` or `app`.
    """
    if over == "executor":
        runtime = app.runtime()
        await runtime.start()
        try:
            yield Client(_ExecutorLink(app, runtime, Caller(runtime.known_roles(as_), Door(door), Surface.HTTP)))
        finally:
            await runtime.stop()
        return

    def known(_request: Request) -> Principal | None:
        return as_

    authenticate = [known] if app.authenticators or as_ is not None else []
    surface = app.asgi(door=door, authenticate=authenticate)
    await surface.runtime()
    try:
        transport = httpx.ASGITransport(app=surface)
        async with httpx.AsyncClient(transport=transport, base_url=_BASE_URL) as http:
            yield Client(_HttpLink(app, http))
    finally:
        await surface.stop()


class _ExecutorLink:
    def __init__(self, app: App, runtime: Runtime, caller: Caller) -> None:
        self._runtime = runtime
        self._caller = caller
        self._has_credentials = bool(app.authenticators)

    async def call(self, name: str, arguments: JsonObject, limit: int | None, cursor: str | None) -> Answer:
        # Arguments go through JSON text, so that a test cannot send what no wire can carry.
        parsed = parse_json(orjson.dumps(arguments))
        invocation = Invocation(name=name, arguments=cast("JsonObject", parsed), limit=limit, cursor=cursor)
        manifest = self._runtime.manifest(self._caller)
        outcome = self._refuse(manifest) or await self._runtime.run(manifest, invocation)
        if isinstance(outcome, Failure):
            return Answer(error=error_document(outcome))
        value = cast("JsonValue", orjson.loads(outcome.body))
        return Answer(value=value, next_cursor=outcome.next_cursor, total=outcome.total)

    async def manifest(self) -> JsonObject:
        return manifest_document(self._runtime.manifest(self._caller))

    def _refuse(self, manifest: Manifest) -> Failure | None:
        """What a server answers before it looks at the call."""
        if self._caller.door is Door.APP and self._caller.is_agent:
            return wrong_door()
        is_nobody = self._caller.is_anonymous and self._has_credentials
        return unauthenticated() if is_nobody and not manifest.operations else None


class _HttpLink:
    def __init__(self, app: App, http: httpx.AsyncClient) -> None:
        self._operations = app.build().operations
        self._http = http

    async def call(self, name: str, arguments: JsonObject, limit: int | None, cursor: str | None) -> Answer:
        operation = self._operations.get(name)
        if operation is not None and not operation.reads:
            body = orjson.dumps(arguments)
            response = await self._http.post(f"/{name}", content=body, headers={"content-type": "application/json"})
            return _answer(response)
        page: JsonObject = {}
        if limit is not None:
            page["limit"] = limit
        if cursor is not None:
            page["cursor"] = cursor
        query = encode_query({**arguments, **page})
        return _answer(await self._http.get(f"/{name}?{query}" if query else f"/{name}"))

    async def manifest(self) -> JsonObject:
        response = await self._http.get("/manifest")
        if response.status_code != 200:  # noqa: PLR2004 - OK
            return {"operations": [], "status": response.status_code}
        return cast("JsonObject", response.json())


def _answer(response: httpx.Response) -> Answer:
    if response.headers.get("content-type", "").startswith("application/problem+json"):
        problem = cast("JsonObject", response.json())
        error = {key: value for key, value in problem.items() if key not in ("type", "title", "status", "detail")}
        return Answer(error={**error, "message": problem["detail"]})
    total = response.headers.get("x-total-count")
    link = response.links.get("next", {}).get("url")
    cursor = None if link is None else parse_qs(link.partition("?")[2])["cursor"][0]
    return Answer(value=response.json(), next_cursor=cursor, total=None if total is None else int(total))
