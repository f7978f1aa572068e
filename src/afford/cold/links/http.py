"""A served schema catalog over plain HTTP: queries by `GET`, actions by `POST`, pages by `Link`.

Knows the wire as it is published; needs httpx (extra `afford[cold]`).
"""

from __future__ import annotations

from http import HTTPStatus
from typing import Final, cast
from urllib.parse import quote, urljoin, urlsplit

import httpx
import orjson

from afford.cold.replies import UNREACHABLE, Refusal, Reply
from afford.errors import JsonObject, JsonValue
from afford.lint.judging import refuses
from afford.lint.target import Described, Target
from afford.lint.targets.catalog import from_schema_catalog, is_catalog
from afford.lint.targets.members import object_of, objects_of, text_of
from afford.schema.query_string import query_shape
from afford.surfaces.http.query_string import decode_query, encode_query

_LONGEST: Final = 300
"""Characters of a foreign error page that are told."""
_UNWELCOME: Final = frozenset(f"status {status.value}" for status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN))
_DISCOVERY: Final = "/.well-known/afford.json"


class CatalogNotFoundError(Exception):
    """No schema catalog is served there; one sentence that ends with what to do."""


class HttpLink:
    """Sends HTTP requests below one address."""

    def __init__(self, http: httpx.AsyncClient, base: str) -> None:
        """Take a client with the caller's credentials, and where the operations are; ends with a slash."""
        self._http = http
        self._base = base

    async def call(self, operation: Described, arguments: JsonObject, limit: int | None = None) -> Reply:
        """Call an operation; arguments that a query string cannot spell are not sent, and count as not answered."""
        url = self._base + quote(operation.name, safe="")
        if not operation.reads:
            return await self._sent("POST", url, orjson.dumps(arguments))
        page: JsonObject = {} if limit is None else {"limit": limit}
        try:
            query = encode_query({**arguments, **page})
        except ValueError as error:
            return Reply(refusal=Refusal(code=UNREACHABLE, message=str(error)))
        return await self._sent("GET", f"{url}?{query}" if query else url)

    async def follow(self, operation: Described, arguments: JsonObject, limit: int | None, place: str) -> Reply:
        """The page that a `Link` names, if it is on the same origin: it is asked for with the caller's credentials."""
        if _origin(place) != _origin(str(self._http.base_url.join(self._base))):
            told = "the next page is on another origin, and is not asked for with this caller's credentials"
            return Reply(refusal=Refusal(code=UNREACHABLE, message=told))
        return await self._sent("GET", place)

    def spells(self, operation: Described, arguments: JsonObject) -> bool:
        """Whether a server that reads the query string finds the fault: a number in place of a text is a text there."""
        if not operation.reads:
            return True
        schema = operation.input_schema or {}
        try:
            said = decode_query(encode_query(arguments).encode("ascii"), query_shape(schema))
        except (ValueError, ExceptionGroup):
            return False
        return bool(said.faults) or refuses(schema, schema, said.arguments)

    async def _sent(self, method: str, url: str, body: bytes | None = None) -> Reply:
        headers = {} if body is None else {"content-type": "application/json"}
        try:
            response = await self._http.request(method, url, content=body, headers=headers)
        except httpx.HTTPError as error:
            return Reply(refusal=Refusal(code=UNREACHABLE, message=str(error) or type(error).__name__))
        return _reply(response)


async def read_catalog(http: httpx.AsyncClient, address: str) -> tuple[Target, HttpLink]:
    """The catalog that an address leads to, and the link to its operations.

    Args:
        http: a client with the caller's credentials.
        address: of the catalog, of the application it belongs to, or of its origin.

    Raises:
        CatalogNotFoundError: there is none, or nothing answers.
    """
    first = ""
    for tried in (address, f"{address.partition('?')[0].rstrip('/')}/schema", urljoin(address, _DISCOVERY)):
        place = tried
        document, told = await _read(http, place)
        first = first or told
        named = text_of(object_of(document, "urls") or {}, "schema") if isinstance(document, dict) else ""
        # Credentials are for the origin that was named, whatever a document says.
        if named and _origin(urljoin(place, named)) == _origin(address):
            place = urljoin(place, named)
            document, _ = await _read(http, place)
        if isinstance(document, dict) and is_catalog(document):
            return from_schema_catalog(document, address), HttpLink(http, urljoin(place, "./"))
    if first in _UNWELCOME:
        raise CatalogNotFoundError(f"`{address}` takes no such credentials; send others with `--token` or `--header`")
    raise CatalogNotFoundError(
        f"`{address}` leads to no schema catalog ({first}); name the address of one, which usually ends with "
        "`/schema`, or of an MCP server, which ends with `/mcp`"
    )


async def _read(http: httpx.AsyncClient, address: str) -> tuple[JsonValue, str]:
    """A JSON document, and what came back in words; None where there is none."""
    try:
        response = await http.get(address, headers={"accept": "application/json"})
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        return None, str(error) or type(error).__name__
    told = f"status {response.status_code}"
    if not response.is_success:
        return None, told
    try:
        return cast("JsonValue", orjson.loads(response.content)), told
    except orjson.JSONDecodeError:
        return None, "no JSON"


def _reply(response: httpx.Response) -> Reply:
    try:
        value = cast("JsonValue", orjson.loads(response.content)) if response.content else None
    except orjson.JSONDecodeError:
        value = response.text[:_LONGEST]
        if response.is_success:
            return Reply(refusal=Refusal(code=UNREACHABLE, message="the answer is not JSON", status=502))
    if not response.is_success:
        return Reply(refusal=_refusal(value, response.status_code))
    following = response.links.get("next", {}).get("url")
    total = response.headers.get("x-total-count", "")
    return Reply(
        value=value,
        following=None if following is None else str(response.url.join(following)),
        total=int(total) if total.isdecimal() and total.isascii() else None,
    )


def _refusal(value: JsonValue, status: int) -> Refusal:
    page: JsonObject = {"detail": value}
    told = value if isinstance(value, dict) else page
    return Refusal(
        code=text_of(told, "code"),
        message=text_of(told, "detail") or text_of(told, "title") or f"status {status}",
        fix=text_of(told, "fix"),
        faults=tuple(objects_of(told, "errors")),
        status=status,
    )


def _origin(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return parts.scheme, parts.netloc
