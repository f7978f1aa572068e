"""Questions as the forms that clients show, and what comes back (MCP specification, "Elicitation"). Pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from afford.errors import Code, Failure, JsonObject, JsonValue, failure
from afford.execute.answers import worded
from afford.manifest import Operation, Question
from afford.surfaces.mcp.protocol import INVALID_PARAMS, ProtocolError
from afford.surfaces.mcp.schemas import inlined

_ANY: Final = frozenset({"type", "title", "description", "default"})
_KEYWORDS: Final = {
    "string": _ANY | {"minLength", "maxLength", "enum", "enumNames", "oneOf", "format"},
    "integer": _ANY | {"minimum", "maximum"},
    "number": _ANY | {"minimum", "maximum"},
    "boolean": _ANY,
    "array": _ANY | {"items", "minItems", "maxItems"},
}
"""What the protocol lets a form say about each type; the rest is judged when the answer comes."""
_FORMATS: Final = frozenset({"date", "date-time", "email", "uri"})


class Action(StrEnum):
    """What the person did with a question."""

    ACCEPT = "accept"
    DECLINE = "decline"
    CANCEL = "cancel"


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back for one question."""

    action: Action
    content: JsonObject


def can_ask(capabilities: JsonObject) -> bool:
    """Whether a client shows forms: an empty capability means that, too."""
    declared = capabilities.get("elicitation")
    return isinstance(declared, dict) and (not declared or "form" in declared)


def elicitation(operation: Operation, question: Question, arguments: JsonObject) -> JsonObject:
    """The parameters of `elicitation/create` for a question."""
    message = worded(operation, question, arguments)
    return {"mode": "form", "message": message, "requestedSchema": form_of(question)}


def reply_of(value: JsonValue) -> Reply:
    """What a client sent back for one question.

    Raises:
        ProtocolError: it is no elicitation result.
    """
    members = value if isinstance(value, dict) else {}
    action, content = members.get("action"), members.get("content")
    if action not in set(Action):
        raise ProtocolError(INVALID_PARAMS, "the answer to a question has no action: accept, decline or cancel")
    if action == Action.ACCEPT and content is not None and not isinstance(content, dict):
        raise ProtocolError(INVALID_PARAMS, "the content of an accepted answer is an object")
    return Reply(Action(action), content if isinstance(content, dict) else {})


def refused(reply: Reply) -> Failure | None:
    """The refusal that a person's no stands for; None: the person answered."""
    if reply.action is Action.DECLINE:
        return failure(Code.DECLINED, "the person declined to answer, and nothing was done")
    if reply.action is Action.CANCEL:
        return failure(Code.CANCELLED, "the person closed the question without an answer, and nothing was done")
    return None


def missing(operation: Operation, answers: dict[str, JsonObject]) -> list[Question]:
    """The questions without an answer, in the order of the handler's parameters."""
    return [question for question in operation.questions if question.name not in answers]


def form_of(question: Question) -> JsonObject:
    """The question's fields, in the words that the protocol has for forms."""
    written = inlined(question.schema)
    fields = written.get("properties")
    properties: JsonObject = {
        name: _field(part)
        for name, part in (fields if isinstance(fields, dict) else {}).items()
        if isinstance(part, dict)
    }
    form: JsonObject = {"type": "object", "properties": properties}
    if written.get("required"):
        form["required"] = written["required"]
    return form


def _field(part: JsonObject) -> JsonObject:
    kept = _KEYWORDS.get(str(part.get("type")), _ANY)
    field = {key: value for key, value in part.items() if key in kept}
    if field.get("format") not in _FORMATS:
        field.pop("format", None)
    return field
