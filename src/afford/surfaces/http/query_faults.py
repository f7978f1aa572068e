"""Query strings that need a closer look: with members of objects, or with something that is not as declared.

Says of everything faulty where it is, what is wrong and how it is written instead.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Final, TypeAlias
from urllib.parse import unquote_to_bytes

from afford.errors import ABSENT, Fault, FaultCode, JsonObject, JsonValue
from afford.schema.query_string import Form, QueryInput, QueryShape, Scalar, Slot, pointer_to, scalar_slot

MAX_FAULTS: Final = 20
"""Of one query string; reading stops there."""

RESERVED_SLOTS: Final[Mapping[str, Slot]] = {
    "limit": scalar_slot("limit", Scalar.INTEGER),
    "cursor": scalar_slot("cursor", Scalar.STRING),
}
"""How the names travel that every query takes without declaring them."""

_EXPECTED: Final[Mapping[Scalar, str]] = {
    Scalar.STRING: "string",
    Scalar.INTEGER: "integer in plain digits, such as 5 or -12",
    Scalar.NUMBER: "number as in JSON, such as 5, -0.5 or 1e3",
    Scalar.BOOLEAN: "true or false",
}
_BAD_ESCAPE: Final = re.compile(r"%(?![0-9A-Fa-f]{2})")
_MEMBER: Final = re.compile(r"[^\[\]]+\]")
_LONGEST_ECHO: Final = 60
_PLAIN: Final = QueryInput(Form.SCALAR)
_SPELLINGS: Final[Mapping[Form, str]] = {
    Form.SCALAR: "`{0}=value`, once",
    Form.ARRAY: "`{0}[]=value`, once per element",
    Form.OBJECT: "`{0}[key]=value`, once per member, one level deep",
}

Arrays: TypeAlias = dict[str, tuple[str, list[JsonValue]]]
"""By input: the spelling that the first element used, and the elements."""
Decoded: TypeAlias = tuple[JsonObject, int | None, str | None, tuple[Fault, ...]]
"""The members of a `DecodedQuery` without their names, which cost as much as reading two pairs."""


class Reading:
    """One query string, read with a closer look."""

    __slots__ = ("_arguments", "_arrays", "_faults", "_objects", "_page", "_reserved", "_shape", "_spoiled")

    def __init__(self, shape: QueryShape, reserved: frozenset[str]) -> None:
        """Start with nothing read."""
        self._shape = shape
        self._reserved = reserved
        self._arguments: JsonObject = {}
        """Also holds what turned out faulty, as None, to notice it again."""
        self._page: JsonObject = {}
        self._arrays: Arrays = {}
        self._objects: dict[str, JsonObject] = {}
        self._spoiled: set[str] = set()
        self._faults: dict[tuple[str, FaultCode], Fault] = {}

    def read(self, pieces: Iterable[str]) -> Decoded:
        """What the pairs say, without what is faulty."""
        for piece in filter(None, pieces):
            raw_name, _, raw_value = piece.partition("=")
            self._take(raw_name, raw_value)
            if len(self._faults) >= MAX_FAULTS:
                break
        for name in self._spoiled:
            self._arguments.pop(name, None)
            self._page.pop(name, None)
        return decoded(self._arguments, self._page, tuple(self._faults.values()))

    def _take(self, raw_name: str, raw_value: str) -> None:
        """Read one pair."""
        slot = self._shape.wire.get(raw_name)
        if slot is None:
            name = unquoted(raw_name)
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

    def _is_reserved(self, name: str) -> bool:
        return name in self._reserved and name in RESERVED_SLOTS and name not in self._shape.inputs

    def _slot_of(self, name: str) -> Slot | None:
        return RESERVED_SLOTS[name] if self._is_reserved(name) else self._shape.slots.get(name)

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
        text = unquoted(raw_value)
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
        self._faults.setdefault((pointer, code), fault)


def decoded(arguments: JsonObject, page: JsonObject, faults: tuple[Fault, ...] = ()) -> Decoded:
    """What was read, with the reserved names apart."""
    limit, cursor = page.get("limit"), page.get("cursor")
    return arguments, limit if isinstance(limit, int) else None, cursor if isinstance(cursor, str) else None, faults


def unquoted(part: str) -> str | None:
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
