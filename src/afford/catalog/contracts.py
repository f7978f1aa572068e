"""Input and output contracts of one operation, derived from its signature or taken from its raw schemas."""

from __future__ import annotations

import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import GenericAlias, UnionType
from typing import Final, Union, get_args, get_origin

from afford.catalog.content import CONTENT_SCHEMA, ContentDumper, OpenDumper, carried
from afford.catalog.findings import Findings
from afford.catalog.operation import Answer, Carries, Input, Output
from afford.catalog.records import is_record
from afford.catalog.signature import Signature, bare, optional_of
from afford.declare.operations import OperationDeclaration, Role
from afford.declare.pages import Page
from afford.declare.tools import FromHandler
from afford.declare.vocabulary import Kind
from afford.errors import JsonObject, JsonValue
from afford.schema import (
    Direction,
    InputDecoder,
    InputField,
    OutputDumper,
    SchemaError,
    TypeSchema,
    check_defaults,
    check_raw_schema,
    derive_inputs,
    derive_model_inputs,
    derive_output,
    exact_integers,
)
from afford.schema.document import every_schema
from afford.schema.query_string import shape_errors

_COLLECTIONS: Final[frozenset[object]] = frozenset({dict, list, tuple, set, frozenset, Mapping, Sequence, Page})
_SILENT: Final[frozenset[object]] = frozenset({object, typing.Any, None, *_COLLECTIONS})
_STANDARD: Final = frozenset({"builtins", "datetime", "decimal", "enum", "typing"})
"""Homes of types that no provider would make, but a schema may refuse."""
_ROWS: Final = frozenset({list, tuple, Sequence})

EMPTY_INPUT: Final[JsonObject] = {"type": "object", "additionalProperties": False, "properties": {}, "required": []}


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """Which declaration is being checked, and where findings about it go."""

    id: str
    declaration: OperationDeclaration
    findings: Findings

    def report(self, code: str, message: str, fix: str | None = None) -> None:
        """Record one finding about this operation."""
        self.findings.add(code, self.id, message, fix=fix, location=self.declaration.location)


def read_input(subject: Subject, signature: Signature) -> Input | None:
    """The input contract; None after reporting why there is none."""
    raw = subject.declaration.options.get("input_schema")
    if raw is not None:
        contract = _raw_input(subject, raw)
    elif signature.model is not None:
        contract = _model_input(subject, signature.model)
    else:
        contract = _field_input(subject, signature.fields)
    # What travels as text without a query string is looked at where its names are known.
    if contract is not None and subject.declaration.kind.reads and subject.declaration.role is Role.OPERATION:
        for error in shape_errors(contract.schema):
            subject.report("SCH104", f"`{error.pointer or '/'}`: {error.message}", error.fix)
    return contract


def read_output(subject: Subject, signature: Signature) -> Output | None:
    """The output contract; None after reporting why there is none."""
    declaration, kind = subject.declaration, subject.declaration.kind
    raw = declaration.options.get("output_schema")
    if raw is not None:
        return _raw_output(subject, raw)
    if declaration.role in (Role.RESOURCE, Role.PROMPT):
        return Output(answer=Answer.CONTENT, schema={}, dumper=None)
    returns = stated_output(declaration, signature)
    if declaration.role is Role.TOOL and returns is not type(None) and _is_silent(returns):
        return Output(answer=Answer.VALUE, schema={}, dumper=OpenDumper(), carries=Carries.ANYTHING, is_open=True)
    carries, stated = carried(returns)
    if carries is Carries.CONTENT:
        return _content_output(kind, returns)
    answer, annotation = _answer_of(kind, stated)
    if answer is Answer.NOTHING and not kind.reads:
        return Output(answer=answer, schema={"type": "null"}, dumper=None, carries=carries)
    if not _is_answerable(subject, returns, annotation):
        return None
    derived = _derived(subject, lambda: derive_output(annotation))
    if derived is None:
        return None
    dumped = GenericAlias(list, annotation) if kind.reads else annotation
    return Output(
        answer=answer,
        schema=_array_of(derived.schema) if kind.reads else derived.schema,
        dumper=OutputDumper(dumped),
        carries=carries,
        is_open=derived.is_open,
        choices=derived.choices,
        template=(_array_of(derived.schema) if kind.reads else derived.schema) if derived.choices else None,
    )


