"""From the types of a handler to the schemas that are published for it.

Decides which road a type takes (its annotation alone, or pydantic) and puts the parts of an input schema together.
Knows nothing of operations, paging or surfaces.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import getitem
from typing import Annotated, Any, Final, cast

from pydantic import Field
from pydantic.fields import FieldInfo

from afford.errors import JsonObject, JsonValue
from afford.schema.choices import renumbered
from afford.schema.core_tree import compile_type
from afford.schema.document import (
    REF_PREFIX,
    REQUIRED,
    Direction,
    InputField,
    SchemaError,
    TypeSchema,
    is_open,
    ordered,
    transformed,
)
from afford.schema.field_parts import FieldParts, read_field, read_remarks, unwrapped, with_texts
from afford.schema.json_form import NotJsonError, json_form
from afford.schema.markers import Choices
from afford.schema.null_plan import NullPlan
from afford.schema.plain import plain_schema
from afford.schema.publish import publish

_SILENT: Final = (Any, object, dict, list, tuple, set, frozenset)


def derive_inputs(fields: Sequence[InputField]) -> TypeSchema:
    """The closed object over the inputs of a handler, in their order.

    A default is published as `default`; `T | None = None` is a plain `T` that is not required. A default with no JSON
    form is left out here and reported by `check_defaults`.

    Raises:
        SchemaError: a type cannot be published; `path` starts with the field's published name.
    """
    document = _Document()
    for declared in fields:
        field = read_field(declared)
        try:
            document.add(field)
        except SchemaError as error:
            raise error.inside(field.published) from error
    return document.finished()


def derive_model_inputs(model: type) -> TypeSchema:
    """The closed object of one model, dataclass or TypedDict whose fields are the inputs.

    Raises:
        SchemaError: it cannot be published, or it is no object with fields.
    """
    published = publish(model, Direction.INPUT)
    if published.schema.get("type") != "object" or "properties" not in published.schema:
        raise SchemaError(
            f"`{model.__name__}` has no fields of its own to be the inputs",
            fix="use a BaseModel, a dataclass or a TypedDict with fields",
        )
    return published


def derive_output(annotation: object) -> TypeSchema:
    """What an answer of this type looks like; members that are always written are required, defaults or not.

    Raises:
        SchemaError: the type cannot be published, or says nothing about the answer.
    """
    bare, metadata = unwrapped(annotation)
    choices: list[Choices] = []
    plain = plain_schema(bare, read_remarks(metadata), choices)
    if plain is not None:
        return TypeSchema(plain, tuple(choices), is_open(plain))
    _refuse_silent(bare)
    return publish(annotation, Direction.OUTPUT)


class _Document:
    """An input schema in the making."""

    def __init__(self) -> None:
        self._properties: JsonObject = {}
        self._required: list[JsonValue] = []
        self._definitions: dict[str, JsonObject] = {}
        self._choices: list[Choices] = []
        self._is_open = False

    def add(self, field: FieldParts) -> None:
        if field.published in self._properties:
            raise SchemaError(
                f"two inputs are called `{field.published}`", fix="give one of them another name or alias"
            )
        schema = plain_schema(field.annotation, field.remarks, self._choices)
        is_plain = schema is not None
        if schema is None:
            _refuse_silent(field.annotation)
            schema = ordered(
                with_texts(self._adopted(publish(compiled_annotation(field), Direction.INPUT)), field.remarks)
            )
        default = published_default(field, is_plain=is_plain)
        if default is not None:
            schema = ordered({**schema, "default": default[0]})
        self._properties[field.published] = schema
        if not field.may_be_absent:
            self._required.append(field.published)

    def finished(self) -> TypeSchema:
        schema: JsonObject = {
            "type": "object",
            "properties": self._properties,
            "required": self._required,
            "additionalProperties": False,
        }
        if self._definitions:
            schema["$defs"] = cast("JsonValue", dict(sorted(self._definitions.items())))
        return TypeSchema(schema, tuple(self._choices), self._is_open)

    def _adopted(self, published: TypeSchema) -> JsonObject:
        """The schema of one type, its definitions and closed sets taken over into this document."""
        self._is_open = self._is_open or published.is_open
        schema = dict(renumbered(published.schema, published.choices, self._choices))
        definitions = cast("dict[str, JsonObject]", schema.pop("$defs", {}))
        names = self._new_names(definitions)
        if names:
            schema = _renamed(schema, names)
            definitions = {names.get(name, name): _renamed(inner, names) for name, inner in definitions.items()}
        self._definitions.update(definitions)
        return schema

    def _new_names(self, definitions: dict[str, JsonObject]) -> dict[str, str]:
        """New names for definitions whose names mean something else here already."""
        if all(self._definitions.get(name, inner) == inner for name, inner in definitions.items()):
            return {}
        names: dict[str, str] = {}
        for name in definitions:
            number = 2
            while name in self._definitions and f"{name}_{number}" in self._definitions:
                number += 1
            if name in self._definitions:
                names[name] = f"{name}_{number}"
        return names


def compiled_annotation(field: FieldParts) -> object:
    """The type of a field as pydantic compiles it: with its constraints and validators, without texts and defaults."""
    members: list[object] = []
    for item in field.metadata:
        if isinstance(item, FieldInfo):
            members += item.metadata
            if item.discriminator is not None:
                members.append(Field(discriminator=item.discriminator))
        else:
            members.append(item)
    return annotated(field.annotation, members)


def annotated(annotation: object, members: Sequence[object]) -> object:
    """`Annotated[annotation, *members]`."""
    return cast("object", getitem(cast("Any", Annotated), (annotation, *members))) if members else annotation


def published_default(field: FieldParts, *, is_plain: bool) -> tuple[JsonValue] | None:
    """The default of a field as published; None where none is."""
    if not field.may_be_absent or field.null_is_absent or field.default is REQUIRED:
        return None
    try:
        default = json_form(field.default)
    except NotJsonError:
        return None
    if isinstance(default, (dict, list)) and not is_plain:
        default = NullPlan(compile_type(compiled_annotation(field))).without_nulls(default)
    return (default,)


def _refuse_silent(annotation: object) -> None:
    if any(annotation is silent for silent in _SILENT):
        name = getattr(annotation, "__name__", None) or str(annotation)
        raise SchemaError(
            f"the type `{name}` says nothing about the value",
            fix="declare what it holds, such as `list[str]` or a model; `JsonValue` where any JSON is meant",
        )


def _renamed(schema: JsonObject, names: dict[str, str]) -> JsonObject:
    def rename(place: JsonObject) -> JsonObject:
        reference = place.get("$ref")
        if isinstance(reference, str):
            name = reference.removeprefix(REF_PREFIX)
            place["$ref"] = REF_PREFIX + names.get(name, name)
        return place

    return transformed(schema, rename)
