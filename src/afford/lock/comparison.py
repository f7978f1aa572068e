"""The comparison of two records: what came, what went, what may be a new name, and what changed inside the rest.

Only what both sources tell is compared. Where one of them is a list that some caller was offered, the other is cut down
to what such a list can hold.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from enum import IntEnum
from types import MappingProxyType
from typing import Final

from afford.declare.operations import Role
from afford.errors import JsonObject, JsonValue
from afford.lock.changes import Change, Comparison, Grade
from afford.lock.inclusion.documents import plain
from afford.lock.members import (
    APP,
    APPROVE,
    ENTITY,
    NAVIGATION,
    OPERATION,
    SCREEN,
    TEXT,
    Compare,
    compare_members,
)
from afford.lock.record import SECTIONS, Entries, Record, Tells
from afford.lock.rules import compare_rules

_TABLES: Final[Mapping[str, Mapping[str, Compare]]] = MappingProxyType(
    {
        "app": APP,
        "operations": OPERATION,
        "resources": OPERATION,
        "prompts": OPERATION,
        "screens": SCREEN,
        "navigation": NAVIGATION,
        "entities": ENTITY,
        "texts": TEXT,
    }
)
_NOUNS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "operations": "operation",
        "resources": "resource",
        "prompts": "prompt",
        "screens": "screen",
        "navigation": "navigation entry",
        "entities": "entity",
        "texts": "text",
    }
)
_PLACES: Final[Mapping[str, str]] = MappingProxyType(
    {"screens": "screen", "navigation": "navigation", "entities": "entity"}
)
"""What stands before ids that are no names of their own; resources and prompts have it in theirs."""
_RELIED_ON: Final = frozenset({"operations", "resources", "prompts", "screens"})
"""Sections whose entries are called, read or opened by name."""
_OFFERED_TEXTS: Final = ("resource:", "prompt:")
"""Subjects of texts that stand for something that a server offers."""
_ORDER: Final = tuple(Grade)


class _Seen(IntEnum):
    """How far something is offered at all."""

    OFF = 0
    """To nobody: switched off or removed."""
    HIDDEN = 1
    """To the application's own people and programs."""
    AGENTS = 2


@dataclass(frozen=True, slots=True)
class _Section:
    """One section of both records."""

    name: str
    old: Entries
    new: Entries

    def subject(self, key: str) -> str:
        """How changes call an entry."""
        noun = _PLACES.get(self.name)
        return key if noun is None else f"{noun}:{key}"


def compare_records(old: Record, new: Record) -> Comparison:
    """Everything that the newer record has otherwise."""
    notes: list[str] = []
    changes = [
        change
        for section in SECTIONS
        if (pair := _section(section, old, new, notes)) is not None
        for change in _changes(pair)
    ]
    ordered = sorted(changes, key=lambda change: (_ORDER.index(change.grade), change.subject, change.pointer))
    return Comparison(old=old.name, new=new.name, changes=tuple(ordered), notes=tuple(notes))


def _section(name: str, old: Record, new: Record, notes: list[str]) -> _Section | None:
    """A section of both records, cut down to what both can tell; None: one of them tells nothing of it."""
    one, other = old.of(name), new.of(name)
    if one is None or other is None or (name == "texts" and old.tells is not new.tells):
        return None
    if name == "operations" and old.tells is not new.tells:
        if Tells.MCP in {old.tells, new.tells}:
            one, other = _in_one_form(one, other)
        one, other = _comparable(one, other, (old, new), notes), _comparable(other, one, (new, old), notes)
    return _Section(name, one, other)


def _in_one_form(one: Entries, other: Entries) -> tuple[Entries, Entries]:
    """Both with the bare row where one side says a list of it: over HTTP a query that answers one row sends a list."""
    before, after = dict(one), dict(other)
    for name in one.keys() & other.keys():
        for mine, yours in ((before, after), (after, before)):
            row = _row(mine[name])
            if row is not None and _row(yours[name]) is None:
                mine[name] = {**mine[name], "output_schema": row}
    return before, after


def _row(entry: JsonObject) -> JsonObject | None:
    """The schema of one row; None where the answer is no list, or is not told."""
    schema = entry.get("output_schema")
    items = schema.get("items") if isinstance(schema, dict) and schema.get("type") == "array" else None
    if not isinstance(schema, dict) or not isinstance(items, dict):
        return None
    return {**items, "$defs": schema["$defs"]} if "$defs" in schema else items


def _comparable(entries: Entries, others: Entries, records: tuple[Record, Record], notes: list[str]) -> Entries:
    """The operations of the first record that the second's source would list as well, whoever asked it."""
    record, other = records
    if record.tells is not Tells.EVERYTHING:
        return entries
    surface = other.tells.value
    listed = {name: entry for name, entry in entries.items() if _is_listed(entry, surface)}
    kept = {name: entry for name, entry in listed.items() if name in others or _is_for_everybody(entry)}
    for left_out, why in (
        (entries.keys() - listed.keys(), f"holds only what agents see over {surface}"),
        (listed.keys() - kept.keys(), "was asked for by a caller who may not be offered everything"),
    ):
        if left_out:
            names = ", ".join(f"`{name}`" for name in sorted(left_out))
            notes.append(f"`{other.name}` {why}; not compared: {names}")
    return kept


def _is_for_everybody(entry: JsonObject) -> bool:
    """Whether no caller is kept out, so that a list without it says that it is gone."""
    return compare_rules("anyone", entry.get("access", "anyone")).kept_out is None


