"""From judged JSON to the values that a handler is called with.

Converts and never judges: what arrives here was accepted by the published schema. What can still refuse is the author's
own validators, whose refusals keep their words and get a place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from pydantic import ValidationError, create_model
from pydantic_core import SchemaValidator, core_schema

from afford.errors import Fault, FaultCode, JsonObject
from afford.schema.conversion import input_converter
from afford.schema.core_tree import CoreNode, CoreTree, compile_type, tree_of
from afford.schema.derive import compiled_annotation
from afford.schema.document import InputField, pointer_token
from afford.schema.field_parts import FieldParts, read_field
from afford.schema.null_plan import NullPlan, holds_null
from afford.schema.short_ways import ShortWays

_MODEL: Final = "model"
_VALUE_PREFIX: Final = ("Value error, ", "Assertion failed, ")


class RuleViolation(Exception):
    """The author's own validators refused values that the published schema accepts.

    Attributes:
        faults: what they said, each with its place in the arguments.
    """

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        """Keep what the caller is told."""
        super().__init__("; ".join(f"{fault.pointer or '/'}: {fault.message}" for fault in faults))
        self.faults = faults


class InputDecoder:
    """Converts the arguments of one operation. Make one with `for_fields` or `for_model`; compiled on first use."""

    __slots__ = ("_converter", "_fields", "_made", "_model", "_omittable", "_plan", "_ways")

    def __init__(self, fields: Sequence[FieldParts] | None, model: type | None) -> None:
        """Use one of the class methods instead."""
        self._fields = fields
        self._model = model
        self._made = [(item.name, item.make_default) for item in fields or () if item.make_default is not None]
        self._omittable = frozenset(field.published for field in fields or () if field.null_is_absent)
        self._converter: SchemaValidator | None = None
        self._plan: NullPlan | None = None
        self._ways: ShortWays | None = None

    @classmethod
    def for_fields(cls, fields: Sequence[InputField]) -> InputDecoder:
        """Decodes into the named parameters of a handler.

        Raises:
            SchemaError: a field has several names.
        """
        return cls([read_field(declared) for declared in fields], None)

    @classmethod
    def for_model(cls, model: type) -> InputDecoder:
        """Decodes into one instance of a model, a dataclass or a TypedDict, under the empty name."""
        return cls(None, model)

    def without_omitted_nulls(self, arguments: JsonObject) -> JsonObject:
        """The arguments without nulls for what was declared `T | None = None`, inside models too.

        The one tolerance there is. It runs before the judge, on anything; the same object comes back when nothing
        changes, and the arguments are never changed in place.
        """
        plan = self._plan
        if plan is not None and plan.is_empty:
            # Nothing inside the arguments tolerates a null, so nothing inside them is looked at.
            return self._without_own_nulls(arguments) if None in arguments.values() else arguments
        if not holds_null(arguments):
            return arguments
        arguments = self._without_own_nulls(arguments)
        if not holds_null(arguments):
            return arguments
        if plan is None:
            self._compile()
            plan = self._plan
        return arguments if plan is None else plan.without_nulls(arguments)

    def decode(self, arguments: JsonObject) -> dict[str, object]:
        """The Python values of judged arguments.

        Args:
            arguments: what the published schema accepted, by published name.

        Returns:
            For fields, the values by parameter name: those that were sent, and the defaults that the handler's own
            signature does not have. For a model, the instance under the empty name.

        Raises:
            RuleViolation: the author's own validators refused.
        """
        converter = self._converter or self._compile()
        if self._fields is None:
            return {"": _converted(converter, arguments)}
        values = self._one_by_one(arguments)
        if values is None:
            values = cast("dict[str, object]", _converted(converter, arguments))
        for name, make_default in self._made:
            if name not in values:
                values[name] = make_default()
        return values

    def _one_by_one(self, arguments: JsonObject) -> dict[str, object] | None:
        """The values, where each follows from its argument alone; None where they are to be had together."""
        try:
            return None if self._ways is None else self._ways.values(arguments)
        except ValidationError:
            # What is wrong is told of all arguments at once.
            return None

    def _without_own_nulls(self, arguments: JsonObject) -> JsonObject:
        """The arguments without the nulls of a handler's own parameters."""
        kept = {name: value for name, value in arguments.items() if value is not None or name not in self._omittable}
        return kept if len(kept) < len(arguments) else arguments

    def _compile(self) -> SchemaValidator:
        tree = compile_type(self._model) if self._fields is None else _arguments_tree(self._fields)
        self._plan = NullPlan(tree)
        if self._fields is not None:
            self._ways = ShortWays(tree)
        self._converter = input_converter(tree.root)
        return self._converter


def _converted(converter: SchemaValidator, arguments: JsonObject) -> object:
    try:
        return converter.validate_python(arguments, by_alias=True, by_name=False)
    except ValidationError as error:
        raise RuleViolation(_faults(error, arguments)) from error


def _arguments_tree(fields: Sequence[FieldParts]) -> CoreTree:
    """A record of all fields, each optional, so that what is absent stays absent."""
    # Names of our own: parameters may be called like anything that a model has.
    types = {f"f{index}": (compiled_annotation(field), ...) for index, field in enumerate(fields)}
    model = create_model("Arguments", **cast("dict[str, Any]", types))
    compiled = compile_type(model)
    record, definitions = _record_of(compiled.root)
    members = cast("dict[str, CoreNode]", record["fields"])
    named: dict[str, core_schema.TypedDictField] = {}
    for index, field in enumerate(fields):
        schema = cast("core_schema.CoreSchema", members[f"f{index}"]["schema"])
        named[field.name] = core_schema.typed_dict_field(schema, required=False, validation_alias=field.published)
    arguments = cast("CoreNode", core_schema.typed_dict_schema(named))
    if not definitions:
        return tree_of(arguments)
    return tree_of({"type": "definitions", "schema": arguments, "definitions": definitions})


def _record_of(root: CoreNode) -> tuple[CoreNode, list[object]]:
    definitions: list[object] = []
    node = root
    while node["type"] != "model-fields":
        if node["type"] == "definitions":
            definitions = cast("list[object]", node["definitions"])
        node = cast("CoreNode", node["schema"])
    return node, definitions


def _faults(error: ValidationError, arguments: JsonObject) -> tuple[Fault, ...]:
    found: dict[tuple[str, str], Fault] = {}
    for detail in error.errors(include_url=False, include_context=False, include_input=False):
        pointer = _pointer(detail["loc"], arguments)
        message = detail["msg"]
        for prefix in _VALUE_PREFIX:
            message = message.removeprefix(prefix)
        found[pointer, message] = Fault(pointer=pointer, code=FaultCode.RULE, message=message)
    return tuple(found.values())


def _pointer(location: Sequence[str | int], arguments: JsonObject) -> str:
    """The place in the arguments; parts of a location that name branches and validators lead nowhere."""
    value: object = arguments
    pointer = ""
    for part in location:
        if isinstance(part, str) and isinstance(value, Mapping) and part in value:
            value = cast("Mapping[str, object]", value)[part]
        elif isinstance(part, int) and isinstance(value, list) and part < len(cast("list[object]", value)):
            value = cast("list[object]", value)[part]
        else:
            continue
        pointer += f"/{pointer_token(str(part))}"
    return pointer
