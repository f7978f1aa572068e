"""The published form of every scalar type: what its JSON looks like, and which words name it.

Knows JSON Schema keywords and the ranges of Python's own types, so that whatever a form accepts can be converted.
Knows neither annotations nor pydantic. Patterns are written for the linear engine and for ECMA 262 alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from typing import Final, cast

from afford.errors import JsonObject, JsonValue
from afford.schema.document import SchemaError

MAX_INTEGER: Final = 2**53 - 1
"""The largest integer that every JSON reader keeps exactly (RFC 8259 section 6)."""

# Format alone would let through the year 0, which Python's dates do not have.
_DATE: Final = "[0-9]{0,3}[1-9][0-9]{0,3}-[0-9]{2}-[0-9]{2}"
_CLOCK: Final = "(?:[01][0-9]|2[0-3]):[0-5][0-9]"
_FRACTION: Final = r"(?:\.[0-9]{1,6})?"
_SECONDS: Final = f":[0-5][0-9]{_FRACTION}"
_OFFSET: Final = f"(?:Z|[+-]{_CLOCK})"
_LAST_UNIT: Final = rf"[0-9]{{1,8}}{_FRACTION}S"

DATE_PATTERN: Final = f"^{_DATE}$"
# Leap seconds are refused: Python's instants have none.
INSTANT_PATTERN: Final = f"^{_DATE}T{_CLOCK}{_SECONDS}{_OFFSET}$"
TIME_PATTERN: Final = f"^{_CLOCK}{_SECONDS}{_OFFSET}?$"
# The digits keep every accepted sum within Python's range of a billion days; years and months have no fixed length.
DURATION_PATTERN: Final = (
    "^-?P(?:[0-9]{1,7}W"
    f"|[0-9]{{1,8}}D(?:T(?:[0-9]{{1,6}}H(?:[0-9]{{1,6}}M)?(?:{_LAST_UNIT})?|[0-9]{{1,6}}M(?:{_LAST_UNIT})?|{_LAST_UNIT}))?"
    f"|T(?:[0-9]{{1,6}}H(?:[0-9]{{1,6}}M)?(?:{_LAST_UNIT})?|[0-9]{{1,6}}M(?:{_LAST_UNIT})?|{_LAST_UNIT}))$"
)
_HEX: Final = "[0-9a-fA-F]"
INTEGER_KEY_PATTERN: Final = "^(?:0|-?[1-9][0-9]{0,15})$"

_DECIMAL_FRACTION_PART: Final = r"(?:\(\?:\\\.\[0-9\](?:\+|\{1,\d+\})\)\?)?"
_DECIMAL_PATTERN: Final = re.compile(
    rf"\^(?:-\?)?(?:(?:0|\(\?:0\|\[1-9\]\[0-9\](?:\*|\{{0,\d+\}})\)){_DECIMAL_FRACTION_PART}\$|\(\?:0\(\?:\\\.)"
)
_NUMERIC_KEYS: Final = {
    "ge": "minimum",
    "gt": "exclusiveMinimum",
    "le": "maximum",
    "lt": "exclusiveMaximum",
    "multiple_of": "multipleOf",
}
_LONGEST_PATTERN: Final = 200
_DAY: Final = 86_400
_MILLION: Final = 1_000_000

_FORMS: Final[Mapping[str, str]] = {
    "date": "a date such as 2026-03-14",
    "date-time": "an instant with its offset such as 2026-03-14T09:30:00Z",
    "email": "an email address such as name@example.org",
    "ipv4": "an IPv4 address such as 192.0.2.1",
    "ipv6": "an IPv6 address such as 2001:db8::1",
    "uri": "an absolute URI such as https://example.org/page",
    "uuid": "a UUID such as 123e4567-e89b-42d3-a456-426614174000",
}


def string_form(constraints: Mapping[str, object]) -> JsonObject:
    """Text; lengths count code points."""
    form: JsonObject = {"type": "string"}
    for name, key in (("pattern", "pattern"), ("min_length", "minLength"), ("max_length", "maxLength")):
        if name in constraints:
            form[key] = pattern_text(constraints[name]) if name == "pattern" else _number(constraints[name], name)
    return form


def integer_form(constraints: Mapping[str, object]) -> JsonObject:
    """An integer, bounded by what every JSON reader keeps exactly unless narrower."""
    form: JsonObject = {"type": "integer", **_numeric(constraints)}
    lower = "exclusiveMinimum" if "exclusiveMinimum" in form else "minimum"
    upper = "exclusiveMaximum" if "exclusiveMaximum" in form else "maximum"
    if not _reaches(form.get("minimum"), form.get("exclusiveMinimum"), sign=1):
        form.pop(lower, None)
        form["minimum"] = -MAX_INTEGER
    if not _reaches(form.get("maximum"), form.get("exclusiveMaximum"), sign=-1):
        form.pop(upper, None)
        form["maximum"] = MAX_INTEGER
    return form


def number_form(constraints: Mapping[str, object]) -> JsonObject:
    """A JSON number."""
    return {"type": "number", **_numeric(constraints)}


def decimal_form(constraints: Mapping[str, object]) -> JsonObject:
    """A decimal number as text, in plain notation: no exponent, no sign but `-`, no leading zeros.

    Raises:
        SchemaError: a bound other than `ge=0`, which no pattern states readably.
    """
    if constraints.keys() & {"gt", "le", "lt", "multiple_of"} or constraints.get("ge", 0) != 0:
        raise SchemaError(
            "bounds of a Decimal other than `ge=0` cannot be published",
            fix="check the bound in a validator or in the handler, or use `int` in the smallest unit",
        )
    sign = "" if "ge" in constraints else "-?"
    digits, places = constraints.get("max_digits"), constraints.get("decimal_places")
    if isinstance(digits, int) and not isinstance(places, int):
        return {"type": "string", "pattern": f"^{sign}{_digits_in_all(digits)}$"}
    whole = "(?:0|[1-9][0-9]*)"
    if isinstance(digits, int) and isinstance(places, int):
        left, places = digits - places, min(digits, places)
        whole = "0" if left <= 0 else f"(?:0|[1-9][0-9]{{0,{left - 1}}})"
    fraction = _fraction(places) if isinstance(places, int) else r"(?:\.[0-9]+)?"
    return {"type": "string", "pattern": f"^{sign}{whole}{fraction}$"}


def date_form() -> JsonObject:
    """A calendar date, year 1 and later."""
    return {"type": "string", "format": "date", "pattern": DATE_PATTERN}


def instant_form() -> JsonObject:
    """A date and time with its offset from UTC (RFC 3339), at most microseconds, no leap second."""
    return {"type": "string", "format": "date-time", "pattern": INSTANT_PATTERN}


def time_form() -> JsonObject:
    """A time of day, with or without an offset. Not the JSON Schema format, which wants an offset."""
    return {"type": "string", "pattern": TIME_PATTERN}


def duration_form() -> JsonObject:
    """An ISO 8601 duration of fixed length. Not the JSON Schema format, which knows neither fractions nor signs."""
    return {"type": "string", "pattern": DURATION_PATTERN}


def uuid_form(version: object = None) -> JsonObject:
    """A UUID in its dashed spelling; of one version, where given."""
    form: JsonObject = {"type": "string", "format": "uuid"}
    if isinstance(version, int):
        form["pattern"] = f"^{_HEX}{{8}}-{_HEX}{{4}}-{version}{_HEX}{{3}}-[89abAB]{_HEX}{{3}}-{_HEX}{{12}}$"
    return form


def closed_set(values: Iterable[object]) -> JsonObject:
    """One of the values; enum members count as their values.

    Raises:
        SchemaError: a value is no JSON scalar.
    """
    members: dict[tuple[type, object], JsonValue] = {}
    for value in values:
        plain = value.value if isinstance(value, Enum) else value
        if not isinstance(plain, (str, int, float, bool, type(None))):
            raise SchemaError(
                f"the member {plain!r} is not a JSON value", fix="use strings, integers, booleans or None as members"
            )
        # An exact type: a member may be a subclass of `str` or `int`, which no JSON writer has to know.
        # Two names of one value are one member; 1 and true are two.
        members.setdefault((type(plain), plain), _exact(plain))
    form: JsonObject = {}
    kinds = {_KINDS[cast("type", type(member))] for member in members.values()}
    if len(kinds) == 1:
        form["type"] = kinds.pop()
    if len(members) == 1:
        form["const"] = next(iter(members.values()))
    else:
        form["enum"] = list(members.values())
    return form


def pattern_text(pattern: object) -> str:
    """The text of a pattern, compiled or not.

    Raises:
        SchemaError: it was compiled with flags, which the text would lose.
    """
    if not isinstance(pattern, re.Pattern):
        return str(pattern)
    compiled = cast("re.Pattern[str]", pattern)
    if compiled.flags & ~re.UNICODE:
        raise SchemaError(
            "a pattern compiled with flags cannot be published", fix="spell out in the pattern what the flags do"
        )
    return compiled.pattern


def described(schema: Mapping[str, JsonValue]) -> str:
    """The form of a string that failed its `format` or `pattern`, in words."""
    form, pattern = schema.get("format"), schema.get("pattern")
    if isinstance(form, str) and form in _FORMS:
        return _FORMS[form]
    if not isinstance(pattern, str):
        return f"text in the format `{form}`" if isinstance(form, str) else "text in another form"
    if pattern == TIME_PATTERN:
        return "a time such as 09:30:00"
    if pattern == DURATION_PATTERN:
        return "an ISO 8601 duration such as P1DT2H30M"
    if _DECIMAL_PATTERN.match(pattern):
        return f"a decimal number in plain notation as text, such as {_decimal_example(pattern)}"
    if len(pattern) > _LONGEST_PATTERN:
        return "text that matches the pattern of the schema"
    return f"text that matches `{pattern}`"


def decimal_text(value: Decimal) -> str:
    """A decimal in plain notation; a negative zero loses its sign, which `ge=0` allows and the pattern does not."""
    if value.is_zero():
        value = value.copy_abs()
    return format(value, "f")


def instant_text(value: datetime | time) -> str:
    """An instant or a time of day in RFC 3339; UTC is `Z`, and what has no offset gets none."""
    text = value.isoformat()
    return f"{text[:-6]}Z" if text.endswith("+00:00") else text


def duration_text(value: timedelta) -> str:
    """A duration as days and seconds in ISO 8601, which every reader adds up alike."""
    micros = (value.days * _DAY + value.seconds) * _MILLION + value.microseconds
    sign, micros = ("-", -micros) if micros < 0 else ("", micros)
    days, rest = divmod(micros, _DAY * _MILLION)
    seconds, fraction = divmod(rest, _MILLION)
    hours, seconds = divmod(seconds, 3600)
    minutes, seconds = divmod(seconds, 60)
    text = f"{seconds}.{fraction:06d}".rstrip("0").rstrip(".") if fraction else str(seconds)
    clock = "".join(
        f"{amount}{unit}" for amount, unit in ((hours, "H"), (minutes, "M"), (text, "S")) if str(amount) != "0"
    )
    if not clock:
        return f"{sign}P{days}D" if days else "PT0S"
    return f"{sign}P{f'{days}D' if days else ''}T{clock}"


_KINDS: Final[Mapping[type, str]] = {
    str: "string",
    bool: "boolean",
    int: "integer",
    float: "number",
    type(None): "null",
}


def _exact(value: str | float | None) -> JsonValue:
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, str):
        return str.__str__(value)
    return int(value) if isinstance(value, int) else float(value)


def _numeric(constraints: Mapping[str, object]) -> JsonObject:
    return {key: _number(constraints[name], name) for name, key in _NUMERIC_KEYS.items() if name in constraints}


def _number(value: object, name: str) -> int | float:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return value
    if isinstance(value, Decimal):
        return int(value) if value == int(value) else float(value)
    raise SchemaError(f"`{name}={value!r}` is not a number", fix="give a number")


def _reaches(inclusive: JsonValue, exclusive: JsonValue, *, sign: int) -> bool:
    """Whether a bound is at least as narrow as the one that holds for every integer."""
    if isinstance(inclusive, (int, float)) and sign * inclusive >= -MAX_INTEGER:
        return True
    return isinstance(exclusive, (int, float)) and sign * exclusive >= -MAX_INTEGER - 1


def _fraction(places: int) -> str:
    return "" if places <= 0 else rf"(?:\.[0-9]{{1,{places}}})?"


def _digits_in_all(digits: int) -> str:
    """Any place for the point: the digits before and after it are counted together."""
    splits = [f"0{_fraction(digits)}"]
    splits += [f"[1-9][0-9]{{{left - 1}}}{_fraction(digits - left)}" for left in range(1, digits + 1)]
    return f"(?:{'|'.join(splits)})"


def _decimal_example(pattern: str) -> str:
    if r"\." not in pattern:
        return "12"
    return "1.5" if "{1,1}" in pattern else "12.50"
