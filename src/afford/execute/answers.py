"""What a person answered to an operation's questions, judged and converted like any other input."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from afford.errors import Code, Failure, JsonObject, failure
from afford.execute.refusals import bad_request
from afford.manifest import Operation, Question
from afford.schema import RuleViolation
from afford.schema.query_string import pointer_to


def read_answers(
    operation: Operation, arguments: JsonObject, answers: Mapping[str, JsonObject]
) -> dict[str, object] | Failure:
    """The answers as the handler receives them; a refusal where one is missing or outside its form."""
    values: dict[str, object] = {}
    for question in operation.questions:
        answer = answers.get(question.name)
        if answer is None:
            return unanswered(question, arguments)
        decoded = _decoded(question, answer)
        if isinstance(decoded, Failure):
            return decoded
        values[question.name] = decoded
    return values


def unanswered(question: Question, arguments: JsonObject) -> Failure:
    """The refusal of a call that needs a person first."""
    fix = "call it over MCP with a client that can put a question to a person"
    return failure(Code.INPUT_REQUIRED, f"a person has to answer first: {worded(question, arguments)}", fix=fix)


def worded(question: Question, arguments: JsonObject) -> str:
    """What the person reads: the question, with the arguments that it mentions filled in."""
    text = question.message
    for name, value in arguments.items():
        text = text.replace("{" + name + "}", str(value))
    return text


def _decoded(question: Question, answer: JsonObject) -> object | Failure:
    plain = question.decoder.without_omitted_nulls(answer)
    prefix = pointer_to(question.name)
    if not question.judge.accepts(plain):
        faults = question.judge.faults(plain)
        return bad_request([replace(fault, pointer=prefix + fault.pointer) for fault in faults])
    try:
        return question.decoder.decode(plain)[""]
    except RuleViolation as violation:
        return bad_request([replace(fault, pointer=prefix + fault.pointer) for fault in violation.faults])
