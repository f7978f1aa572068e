"""The link in process: manifest and executor, with nothing of a wire between."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import cast

import orjson

from afford.app import App
from afford.caller import Caller, Door, Principal, Surface
from afford.errors import Failure, JsonObject, JsonValue
from afford.execute.outcome import Invocation
from afford.manifest import Manifest
from afford.runtime import Runtime
from afford.schema.strict_json import parse_json
from afford.surfaces.http.project import manifest_document
from afford.surfaces.wire import error_document, unauthenticated, wrong_door
from afford.testing.answer import Answer


@asynccontextmanager
async def executor_link(app: App, principal: Principal | None, door: Door) -> AsyncGenerator[ExecutorLink]:
    """Straight to the executor, with the application's lifespan around it."""
    runtime = app.runtime()
    await runtime.start()
    try:
        yield ExecutorLink(app, runtime, Caller(runtime.known_roles(principal), door, Surface.HTTP))
    finally:
        await runtime.stop()


class ExecutorLink:
    """Calls the executor."""

    def __init__(self, app: App, runtime: Runtime, caller: Caller) -> None:
        """Made by `executor_link`."""
        self._runtime = runtime
        self._caller = caller
        self._has_credentials = bool(app.authenticators)

    async def call(self, name: str, arguments: JsonObject, limit: int | None, cursor: str | None) -> Answer:
        """Call an operation by its wire name."""
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
        """The caller's manifest document."""
        return manifest_document(self._runtime.manifest(self._caller))

    def _refuse(self, manifest: Manifest) -> Failure | None:
        """What a server answers before it looks at the call."""
        if self._caller.door is Door.APP and self._caller.is_agent:
            return wrong_door()
        is_nobody = self._caller.is_anonymous and self._has_credentials
        return unauthenticated() if is_nobody and manifest.is_empty else None
