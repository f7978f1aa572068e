"""Record types: classes with named, typed fields (Pydantic models, dataclasses, TypedDicts)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import cast, get_type_hints, is_typeddict

from pydantic import BaseModel


def is_record(annotation: object) -> bool:
    """Whether the annotation is a record type."""
    if not isinstance(annotation, type):
        return False
    plain = cast("type[object]", annotation)
    return issubclass(plain, BaseModel) or is_dataclass(plain) or is_typeddict(plain)


def field_types(annotation: object) -> Mapping[str, object] | None:
    """The fields of a record type by name; None where it is none."""
    if not is_record(annotation):
        return None
    plain = cast("type[object]", annotation)
    if issubclass(plain, BaseModel):
        return {name: field.annotation for name, field in plain.model_fields.items()}
    hints = get_type_hints(plain, include_extras=True)
    if is_dataclass(plain):
        return {item.name: hints[item.name] for item in fields(plain)}
    return hints
