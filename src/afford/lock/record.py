"""`Record`: what an application offers, as its source tells it, and the form of lock files.

A member that is absent is not told; one that is null is told to be nothing. The text of a lock depends on the record
alone: keys sorted, lines ended by a line feed, no place of a machine, and characters that nobody sees written as
escapes, so that a reviewer meets them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeAlias

from afford.errors import JsonObject, JsonValue
from afford.schema.strict_json import JsonSyntaxError, parse_json

FORMAT: Final = 1
"""Version of the form; a lock of a later one is refused."""
MARK: Final = "afford_lock"
"""The member that holds it, and tells a lock from other JSON."""
_DEEPEST: Final = 512
_UNSEEN: Final = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\xad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202f\u2060-\u206f\u3164"
    "\ud800-\udfff\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]"
)
"""Controls, marks of direction, and what takes no room; a list of our own, as that of Python changes with Unicode."""


class Tells(StrEnum):
    """How much a record's source tells."""

    EVERYTHING = "everything"
    """An app: also what agents do not see, and who may call what."""
    HTTP = "http"
    """What some caller is offered over HTTP: a schema catalog, an OpenAPI document."""
    MCP = "mcp"
    """What some caller is offered as MCP tools."""


Entries: TypeAlias = Mapping[str, JsonObject]

SECTIONS: Final[tuple[str, ...]] = (
    "app",
    "operations",
    "resources",
    "prompts",
    "screens",
    "navigation",
    "entities",
    "texts",
)
"""In the order in which changes are told. `operations` holds tools as well; `texts` what a model reads besides."""


class LockError(Exception):
    """A lock that cannot be read; one sentence that ends with what to do."""


class LaterLockError(LockError):
    """A lock of a format that only a later afford knows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """What one source tells."""

    name: str
    """How the source calls itself."""
    tells: Tells
    sections: Mapping[str, Entries]
    """By section and wire name or id; a section that is absent is not told."""

    def of(self, section: str) -> Entries | None:
        """The entries of a section; None: nothing is told of it."""
        return self.sections.get(section)


def lock_text(record: Record) -> str:
    """The text of a lock: the same for the same record, everywhere."""
    document: JsonObject = {MARK: FORMAT, "name": record.name, "tells": record.tells.value}
    for section, entries in record.sections.items():
        document[section] = dict(entries)
    text = json.dumps(document, sort_keys=True, indent=2, ensure_ascii=False, allow_nan=False)
    return _UNSEEN.sub(lambda found: json.dumps(found[0])[1:-1], text) + "\n"


def has_unseen(text: str) -> bool:
    """Whether a text has characters that nobody sees, but for tabs."""
    return _UNSEEN.search(text.replace("\t", " ")) is not None


def is_lock(document: JsonValue) -> bool:
    """Whether it is a lock, of whatever version."""
    return isinstance(document, dict) and MARK in document


def read_lock(text: bytes, name: str) -> Record:
    """The record that the text of a lock holds.

    Args:
        text: UTF-8.
        name: of the file, for messages.

    Raises:
        LockError: it is no lock, damaged, or of a later format.
    """
    try:
        document = parse_json(text, max_depth=_DEEPEST)
    except JsonSyntaxError as error:
        raise LockError(f"`{name}` is not JSON ({error.message}); write it again with `afford lock`") from error
    return from_document(document, name)


def from_document(document: JsonValue, name: str) -> Record:
    """The record that a lock's JSON holds; raises as `read_lock` does."""
    if not isinstance(document, dict) or MARK not in document:
        raise LockError(f"`{name}` is no lock; write one with `afford lock`")
    version = document[MARK]
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise _damaged(name, MARK)
    if version > FORMAT:
        raise LaterLockError(
            f"`{name}` was written in format {version} of locks, and this afford knows {FORMAT}; upgrade afford"
        )
    tells = document.get("tells")
    if tells not in {word.value for word in Tells}:
        raise _damaged(name, "tells")
    sections = {section: _entries(document[section], name, section) for section in SECTIONS if section in document}
    return Record(name=str(document.get("name", name)), tells=Tells(str(tells)), sections=sections)


def _entries(value: JsonValue, name: str, section: str) -> Entries:
    if not isinstance(value, dict):
        raise _damaged(name, section)
    found: dict[str, JsonObject] = {}
    for key, entry in value.items():
        if not isinstance(entry, dict):
            raise _damaged(name, f"{section}/{key}")
        found[key] = entry
    return found


def _damaged(name: str, place: str) -> LockError:
    return LockError(f"`{name}` is damaged at `/{place}`; write it again with `afford lock`")
