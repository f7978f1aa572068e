"""Python values in their JSON form, for what is published beside a type: defaults and examples.

Knows the forms of the scalar types and how pydantic writes models. Values of calls are written elsewhere, by their
declared type.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import is_dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from typing import Final, cast
from uuid import UUID

from pydantic import BaseModel, SecretStr

from afford.errors import JsonValue
from afford.schema.dump import OutputDumper
from afford.schema.dump_values import DumpError
from afford.schema.forms import MAX_INTEGER, decimal_text, duration_text, instant_text


class NotJsonError(Exception):
    """A value has no JSON form that may be published; the text says why."""


def json_form(value: object) -> JsonValue:
    """The JSON form of a value.

    Raises:
        NotJsonError: it has none, or it is a secret.
    """
    scalar = _scalar(value)
    if scalar is not _NOT_SCALAR:
        return cast("JsonValue", scalar)
    if isinstance(value, Mapping):
        return {_key(key): json_form(item) for key, item in cast("Mapping[object, object]", value).items()}
    if isinstance(value, AbstractSet):
        return _sorted([json_form(item) for item in cast("AbstractSet[object]", value)])
    if isinstance(value, (list, tuple)):
        return [json_form(item) for item in cast("list[object]", value)]
    return _record(value)


_NOT_SCALAR: Final = object()


def _scalar(value: object) -> object:
    if isinstance(value, Enum):
        return _scalar(value.value)
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        if abs(value) > MAX_INTEGER:
            raise NotJsonError(f"the integer {value} is beyond what every JSON reader keeps exactly")
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            raise NotJsonError(f"{value} is not a JSON number")
        return value
    return _text_form(value)


def _text_form(value: object) -> object:
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise NotJsonError(f"{value} is not a number")
        return decimal_text(value)
    if isinstance(value, (datetime, time)):
        return instant_text(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, timedelta):
        return duration_text(value)
    return str(value) if isinstance(value, UUID) else _NOT_SCALAR


def _key(key: object) -> str:
    plain = _scalar(key)
    if isinstance(plain, str):
        return plain
    if isinstance(plain, int) and not isinstance(plain, bool):
        return str(plain)
    raise NotJsonError(f"{key!r} cannot be the key of a JSON object")


def _sorted(items: list[JsonValue]) -> list[JsonValue]:
    """The members of a set in an order that does not depend on hashing."""
    return sorted(
        items, key=lambda item: (type(item).__name__, item if isinstance(item, (int, float)) else 0, str(item))
    )


def _record(value: object) -> JsonValue:
    if isinstance(value, SecretStr):
        raise NotJsonError("a secret is not published")
    if not isinstance(value, BaseModel) and not (is_dataclass(value) and not isinstance(value, type)):
        raise NotJsonError(f"a value of type `{type(value).__name__}` has no JSON form")
    try:
        return cast("JsonValue", OutputDumper(type(value)).dump(value))
    except DumpError as error:
        raise NotJsonError(f"a value of type `{type(value).__name__}` has no JSON form: {error}") from error
