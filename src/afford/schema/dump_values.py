"""Reading what a handler returned: rows of a database, mappings and objects by their members, scalars as they are.

Knows Python values and the shapes that a type can have; nothing of pydantic.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from typing import Final, cast

from afford.errors import ABSENT

NATIVE_LEAVES: Final = frozenset({str, int, float, bool, type(None)})
"""Exact types that are JSON as they stand."""

NO_FIT: Final = 1_000_000
# A map takes any mapping; a record that fits exactly is nearer.
_NEARLY: Final = 0.5
_WITHOUT_MEMBERS: Final = (str, bytes, int, float, list, tuple, set, frozenset, type(None))


class DumpError(Exception):
    """A result cannot be written as its declared type; the text is for the log."""


@dataclass(frozen=True, slots=True)
class Member:
    """One field of a record, ready to be written."""

    name: str
    published: str
    dump: Callable[[object], object]
    default: Callable[[], object] | None
    exclude_if: Callable[[object], bool] | None


@dataclass(frozen=True, slots=True)
class Shape:
    """What a branch of a union looks like from outside."""

    cls: type | None = None
    names: frozenset[str] | None = None
    """Of a record: every name that a member can have."""
    needed: Sequence[tuple[str, str]] = ()
    """Of a record: attribute and published name of each member without a default."""
    tags: Mapping[str, frozenset[object]] | None = None
    """Of a record: members that are closed sets."""
    is_map: bool = False
    is_list: bool = False

    def distance(self, value: object) -> float:
        """How far a value is from this shape; `NO_FIT` where it cannot be of it."""
        mapping = mapping_of(value)
        if mapping is not None and self.is_map:
            return _NEARLY
        if self.is_list:
            return NO_FIT if mapping is not None or not _is_listed(value) else 0
        if self.names is None or (mapping is None and isinstance(value, _WITHOUT_MEMBERS)):
            return NO_FIT
        source = readable(value)
        for name, members in (self.tags or {}).items():
            found = read(source, name)
            if found is not ABSENT and _plain(found) not in members:
                return NO_FIT
        away = sum(read(source, name) is ABSENT and read(source, other) is ABSENT for name, other in self.needed)
        if mapping is not None:
            return away + sum(key not in self.names for key in mapping)
        return NO_FIT if all(read(source, name) is ABSENT for name in self.names) else away


def mapping_of(value: object) -> Mapping[object, object] | None:
    """The value as a mapping; None where it is none."""
    return cast("Mapping[object, object]", value) if isinstance(value, Mapping) else None


def items_of(value: object) -> list[object]:
    """The items of anything that is read one by one, and is neither text nor a mapping.

    Raises:
        DumpError: it is not.
    """
    if not _is_listed(value):
        raise DumpError(f"a value of type `{type(value).__name__}` is not a list")
    return list(cast("Iterable[object]", value))


def readable(value: object) -> object:
    """The value itself, or the mapping behind a database row, whose attributes may be hidden by its own methods."""
    mapping = mapping_of(getattr(value, "_mapping", None))
    return value if mapping is None else mapping


def read(source: object, name: str) -> object:
    """A member of a mapping or an attribute of an object; `ABSENT` where there is none."""
    mapping = mapping_of(source)
    return getattr(source, name, ABSENT) if mapping is None else mapping.get(name, ABSENT)


def dump_record(value: object, members: Sequence[Member], known: frozenset[str]) -> object:
    """The members of a record, in their declared order.

    Args:
        value: a mapping by attribute or published name, or an object with attributes.
        members: what is written.
        known: every name of a member, those that are left out too; other keys of a mapping are kept for the judge.

    Raises:
        DumpError: the value has no members.
    """
    own = mapping_of(value)
    source = value if own is not None else readable(value)
    mapping = own if own is not None else mapping_of(source)
    if mapping is None and _is_without_members(source):
        raise DumpError(f"a value of type `{type(value).__name__}` has no members")
    get = None if mapping is None else mapping.get
    written: dict[str, object] = {}
    for member in members:
        # Written out, since every field of every row passes here.
        found = getattr(source, member.name, ABSENT) if get is None else get(member.name, ABSENT)
        if found is ABSENT:
            found = _otherwise(source, member)
        if found is not ABSENT and (member.exclude_if is None or not member.exclude_if(found)):
            written[member.published] = member.dump(found)
    if own is not None and not own.keys() <= known:
        written |= {object_key(key): rest for key, rest in own.items() if key not in known}
    return written


def object_key(key: object) -> str:
    """A key as it stands in a JSON object.

    Raises:
        DumpError: it is neither text nor an integer.
    """
    plain = _plain(key)
    if isinstance(plain, str):
        return str.__str__(plain)
    if isinstance(plain, int) and not isinstance(plain, bool):
        return str(int(plain))
    raise DumpError(f"a key of type `{type(key).__name__}` cannot be the key of a JSON object")


def plain_leaf(value: object) -> object:
    """Scalars without their subclasses: a member of an enum is its value. Anything else as it is."""
    value = _plain(value)
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return value
    return int(value) if isinstance(value, int) else float(value)


def plain_number(value: object) -> object:
    """As `plain_leaf`; a decimal, which databases answer for numbers of every kind, is a number here."""
    if isinstance(value, Decimal) and value.is_finite():
        return int(value) if value == value.to_integral_value() else float(value)
    return plain_leaf(value)


def _otherwise(source: object, member: Member) -> object:
    """A member that is not there under its own name: by its published name, or its default."""
    found = read(source, member.published) if member.published != member.name else ABSENT
    if found is ABSENT and member.default is not None:
        return member.default()
    return found


def _is_without_members(value: object) -> bool:
    return isinstance(value, _WITHOUT_MEMBERS) and not hasattr(cast("object", value), "_fields")


def _is_listed(value: object) -> bool:
    return isinstance(value, Iterable) and not isinstance(value, (str, bytes, Mapping))


def _plain(value: object) -> object:
    return cast("object", value.value) if isinstance(value, Enum) else value
