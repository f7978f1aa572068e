"""The same for TOML, by `tomlkit`, which keeps comments and layout. Pure; needs the extra `afford[install]`."""

from __future__ import annotations

from collections.abc import MutableMapping, Sequence
from typing import Final, cast

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import Table

from afford.clients.jsonc import DocumentError
from afford.errors import JsonObject, JsonValue

_TABLES: Final = 2
"""Names of a path that are written as `[one.two]`; what is deeper is written within braces."""


def read(text: str) -> JsonObject:
    """The document as plain values.

    Raises:
        DocumentError: it cannot be read.
    """
    return cast("JsonObject", _document(text).unwrap())


def with_member(text: str, path: Sequence[str], value: JsonValue) -> str:
    """The document with a member that has this value, under tables that are made where they are missing.

    Raises:
        DocumentError: it cannot be read, or something on the path is no table.
    """
    document = _document(text)
    table = cast("MutableMapping[str, object]", document)
    for depth, name in enumerate(path[:-1]):
        if name not in table:
            table[name] = tomlkit.table(is_super_table=depth < len(path) - 2 or isinstance(value, dict))
        table = _table(table[name], path[: depth + 1])
    known = table.get(path[-1])
    if not isinstance(value, dict):
        table[path[-1]] = value
    elif isinstance(known, MutableMapping) or len(path) > _TABLES:
        table[path[-1]] = _inline(value)
    else:
        table[path[-1]] = _made(value, apart=[*document][-1] != path[0])
    return tomlkit.dumps(document)  # pyright: ignore[reportUnknownMemberType] - its mapping has no parameters


def without_member(text: str, path: Sequence[str]) -> str:
    """The document without a member; the same where it is not there.

    Raises:
        DocumentError: it cannot be read, or something on the path is no table.
    """
    document = _document(text)
    table = cast("MutableMapping[str, object]", document)
    for depth, name in enumerate(path[:-1]):
        if name not in table:
            return text
        table = _table(table[name], path[: depth + 1])
    if path[-1] not in table:
        return text
    del table[path[-1]]
    return tomlkit.dumps(document)  # pyright: ignore[reportUnknownMemberType] - its mapping has no parameters


def _document(text: str) -> tomlkit.TOMLDocument:
    try:
        return tomlkit.parse(text)
    except TOMLKitError as error:
        raise DocumentError(str(error)) from error


def _table(value: object, path: Sequence[str]) -> MutableMapping[str, object]:
    if not isinstance(value, MutableMapping):
        raise DocumentError(f"`{'.'.join(path)}` is not a table")
    return cast("MutableMapping[str, object]", value)


def _made(value: JsonObject, *, apart: bool) -> Table:
    """A table of its own; `apart` from what follows by a blank line."""
    table: Table = tomlkit.table()
    for name, item in value.items():
        table[name] = _inline(item) if isinstance(item, dict) else item
    if apart:
        table.add(tomlkit.nl())
    return table


def _inline(members: JsonObject) -> object:
    """Members within braces, on one line."""
    table = cast("MutableMapping[str, JsonValue]", tomlkit.inline_table())
    for name, item in members.items():
        table[name] = item
    return table
