"""Record types: classes with named, typed fields (Pydantic models, dataclasses, TypedDicts)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import cast, get_type_hints

from pydantic import BaseModel


def is_record(annotation: object) -> bool:
    """Whether the annotation is a record type."""
    if not isinstance(annotation, type):
        return False
    plain = cast("type[object]", annotation)
    # Before Python 3.12 the TypedDict that Pydantic takes is that of `typing_extensions`, which `typing` does not know.
    return issubclass(plain, BaseModel) or is_dataclass(plain) or hasattr(plain, "__total__")


def field_types(annotation: object) -> Mapping[str, object] | None:
    """The fields of a record type by name; None where it is none."""
    if not is_record(annotation):
        return None
    plain = cast("type[object]", annotation)
    if issubclass(plain, BaseModel):
        # A model that mentions one declared after it is incomplete until it is first used.
        plain.model_rebuild(raise_errors=False)
        return {name: field.annotation for name, field in plain.model_fields.items()}
    hints = _hints_of(plain)
    if is_dataclass(plain):
        return {item.name: hints[item.name] for item in fields(plain)}
    return hints


def _hints_of(record: type) -> dict[str, object]:
    """The fields' types; as written where a name in one cannot be resolved, which deriving the schema reports."""
    try:
        return get_type_hints(record, include_extras=True)
    except NameError:
        return {
            name: hint
            for base in reversed(record.__mro__)
            for name, hint in vars(base).get("__annotations__", {}).items()
        }