def stated_output(declaration: OperationDeclaration, signature: Signature) -> object:
    """The annotation of the answer: the declared one, else the handler's; None where neither says."""
    return signature.returns if isinstance(declaration.output, FromHandler) else declaration.output


def _is_answerable(subject: Subject, returns: object, annotation: object) -> bool:
    """Whether the kind can answer that type, and the type says what it is; reported where not."""
    kind = subject.declaration.kind
    if kind is Kind.EVENT:
        subject.report("DEC111", f"the event returns `{_name(returns)}`")
        return False
    if _is_silent(annotation):
        subject.report("SCH105", f"the return type `{_name(returns)}` says nothing about the answer")
        return False
    if not kind.reads and get_origin(bare(annotation)) is Page:
        subject.report("DEC112", "an action returns `Page[...]`; only queries page")
        return False
    return True


def _content_output(kind: Kind, returns: object) -> Output:
    """The answer is a picture, a sound or a document itself."""
    is_optional = optional_of(returns) is not None
    schema: JsonObject = CONTENT_SCHEMA
    answer = Answer.OPTIONAL_ROW if is_optional else Answer.ROW
    if not kind.reads:
        answer = Answer.VALUE
        schema = {"anyOf": [schema, {"type": "null"}]} if is_optional else schema
    return Output(
        answer=answer,
        schema=_array_of(schema) if kind.reads else schema,
        dumper=ContentDumper(),
        carries=Carries.CONTENT,
    )


def row_type(kind: Kind, returns: object) -> object:
    """The annotation of one row of a read, or of a write's value."""
    return _answer_of(kind, carried(returns)[1])[1]


def _answer_of(kind: Kind, returns: object) -> tuple[Answer, object]:
    plain = bare(returns)
    if plain is None or plain is type(None):
        return Answer.NOTHING, None
    if not kind.reads:
        return Answer.VALUE, returns
    origin, arguments = get_origin(plain), get_args(plain)
    if origin is Page and arguments:
        return Answer.PAGE, arguments[0]
    is_fixed_tuple = origin is tuple and not (len(arguments) == 2 and arguments[1] is Ellipsis)  # noqa: PLR2004
    if origin in _ROWS and arguments and not is_fixed_tuple:
        return Answer.ROWS, arguments[0]
    inner = optional_of(returns)
    return (Answer.ROW, returns) if inner is None else (Answer.OPTIONAL_ROW, inner)


def _field_input(subject: Subject, fields: Sequence[InputField]) -> Input | None:
    if not fields:
        return Input(schema=EMPTY_INPUT, decoder=None, defaults={})
    derived = _derived_fields(subject, fields)
    if derived is None:
        return None
    faults = check_defaults(fields, derived.schema)
    for name, error in faults:
        subject.report("SCH102", f"the default of `{name}`: {error.message}", error.fix)
    decoder = InputDecoder.for_fields(fields)
    return None if faults else _input(derived, decoder)


def _model_input(subject: Subject, model: type) -> Input | None:
    derived = _derived(subject, lambda: derive_model_inputs(model))
    return None if derived is None else _input(derived, InputDecoder.for_model(model))


def _input(derived: TypeSchema, decoder: InputDecoder) -> Input:
    return Input(
        schema=derived.schema,
        decoder=decoder,
        defaults=published_defaults(derived.schema),
        choices=derived.choices,
        template=derived.schema if derived.choices else None,
    )


def published_defaults(schema: JsonObject) -> dict[str, JsonValue]:
    """The JSON defaults that an input schema publishes, by input name."""
    properties = schema.get("properties")
    if not isinstance(properties, dict):
        return {}
    return {name: part["default"] for name, part in properties.items() if isinstance(part, dict) and "default" in part}


def _raw_input(subject: Subject, raw: Mapping[str, object]) -> Input | None:
    schema = _checked_raw(subject, raw, Direction.INPUT)
    if schema is None:
        return None
    return Input(schema=schema, decoder=None, defaults=published_defaults(schema))


