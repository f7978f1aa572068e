"""Defaults of a handler's own parameters: each is accepted by what is published, and means what sending it means.

Knows fields and their schema. Answers errors instead of raising them, since an author wants all of them at once.
"""

from __future__ import annotations

import collections.abc
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from typing import Final, Literal, cast, get_args, get_origin
from uuid import UUID

from afford.errors import JsonObject, JsonValue
from afford.schema.decode import InputDecoder, RuleViolation
from afford.schema.document import REQUIRED, InputField, SchemaError, properties_of
from afford.schema.engine import Engine, accepts, compiled
from afford.schema.field_parts import FieldParts, optional_of, read_field, unwrapped
from afford.schema.json_form import NotJsonError, json_form


def _exactly(kind: type) -> Callable[[object], bool]:
    return lambda value: type(value) is kind


_SCALARS: Final[Mapping[object, Callable[[object], bool]]] = {
    bool: lambda value: type(value) is bool,
    int: lambda value: isinstance(value, int) and not isinstance(value, bool),
    float: lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
    str: lambda value: isinstance(value, str),
    **{kind: _exactly(kind) for kind in (Decimal, UUID, date, datetime, time, timedelta)},
}
_COLLECTIONS: Final[Mapping[object, tuple[type, ...]]] = {
    collections.abc.Sequence: (list, tuple),
    frozenset: (frozenset,),
    list: (list,),
    set: (set,),
    tuple: (tuple,),
}
_LONGEST_ECHO: Final = 60


def check_defaults(fields: Sequence[InputField], schema: JsonObject) -> list[tuple[str, SchemaError]]:
    """The defaults that would not be accepted if they were sent, or would mean something else, by parameter name.

    Args:
        fields: as given to `derive_inputs`.
        schema: what it published for them, or the same with its closed sets filled in.
    """
    errors: list[tuple[str, SchemaError]] = []
    sent: list[tuple[FieldParts, JsonValue]] = []
    for field in map(read_field, fields):
        if field.default is REQUIRED or field.null_is_absent:
            continue
        try:
            default = json_form(field.default)
        except NotJsonError as error:
            errors.append((field.name, SchemaError(f"it cannot be published: {error}", fix=_DECLARED)))
            continue
        sent.append((field, _published(field, schema).get("default", default)))
    if not sent:
        return errors
    # One engine for all of them: nearly always nothing is wrong.
    all_are_accepted = accepts(_engine(sent, schema), {field.published: default for field, default in sent})
    for field, default in sent:
        if not all_are_accepted and not accepts(_engine([(field, default)], schema), {field.published: default}):
            errors.append((field.name, _refused(field)))
        elif not _means_the_same(field, default):
            message = f"{_shown(field.default)} is not what sending it would give"
            errors.append((field.name, SchemaError(message, fix=_DECLARED)))
    return errors


_DECLARED: Final = "give a value of exactly the declared type as the default"


def _published(field: FieldParts, schema: JsonObject) -> JsonObject:
    return cast("JsonObject", properties_of(schema)[field.published])


def _engine(sent: Sequence[tuple[FieldParts, JsonValue]], schema: JsonObject) -> Engine:
    properties: JsonObject = {field.published: _published(field, schema) for field, _ in sent}
    return compiled({"properties": properties, "$defs": schema.get("$defs", {})})


def _refused(field: FieldParts) -> SchemaError:
    if field.default is None:
        return SchemaError(
            "None is not accepted by its own type", fix="annotate it `T | None`, or leave the default out"
        )
    return SchemaError(
        f"{_shown(field.default)} is not accepted by its own schema", fix="give a default that fits the constraints"
    )


def _means_the_same(field: FieldParts, default: JsonValue) -> bool:
    if field.remarks.is_plain:
        fits = _fits(field.annotation, field.default)
        if fits is not None:
            return fits
    try:
        return bool(InputDecoder([field], None).decode({field.published: default})[field.name] == field.default)
    except RuleViolation:
        return False


def _fits(annotation: object, value: object) -> bool | None:
    """Whether a value is exactly what decoding its own JSON gives; None where only decoding tells."""
    annotation, _ = unwrapped(annotation)
    inner = optional_of(annotation)
    if inner is not None:
        return True if value is None else _fits(inner, value)
    check = _SCALARS.get(annotation) if isinstance(annotation, type) else None
    if check is not None:
        return check(value)
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return isinstance(value, annotation)
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Literal:
        return any(type(member) is type(value) and member == value for member in arguments)
    if origin is dict and isinstance(value, dict):
        members = cast("dict[object, object]", value)
        return _all_fit(arguments[0], members) and _all_fit(arguments[1], members.values())
    kinds = _COLLECTIONS.get(origin)
    if kinds is None or (origin is tuple and arguments[1:] != (...,)):
        return None
    return isinstance(value, kinds) and _all_fit(arguments[0], cast("collections.abc.Iterable[object]", value))


def _all_fit(annotation: object, values: collections.abc.Iterable[object]) -> bool | None:
    answers = [_fits(annotation, value) for value in values]
    if False in answers:
        return False
    return None if None in answers else True


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _LONGEST_ECHO else f"{text[: _LONGEST_ECHO - 3]}..."
