"""Reading a document from a file or an address, and finding out what it is.

The only part of the linter that does input; rules never do.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final
from urllib.error import URLError
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


class TargetError(Exception):
    """What was named cannot be linted; one sentence that ends with what to do."""


def is_address(text: str) -> bool:
    """Whether it names something on the network."""
    return text.lower().startswith(("http://", "https://"))


def read_target(address: str) -> Target:
    """The target that a file or an address holds.

    Args:
        address: path of a JSON file, or an `http:` or `https:` address.

    Raises:
        TargetError: it cannot be read, is no JSON, or is nothing that can be linted.
    """
    content = _fetched(address) if is_address(address) else _loaded(Path(address))
    try:
        document: JsonValue = orjson.loads(content)
    except orjson.JSONDecodeError as error:
        raise TargetError(f"`{address}` is not JSON ({error}); name a JSON document") from error
    return from_document(document, address)


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


def _fetched(address: str) -> bytes:
    """The body at an address; redirects are followed."""
    request = Request(address, headers={"Accept": "application/json", "User-Agent": "afford-lint"})  # noqa: S310 - http and https alone
    try:
        with urlopen(request, timeout=WAIT) as answer:  # noqa: S310 - the same
            content: bytes = answer.read(MOST + 1)
    except (URLError, OSError, ValueError) as error:
        raise TargetError(f"`{address}` does not answer ({error}); check the address") from error
    if len(content) > MOST:
        raise TargetError(f"`{address}` is larger than {MOST} bytes; name a smaller document")
    return content
