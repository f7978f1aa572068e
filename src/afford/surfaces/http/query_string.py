"""Query strings to arguments and back, strictly: every type has one spelling, every input one way to be written.

Knows the form encoding of query strings and the shape of one operation's inputs; nothing of requests, handlers or
callers. Text that two readers could take differently is a fault, and all faults of a query string are found in one
pass. Whether the arguments fit the published schema is decided afterwards.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from math import isfinite
from typing import Final, NamedTuple, TypeAlias
from urllib.parse import quote, unquote_to_bytes

from afford.errors import ABSENT, Fault, FaultCode, JsonObject, JsonValue
from afford.schema.query_string import (
    Form,
    QueryInput,
    QueryShape,
    Scalar,
    ShapeError,
    Slot,
    pointer_to,
    query_shape,
    scalar_slot,
    shape_errors,
)

__all__ = [
    "MAX_FAULTS",
    "MAX_PAIRS",
    "RESERVED",
    "DecodedQuery",
    "QueryShape",
    "ShapeError",
    "decode_query",
    "encode_query",
    "query_shape",
    "shape_errors",
]

MAX_PAIRS: Final = 1000
"""Of one query string; with more, nothing is read."""
MAX_FAULTS: Final = 20
RESERVED: Final = frozenset({"limit", "cursor"})
"""Names that every query takes without declaring them."""

_RESERVED_SLOTS: Final[Mapping[str, Slot]] = {
    "limit": scalar_slot("limit", Scalar.INTEGER),
    "cursor": scalar_slot("cursor", Scalar.STRING),
}
_RESERVED_PLAIN: Final = {name: (name, slot.read) for name, slot in _RESERVED_SLOTS.items()}
_EXPECTED: Final[Mapping[Scalar, str]] = {
    Scalar.STRING: "string",
    Scalar.INTEGER: "integer in plain digits, such as 5 or -12",
    Scalar.NUMBER: "number as in JSON, such as 5, -0.5 or 1e3",
    Scalar.BOOLEAN: "true or false",
}
_BAD_ESCAPE: Final = re.compile(r"%(?![0-9A-Fa-f]{2})")
_MEMBER: Final = re.compile(r"[^\[\]]+\]")
_LONGEST_ECHO: Final = 60
_FIRST_NON_ASCII: Final = 0x80
_LARGEST_EXACT: Final = 2.0**53
_PLAIN: Final = QueryInput(Form.SCALAR)
_SPELLINGS: Final[Mapping[Form, str]] = {
    Form.SCALAR: "`{0}=value`, once",
    Form.ARRAY: "`{0}[]=value`, once per element",
    Form.OBJECT: "`{0}[key]=value`, once per member, one level deep",
}


_Arrays: TypeAlias = dict[str, tuple[str, list[JsonValue]]]
"""By input: the spelling that the first element used, and the elements."""


class DecodedQuery(NamedTuple):
    """What a query string says. A tuple, since one is made for every call: of what is frozen, the quickest to make."""

    arguments: JsonObject
    """What could be read, in the order of first appearance; complete only where there are no faults."""
    limit: int | None
    """The reserved `limit` as sent, of any size and sign; None where it is absent, faulty or an input of its own."""
    cursor: str | None
    """The reserved `cursor`, likewise."""
    faults: tuple[Fault, ...]
    """At most `MAX_FAULTS`; reading stops there."""


def decode_query(raw: bytes, shape: QueryShape, *, reserved: frozenset[str] = RESERVED) -> DecodedQuery:
    """The arguments that a query string spells. Raises nothing, whatever the bytes.

    Args:
        raw: the query string as received, without the question mark. Bytes beyond ASCII count as percent-encoded.
        shape: how the inputs travel.
        reserved: which of `limit` and `cursor` to read where `shape` does not declare them itself.
    """
    arguments: JsonObject = {}
    page: JsonObject = {}
    if not raw:
        return _decoded(arguments, page)
    if raw.count(b"&") >= MAX_PAIRS:
        message = f"the query string has more than {MAX_PAIRS} pairs; send fewer"
        return _decoded(arguments, page, (Fault(pointer="", code=FaultCode.SYNTAX, message=message),))
    text = raw.decode("ascii") if raw.isascii() else _escaped(raw)
    plain, has_escapes = shape.plain, "%" in text or "+" in text
    arrays: _Arrays = {}
    reading: _Reading | None = None
    for piece in text.split("&"):
        raw_name, _, raw_value = piece.partition("=")
        known, target = plain.get(raw_name), arguments
        if known is None and raw_name in reserved and raw_name not in shape.inputs:
            known, target = _RESERVED_PLAIN.get(raw_name), page
        # Nearly every pair is a plain scalar, so this branch does without what the others need.
        if known is not None and not (has_escapes and ("%" in raw_value or "+" in raw_value)):
            name, read = known
            value = read(raw_value)
            if value is not None and name not in target:
                target[name] = value
                continue
        elif _took_element(shape.wire.get(raw_name), raw_value, arrays, arguments):
            continue
        if piece:
            reading = reading or _Reading(shape, reserved, (arguments, page, arrays))
            reading.take(raw_name, raw_value)
            if len(reading.faults) >= MAX_FAULTS:
                break
    return _decoded(arguments, page) if reading is None else reading.result()


def encode_query(arguments: JsonObject) -> str:
    """The query string that spells `arguments`, such as `ids%5B%5D=1&ids%5B%5D=2`, in their order.

    The inverse of `decode_query` for arguments that a shape allows. A float that is whole is written as an integer,
    since JSON Schema takes both for the same number.

    Raises:
        ValueError: something has no spelling: null, an empty array or object, NaN or an infinity, a second level.
    """
    return "&".join(
        f"{quote(spelling, safe='')}={quote(_spelled(spelling, value), safe='')}"
        for name, argument in arguments.items()
        for spelling, value in _pairs(name, argument)
    )


class _Reading:
    """The pairs of one query string that are more than a plain scalar seen for the first time."""

    __slots__ = ("_arguments", "_arrays", "_objects", "_page", "_reserved", "_shape", "_spoiled", "faults")

    def __init__(
        self, shape: QueryShape, reserved: frozenset[str], begun: tuple[JsonObject, JsonObject, _Arrays]
    ) -> None:
        self.faults: dict[tuple[str, FaultCode], Fault] = {}
        self._arguments, self._page, self._arrays = begun
        """What was taken already. The arguments also hold what turned out faulty, as None, to notice it again."""
        self._objects: dict[str, JsonObject] = {}
        self._spoiled: set[str] = set()
        self._shape = shape
        self._reserved = reserved

    def take(self, raw_name: str, raw_value: str) -> None:
        """Read one pair."""
        slot = self._shape.wire.get(raw_name)
        if slot is None:
            name = _unquoted(raw_name)
            if name is None:
                self._refuse(None, "", FaultCode.SYNTAX, "a name is not percent-encoded UTF-8")
                return
            slot = self._slot_of(name)
            if slot is None:
                self._refuse_name(name)
                return
        if slot.form is Form.ARRAY:
            self._take_element(slot, raw_value)
        else:
            self._take_single(slot, raw_value)

    def result(self) -> DecodedQuery:
        """What was read, without what is faulty."""
        for name in self._spoiled:
            self._arguments.pop(name, None)
            self._page.pop(name, None)
        return _decoded(self._arguments, self._page, tuple(self.faults.values()))

    def _is_reserved(self, name: str) -> bool:
        return name in self._reserved and name in _RESERVED_SLOTS and name not in self._shape.inputs

    def _slot_of(self, name: str) -> Slot | None:
        return _RESERVED_SLOTS[name] if self._is_reserved(name) else self._shape.slots.get(name)

    def _take_single(self, slot: Slot, raw_value: str) -> None:
        target, place = self._arguments, slot.name
        if slot.form is Form.OBJECT:
            target, place = self._objects.setdefault(slot.name, {}), slot.key
            self._arguments[slot.name] = target
        elif self._is_reserved(slot.name):
            target = self._page
        if place in target:
            self._refuse(slot.name, slot.pointer, FaultCode.DUPLICATE, f"`{slot.spelling}` is given more than once")
            return
        target[place] = self._value(slot, raw_value, slot.pointer)

    def _take_element(self, slot: Slot, raw_value: str) -> None:
        spelling, elements = self._arrays.setdefault(slot.name, (slot.spelling, []))
        if spelling != slot.spelling:
            self._refuse_spelling(slot.name, self._shape.inputs[slot.name])
            return
        self._arguments[slot.name] = elements
        elements.append(self._value(slot, raw_value, f"{slot.pointer}/{len(elements)}"))

    def _value(self, slot: Slot, raw_value: str, pointer: str) -> JsonValue:
        """What the text spells; None after recording why it spells nothing."""
        text = _unquoted(raw_value)
        if text is None:
            message = f"the value of `{slot.spelling}` is not percent-encoded UTF-8"
            self._refuse(slot.name, pointer, FaultCode.SYNTAX, message, expected="percent-encoded UTF-8")
            return None
        value = slot.read(text)
        if value is None:
            message = f"`{slot.spelling}` spells no {slot.scalar}"
            if text == "null":
                message = f"a query string has no null; leave `{slot.spelling}` out"
            elif slot.form is Form.ARRAY:
                message = f"`{slot.spelling}` spells no {slot.scalar}; write `{slot.name}[]=` once per element"
            self._refuse(slot.name, pointer, FaultCode.WRONG_TYPE, message, expected=_EXPECTED[slot.scalar])
        return value

    def _refuse_name(self, name: str) -> None:
        """Record why nothing takes this name: the input is not declared, or it is spelled in another way."""
        head, _, rest = name.partition("[")
        owner = name if name in self._shape.inputs else head
        declared = self._shape.inputs.get(owner)
        if declared is None and self._is_reserved(head):
            declared = _PLAIN
        if declared is None:
            known = [*self._shape.inputs, *filter(self._is_reserved, sorted(self._reserved))]
            self._refuse_unknown(None, ((head if rest.endswith("]") else "") or name,), known)
        elif declared.form is Form.OBJECT and _MEMBER.fullmatch(rest):
            self._refuse_unknown(head, (head, rest[:-1]), list(declared.members))
        else:
            self._refuse_spelling(owner, declared)

    def _refuse_unknown(self, spoils: str | None, path: tuple[str, ...], known: list[str]) -> None:
        *parents, name = (step[:_LONGEST_ECHO] for step in path)
        close = _closest(name, known)
        hint = "" if close is None else f"; did you mean `{close}`?"
        self._refuse(
            spoils,
            pointer_to(*parents, name),
            FaultCode.UNKNOWN_ARGUMENT,
            f"there is no input `{name}`{f' in `{parents[0]}`' if parents else ''}{hint}",
            suggestion=close,
        )

    def _refuse_spelling(self, name: str, declared: QueryInput) -> None:
        expected = _SPELLINGS[declared.form].format(name)
        self._refuse(
            name, pointer_to(name), FaultCode.SYNTAX, f"`{name}` has to be written as {expected}", expected=expected
        )

    def _refuse(
        self,
        spoils: str | None,
        pointer: str,
        code: FaultCode,
        message: str,
        *,
        expected: str | None = None,
        suggestion: str | None = None,
    ) -> None:
        """Record one fault per place and code; `spoils` is the input whose value is no longer to be had."""
        if spoils is not None:
            self._spoiled.add(spoils)
        hint = ABSENT if suggestion is None else suggestion
        fault = Fault(pointer=pointer, code=code, message=message, expected=expected, suggestion=hint)
        self.faults.setdefault((pointer, code), fault)


def _took_element(slot: Slot | None, raw_value: str, arrays: _Arrays, arguments: JsonObject) -> bool:
    """Take one element of an array, where nothing about it needs a second look."""
    if slot is None or slot.form is not Form.ARRAY or "%" in raw_value or "+" in raw_value:
        return False
    value = slot.read(raw_value)
    spelling, elements = arrays.setdefault(slot.name, (slot.spelling, []))
    if value is None or spelling != slot.spelling:
        return False
    elements.append(value)
    arguments[slot.name] = elements
    return True


def _decoded(arguments: JsonObject, page: JsonObject, faults: tuple[Fault, ...] = ()) -> DecodedQuery:
    limit, cursor = page.get("limit"), page.get("cursor")
    return DecodedQuery(
        arguments,
        limit if isinstance(limit, int) else None,
        cursor if isinstance(cursor, str) else None,
        faults,
    )


def _escaped(raw: bytes) -> str:
    """The text, every byte beyond ASCII percent-encoded, so that what is no UTF-8 is found where it stands."""
    return "".join(chr(byte) if byte < _FIRST_NON_ASCII else f"%{byte:02X}" for byte in raw)


def _unquoted(part: str) -> str | None:
    """The text that a name or a value encodes; None where an escape is broken or the bytes are not UTF-8."""
    text = part.replace("+", " ")
    if "%" not in text:
        return text
    if _BAD_ESCAPE.search(text):
        return None
    try:
        return unquote_to_bytes(text).decode()
    except UnicodeDecodeError:
        return None


def _closest(name: str, known: list[str]) -> str | None:
    by_folded = {candidate.casefold(): candidate for candidate in known}
    close = get_close_matches(name.casefold(), by_folded, n=1)
    return by_folded[close[0]] if close else None


def _pairs(name: str, argument: JsonValue) -> Iterable[tuple[str, JsonValue]]:
    if isinstance(argument, (list, dict)) and not argument:
        raise ValueError(f"`{name}` is empty, which a query string cannot spell; leave it out")
    if isinstance(argument, list):
        return [(f"{name}[]", element) for element in argument]
    if isinstance(argument, dict):
        return [(f"{name}[{key}]", member) for key, member in argument.items()]
    return [(name, argument)]


def _spelled(spelling: str, value: JsonValue) -> str:
    if value is None:
        raise ValueError(f"`{spelling}` is null, which a query string cannot spell; leave it out")
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        if not isfinite(value):
            raise ValueError(f"`{spelling}` is not finite, which a query string cannot spell")
        return str(int(value)) if value.is_integer() and abs(value) < _LARGEST_EXACT else repr(value)
    if isinstance(value, (str, int)):
        return str(value)
    raise ValueError(f"`{spelling}` is nested too deep for a query string; use an action")
