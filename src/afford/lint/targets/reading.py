"""Reading a document from a file or an address, and finding out what it is.

The only part of the linter that does input; rules never do.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from http.client import HTTPException
from importlib import import_module
from pathlib import Path
from typing import Final, cast
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

import orjson

from afford.errors import JsonValue
from afford.lint.target import Target
from afford.lint.targets.catalog import from_schema_catalog, is_catalog
from afford.lint.targets.mcp import from_tool_list, is_tool_list
from afford.lint.targets.openapi import from_openapi, is_openapi

WAIT: Final = 30.0
"""Seconds that a server has for its answer."""
MOST: Final = 1 << 26
"""Bytes of a document that are read."""


_NOT_A_DOCUMENT: Final = frozenset({400, 405, 406})
"""Statuses with which MCP servers answer a plain GET."""
_SERVERS: Final = "afford.lint.targets.servers"


class TargetError(Exception):
    """What was named cannot be linted; one sentence that ends with what to do."""


def is_address(text: str) -> bool:
    """Whether it names something on the network."""
    return text.lower().startswith(("http://", "https://"))


def read_target(address: str) -> Target:
    """The target that a file or an address holds.

    Args:
        address: path of a JSON file, or an `http:` or `https:` address: of a document, or of an MCP server, which is
            known by a path that ends with `/mcp`, or by its refusing to be read as a document.

    Raises:
        TargetError: it cannot be read, is no JSON, or is nothing that can be linted.
    """
    if is_address(address) and re.split("[?#]", address)[0].rstrip("/").endswith("/mcp"):
        return read_server(address)
    content = _fetched(address) if is_address(address) else _loaded(Path(address))
    if content is None:
        return read_server(address)
    try:
        document: JsonValue = orjson.loads(content)
    except orjson.JSONDecodeError as error:
        raise TargetError(f"`{address}` is not JSON ({error}); name a JSON document") from error
    return from_document(document, address)


def read_server(server: str, *, is_command: bool = False) -> Target:
    """The target that a running MCP server offers to whoever connects.

    Args:
        server: its address, or the command line that starts it on standard streams.
        is_command: which of both it is.

    Raises:
        TargetError: it cannot be reached or does not answer as the protocol says, or the client is not installed.
    """
    try:
        read = cast("Callable[..., Target]", import_module(_SERVERS).read_server)
    except ImportError as error:
        raise TargetError("reading MCP servers needs the official client; install `afford[lint]`") from error
    try:
        return read(server, is_command=is_command)
    except Exception as error:
        raise TargetError(f"`{server}` does not answer as an MCP server ({_told(error)}); check it") from error


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


def _loaded(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise TargetError(f"`{path}` cannot be read ({error.strerror}); check the path") from error


def _fetched(address: str) -> bytes | None:
    """The body at an address, redirects followed; None: it wants to be spoken to in another way."""
    try:
        request = Request(address, headers={"Accept": "application/json", "User-Agent": "afford-lint"})  # noqa: S310 - http and https alone
        with urlopen(request, timeout=WAIT) as answer:  # noqa: S310 - the same
            content: bytes = answer.read(MOST + 1)
    except HTTPError as error:
        if error.code in _NOT_A_DOCUMENT:
            return None
        raise TargetError(f"`{address}` answers with status {error.code}; check the address") from error
    except (URLError, HTTPException, OSError, ValueError) as error:
        raise TargetError(f"`{address}` does not answer ({error}); check the address") from error
    if len(content) > MOST:
        raise TargetError(f"`{address}` is larger than {MOST} bytes; name a smaller document")
    return content