def _is_listed(entry: JsonObject, surface: str) -> bool:
    surfaces = entry.get("surfaces")
    is_open = surfaces is None or (isinstance(surfaces, list) and surface in surfaces)
    is_served = surface == Tells.MCP.value or entry.get("role") == Role.OPERATION.value
    return _seen(entry) is _Seen.AGENTS and is_open and is_served


def _changes(section: _Section) -> Iterator[Change]:
    gone = [key for key in sorted(section.old) if key not in section.new]
    come = [key for key in sorted(section.new) if key not in section.old]
    new_names = _renames(section, gone, come) if section.name in _RELIED_ON else {}
    for key in gone:
        yield replace(_gone(section, key, new_names.get(key)), subject=section.subject(key))
    for key in come:
        yield replace(_come(section, key), subject=section.subject(key))
    for key in sorted(section.old.keys() & section.new.keys()):
        for change in _inside(section, section.old[key], section.new[key]):
            yield replace(change, subject=section.subject(key))


def _inside(section: _Section, old: JsonObject, new: JsonObject) -> Iterator[Change]:
    """Changes of something that both records have."""
    before, after = _seen(old), _seen(new)
    if before is not after:
        yield _shift(before, after)
    if old.get("role") != new.get("role") and "id" in old and "id" in new:
        yield _role(old.get("role"), new.get("role"))
    for change in compare_members(old, new, _TABLES[section.name]):
        if _Seen.OFF in {before, after} and before is not after:
            # What came or went as a whole is told once.
            continue
        is_off = before is after is _Seen.OFF
        yield replace(change, grade=Grade.COMPATIBLE, why="nobody is offered it") if is_off else change


def _seen(entry: JsonObject) -> _Seen:
    """How far an entry is offered; what does not say is offered to agents."""
    if entry.get("denied") is True or entry.get("enabled") is False:
        return _Seen.OFF
    return _Seen.HIDDEN if entry.get("exposed") is False else _Seen.AGENTS


def _shift(before: _Seen, after: _Seen) -> Change:
    words = {_Seen.OFF: "off", _Seen.HIDDEN: "hidden from agents", _Seen.AGENTS: "offered to agents"}
    pointer = "/enabled" if _Seen.OFF in {before, after} else "/exposed"
    if after is _Seen.AGENTS:
        grade, why, fix = Grade.NEEDS_APPROVAL, "agents may call what they could not", APPROVE
    elif after < before:
        grade, why, fix = Grade.BREAKING, "those who used it lose it", "keep offering it"
    else:
        grade, why, fix = Grade.COMPATIBLE, "agents see nothing of it", "nothing"
    return Change(
        grade=grade,
        pointer=pointer,
        what="exposure is another",
        before=words[before],
        after=words[after],
        why=why,
        fix=fix,
    )


def _role(before: JsonValue, after: JsonValue) -> Change:
    if after == Role.TOOL.value:
        grade, why, fix = Grade.BREAKING, "it is over HTTP no more", "keep it an operation, or tell its callers"
    else:
        grade, why, fix = Grade.NEEDS_APPROVAL, "it is over HTTP as well", APPROVE
    return Change(
        grade=grade, pointer="/role", what="it is another kind of thing", before=before, after=after, why=why, fix=fix
    )


def _gone(section: _Section, key: str, new_name: str | None) -> Change:
    entry = section.old[key]
    noun, seen = _noun(section, key, entry), _seen(entry)
    is_offered = section.name in _RELIED_ON or key.startswith(_OFFERED_TEXTS)
    if not is_offered or seen is _Seen.OFF:
        return Change(grade=Grade.COMPATIBLE, what=f"the {noun} is gone", why="no call depends on it", fix="nothing")
    hint = "" if new_name is None else f"; `{new_name}` has the same schemas, and may be its new name"
    fix = (
        "keep it until nobody calls it"
        if new_name is None
        else f"keep the old name too, or tell callers of `{new_name}`"
    )
    return Change(grade=Grade.BREAKING, what=f"the {noun} is gone{hint}", why="those who used it lose it", fix=fix)


def _come(section: _Section, key: str) -> Change:
    entry = section.new[key]
    noun, seen = _noun(section, key, entry), _seen(entry)
    is_offered = section.name in _RELIED_ON or key.startswith(_OFFERED_TEXTS)
    if is_offered and seen is _Seen.AGENTS:
        return Change(
            grade=Grade.NEEDS_APPROVAL,
            what=f"the {noun} is new, and agents see it",
            why="agents may do what they could not",
            fix=APPROVE,
        )
    return Change(grade=Grade.COMPATIBLE, what=f"the {noun} is new", why="agents see nothing of it", fix="nothing")


def _noun(section: _Section, key: str, entry: JsonObject) -> str:
    if key.startswith(_OFFERED_TEXTS):
        return key.partition(":")[0]
    return "tool" if entry.get("role") == Role.TOOL.value else _NOUNS.get(section.name, "application")


def _renames(section: _Section, gone: list[str], come: list[str]) -> dict[str, str]:
    """New names that may be those of what is gone: equal schemas, the most similar name first, each once."""
    pairs = [
        (SequenceMatcher(None, old, new).ratio(), old, new)
        for old in gone
        for new in come
        if _contract(section.old[old]) == _contract(section.new[new])
    ]
    found: dict[str, str] = {}
    for _, old, new in sorted(pairs, key=lambda pair: (-pair[0], pair[1], pair[2])):
        if old not in found and new not in found.values():
            found[old] = new
    return found


def _contract(entry: JsonObject) -> tuple[JsonValue, ...]:
    """What two names of one thing have in common."""
    schemas = [plain(entry.get(key)) for key in ("input_schema", "output_schema")]
    return (*schemas, entry.get("role"), entry.get("reads"), entry.get("type"), entry.get("path"))
