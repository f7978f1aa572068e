"""Reading a document from a file or an address, and finding out what it is.

The only part of the linter that does input; rules never do.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from http.client import HTTPException, HTTPMessage
from importlib import import_module
from pathlib import Path
from typing import IO, Final, NamedTuple, cast
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

import orjson

from afford.errors import JsonValue
from afford.lint.target import Target
from afford.lint.targets.catalog import from_schema_catalog, is_catalog
from afford.lint.targets.credentials import NONE, Credentials
from afford.lint.targets.mcp import from_tool_list, is_tool_list
from afford.lint.targets.openapi import from_openapi, is_openapi
from afford.lint.targets.yaml_text import YamlError, parse_yaml

WAIT: Final = 30.0
"""Seconds that a server has for its answer."""
MOST: Final = 1 << 26
"""Bytes of a document that are read."""


_NOT_A_DOCUMENT: Final = frozenset({400, 405, 406})
"""Statuses with which MCP servers answer a plain GET."""
_UNKNOWN_CALLER: Final = frozenset({401, 403})
_SERVERS: Final = "afford.lint.targets.servers"
_YAML: Final = (".yaml", ".yml")
_ACCEPTED: Final = "application/json, application/yaml;q=0.5"


class TargetError(Exception):
    """What was named cannot be linted; one sentence that ends with what to do."""


def is_address(text: str) -> bool:
    """Whether it names something on the network."""
    return text.lower().startswith(("http://", "https://"))


class _Fetched(NamedTuple):
    """A document before it is known what it is."""

    content: bytes
    is_yaml: bool


def read_target(address: str, credentials: Credentials = NONE) -> Target:
    """The target that a file or an address holds.

    Args:
        address: path of a JSON or YAML file, or an `http:` or `https:` address: of a document, or of an MCP server,
            which is known by a path that ends with `/mcp`, or by its refusing to be read as a document.
        credentials: header fields for the server at the address, which are sent to no other.

    Raises:
        TargetError: it cannot be read, is neither JSON nor YAML, or is nothing that can be linted.
    """
    if not is_address(address):
        if credentials.headers:
            raise TargetError("headers are for an address; leave them out, or name one")
        return from_document(_document(_loaded(Path(address)), address), address)
    if "@" in _host(address):
        raise TargetError("the address holds a name or a password; give them as a header instead")
    try:
        if re.split("[?#]", address)[0].rstrip("/").endswith("/mcp"):
            return read_server(address, credentials=credentials)
        fetched = _fetched(address, credentials)
        if fetched is None:
            return read_server(address, credentials=credentials)
        return from_document(_document(fetched, address), address)
    except TargetError as error:
        # A server may repeat in its answer what it was sent, and so may the error that tells of it.
        raise TargetError(credentials.hidden_in(str(error))) from None


def read_server(server: str, *, is_command: bool = False, credentials: Credentials = NONE) -> Target:
    """The target that a running MCP server offers to whoever connects.

    Args:
        server: its address, or the command line that starts it on standard streams.
        is_command: which of both it is.
        credentials: header fields for a server at an address.

    Raises:
        TargetError: it cannot be reached or does not answer as the protocol says, or the client is not installed.
    """
    try:
        read = cast("Callable[..., Target]", import_module(_SERVERS).read_server)
    except ImportError as error:
        raise TargetError("reading MCP servers needs the official client; install `afford[lint]`") from error
    try:
        return read(server, is_command=is_command, credentials=credentials)
    except Exception as error:
        told = credentials.hidden_in(_told(error))
        raise TargetError(f"`{server}` does not answer as an MCP server ({told}); check it") from error


def _document(fetched: _Fetched, address: str) -> JsonValue:
    if fetched.is_yaml:
        return _yaml(fetched.content, address)
    try:
        document: JsonValue = orjson.loads(fetched.content)
    except orjson.JSONDecodeError as error:
        raise TargetError(f"`{address}` is not JSON ({error}); name a document in JSON or YAML") from error
    return document


def _yaml(content: bytes, address: str) -> JsonValue:
    try:
        return parse_yaml(content)
    except ImportError as error:
        raise TargetError("reading YAML needs PyYAML; install `afford[lint]`, or name a document in JSON") from error
    except YamlError as error:
        raise TargetError(f"`{address}` cannot be read as YAML ({error}); correct it, or name another") from error


def _told(error: BaseException) -> str:
    """What happened, out of the groups that tasks wrap it in."""
    while isinstance(error, BaseExceptionGroup):
        group = cast("BaseExceptionGroup[BaseException]", error)
        error = group.exceptions[0]
    return str(error) or type(error).__name__


def from_document(document: JsonValue, name: str) -> Target:
    """The target that a JSON document describes, whatever kind it is.

    Raises:
        TargetError: it is nothing that can be linted.
    """
    if isinstance(document, dict) and is_catalog(document):
        return from_schema_catalog(document, name)
    if isinstance(document, dict) and is_openapi(document):
        return from_openapi(document, name)
    if is_tool_list(document):
        return from_tool_list(document, name)
    raise TargetError(
        f"`{name}` is nothing that can be linted; name a schema catalog, an OpenAPI 3 document or a saved `tools/list`"
    )


def _loaded(path: Path) -> _Fetched:
    try:
        return _Fetched(path.read_bytes(), path.suffix.lower() in _YAML)
    except OSError as error:
        raise TargetError(f"`{path}` cannot be read ({error.strerror}); check the path") from error


class _Redirects(HTTPRedirectHandler):
    """Follows redirects, and takes the credentials along where the server stays the same."""

    def __init__(self, credentials: Credentials) -> None:
        self._credentials = credentials

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> Request | None:
        """The next request; None where there is none."""
        following = super().redirect_request(req, fp, code, msg, headers, newurl)
        if following is not None and _origin(newurl) == _origin(req.full_url):
            _add(following, self._credentials)
        return following


def _add(request: Request, credentials: Credentials) -> None:
    """Give credentials to one request; a redirect takes over none of them by itself."""
    for name, value in credentials.headers.items():
        request.add_unredirected_header(name, value)


def _host(address: str) -> str:
    try:
        return urlsplit(address).netloc
    except ValueError as error:
        raise TargetError(f"`{address}` is no address ({error}); correct it") from error


def _origin(address: str) -> tuple[str, str]:
    parts = urlsplit(address)
    return parts.scheme, parts.netloc


def _fetched(address: str, credentials: Credentials) -> _Fetched | None:
    """The body at an address, redirects followed; None: it wants to be spoken to in another way."""
    try:
        request = Request(address, headers={"Accept": _ACCEPTED, "User-Agent": "afford-lint"})  # noqa: S310 - http and https alone
        _add(request, credentials)
        with build_opener(_Redirects(credentials)).open(request, timeout=WAIT) as answer:
            content: bytes = answer.read(MOST + 1)
            kind = str(answer.headers.get("Content-Type", ""))
    except HTTPError as error:
        error.close()
        if error.code in _NOT_A_DOCUMENT:
            return None
        what = "give credentials with `--header`" if error.code in _UNKNOWN_CALLER else "check the address"
        raise TargetError(f"`{address}` answers with status {error.code}; {what}") from error
    except (URLError, HTTPException, OSError, ValueError) as error:
        raise TargetError(f"`{address}` does not answer ({error}); check the address") from error
    if len(content) > MOST:
        raise TargetError(f"`{address}` is larger than {MOST} bytes; name a smaller document")
    is_yaml = "yaml" in kind.lower() or urlsplit(address).path.lower().endswith(_YAML)
    return _Fetched(credentials.hidden_in(content.decode("latin-1")).encode("latin-1"), is_yaml)