def _raw_output(subject: Subject, raw: Mapping[str, object]) -> Output | None:
    schema = _checked_raw(subject, raw, Direction.OUTPUT)
    if subject.declaration.kind is Kind.EVENT:
        subject.report("DEC111", "the event has an output schema")
        return None
    if schema is None:
        return None
    if not subject.declaration.kind.reads:
        return Output(answer=Answer.VALUE, schema=schema, dumper=None, is_open=True)
    if _refers_to_root(schema):
        message = "the output schema refers to its own root, and a query's answer is an array of it"
        subject.report("SCH103", message, "move the type to `$defs` and refer to `#/$defs/...`")
        return None
    if schema.get("type") == "array":
        answer = Answer.PAGE if "paging" in subject.declaration.options else Answer.ROWS
        return Output(answer=answer, schema=schema, dumper=None, is_open=True)
    return Output(answer=Answer.ROW, schema=_array_of(schema), dumper=None, is_open=True)


def _refers_to_root(schema: JsonObject) -> bool:
    """Whether a reference names anything but a definition, which is all that stays where it is in an array."""
    references = [inner["$ref"] for inner in every_schema(schema) if "$ref" in inner]
    return any(not str(reference).startswith("#/$defs/") for reference in references)


def _checked_raw(subject: Subject, raw: Mapping[str, object], direction: Direction) -> JsonObject | None:
    errors = check_raw_schema(raw, direction)
    for error in errors:
        where = f" at `{error.path}`" if error.path else ""
        subject.report("SCH103", f"the {direction.value} schema{where}: {error.message}", error.fix)
    return None if errors else exact_integers(typing.cast("JsonObject", dict(raw)))


def _derived_fields(subject: Subject, fields: Sequence[InputField]) -> TypeSchema | None:
    """The schema over all fields; when one of them has none, every field that has none is reported."""
    try:
        return derive_inputs(fields)
    except SchemaError as error:
        before = len(subject.findings)
        for field in fields:
            _report_field(subject, field)
        if len(subject.findings) == before:
            subject.report("SCH101", f"the parameters together: {error.message}", error.fix)
        return None


def _report_field(subject: Subject, field: InputField) -> None:
    try:
        derive_inputs([field])
    except SchemaError as error:
        plain = bare(field.annotation)
        if isinstance(plain, type) and not is_record(plain) and plain.__module__ not in _STANDARD:
            name = plain.__name__
            message = f"the parameter `{field.name}` has the type `{name}`, which no provider makes: {error.message}"
            subject.report("DEC108", message, f"add `app.provide({name}, ...)`, or: {error.fix}")
        else:
            subject.report("SCH101", f"the parameter `{field.name}`: {error.message}", error.fix)


def _derived(subject: Subject, derive: Callable[[], TypeSchema]) -> TypeSchema | None:
    try:
        return derive()
    except SchemaError as error:
        where = f" at `{error.path}`" if error.path else ""
        subject.report("SCH101", f"{error.message}{where}", error.fix)
        return None


def _array_of(row: JsonObject) -> JsonObject:
    """An array of rows; the row's definitions move to the root, where local references look for them."""
    items = {key: value for key, value in row.items() if key != "$defs"}
    schema: JsonObject = {"type": "array", "items": items}
    if "$defs" in row:
        schema["$defs"] = row["$defs"]
    return schema


def _is_silent(annotation: object) -> bool:
    """Whether the annotation, or what a collection of it holds, leaves open what it is."""
    plain = bare(annotation)
    origin = get_origin(plain)
    members = [member for member in get_args(plain) if member is not type(None) and member is not Ellipsis]
    if origin in (Union, UnionType):
        return any(_is_silent(member) for member in members)
    if origin in _COLLECTIONS:
        return not members or _is_silent(members[-1])
    try:
        return plain in _SILENT
    except TypeError:
        return False


def _name(annotation: object) -> str:
    if annotation is type(None):
        return "None"
    name = None if get_args(annotation) else getattr(annotation, "__name__", None)
    return name or str(annotation).replace("typing.", "")
