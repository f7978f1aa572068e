"""Questions to a person, read from `Annotated[Model, Ask(...)]`: what is asked, and what an answer must look like."""

from __future__ import annotations

from typing import Final, cast

from afford.catalog.contracts import Subject
from afford.catalog.operation import Question
from afford.catalog.records import is_record
from afford.catalog.signature import Signature
from afford.declare.questions import MENTION
from afford.errors import JsonObject, JsonValue
from afford.schema import InputDecoder, SchemaError, derive_model_inputs

_SCALARS: Final = frozenset({"string", "integer", "number", "boolean"})


def read_questions(subject: Subject, signature: Signature, inputs: JsonObject) -> tuple[Question, ...]:
    """The questions of one operation; one that no form can show is reported (MCP specification, "Elicitation").

    Args:
        subject: which operation.
        signature: its handler's.
        inputs: its input schema, whose inputs a question may mention.
    """
    found: list[Question] = []
    properties = inputs.get("properties")
    known = properties if isinstance(properties, dict) else {}
    for name, model, asked in signature.questions:
        schema = _form(subject, name, model)
        for mentioned in sorted(set(MENTION.findall(asked.message)) - set(known)):
            subject.report("ASK101", f"the question `{name}` mentions `{mentioned}`, which is no input")
        if not asked.message.strip():
            subject.report("ASK101", f"the question `{name}` has no text", "write what the person is asked")
        elif schema is not None:
            decoder = InputDecoder.for_model(model)
            found.append(Question(name=name, message=asked.message, schema=schema, decoder=decoder))
    return tuple(found)


def _form(subject: Subject, name: str, model: object) -> JsonObject | None:
    if not is_record(model):
        subject.report("ASK101", f"the question `{name}` is answered by no model")
        return None
    try:
        derived = derive_model_inputs(cast("type[object]", model))
    except SchemaError as error:
        subject.report("ASK101", f"the question `{name}`: {error.message}", error.fix)
        return None
    schema = derived.schema
    if derived.choices:
        subject.report("ASK101", f"the question `{name}` has a derived closed set", "state its members as a `Literal`")
        return None
    fields = schema.get("properties")
    definitions = schema.get("$defs")
    for field, part in (fields if isinstance(fields, dict) else {}).items():
        if not _fits_a_form(part, definitions if isinstance(definitions, dict) else {}):
            subject.report("ASK101", f"the field `{field}` of the question `{name}` does not fit into a form")
            return None
    return schema


def _fits_a_form(part: JsonValue, definitions: JsonObject) -> bool:
    """Whether a form has a control for it: one scalar, a closed set of texts, or several of such a set."""
    resolved = _resolved(part, definitions)
    if resolved.get("type") == "array":
        items = _resolved(resolved.get("items"), definitions)
        return ("enum" in items and items.get("type") == "string") or _is_set_with_titles(items.get("anyOf"))
    return resolved.get("type") in _SCALARS


def _is_set_with_titles(members: JsonValue) -> bool:
    """Whether these are texts to choose from, each with what people read."""
    if not isinstance(members, list) or not members:
        return False
    return all(isinstance(member, dict) and isinstance(member.get("const"), str) for member in members)


def _resolved(part: JsonValue, definitions: JsonObject) -> JsonObject:
    if not isinstance(part, dict):
        return {}
    reference = part.get("$ref")
    if isinstance(reference, str):
        target = definitions.get(reference.removeprefix("#/$defs/"))
        return {**target, **part} if isinstance(target, dict) else part
    return part
