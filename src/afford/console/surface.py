"""The console behind HTTP: its files for everybody, its data for those who may open it.

Who may is the app's rule over the caller, or the token of a development instance. Everything under `/api` is JSON.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias

from afford.access import Rule, judge
from afford.caller import Caller
from afford.console.assets import moved_to_index, read_assets
from afford.console.call_log import CallLog
from afford.console.costs import costs
from afford.console.events import Events
from afford.console.findings import Findings
from afford.console.identities import Wanted, acted_as, looked_as, read_wanted
from afford.console.operations import operation, operations
from afford.console.overview import overview
from afford.console.places import places
from afford.console.readings import document, documents
from afford.console.trying import read_invocation, try_call
from afford.errors import Code, Failure, JsonObject, Refusal, failure
from afford.execute.outcome import CallRecord
from afford.execute.refusals import unknown_operation
from afford.request import Request
from afford.surfaces.asgi import BodyTooLargeError, read_body
from afford.surfaces.http.console import CONSOLE, Visit
from afford.surfaces.http.message import NO_STORE, Response, json_response, method_not_allowed, problem_response

MAX_BODY: Final = 1 << 20
"""Bytes of a call that is made by hand."""
_API: Final = "/api/"
_CALL: Final = "call"
_EVENTS: Final = "events"
_JSON: Final = "application/json"

Answer: TypeAlias = Callable[[Visit, Wanted], Awaitable[JsonObject]]


class ConsoleSurface:
    """One application's console."""

    def __init__(self, rule: Rule | None) -> None:
        """Read the page's files.

        Args:
            rule: who may open it; None: nobody but the developer on their own machine.
        """
        self._rule = rule
        self._assets = read_assets()
        self._boot = secrets.token_hex(6)
        self._log = CallLog()
        self._events = Events(self._log, self._boot)
        self._findings = Findings()
        self._answers: dict[str, Answer] = {
            "overview": self._overview,
            "operations": self._operations,
            "operation": self._operation,
            "findings": self._report,
            "costs": self._costs,
            "places": self._places,
            "documents": self._documents,
            "document": self._document,
        }

    def record(self, call: CallRecord) -> None:
        """Keep one finished call for a while."""
        self._log.record(call)

    def asset(self, below: str, request: Request) -> Response | None:
        """A file of the page."""
        if below == "/":
            return moved_to_index()
        asset = self._assets.get(below)
        return None if asset is None else asset.response(request.headers.get("if-none-match"))

    def admits(self, caller: Caller, *, is_developer: bool) -> bool:
        """Whether the caller may see what the page shows."""
        return is_developer or (self._rule is not None and judge(self._rule, caller))

    async def answer(self, visit: Visit, below: str) -> Response | None:
        """What the page asks for."""
        try:
            return await self._answer(visit, below.removeprefix(_API) if below.startswith(_API) else "")
        except Refusal as refusal:
            return problem_response(refusal.as_failure(), *visit.admitted.vary)

    async def _answer(self, visit: Visit, name: str) -> Response | None:
        wanted = read_wanted(visit.scope["query_string"])
        method: str = visit.scope["method"]
        if name == _CALL:
            if method != "POST":
                return problem_response(method_not_allowed("POST"))
            return await self._call(visit, wanted)
        answer = self._answers.get(name)
        if answer is None and name != _EVENTS:
            told = unknown_operation(visit.admitted.manifest, f"{CONSOLE}{_API}{name}")
            return problem_response(told, *visit.admitted.vary)
        reads = ("GET", "HEAD") if answer is not None else ("GET",)
        if method not in reads:
            return problem_response(method_not_allowed(*reads))
        if answer is None:
            after = wanted.number("after") if wanted.values.get("boot") == self._boot else 0
            await self._events.stream(visit.admitted.runtime, after, visit.receive, visit.send)
            return None
        return json_response(await answer(visit, wanted), NO_STORE, *visit.admitted.vary)

    async def _call(self, visit: Visit, wanted: Wanted) -> Response:
        # Asked for by name, so that no form of another page can send it (Fetch standard, "CORS-safelisted").
        if (visit.request.headers.get("content-type") or "").partition(";")[0].strip().lower() != _JSON:
            return problem_response(_no_json())
        try:
            body = await read_body(visit.scope, visit.receive, MAX_BODY)
        except BodyTooLargeError:
            return problem_response(failure(Code.TOO_LARGE, f"the call is over {MAX_BODY} bytes", fix="send less"))
        identity = acted_as(wanted, visit)
        surface, invocation = read_invocation(body, visit)
        told = await try_call(visit, identity, surface, invocation)
        return json_response(told, NO_STORE, *visit.admitted.vary)

    async def _overview(self, visit: Visit, _wanted: Wanted) -> JsonObject:
        return overview(visit, self._boot)

    async def _operations(self, visit: Visit, wanted: Wanted) -> JsonObject:
        return operations(visit, looked_as(wanted, visit))

    async def _operation(self, visit: Visit, wanted: Wanted) -> JsonObject:
        return operation(visit, looked_as(wanted, visit), wanted.text("name"))

    async def _report(self, visit: Visit, _wanted: Wanted) -> JsonObject:
        return await self._findings.of(visit.admitted.runtime.catalog)

    async def _costs(self, visit: Visit, wanted: Wanted) -> JsonObject:
        return costs(visit, looked_as(wanted, visit))

    async def _places(self, visit: Visit, wanted: Wanted) -> JsonObject:
        return places(visit, looked_as(wanted, visit))

    async def _documents(self, visit: Visit, wanted: Wanted) -> JsonObject:
        return documents(visit, looked_as(wanted, visit))

    async def _document(self, visit: Visit, wanted: Wanted) -> JsonObject:
        return await document(visit, acted_as(wanted, visit), wanted.text("uri"))


def _no_json() -> Failure:
    fix = "send `Content-Type: application/json`"
    return failure(Code.UNSUPPORTED_MEDIA_TYPE, "the body is not declared to be JSON", fix=fix)
