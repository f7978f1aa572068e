"""What a person answered to an operation's questions, judged and converted like any other input."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from afford.declare.questions import MENTION
from afford.errors import Code, Failure, JsonObject, JsonValue, failure
from afford.execute.refusals import bad_request
from afford.manifest import Operation, Question
from afford.schema import RuleViolation
from afford.schema.query_string import pointer_to

_LONGEST: Final = 500
"""Characters of one argument that a question repeats."""


def read_answers(
    operation: Operation, arguments: JsonObject, answers: Mapping[str, JsonObject]
) -> dict[str, object] | Failure:
    """The answers as the handler receives them; a refusal where one is missing or outside its form."""
    values: dict[str, object] = {}
    for question in operation.questions:
        answer = answers.get(question.name)
        if answer is None:
            return unanswered(operation, question, arguments)
        decoded = _decoded(question, answer)
        if isinstance(decoded, Failure):
            return decoded
        values[question.name] = decoded
    return values


def unanswered(operation: Operation, question: Question, arguments: JsonObject) -> Failure:
    """The refusal of a call that needs a person first."""
    fix = "call it over MCP with a client that can put a question to a person"
    text = worded(operation, question, arguments)
    return failure(Code.INPUT_REQUIRED, f"a person has to answer first: {text}", fix=fix)


def worded(operation: Operation, question: Question, arguments: JsonObject) -> str:
    """What the person reads: the question, with the arguments that it mentions filled in.

    Text stands as it is and everything else as JSON; what was left out stands with its default.
    """
    known = {**operation.input.defaults, **arguments}

    def filled(mention: re.Match[str]) -> str:
        name = mention.group(1)
        return _shown(known[name]) if name in known else mention.group()

    # In one pass, so that what was sent is never taken for a mention itself.
    return MENTION.sub(filled, question.message)


def _shown(value: JsonValue) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "..."


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
