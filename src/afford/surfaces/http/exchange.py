"""From a request for an operation to its answer: read the arguments, run, render."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from functools import partial
from typing import Final, TypeAlias

from afford.caller import Door
from afford.errors import Code, Failure, Fault, FaultCode, failure
from afford.execute.outcome import Invocation, Success, no_progress
from afford.execute.refusals import bad_request
from afford.manifest import Operation
from afford.request import Request
from afford.schema.strict_json import JsonSyntaxError, parse_object
from afford.surfaces.asgi import BodyTooLargeError, Header, Receive, Scope, read_body
from afford.surfaces.http.admission import Admission
from afford.surfaces.http.message import Response, problem_response
from afford.surfaces.http.query_string import QueryDecoder, query_shape

_CURSOR: Final = re.compile(
    r"(?:^|&)(?:c|%63)(?:u|%75)(?:r|%72)(?:s|%73)(?:o|%6[Ff])(?:r|%72)(?:=[^&]*)?(?=&|$)",
)
"""The pair that names the cursor, however the name is encoded."""
_URI_QUERY: Final = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!$&'()*+,;=:@/?%._~-"
"""What may stand in the query of a URI as it is (RFC 3986 section 3.4), escapes included."""
_ESCAPES: Final = {byte: f"%{byte:02X}" for byte in range(256) if byte not in _URI_QUERY}

Source: TypeAlias = tuple[Scope, Receive]
"""Where a request is read from."""


class Exchanges:
    """Answers requests for operations, under the options of one surface."""

    __slots__ = ("_decoders", "_door", "_max_body", "_public_url")

    def __init__(self, *, door: Door, max_body: int, public_url: str | None) -> None:
        """Take the options.

        Args:
            door: the app door insists on a declared media type.
            max_body: bytes a request body may have.
            public_url: where the surface is reached from outside; makes links absolute.
        """
        self._door = door
        self._max_body = max_body
        self._public_url = (public_url or "").rstrip("/")
        self._decoders: dict[str, tuple[Operation, QueryDecoder]] = {}

    async def query(
        self, admitted: Admission, operation: Operation, request: Request, source: Source
    ) -> Response | None:
        """Run a read: the arguments travel in the query string, the answer is an array."""
        scope, receive = source
        raw: bytes = scope["query_string"]
        name = operation.wire_name
        known = self._decoders.get(name)
        decoder = known[1] if known is not None and known[0] is operation else self._decoder(operation)
        arguments, limit, cursor, faults = decoder.decode(raw)
        invocation = Invocation(name, arguments, faults, limit, cursor, request, no_progress, partial(_watch, receive))
        outcome = await admitted.runtime.run(admitted.manifest, invocation)
        if isinstance(outcome, Failure):
            return _refusal(outcome, admitted)
        headers = [*admitted.headers]
        if outcome.next_cursor is not None:
            headers.append(self._next_link(outcome, outcome.next_cursor, raw))
        if outcome.total is not None:
            headers.append((b"x-total-count", b"%d" % outcome.total))
        return Response(200, headers, outcome.body)

    async def action(
        self, admitted: Admission, operation: Operation, request: Request, source: Source
    ) -> Response | None:
        """Run a write: the arguments are one JSON object."""
        scope, receive = source
        try:
            body = await read_body(scope, receive, self._max_body)
        except BodyTooLargeError:
            over = f"the body is over {self._max_body} bytes"
            return problem_response(failure(Code.TOO_LARGE, over, fix="send less at once"))
        refused = self._refuse_media_type(request, body)
        if refused is not None:
            return problem_response(refused)
        try:
            arguments = parse_object(body)
        except JsonSyntaxError as error:
            fault = Fault(pointer="", code=FaultCode.SYNTAX, message=error.message)
            return problem_response(bad_request((fault,), fix=error.fix))
        invocation = Invocation(operation.wire_name, arguments, request=request, watch=partial(_watch, receive))
        outcome = await admitted.runtime.run(admitted.manifest, invocation)
        if isinstance(outcome, Failure):
            return _refusal(outcome, admitted)
        return Response(200, [*admitted.headers], outcome.body)

    def _decoder(self, operation: Operation) -> QueryDecoder:
        """How the operation's query strings are read; kept while callers are offered this very operation."""
        decoder = QueryDecoder(query_shape(operation.input.schema))
        self._decoders[operation.wire_name] = (operation, decoder)
        return decoder

    def _refuse_media_type(self, request: Request, body: bytes) -> Failure | None:
        field = request.headers.get("content-type")
        if field is None:
            wanted = bool(body) or self._door is Door.APP
        else:
            kind = field.partition(";")[0].strip().lower()
            wanted = kind != "application/json" and not (kind.startswith("application/") and kind.endswith("+json"))
        if not wanted:
            return None
        fix = "send `Content-Type: application/json`"
        return failure(Code.UNSUPPORTED_MEDIA_TYPE, "the body is not declared to be JSON", fix=fix)

    def _next_link(self, outcome: Success, cursor: str, raw_query: bytes) -> Header:
        """`Link` to the following page (RFC 8288).

        Relative to the request it is a query alone (RFC 3986 section 5.3), so any mount and proxy prefix is right.
        """
        place = f"{self._public_url}/{outcome.operation.wire_name}" if self._public_url else ""
        kept = _without_cursor(raw_query)
        return (b"link", f'<{place}?{kept}{"&" if kept else ""}cursor={cursor}>; rel="next"'.encode("latin-1"))


def _refusal(told: Failure, admitted: Admission) -> Response | None:
    """The answer for a failure; None where nobody is there any more to be answered."""
    return None if told.code == Code.CANCELLED else problem_response(told, *admitted.vary)


def _without_cursor(raw_query: bytes) -> str:
    """The query as it may stand in a URI, without the cursor of the page before."""
    text = raw_query.decode("latin-1")
    unsafe = raw_query.translate(None, _URI_QUERY)
    if unsafe:
        text = text.replace("[", "%5B").replace("]", "%5D")
        if unsafe.strip(b"[]"):
            text = text.translate(_ESCAPES)
    # The letters of `cursor` are escaped by a 6 or a 7 and another digit.
    if "cursor" in text or "%6" in text or "%7" in text:
        text = _CURSOR.sub("", text)
    return text.strip("&")


def _watch(receive: Receive, cancel: Callable[[], None]) -> Callable[[], None]:
    """Look out for the client leaving, once a call has lasted a while."""

    async def until_gone() -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        cancel()

    task = asyncio.get_running_loop().create_task(until_gone())

    def stop() -> None:
        task.cancel()

    return stop
