"""The faults that a caller reads: one sentence each, what is accepted, and what would be accepted instead.

Knows one place of a schema and one value. Never echoes more than a few words of what was sent, and never compares it
with more than a few hundred names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from enum import Enum
from typing import Final, cast

import orjson

from afford.errors import ABSENT, Fault, FaultCode, JsonObject, JsonValue
from afford.schema.document import pointer_token
from afford.schema.forms import described

_LONGEST_NAME: Final = 100
_LONGEST_ECHO: Final = 40
_LONGEST_JSON: Final = 10_000
_MOST_NAMED: Final = 20
_MOST_COMPARED: Final = 300
_CLOSE: Final = 0.6

Accepts = Callable[[object], bool]
"""Whether the place accepts a value."""


def json_type(value: object) -> str | None:
    """The JSON type of a value, `integer` for whole numbers; None for what is not JSON."""
    if isinstance(value, Enum):
        value = value.value
    if value is None:
        return "null"
    for kind, name in _TYPES:
        if isinstance(value, kind):
            return "integer" if name == "number" and isinstance(value, float) and value.is_integer() else name
    return None


_TYPES: Final[tuple[tuple[type | tuple[type, ...], str], ...]] = (
    (bool, "boolean"),
    (str, "string"),
    (int, "integer"),
    (float, "number"),
    ((list, tuple), "array"),
    (dict, "object"),
)


def member_pointer(pointer: str, name: str) -> str:
    """The pointer to a member of an object; to the object itself where the name is too long to repeat."""
    return pointer if len(name) > _LONGEST_NAME else f"{pointer}/{pointer_token(name)}"


def unknown_argument(pointer: str, name: str, candidates: Iterable[str]) -> Fault:
    """A member that the schema does not name; suggests the declared name that was probably meant."""
    close = _closest(name, candidates)
    hint = "" if close is None else f"; did you mean `{close}`?"
    return Fault(
        pointer=member_pointer(pointer, name),
        code=FaultCode.UNKNOWN_ARGUMENT,
        message=f"`{_echo(name)}` is not accepted here{hint}",
        suggestion=ABSENT if close is None else close,
    )


def missing(pointer: str, name: str, expected: str | None) -> Fault:
    """A required member that is not there."""
    return Fault(
        pointer=member_pointer(pointer, name),
        code=FaultCode.MISSING,
        message=f"`{_echo(name)}` is required",
        expected=expected,
    )


def wrong_type(pointer: str, types: Sequence[str], value: object, accepts: Accepts) -> Fault:
    """A value of another JSON type; suggests the value that a string probably holds."""
    expected = " or ".join(types)
    received = json_type(value) or "something that is not JSON"
    suggestion = _retyped(types, value, accepts)
    hint = ""
    if suggestion is not ABSENT and isinstance(value, str):
        hint = f"; send the {json_type(suggestion)} itself, not a string that holds it"
    return Fault(
        pointer=pointer,
        code=FaultCode.WRONG_TYPE,
        message=f"{_place(pointer)} must be {expected}, not {received}{hint}",
        expected=expected,
        suggestion=cast("JsonValue", suggestion),
    )


def not_a_choice(pointer: str, members: Sequence[JsonValue], value: object) -> Fault:
    """A value outside a closed set; suggests the member that was probably meant."""
    texts = [_member_text(member) for member in members]
    named = ", ".join(texts[:_MOST_NAMED])
    more = f", ... ({len(texts)} in all)" if len(texts) > _MOST_NAMED else ""
    by_text = {member if isinstance(member, str) else _member_text(member): member for member in members}
    written = value if isinstance(value, str) else _written(value)
    close = None if written is None else _closest(written, by_text)
    expected = f"one of: {named}{more}" if len(texts) > 1 else named
    return Fault(
        pointer=pointer,
        code=FaultCode.NOT_A_CHOICE,
        message=f"{_place(pointer)} must be {expected}" if texts else f"{_place(pointer)} has no valid value now",
        expected=expected or None,
        suggestion=ABSENT if close is None else by_text[close],
    )


def out_of_range(pointer: str, schema: JsonObject) -> Fault:
    """A number outside its bounds, or off its steps."""
    parts = [
        f"{words} {schema[key]}"
        for key, words in (
            ("minimum", "at least"),
            ("exclusiveMinimum", "more than"),
            ("maximum", "at most"),
            ("exclusiveMaximum", "less than"),
            ("multipleOf", "a multiple of"),
        )
        if key in schema
    ]
    expected = " and ".join(parts)
    return Fault(
        pointer=pointer,
        code=FaultCode.OUT_OF_RANGE,
        message=f"{_place(pointer)} must be {expected}",
        expected=expected,
    )


def wrong_length(pointer: str, schema: JsonObject, kind: str, length: int) -> Fault:
    """Text, an array or an object of another size. `kind` is `Length`, `Items` or `Properties`."""
    noun = {"Length": "character", "Items": "item", "Properties": "member"}[kind]
    least, most = schema.get(f"min{kind}"), schema.get(f"max{kind}")
    if least is not None and most is not None:
        amount = f"{least}" if least == most else f"{least} to {most}"
    else:
        amount = f"at most {most}" if least is None else f"at least {least}"
    expected = f"{amount} {noun}{'' if amount.endswith(' 1') or amount == '1' else 's'}"
    return Fault(
        pointer=pointer,
        code=FaultCode.WRONG_LENGTH,
        message=f"{_place(pointer)} must have {expected}, not {length}",
        expected=expected,
    )


def wrong_format(pointer: str, schema: JsonObject) -> Fault:
    """Text in another form than the one declared."""
    expected = described(schema)
    return Fault(
        pointer=pointer,
        code=FaultCode.WRONG_FORMAT,
        message=f"{_place(pointer)} must be {expected}",
        expected=expected,
    )


def duplicate(pointer: str, first: int | None) -> Fault:
    """An array that holds something twice; `first` is the index that the place repeats, where known."""
    what = "must not repeat an item" if first is None else f"repeats item {first}"
    return Fault(
        pointer=pointer,
        code=FaultCode.DUPLICATE,
        message=f"{_place(pointer)} {what}",
        expected="items without repetition",
    )


def not_allowed(pointer: str, reason: str) -> Fault:
    """Anything that no other code names."""
    return Fault(pointer=pointer, code=FaultCode.NOT_ALLOWED, message=f"{_place(pointer)} {reason}")


def either(first: Fault, others: Sequence[Fault]) -> Fault:
    """One fault for alternatives that all failed alike, naming what each of them accepts."""
    accepted = list(dict.fromkeys(fault.expected for fault in (first, *others) if fault.expected is not None))
    expected = " or ".join(accepted)
    return Fault(
        pointer=first.pointer, code=first.code, message=f"{_place(first.pointer)} must be {expected}", expected=expected
    )


def _place(pointer: str) -> str:
    return f"`{pointer}`" if pointer else "the input"


def _echo(text: str) -> str:
    shown = text if len(text) <= _LONGEST_ECHO else f"{text[:_LONGEST_ECHO]}..."
    return shown.encode(errors="backslashreplace").decode()


def _member_text(member: JsonValue) -> str:
    return _echo(member if isinstance(member, str) else orjson.dumps(member).decode())


def _written(value: object) -> str | None:
    return str(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _closest(name: str, candidates: Iterable[str]) -> str | None:
    if len(name) > _LONGEST_NAME:
        return None
    known = list(candidates)
    plain = _plain(name)
    for candidate in known:
        if _plain(candidate) == plain:
            return candidate
    close = get_close_matches(name, known[:_MOST_COMPARED], 1, _CLOSE)
    return close[0] if close else None


def _plain(name: str) -> str:
    return name.casefold().replace("_", "").replace("-", "").replace(" ", "")


def _retyped(types: Sequence[str], value: object, accepts: Accepts) -> object:
    for candidate in _candidates(types, value):
        if accepts(candidate):
            return candidate
    return ABSENT


def _candidates(types: Sequence[str], value: object) -> list[object]:
    if isinstance(value, str) and len(value) <= _LONGEST_JSON:
        try:
            held = orjson.loads(value)
        except ValueError:
            held = value
        return [held, [value]] if not isinstance(held, str) and held is not None else [[value]]
    if isinstance(value, (int, float)):
        return [str(value), [value]] if not isinstance(value, bool) else [[value]]
    return [[value]] if isinstance(value, dict) and "array" in types else []
