"""What an author wrote about one place, taken apart: the bare type, its constraints, its texts, its default.

Reads `Annotated[...]` and pydantic's `FieldInfo`, for the parameters of a handler as for the items of a list. Both ways
of publishing a type start from the same parts, so that they cannot differ in what surrounds the type.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Final, Union, cast, get_origin

from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined, to_jsonable_python

from afford.errors import JsonObject, JsonValue
from afford.schema.document import REQUIRED, USER_TEXT_KEY, InputField, SchemaError
from afford.schema.engine import is_valid_schema
from afford.schema.json_form import NotJsonError, json_form
from afford.schema.markers import Choices, Identifier, Secret, UserText

CONSTRAINTS: Final = frozenset(
    {"decimal_places", "ge", "gt", "le", "lt", "max_digits", "max_length", "min_length", "multiple_of", "pattern"}
)
_CONSTRAINT_MODULES: Final = frozenset({"annotated_types", "pydantic.types"})
_UNION: Final = frozenset({Union, UnionType})


@dataclass(slots=True)
class Remarks:
    """What the members of an `Annotated[...]` say about a type."""

    constraints: dict[str, object]
    """By pydantic's names; only those of `CONSTRAINTS`."""
    infos: list[FieldInfo]
    choices: Choices | None = None
    is_user_text: bool = False
    is_plain: bool = True
    """Everything that was said is understood here; otherwise pydantic has to be asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldParts:
    """One input of a handler, taken apart."""

    name: str
    published: str
    annotation: object
    """Without the members of `Annotated[...]`, and without None where leaving out means the same."""
    metadata: tuple[object, ...]
    """The members of `Annotated[...]`, innermost first."""
    remarks: Remarks
    default: object = REQUIRED
    """Published as `default`, except None where that means leaving out."""
    make_default: Callable[[], object] | None = None
    """Gives what the handler gets for an absent input, where its own signature has no such default."""
    may_be_absent: bool = False
    null_is_absent: bool = False


def read_field(declared: InputField) -> FieldParts:
    """Take one parameter apart.

    Raises:
        SchemaError: the field has several names, or is left out of what it belongs to.
    """
    annotation, metadata = unwrapped(declared.annotation)
    default, info = declared.default, None
    if isinstance(default, FieldInfo):
        metadata, info = (*metadata, default), default
    remarks = read_remarks(metadata)
    # The parameter's own default wins over one inside `Annotated[...]`.
    owner = info or (_last_with_default(remarks.infos) if default is REQUIRED else None)
    make_default: Callable[[], object] | None = None
    if owner is not None:
        default, make_default = _own_default(owner)
    null_is_absent = default is None and _is_static(owner, make_default)
    if null_is_absent:
        annotation, null_is_absent, more = _without_none(annotation)
        metadata = (*more, *metadata)
        remarks = read_remarks(metadata) if more else remarks
    return FieldParts(
        name=declared.name,
        published=_published(declared.name, remarks.infos),
        annotation=annotation,
        metadata=metadata,
        remarks=remarks,
        default=default,
        make_default=make_default,
        may_be_absent=default is not REQUIRED or make_default is not None,
        null_is_absent=null_is_absent,
    )


def unwrapped(annotation: object) -> tuple[object, tuple[object, ...]]:
    """The type inside any number of `Annotated[...]`, and their members, innermost first."""
    metadata: tuple[object, ...] = ()
    # A class is never an alias; this is the common case, and cheaper to see.
    while not isinstance(annotation, type) and get_origin(annotation) is Annotated:
        metadata = (*cast("tuple[object, ...]", annotation.__metadata__), *metadata)  # type: ignore[attr-defined]
        annotation = annotation.__origin__  # type: ignore[attr-defined]
    return annotation, metadata


def optional_of(annotation: object) -> object | None:
    """`T` of `T | None`; None for every other type."""
    arguments = cast("tuple[object, ...]", getattr(annotation, "__args__", ()))
    if NoneType not in arguments or get_origin(annotation) not in _UNION:
        return None
    rest = [item for item in arguments if item is not NoneType]
    return rest[0] if len(rest) == 1 else Union[tuple(rest)]  # noqa: UP007 - made from a list


def read_remarks(metadata: Sequence[object]) -> Remarks:
    """What is said about a type; later members win."""
    remarks = Remarks({}, [])
    for item in metadata:
        if isinstance(item, FieldInfo):
            remarks.infos.append(item)
            if item.discriminator is not None:
                remarks.is_plain = False
            for inner in item.metadata:
                _read_remark(remarks, inner)
        else:
            _read_remark(remarks, item)
    return remarks


def with_texts(schema: JsonObject, remarks: Remarks) -> JsonObject:
    """The schema with what the author wrote beside the type.

    Raises:
        SchemaError: an example has no JSON form, or `json_schema_extra` adds what is no JSON Schema.
    """
    for info in remarks.infos:
        if info.title is not None:
            schema["title"] = info.title
        if info.description is not None:
            schema["description"] = info.description
        if info.examples is not None:
            schema["examples"] = _examples(info.examples)
        if info.deprecated:
            schema["deprecated"] = True
        extra = info.json_schema_extra
        if isinstance(extra, dict):
            schema.update(cast("JsonObject", to_jsonable_python(extra)))
        elif callable(extra):
            extra(schema)
        if extra is not None and not is_valid_schema(schema):
            raise SchemaError("`json_schema_extra` makes no valid JSON Schema", fix="correct what it adds")
    if remarks.is_user_text:
        schema[USER_TEXT_KEY] = True
    return schema


def _read_remark(remarks: Remarks, item: object) -> None:
    if isinstance(item, UserText):
        remarks.is_user_text = True
    elif isinstance(item, Choices):
        remarks.choices = item
    elif not isinstance(item, (Identifier, Secret, str)):
        names = _constraint_names(item)
        if names is None:
            remarks.is_plain = False
            return
        for name in names:
            value = getattr(item, name, None)
            if value is None or (name == "min_length" and value == 0 and type(item).__name__ == "Len"):
                continue
            if name in CONSTRAINTS:
                remarks.constraints[name] = value
            else:
                remarks.is_plain = False


def _constraint_names(item: object) -> Sequence[str] | None:
    """The constraints that a member of `Annotated[...]` states; None where it is something else."""
    if type(item).__module__ in _CONSTRAINT_MODULES:
        return _stated_by(cast("Hashable", type(item)))
    if type(item).__name__ == "_PydanticGeneralMetadata":
        return list(vars(item))
    return None


@cache
def _stated_by(kind: Hashable) -> Sequence[str] | None:
    return [one.name for one in fields(kind)] if is_dataclass(kind) else None


def _last_with_default(infos: Sequence[FieldInfo]) -> FieldInfo | None:
    return next((info for info in reversed(infos) if _has_default(info)), None)


def _has_default(info: FieldInfo) -> bool:
    return info.default_factory is not None or info.default is not PydanticUndefined


def _own_default(info: FieldInfo) -> tuple[object, Callable[[], object] | None]:
    if not _has_default(info) or info.default is ...:
        return REQUIRED, None
    published = REQUIRED if info.default_factory is not None else info.default

    def make() -> object:
        return info.get_default(call_default_factory=True, validated_data={})

    return published, make


def _is_static(owner: FieldInfo | None, make_default: Callable[[], object] | None) -> bool:
    """Whether the default is a value and not the answer of a factory."""
    return make_default is None or (owner is not None and owner.default_factory is None)


def _without_none(annotation: object) -> tuple[object, bool, tuple[object, ...]]:
    """The type without None, whether it had one, and the members of an `Annotated[...]` around what is left."""
    inner = optional_of(annotation)
    if inner is None:
        return annotation, False, ()
    bare, metadata = unwrapped(inner)
    return bare, True, metadata


def _published(name: str, infos: Sequence[FieldInfo]) -> str:
    for info in reversed(infos):
        alias = info.validation_alias or info.alias
        if isinstance(alias, str):
            return alias
        if alias is not None:
            raise SchemaError(
                "an input with several names cannot be published", fix="give one `alias`, as a string", path=name
            )
    return name


def _examples(examples: Sequence[object]) -> list[JsonValue]:
    try:
        return [json_form(example) for example in examples]
    except NotJsonError as error:
        raise SchemaError(
            f"an example cannot be published: {error}", fix="give examples of the declared type"
        ) from None
