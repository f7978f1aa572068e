"""Where a type carries a marker: what an account logs in with, what is secret, what users wrote.

Walks annotations, since a marker says nothing to pydantic, and looks into models, dataclasses, TypedDicts and named
tuples of an author's own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from types import UnionType
from typing import Annotated, ForwardRef, Union, cast, get_args, get_origin, get_type_hints

from pydantic import Secret as SecretOf
from pydantic import SecretBytes, SecretStr
from pydantic.fields import FieldInfo

from afford.schema.document import joined
from afford.schema.markers import Secret

_SECRETS = (SecretStr, SecretBytes, SecretOf)


def marked(annotation: object, marker: type) -> list[str]:
    """The places of a type that carry an instance of `marker`, in order and each once.

    A path is made of published names joined by dots, with `*` for the items of an array and the values of a map; it is
    empty for the type itself. pydantic's secret types count as marked with `Secret`. A recursive type is entered once.
    """
    return list(dict.fromkeys(_marked(annotation, marker, "", ())))


def _marked(annotation: object, marker: type, path: str, inside: tuple[object, ...]) -> Iterator[str]:
    if get_origin(annotation) is Annotated:
        said = cast("tuple[object, ...]", annotation.__metadata__)  # type: ignore[attr-defined]
        if _carries(said, marker):
            yield path
        yield from _marked(annotation.__origin__, marker, path, inside)  # type: ignore[attr-defined]
        return
    origin = cast("object", get_origin(annotation) or annotation)
    if marker is Secret and isinstance(origin, type) and issubclass(origin, _SECRETS):
        yield path
        return
    if isinstance(origin, type) and annotation not in inside:
        for name, inner, members in _members(annotation, origin):
            place = joined(path, name)
            if _carries(members, marker):
                yield place
            yield from _marked(inner, marker, place, (*inside, annotation))
    if isinstance(annotation, type) and not get_args(annotation):
        return
    step = "" if origin in (Union, UnionType) else "*"
    for argument in get_args(annotation):
        if not isinstance(argument, (str, ForwardRef)):
            yield from _marked(argument, marker, joined(path, step), inside)


def _carries(members: tuple[object, ...] | list[object], marker: type) -> bool:
    return any(
        isinstance(member, marker) or (isinstance(member, FieldInfo) and _carries(member.metadata, marker))
        for member in members
    )


def _members(annotation: object, origin: object) -> Iterator[tuple[str, object, list[object]]]:
    """The fields of a record type: published name, annotation, and the members of the `Annotated[...]` taken off it."""
    described = getattr(annotation, "__pydantic_fields__", None)
    if isinstance(described, Mapping):
        for name, info in cast("Mapping[str, FieldInfo]", described).items():
            for published in dict.fromkeys(_published(name, info)):
                yield published, info.annotation, info.metadata
        return
    names = _field_names(origin)
    hints: Mapping[str, object] = _hints(origin) if names else {}
    for name in names:
        yield name, hints.get(name, object), []


def _field_names(origin: object) -> list[str]:
    """The fields of a dataclass, a TypedDict or a named tuple, in order."""
    if is_dataclass(origin):
        return [field.name for field in fields(origin)]
    is_keyed = hasattr(origin, "__total__") or hasattr(origin, "_fields")
    return list(getattr(origin, "__annotations__", {})) if is_keyed else []


def _published(name: str, info: FieldInfo) -> list[str]:
    aliases = [alias for alias in (info.validation_alias, info.serialization_alias) if isinstance(alias, str)]
    return aliases or [name]


def _hints(origin: object) -> Mapping[str, object]:
    try:
        return get_type_hints(origin, include_extras=True)
    except NameError:
        return dict(getattr(origin, "__annotations__", {}))
