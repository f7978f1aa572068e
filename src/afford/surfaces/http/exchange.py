"""One request on its way to an operation and back: read the arguments, run, render."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote, unquote_to_bytes

from afford.caller import Door
from afford.errors import Code, Failure, Fault, FaultCode, failure
from afford.execute.outcome import Invocation, Success
from afford.execute.refusals import bad_request
from afford.manifest import Manifest, Operation
from afford.request import Request
from afford.runtime import Runtime
from afford.schema.strict_json import JsonSyntaxError, parse_object
from afford.surfaces.asgi import BodyTooLargeError, Header, Receive, Scope, read_body
from afford.surfaces.http.message import JSON, NO_SNIFF, NO_STORE, Response, base_path, problem_response
from afford.surfaces.http.query_string import QueryShape, decode_query, query_shape

_QUERY: Final = "!$&'()*+,;=:@/?%-._~"
"""What stands in the query of a URI as it is (RFC 3986 section 3.4), escapes included."""
_SAFE: Final = re.compile(rb"[A-Za-z0-9=%._~&-]*")
"""A whole query that may stand in a URI as it is."""
_PLAIN: Final = re.compile(rb"[A-Za-z0-9=%._~-]*")


class QueryShapes:
    """How operations' inputs travel in a query string, kept per catalog epoch."""

    def __init__(self) -> None:
        """Start with none; each is made at its operation's first call."""
        self._shapes: dict[str, tuple[int, QueryShape]] = {}

    def of(self, operation: Operation, epoch: int) -> QueryShape:
        """The operation's shape."""
        known = self._shapes.get(operation.wire_name)
        if known is None or known[0] != epoch:
            known = self._shapes[operation.wire_name] = (epoch, query_shape(operation.input.schema))
        return known[1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What all exchanges of one surface share."""

    door: Door
    max_body: int
    """Bytes."""
    shapes: QueryShapes
    public_url: str | None
    """Where the mounted application is reached from outside; makes links absolute."""


class Exchange:
    """One request on its way to an operation and back."""

    __slots__ = ("_limits", "_receive", "_runtime", "_scope", "manifest", "request", "vary")

    def __init__(
        self,
        *,
        runtime: Runtime,
        manifest: Manifest,
        request: Request,
        connection: tuple[Scope, Receive],
        limits: Limits,
        vary: tuple[Header, ...],
    ) -> None:
        """Hold what reading, running and rendering need."""
        self._runtime = runtime
        self.manifest = manifest
        self.request = request
        self._scope, self._receive = connection
        self._limits = limits
        self.vary = vary

    @property
    def base(self) -> str:
        """The path under which the application is reached on this server; empty at the root."""
        return base_path(self._scope)

    async def query(self, operation: Operation) -> Response | None:
        """Run a read: the arguments travel in the query string, the answer is an array."""
        raw: bytes = self._scope["query_string"]
        read = decode_query(raw, self._limits.shapes.of(operation, self.manifest.epoch))
        invocation = Invocation(
            name=operation.wire_name,
            arguments=read.arguments,
            faults=read.faults,
            limit=read.limit,
            cursor=read.cursor,
            request=self.request,
            watch=self._watch,
        )
        return await self._run(invocation, raw)

    async def action(self, operation: Operation) -> Response | None:
        """Run a write: the arguments are one JSON object."""
        try:
            body = await read_body(self._scope, self._receive, self._limits.max_body)
        except BodyTooLargeError:
            limit = self._limits.max_body
            return problem_response(failure(Code.TOO_LARGE, f"the body is over {limit} bytes", fix="send less at once"))
        refused = self._refuse_media_type(body)
        if refused is not None:
            return problem_response(refused)
        try:
            arguments = parse_object(body)
        except JsonSyntaxError as error:
            fault = Fault(pointer="", code=FaultCode.SYNTAX, message=error.message)
            return problem_response(bad_request((fault,), fix=error.fix))
        invocation = Invocation(name=operation.wire_name, arguments=arguments, request=self.request, watch=self._watch)
        return await self._run(invocation, None)

    async def _run(self, invocation: Invocation, raw_query: bytes | None) -> Response | None:
        outcome = await self._runtime.run(self.manifest, invocation)
        if isinstance(outcome, Failure):
            return None if outcome.code == Code.CANCELLED else problem_response(outcome, *self.vary)
        headers = [JSON, NO_STORE, NO_SNIFF, *self.vary]
        if raw_query is not None:
            headers.extend(_page_headers(outcome, raw_query, self._limits.public_url))
        return Response(200, headers, outcome.body)

    def _refuse_media_type(self, body: bytes) -> Failure | None:
        field = self.request.headers.get("content-type")
        if field is None:
            wanted = bool(body) or self._limits.door is Door.APP
        else:
            kind = field.partition(";")[0].strip().lower()
            wanted = kind != "application/json" and not (kind.startswith("application/") and kind.endswith("+json"))
        if not wanted:
            return None
        fix = "send `Content-Type: application/json`"
        return failure(Code.UNSUPPORTED_MEDIA_TYPE, "the body is not declared to be JSON", fix=fix)

    def _watch(self, cancel: Callable[[], None]) -> Callable[[], None]:
        """Look out for the client leaving, once a call has lasted a while."""

        async def until_gone() -> None:
            while (await self._receive())["type"] != "http.disconnect":
                pass
            cancel()

        task = asyncio.get_running_loop().create_task(until_gone())

        def stop() -> None:
            task.cancel()

        return stop


def _page_headers(outcome: Success, raw_query: bytes, public_url: str | None) -> list[Header]:
    """`Link` to the following page (RFC 8288), and how many rows match in all.

    Relative to the request it is a query alone (RFC 3986 section 5.3), so any mount and proxy prefix is right.
    """
    headers: list[Header] = []
    if outcome.next_cursor is not None:
        kept = _without_cursor(raw_query)
        query = f"{kept}&cursor={outcome.next_cursor}" if kept else f"cursor={outcome.next_cursor}"
        place = f"{public_url.rstrip('/')}/{outcome.operation.wire_name}" if public_url else ""
        headers.append((b"link", f'<{place}?{query}>; rel="next"'.encode("latin-1")))
    if outcome.total is not None:
        headers.append((b"x-total-count", str(outcome.total).encode("ascii")))
    return headers


def _without_cursor(raw_query: bytes) -> str:
    """The query as it may stand in a URI, without the cursor of the page before."""
    # Without escapes other than brackets, no name can spell `cursor` but by its letters.
    unbracketed = raw_query.replace(b"%5B", b"").replace(b"%5D", b"")
    if b"cursor" not in raw_query and b"%" not in unbracketed and _SAFE.fullmatch(raw_query):
        return raw_query.decode("ascii").strip("&")
    return "&".join(_as_uri(part) for part in raw_query.split(b"&") if part and not _is_cursor(part))


def _is_cursor(pair: bytes) -> bool:
    """Whether a pair names the cursor, however the name is encoded."""
    name = pair.partition(b"=")[0]
    return (unquote_to_bytes(name) if b"%" in name else name) == b"cursor"


def _as_uri(pair: bytes) -> str:
    """The pair as it may stand in a URI."""
    return pair.decode("ascii") if _PLAIN.fullmatch(pair) else quote(pair, safe=_QUERY)
