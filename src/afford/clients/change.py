"""What becomes of a client's file when a server is put in, updated or taken out; pure but for loading `tomlkit`."""

from __future__ import annotations

from importlib import import_module
from typing import Protocol, cast

from afford.clients import jsonc
from afford.clients.table import Client, Syntax
from afford.errors import JsonObject, JsonValue


class _Editing(Protocol):
    """Changing one member of a document, whatever it is written in."""

    def read(self, text: str) -> JsonObject: ...
    def with_member(self, text: str, path: list[str], value: JsonValue) -> str: ...
    def without_member(self, text: str, path: list[str]) -> str: ...


def added(client: Client, text: str, name: str, entry: JsonObject) -> str:
    """The file with the server in it; of one that is there already, what else is said about it stays.

    Raises:
        DocumentError: the file cannot be read or changed.
        ModuleNotFoundError: the extra for TOML is not installed.
    """
    editing, path = _editing(client), [client.servers, name]
    servers = editing.read(text).get(client.servers)
    known = servers.get(name) if isinstance(servers, dict) else None
    if not isinstance(known, dict) or "command" not in known:
        # Of another kind, such as an address: nothing of it would fit.
        return text if known == entry else editing.with_member(text, path, entry)
    for key, value in entry.items():
        if known.get(key) != value:
            text = editing.with_member(text, [*path, key], value)
    return text


def removed(client: Client, text: str, name: str) -> str:
    """The file without the server; the same where it is not in it.

    Raises:
        DocumentError: the file cannot be read or changed.
        ModuleNotFoundError: the extra for TOML is not installed.
    """
    return _editing(client).without_member(text, [client.servers, name])


def _editing(client: Client) -> _Editing:
    return cast("_Editing", jsonc if client.syntax is Syntax.JSON else import_module("afford.clients.toml"))
