"""Pydantic's JSON Schema generator with the corrections that make it say what is accepted and what is written.

Each method here replaces one that publishes more, less or something else than the conversion does. Knows core schemas
and forms; which types are refused outright is decided before.
"""

from __future__ import annotations

import inspect
from typing import Final, cast

from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode, JsonSchemaValue
from pydantic_core import PydanticSerializationError, core_schema

from afford.errors import ABSENT, JsonObject
from afford.schema.core_tree import CoreNode, omitted_null
from afford.schema.document import Direction
from afford.schema.forms import (
    INTEGER_KEY_PATTERN,
    closed_set,
    date_form,
    decimal_form,
    duration_form,
    instant_form,
    integer_form,
    number_form,
    pattern_text,
    time_form,
    uuid_form,
)
from afford.schema.json_form import NotJsonError, json_form

MODES: Final[dict[Direction, JsonSchemaMode]] = {Direction.INPUT: "validation", Direction.OUTPUT: "serialization"}


class SchemaGenerator(GenerateJsonSchema):
    """Publishes a compiled type; one instance per document."""

    ignored_warning_kinds = {"skipped-choice", "non-serializable-default"}  # noqa: RUF012 - the parent's declaration

    def __init__(self, *, by_alias: bool = True, ref_template: str = "#/$defs/{model}") -> None:
        """Start an empty document."""
        super().__init__(by_alias=by_alias, ref_template=ref_template)
        self._never_null: set[int] = set()
        self.defaults: list[tuple[CoreNode, object]] = []
        """Nodes with a default, and the default as published (`ABSENT`: it has no JSON form), in the order met."""

    def generate_inner(self, schema: object) -> JsonSchemaValue:
        """As pydantic, but what a class says about itself is for its readers."""
        node = cast("CoreNode", schema)
        published = super().generate_inner(cast("core_schema.CoreSchema", schema))
        if node["type"] == "enum":
            _drop_class_texts(self.resolve_ref_schema(published), cast("type", node["cls"]), {})
        return published

    def int_schema(self, schema: core_schema.IntSchema) -> JsonSchemaValue:
        """Bounded to what every JSON reader keeps exactly."""
        return integer_form(cast("CoreNode", schema))

    def float_schema(self, schema: core_schema.FloatSchema) -> JsonSchemaValue:
        """A JSON number, which is finite."""
        return number_form(cast("CoreNode", schema))

    def decimal_schema(self, schema: core_schema.DecimalSchema) -> JsonSchemaValue:
        """Text with a pattern made from the digits and places."""
        return decimal_form(cast("CoreNode", schema))

    def str_schema(self, schema: core_schema.StringSchema) -> JsonSchemaValue:
        """Text whose pattern lost no flags."""
        published = super().str_schema(schema)
        if "pattern" in schema:
            published["pattern"] = pattern_text(schema["pattern"])
        return published

    def date_schema(self, schema: core_schema.DateSchema) -> JsonSchemaValue:
        """A date that Python has."""
        return date_form()

    def datetime_schema(self, schema: core_schema.DatetimeSchema) -> JsonSchemaValue:
        """An instant that Python has."""
        return instant_form()

    def time_schema(self, schema: core_schema.TimeSchema) -> JsonSchemaValue:
        """A time of day."""
        return time_form()

    def timedelta_schema(self, schema: core_schema.TimedeltaSchema) -> JsonSchemaValue:
        """A duration."""
        return duration_form()

    def uuid_schema(self, schema: core_schema.UuidSchema) -> JsonSchemaValue:
        """A UUID in one spelling, of the version asked for."""
        return uuid_form(schema.get("version"))

    def literal_schema(self, schema: core_schema.LiteralSchema) -> JsonSchemaValue:
        """The members as they are, whatever their types."""
        return closed_set(schema["expected"])

    def enum_schema(self, schema: core_schema.EnumSchema) -> JsonSchemaValue:
        """The members' values."""
        return closed_set(schema["members"])

    def nullable_schema(self, schema: core_schema.NullableSchema) -> JsonSchemaValue:
        """Without null where leaving out means the same."""
        if id(schema) in self._never_null:
            return self.generate_inner(schema["schema"])
        return super().nullable_schema(schema)

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        """Inputs publish their default; `T | None = None` is a `T` that may be left out."""
        if self.mode == "serialization":
            return self.generate_inner(schema["schema"])
        node = cast("CoreNode", schema)
        nullable = omitted_null(node)
        if nullable is not None:
            # Only for this use: the same node may stand elsewhere without a default.
            self._never_null.add(id(nullable))
            published = self.generate_inner(schema["schema"])
            self._never_null.discard(id(nullable))
            return published
        published = super().default_schema(schema)
        if "default" in schema:
            self.defaults.append((node, published.get("default", ABSENT)))
        return published

    def encode_default(self, dft: object) -> object:
        """The default as it would be sent."""
        try:
            return json_form(dft)
        except NotJsonError as error:
            raise PydanticSerializationError(str(error)) from error

    def sort(self, value: JsonSchemaValue, parent_key: str | None = None) -> JsonSchemaValue:
        """As met; the finished document is ordered once."""
        return value

    def field_title_should_be_set(self, schema: object) -> bool:
        """Never: a title repeats the name."""
        return False

    def field_is_required(
        self,
        field: core_schema.ModelField | core_schema.DataclassField | core_schema.TypedDictField,
        total: bool,  # noqa: FBT001 - the parent's signature
    ) -> bool:
        """What is always written is required of an answer, defaults or not."""
        if self.mode == "validation" or field["type"] == "typed-dict-field":
            return super().field_is_required(field, total)
        return field.get("serialization_exclude_if") is None

    def tuple_schema(self, schema: core_schema.TupleSchema) -> JsonSchemaValue:
        """Lengths of a fixed tuple; its own constraints of a variable one."""
        published = super().tuple_schema(schema)
        if "prefixItems" in published and "items" not in published:
            published["items"] = False
        return published

    def dict_schema(self, schema: core_schema.DictSchema) -> JsonSchemaValue:
        """Keys that are integers get their spelling; a pattern on the keys closes the object."""
        published = super().dict_schema(schema)
        keys = cast("CoreNode", schema.get("keys_schema", {"type": "any"}))
        if keys["type"] == "int":
            published["propertyNames"] = {"pattern": INTEGER_KEY_PATTERN}
        elif "patternProperties" in published:
            published["additionalProperties"] = False
        if published.get("additionalProperties") is True:
            published["additionalProperties"] = {}
        return published

    def ordered_dict_schema(self, schema: core_schema.OrderedDictSchema) -> JsonSchemaValue:
        """As for every map."""
        return self.dict_schema(cast("core_schema.DictSchema", schema))

    def frozendict_schema(self, schema: core_schema.FrozenDictSchema) -> JsonSchemaValue:
        """As for every map."""
        return self.dict_schema(cast("core_schema.DictSchema", schema))

    def counter_schema(self, schema: core_schema.CounterSchema) -> JsonSchemaValue:
        """As for every map."""
        return self.dict_schema(cast("core_schema.DictSchema", schema))

    def tagged_union_schema(self, schema: core_schema.TaggedUnionSchema) -> JsonSchemaValue:
        """The tag decides, so it has to be there, even where the branch alone has a default for it."""
        published = super().tagged_union_schema(schema)
        discriminator = published.pop("discriminator", None)
        if callable(schema["discriminator"]):
            return {"anyOf": published["oneOf"]}
        if isinstance(discriminator, dict):
            tag = cast("JsonObject", discriminator)["propertyName"]
            return {"type": "object", "required": [tag], **published}
        return published

    def model_schema(self, schema: core_schema.ModelSchema) -> JsonSchemaValue:
        """Closed; nothing is said that the author did not write as a description."""
        published = super().model_schema(schema)
        return _closed(published, schema["cls"], dict(schema["cls"].model_config))

    def dataclass_schema(self, schema: core_schema.DataclassSchema) -> JsonSchemaValue:
        """As for models."""
        published = super().dataclass_schema(schema)
        return _closed(published, schema["cls"], getattr(schema["cls"], "__pydantic_config__", None) or {})

    def typed_dict_schema(self, schema: core_schema.TypedDictSchema) -> JsonSchemaValue:
        """As for models."""
        published = super().typed_dict_schema(schema)
        cls = schema.get("cls")
        return _closed(published, cls, getattr(cls, "__pydantic_config__", None) or {})


def _closed(published: JsonSchemaValue, cls: type | None, config: dict[str, object]) -> JsonObject:
    if cls is not None:
        _drop_class_texts(published, cls, config)
    if published.get("type") == "object" and "properties" in published:
        published.setdefault("required", [])
        published["additionalProperties"] = False
    return published


def _drop_class_texts(published: JsonSchemaValue, cls: type, config: dict[str, object]) -> None:
    """Take out a title that repeats the name, and a docstring: only what is written as a description is published."""
    if published.get("title") == cls.__name__ and "title" not in config:
        published.pop("title")
    written = published.get("description")
    if written is not None and cls.__doc__ and written == inspect.cleandoc(cls.__doc__):
        published.pop("description")
