"""Headers that repeat the body, for whoever routes by headers alone: a difference is an attack or a bug.

Source: MCP specification 2026-07-28, "Streamable HTTP", sections "Request Metadata" and "Server Validation". Pure.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from afford.errors import JsonObject, JsonValue
from afford.manifest import Operation
from afford.request import Headers, Request
from afford.surfaces.mcp.project import MOST_REMEMBERED
from afford.surfaces.mcp.protocol import HEADER_MISMATCH, MODERN, ProtocolError
from afford.surfaces.mcp.schemas import input_schema

Fields: TypeAlias = Mapping[bytes, bytes]
"""Header fields by lower-case name."""

VERSION_FIELD: Final = b"mcp-protocol-version"
MODERN_FIELD: Final = MODERN.encode("ascii")
"""Its value in a request of the modern revision, as clients spell it."""
ANNOTATION: Final = "x-mcp-header"
"""Where an input schema says that an argument is repeated in `Mcp-Param-<value>`."""

_NAMED: Final = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
"""Methods whose `Mcp-Name` header must repeat a parameter."""
_TOKEN: Final = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_PLAIN: Final = re.compile(r"[A-Za-z0-9_./:-]+")
"""What is spelled in a field as everywhere."""
_VISIBLE: Final = re.compile(r"[\t\x20-\x7e]*")
_WHOLE: Final = re.compile(r"-?[0-9]{1,20}(\.0{1,20})?")
_PRIMITIVE: Final = frozenset({"boolean", "integer", "string"})


@dataclass(frozen=True, slots=True)
class Mirrored:
    """One argument that a header repeats."""

    path: tuple[str, ...]
    """Names of `properties` from the root of the input schema."""
    header: str
    """Name of the header, in lower case."""


def text_of(fields: Fields, name: bytes) -> str | None:
    """The value of a field, without the blanks that some servers leave around it."""
    value = fields.get(name)
    return None if value is None else value.decode("latin-1").strip(" \t")


def check_routing(method: str, params: JsonObject, fields: Fields) -> None:
    """Whether `Mcp-Method` and `Mcp-Name` repeat the body.

    Raises:
        ProtocolError: one of them is missing or says something else.
    """
    if not _repeats(fields, b"mcp-method", method):
        raise ProtocolError(HEADER_MISMATCH, "the Mcp-Method header must repeat the body's method")
    key = _NAMED.get(method)
    if key is not None and not _repeats(fields, b"mcp-name", params.get(key)):
        raise ProtocolError(HEADER_MISMATCH, f"the Mcp-Name header must repeat params.{key}")


def _repeats(fields: Fields, name: bytes, said: JsonValue) -> bool:
    """Whether a field says what the body says; most names are sent as they are, and need no decoding."""
    field = fields.get(name)
    if isinstance(said, str) and _PLAIN.fullmatch(said) and field == said.encode("ascii"):
        return True
    return decoded(text_of(fields, name)) == said


class Mirrors:
    """Which arguments of which operation headers repeat; looked for once per operation."""

    def __init__(self) -> None:
        """Start with none."""
        self._known: OrderedDict[str, tuple[Operation, tuple[Mirrored, ...]]] = OrderedDict()

    def check(self, operation: Operation, arguments: JsonObject, request: Request) -> None:
        """Whether each header repeats its argument, and is absent where the argument is.

        Raises:
            ProtocolError: a header is missing, malformed, there twice or says something else.
        """
        known = self._known.get(operation.wire_name)
        if known is None or known[0] is not operation:
            known = self._known[operation.wire_name] = (operation, tuple(mirrored(input_schema(operation))))
            if len(self._known) > MOST_REMEMBERED:
                self._known.popitem(last=False)
        for item in known[1]:
            _check(item, _at(arguments, item.path), request.headers)


def mirrored(schema: JsonObject, path: tuple[str, ...] = ()) -> Iterator[Mirrored]:
    """The arguments that headers repeat: primitive ones, reached from the root through `properties` alone."""
    properties = schema.get("properties")
    for name, member in properties.items() if isinstance(properties, dict) else ():
        if not isinstance(member, dict):
            continue
        token = member.get(ANNOTATION)
        if isinstance(token, str) and _TOKEN.fullmatch(token) and member.get("type") in _PRIMITIVE:
            yield Mirrored((*path, name), f"mcp-param-{token.lower()}")
        yield from mirrored(member, (*path, name))


def decoded(field: str | None) -> str | None:
    """A header value, which travels as `=?base64?...?=` where it is not plain ASCII; None where it is malformed."""
    if field is None or not ((field.isascii() and field.isprintable()) or _VISIBLE.fullmatch(field)):
        return None
    if not (field.startswith("=?base64?") and field.endswith("?=")):
        return field
    try:
        return base64.b64decode(field[9:-2], validate=True).decode("utf-8")
    except (binascii.Error, UnicodeDecodeError):
        return None


def _check(item: Mirrored, value: JsonValue, headers: Headers) -> None:
    field = headers.get(item.header)
    if field is None and (value is None or isinstance(value, (dict, list))):
        return
    text = None if headers.is_repeated(item.header) else decoded(field)
    if text is None or not _says(text, value):
        place = ".".join(item.path)
        raise ProtocolError(HEADER_MISMATCH, f"the {item.header} header must repeat the argument {place!r}")


def _at(arguments: JsonObject, path: tuple[str, ...]) -> JsonValue:
    found: JsonValue = arguments
    for name in path:
        found = found.get(name) if isinstance(found, dict) else None
    return found


def _says(text: str, value: JsonValue) -> bool:
    """Whether a header's text is the value. Whole numbers are compared as numbers, since `42.0` is `42`."""
    if isinstance(value, bool):
        return text == ("true" if value else "false")
    if isinstance(value, str):
        return text == value
    if isinstance(value, (int, float)) and value == int(value):
        return _WHOLE.fullmatch(text) is not None and int(text.partition(".")[0]) == value
    return False
