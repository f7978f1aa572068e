"""An application behind an address, as something that `call` talks to: read from its schema catalog alone.

Any server with such a catalog will do. Credentials go to the origin that was named and to no other, so redirects are
not followed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Final
from urllib.parse import parse_qs, quote, urlsplit

import orjson

from afford import __version__
from afford.cli.callee import Answered, Offer, Sent, Told, columns_of, is_risky
from afford.cli.failures import FAILED, CommandError
from afford.declare.vocabulary import Risk, Safety
from afford.errors import ABSENT, Code, Failure, Fault, FaultCode, JsonObject, JsonValue, failure
from afford.execute.refusals import bad_request
from afford.surfaces.http.query_string import encode_query

MOST: Final = 1 << 26
"""Bytes of an answer that are read."""
_CODES: Final = frozenset(code.value for code in FaultCode)
_SAFETIES: Final = frozenset(word.value for word in Safety)
_RISKS: Final = frozenset(word.value for word in Risk)


@dataclass(frozen=True, slots=True)
class _Request:
    """One HTTP request, below the base address."""

    path: str
    body: bytes | None = None


class RemoteCallee:
    """Runs operations of a served application over HTTP."""

    def __init__(self, url: str, headers: Mapping[str, str], wait: float) -> None:
        """Prepare; nothing is asked yet.

        Args:
            url: under which the catalog stands, such as `https://example.com/agent`.
            headers: sent with every request, such as credentials.
            wait: seconds that the server has for each answer.
        """
        self._base = url.rstrip("/").removesuffix("/schema")
        self._headers = {"Accept": "application/json", "User-Agent": f"afford/{__version__}", **headers}
        self._wait = wait
        self._offers: dict[str, tuple[Offer, bool]] | None = None

    async def names(self) -> list[str]:
        """Wire names of everything that the caller is offered, sorted."""
        return sorted(await self._catalog())

    async def find(self, name: str) -> Offer | None:
        """The operation of that wire name; None: the caller is not offered it."""
        found = (await self._catalog()).get(name)
        return None if found is None else found[0]

    async def call(self, name: str, sent: Sent) -> Told:
        """Run it."""
        if sent.faults:
            return bad_request(sent.faults)
        found = (await self._catalog()).get(name)
        request = self._write(name, sent) if found is not None and not found[1] else self._read(name, sent)
        status, headers, body = await asyncio.to_thread(self._answer, request)
        return _told(status, headers, body, self._base)

    async def _catalog(self) -> dict[str, tuple[Offer, bool]]:
        """What is offered, each with whether it reads; asked for once.

        Raises:
            CommandError: there is no schema catalog under the address.
        """
        if self._offers is None:
            request = _Request("/schema")
            status, _, body = await asyncio.to_thread(self._answer, request)
            if status != 200:  # noqa: PLR2004 - OK
                raise CommandError(_no_catalog(self._base, status), exit_code=FAILED)
            self._offers = dict(_offers(_parsed(body, self._base)))
        return self._offers

    def _read(self, name: str, sent: Sent) -> _Request:
        page = {"limit": sent.limit, "cursor": sent.cursor}
        try:
            query = encode_query({**sent.arguments, **{key: value for key, value in page.items() if value is not None}})
        except ValueError as error:
            raise CommandError(f"a query over HTTP cannot spell that ({error}); leave the argument out") from error
        return _Request(f"/{quote(name, safe='')}" + (f"?{query}" if query else ""))

    def _write(self, name: str, sent: Sent) -> _Request:
        return _Request(f"/{quote(name, safe='')}", orjson.dumps(sent.arguments))

    def _answer(self, request: _Request) -> tuple[int, Mapping[str, str], bytes]:
        """Status, header fields by lower-case name, and body; a refusal is an answer, and a redirect is one, too.

        Raises:
            CommandError: nobody answers, or with more than is read.
        """
        place = urlsplit(self._base)
        connect = HTTPSConnection if place.scheme == "https" else HTTPConnection
        headers = self._headers if request.body is None else {**self._headers, "Content-Type": "application/json"}
        try:
            with closing(connect(str(place.hostname), place.port, timeout=self._wait)) as connection:
                method = "GET" if request.body is None else "POST"
                connection.request(method, f"{place.path}{request.path}", request.body, headers)
                answer = connection.getresponse()
                body = answer.read(MOST + 1)
        except (HTTPException, OSError, ValueError) as error:
            message = f"`{self._base}` does not answer ({error}); check the address, and whether it is being served"
            raise CommandError(message, exit_code=FAILED) from error
        if len(body) > MOST:
            raise CommandError(f"`{self._base}` answers with more than {MOST} bytes; ask for less", exit_code=FAILED)
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, body


def _no_catalog(base: str, status: int) -> str:
    if status in (401, 403):
        return f"`{base}` wants other credentials (status {status}); add `--token`, or `--header 'Name: value'`"
    return (
        f"there is no schema catalog under `{base}` (status {status}); name where one is served, as in "
        f"`{urlsplit(base).scheme}://{urlsplit(base).netloc}/agent`"
    )


def _parsed(body: bytes, base: str) -> JsonValue:
    try:
        value: JsonValue = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise CommandError(
            f"`{base}` answers what is no JSON ({error}); check the address", exit_code=FAILED
        ) from error
    return value


def _offers(catalog: JsonValue) -> Iterator[tuple[str, tuple[Offer, bool]]]:
    """The operations of a schema catalog; what has not its form is passed over."""
    groups: JsonObject = catalog if isinstance(catalog, dict) else {}
    for group in ("queries", "actions"):
        items = groups.get(group)
        for item in items if isinstance(items, list) else ():
            if isinstance(item, dict) and isinstance(name := item.get("name"), str):
                yield name, (_offer(name, item), group == "queries")


def _offer(name: str, item: JsonObject) -> Offer:
    inputs, outputs = item.get("input_schema"), item.get("output_schema")
    safety, risk = item.get("safety"), item.get("risk")
    return Offer(
        name=name,
        schema=inputs if isinstance(inputs, dict) else {},
        columns=columns_of(outputs) if isinstance(outputs, dict) else (),
        is_risky=is_risky(
            Safety(safety) if isinstance(safety, str) and safety in _SAFETIES else Safety.ACTION,
            Risk(risk) if isinstance(risk, str) and risk in _RISKS else Risk.LOW,
        ),
    )


def _told(status: int, headers: Mapping[str, str], body: bytes, base: str) -> Told:
    value = _parsed(body, base) if body else None
    if 200 <= status < 300:  # noqa: PLR2004 - what HTTP calls successful
        total = headers.get("x-total-count", "")
        return Answered(
            value=value, next_cursor=_next(headers.get("link")), total=int(total) if total.isdigit() else None
        )
    if isinstance(value, dict) and isinstance(value.get("code"), str):
        return _refusal(status, value)
    return failure(Code.UNAVAILABLE, f"`{base}` answers with status {status}", fix="check the address")


def _next(link: str | None) -> str | None:
    """The cursor of the following page (RFC 8288); None: there is none."""
    for part in (link or "").split(","):
        target, _, parameters = part.strip().partition(">")
        if 'rel="next"' in parameters.replace(" ", ""):
            return next(iter(parse_qs(urlsplit(target.removeprefix("<")).query).get("cursor", [])), None)
    return None


def _refusal(status: int, problem: JsonObject) -> Failure:
    """A problem document (RFC 9457) as what every surface tells of a failure."""
    wait, errors = problem.get("retry_after"), problem.get("errors")
    return Failure(
        code=str(problem["code"]),
        message=str(problem.get("detail") or problem.get("title") or "it was refused"),
        title=str(problem.get("title") or ""),
        status=status,
        fix=_text(problem, "fix"),
        docs=_text(problem, "docs"),
        faults=tuple(_fault(item) for item in errors if isinstance(item, dict)) if isinstance(errors, list) else (),
        retryable=problem.get("retryable") is True,
        retry_after=float(wait) if isinstance(wait, (int, float)) and not isinstance(wait, bool) else None,
        trace=_text(problem, "trace"),
    )


def _text(members: JsonObject, name: str) -> str | None:
    value = members.get(name)
    return value if isinstance(value, str) else None


def _fault(item: JsonObject) -> Fault:
    code = item.get("code")
    return Fault(
        pointer=str(item.get("pointer", "")),
        code=FaultCode(code) if isinstance(code, str) and code in _CODES else FaultCode.NOT_ALLOWED,
        message=str(item.get("message", "")),
        expected=_text(item, "expected"),
        suggestion=item.get("suggestion", ABSENT),
    )
