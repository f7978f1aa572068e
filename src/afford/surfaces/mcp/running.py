"""Running an operation for MCP: with the questions that a person has to answer before.

Modern clients are answered with the questions, and ask again with the answers; older ones are asked while the call
waits. Nothing of the author's runs before everything is answered, so nothing runs twice.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias, cast

import orjson

from afford.errors import Code, Failure, JsonObject
from afford.execute.answers import read_answers
from afford.execute.cursors import binding_of
from afford.execute.outcome import Invocation, Outcome
from afford.execute.tickets import Held, TicketError
from afford.manifest import Manifest, Operation
from afford.runtime import Runtime
from afford.surfaces.mcp.exchange import Exchange
from afford.surfaces.mcp.forms import Reply, can_ask, elicitation, missing, refused, reply_of
from afford.surfaces.mcp.protocol import INVALID_PARAMS, MISSING_CAPABILITY, Era, Incoming, ProtocolError
from afford.surfaces.wire import error_document

_ELICITATION: Final = "elicitation"


@dataclass(frozen=True, slots=True)
class Questions:
    """The members of a result that asks instead of answering."""

    members: bytes


Answered: TypeAlias = Outcome | Questions


async def run_asking(
    runtime: Runtime, manifest: Manifest, invocation: Invocation, incoming: Incoming, exchange: Exchange
) -> Answered:
    """What comes of a call, or what a person is asked first.

    Raises:
        ProtocolError: what the client sent along with its answers is malformed or forged, or it cannot ask.
    """
    operation = manifest.resolve(invocation.name)
    if operation is None or not operation.questions:
        return await runtime.run(manifest, invocation)
    if incoming.era is Era.MODERN:
        return await _modern(runtime, manifest, operation, invocation, incoming)
    return await _handshake(runtime, manifest, operation, invocation, exchange)


async def _modern(
    runtime: Runtime, manifest: Manifest, operation: Operation, invocation: Invocation, incoming: Incoming
) -> Answered:
    binding = binding_of(operation, invocation.arguments, manifest.caller)
    held, replies = _held(runtime, incoming, binding), _replies(operation, incoming)
    if held is None and not (operation.reads and "requestState" not in incoming.params):
        # Nothing was asked, or of another call, or too long ago: these answers are to a question that nobody put.
        # Reads change nothing, so there a client may say beforehand what it would be asked.
        replies = {}
    answers = {} if held is None else cast("dict[str, JsonObject]", dict(held.contents))
    for question in missing(operation, answers):
        if question.name in replies:
            told = refused(replies[question.name])
            if told is not None:
                return told
            answers[question.name] = replies[question.name].content
    if held is not None and _acts_on(operation, invocation, answers) and not runtime.tickets.spend(held):
        # One answer is good for one action; whoever wants another one has to ask again.
        held, answers = None, {}
    outcome = await runtime.run(manifest, invocation._replace(answers=answers))
    open_questions = missing(operation, answers)
    if not (isinstance(outcome, Failure) and outcome.code == Code.INPUT_REQUIRED and open_questions):
        return outcome
    if not can_ask(incoming.capabilities):
        data: JsonObject = {"requiredCapabilities": {_ELICITATION: {}}, "error": error_document(outcome)}
        raise ProtocolError(MISSING_CAPABILITY, "this call needs a client that can put a question to a person", data)
    asked: JsonObject = {
        question.name: {
            "method": "elicitation/create",
            "params": elicitation(operation, question, invocation.arguments),
        }
        for question in open_questions
    }
    ticket = runtime.tickets.issue(cast("JsonObject", answers), binding, held)
    return Questions(orjson.dumps({"inputRequests": asked, "requestState": ticket})[1:-1])


def _acts_on(operation: Operation, invocation: Invocation, answers: dict[str, JsonObject]) -> bool:
    """Whether something is about to be done that these answers allow."""
    return not operation.reads and not isinstance(read_answers(operation, invocation.arguments, answers), Failure)


async def _handshake(
    runtime: Runtime, manifest: Manifest, operation: Operation, invocation: Invocation, exchange: Exchange
) -> Outcome:
    answers: dict[str, JsonObject] = {}
    outcome = await runtime.run(manifest, invocation)
    while isinstance(outcome, Failure) and outcome.code == Code.INPUT_REQUIRED and exchange.ask is not None:
        open_questions = missing(operation, answers)
        if not open_questions:
            return outcome
        question = open_questions[0]
        reply = reply_of(await exchange.ask(elicitation(operation, question, invocation.arguments)))
        told = refused(reply)
        if told is not None:
            return told
        answers[question.name] = reply.content
        outcome = await runtime.run(manifest, invocation._replace(answers=answers))
    return outcome


def _held(runtime: Runtime, incoming: Incoming, binding: bytes) -> Held | None:
    """What the ticket holds that came with the questions; None where it is of another call, too old, or not there."""
    state = incoming.params.get("requestState")
    if state is None:
        return None
    if not isinstance(state, str):
        raise ProtocolError(INVALID_PARAMS, "params.requestState must be the text that came with the questions")
    try:
        return runtime.tickets.read(state, binding)
    except TicketError as error:
        raise ProtocolError(INVALID_PARAMS, "params.requestState was not issued by this server") from error


def _replies(operation: Operation, incoming: Incoming) -> dict[str, Reply]:
    """What the client sent back, for those questions that the operation has."""
    replies = incoming.params.get("inputResponses", {})
    if not isinstance(replies, dict):
        raise ProtocolError(INVALID_PARAMS, "params.inputResponses must be an object")
    names = [question.name for question in operation.questions if question.name in replies]
    return {name: reply_of(replies[name]) for name in names}
