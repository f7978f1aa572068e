"""Published schemas of plain types straight from their annotations, without building a pydantic validator.

Covers what nearly all parameters are: scalars, closed sets, lists, sets and maps of those. It publishes exactly what
the generator would, some hundred times faster, so that thousands of operations start at once. Everything else answers
None and takes the other road.
"""

from __future__ import annotations

import collections.abc
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from functools import lru_cache
from typing import Final, Literal, cast, get_args
from uuid import UUID

from afford.errors import JsonObject
from afford.schema.document import CHOICES_KEY, ordered
from afford.schema.engine import check_pattern
from afford.schema.field_parts import Remarks, optional_of, read_remarks, unwrapped, with_texts
from afford.schema.forms import (
    INTEGER_KEY_PATTERN,
    closed_set,
    date_form,
    decimal_form,
    duration_form,
    instant_form,
    integer_form,
    number_form,
    string_form,
    time_form,
    uuid_form,
)
from afford.schema.markers import Choices

_NUMBER: Final = frozenset({"ge", "gt", "le", "lt", "multiple_of"})
_SIZE: Final = frozenset({"max_length", "min_length"})
_NOTHING: Final = frozenset[str]()

_SCALARS: Final[Mapping[object, tuple[frozenset[str], Callable[[Mapping[str, object]], JsonObject]]]] = {
    str: (_SIZE | {"pattern"}, string_form),
    int: (_NUMBER, integer_form),
    float: (_NUMBER, number_form),
    bool: (_NOTHING, lambda _: {"type": "boolean"}),
    Decimal: (_NUMBER | {"decimal_places", "max_digits"}, decimal_form),
    date: (_NOTHING, lambda _: date_form()),
    datetime: (_NOTHING, lambda _: instant_form()),
    time: (_NOTHING, lambda _: time_form()),
    timedelta: (_NOTHING, lambda _: duration_form()),
    UUID: (_NOTHING, lambda _: uuid_form()),
}
_UNIQUE: Final[frozenset[object]] = frozenset({set, frozenset})
_SEQUENCES: Final[frozenset[object]] = frozenset({list, collections.abc.Sequence, *_UNIQUE})
_KEYS: Final[frozenset[object]] = frozenset({str, int})
_PAIR: Final = 2


def plain_schema(annotation: object, remarks: Remarks, choices: list[Choices]) -> JsonObject | None:
    """The published schema of a type whose remarks were read already; None where pydantic has to be asked.

    Args:
        annotation: the type, without `Annotated[...]` around it.
        remarks: what was said about it.
        choices: the derived closed sets met so far; new ones are appended, known ones keep their index.

    Raises:
        SchemaError: the type cannot be published.
    """
    if not remarks.is_plain:
        return None
    inner = optional_of(annotation)
    if inner is None:
        schema = _without_texts(annotation, remarks, choices)
    else:
        # As in pydantic, a constraint on `T | None` is one on the `T`, and a text is one on the whole.
        bare, metadata = unwrapped(inner)
        own = read_remarks(metadata)
        own.constraints.update(remarks.constraints)
        own.choices = own.choices or remarks.choices
        branch = plain_schema(bare, own, choices)
        schema = None if branch is None else _nullable(branch)
    return None if schema is None else ordered(with_texts(schema, remarks))


def _nullable(schema: JsonObject) -> JsonObject:
    return {"anyOf": [schema, {"type": "null"}]}


def _without_texts(annotation: object, remarks: Remarks, choices: list[Choices]) -> JsonObject | None:
    constraints = remarks.constraints
    known = _SCALARS.get(annotation) if isinstance(annotation, type) else None
    if known is not None:
        allowed, form = known
        if not constraints.keys() <= allowed:
            return None
        schema = form(constraints)
        if "pattern" in constraints:
            check_pattern(str(schema["pattern"]))
        return schema if remarks.choices is None else _closed_by_choices(schema, remarks.choices, choices)
    if remarks.choices is not None:
        return None
    # Read directly: thousands of operations pay for every look-up, and aliases of both kinds have it.
    origin: object = getattr(annotation, "__origin__", None)
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        is_special = constraints or hasattr(annotation, "__get_pydantic_core_schema__")
        return None if is_special else dict(_enum_form(annotation))
    if origin is None:
        return None
    if origin is Literal:
        return None if constraints else closed_set(get_args(annotation))
    if origin is dict:
        return _map(get_args(annotation), constraints, choices)
    return _array(origin, get_args(annotation), constraints, choices)


@lru_cache(maxsize=1024)
def _enum_form(enum: type[Enum]) -> JsonObject:
    return closed_set(enum)


def _closed_by_choices(schema: JsonObject, marker: Choices, choices: list[Choices]) -> JsonObject | None:
    if schema["type"] != "string" or "format" in schema:
        return None
    if marker not in choices:
        choices.append(marker)
    schema[CHOICES_KEY] = choices.index(marker)
    return schema


def _array(
    origin: object, arguments: Sequence[object], constraints: Mapping[str, object], choices: list[Choices]
) -> JsonObject | None:
    is_tuple = origin is tuple and len(arguments) == _PAIR and arguments[1] is ...
    if not (is_tuple or (origin in _SEQUENCES and len(arguments) == 1)) or not constraints.keys() <= _SIZE:
        return None
    items = _inner(arguments[0], choices)
    if items is None:
        return None
    schema: JsonObject = {"type": "array", "items": items}
    if origin in _UNIQUE:
        schema["uniqueItems"] = True
    return _sized(schema, constraints, "minItems", "maxItems")


def _map(arguments: Sequence[object], constraints: Mapping[str, object], choices: list[Choices]) -> JsonObject | None:
    if len(arguments) != _PAIR or arguments[0] not in _KEYS or not constraints.keys() <= _SIZE:
        return None
    values = _inner(arguments[1], choices)
    if values is None:
        return None
    schema: JsonObject = {"type": "object", "additionalProperties": values}
    if arguments[0] is int:
        schema["propertyNames"] = {"pattern": INTEGER_KEY_PATTERN}
    return _sized(schema, constraints, "minProperties", "maxProperties")


def _inner(annotation: object, choices: list[Choices]) -> JsonObject | None:
    bare, metadata = unwrapped(annotation)
    return plain_schema(bare, read_remarks(metadata), choices)


def _sized(schema: JsonObject, constraints: Mapping[str, object], least: str, most: str) -> JsonObject:
    if "min_length" in constraints:
        schema[least] = cast("int", constraints["min_length"])
    if "max_length" in constraints:
        schema[most] = cast("int", constraints["max_length"])
    return schema
