"""`call`: one operation or tool, run in this process as a stated caller."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from typing import Annotated

import orjson
import typer

from afford.app import SECRET_VARIABLE, App
from afford.caller import Caller, Surface
from afford.catalog.names import wire_name
from afford.cli.arguments import read_arguments
from afford.cli.asking import QuestionClosedError, ask, can_ask, how_to_answer, read_answers
from afford.cli.failures import FAILED, CommandError
from afford.cli.identity import CallerOptions
from afford.cli.options import NAME_HELP, AsJson
from afford.cli.printing import aligned, heading, put_json, say
from afford.cli.session import in_runtime
from afford.cli.target import Target
from afford.errors import ABSENT, Code, Failure, JsonObject, failure
from afford.execute.outcome import Invocation, Outcome, Success
from afford.manifest import Operation
from afford.runtime import Runtime
from afford.schema.strict_json import JsonSyntaxError, parse_object
from afford.surfaces.wire import problem_document

_STDIN = "-"


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Which rows of a paging query are wanted."""

    limit: Annotated[int | None, typer.Option("--limit", metavar="N", help="Rows of one page.")] = None
    cursor: Annotated[str | None, typer.Option("--cursor", metavar="C", help="Go on after the page before.")] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """What is sent beside `key=value` words."""

    json_args: Annotated[
        str | None, typer.Option("--json-args", metavar="JSON", help="Arguments as a JSON object, or `-` for stdin.")
    ] = None
    answer: Annotated[
        list[str] | None,
        typer.Option(
            "--answer",
            metavar="QUESTION.FIELD=VALUE",
            help="An answer to a question that it asks; may be repeated. On a terminal it asks for the rest.",
        ),
    ] = None


def call(
    target: Target,
    name: Annotated[str, typer.Argument(metavar="NAME", help=NAME_HELP)],
    caller: CallerOptions,
    page: Page,
    given: Given,
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="KEY=VALUE", help="Arguments; `-` reads a JSON object from standard input."),
    ] = None,
    as_json: AsJson = False,  # noqa: FBT002 - an option
) -> None:
    """Run one operation or tool as a stated caller.

    Use it to try an operation exactly as an agent would meet it, with the same exposure, access, checks and refusals.
    It runs in this process with the app's lifespan around it, and an action has its real effects. The answer is printed
    as JSON.

    A value is written as the input schema wants it: text as it is, numbers and booleans as in JSON, an array by
    repeating its key, an object as JSON. What the operation has to know from a person is asked on the terminal before
    anything runs. Exits 1 when the call fails; with --json the failure is printed as the problem document that HTTP
    serves.
    """
    base, rest = _json_arguments(given.json_args, words or [])
    sent = _Sent(base, rest, given.answer or [])
    asked = _Asked(wire_name(name), caller.caller(target.app, Surface.CLI), sent, page)
    outcome = in_runtime(target.app, asked.run)
    if isinstance(outcome, Failure):
        _tell_failure(outcome, as_json=as_json)
        raise typer.Exit(FAILED)
    put_json(orjson.loads(outcome.body), compact=as_json)
    _tell_of_more(target.app, outcome)


@dataclass(frozen=True, slots=True)
class _Sent:
    """What the person wrote."""

    base: JsonObject
    """Arguments that were given as JSON."""
    words: list[str]
    answers: list[str]

    def invocation(self, operation: Operation) -> Invocation:
        """The call that this spells."""
        read = read_arguments(self.words, operation.input.schema)
        both = sorted(self.base.keys() & read.arguments.keys())
        if both:
            raise CommandError(f"`{both[0]}` is given twice: as JSON and as `{both[0]}=...`; leave one out")
        answers, faults = read_answers(self.answers, operation)
        arguments = {**self.base, **read.arguments}
        return Invocation(operation.wire_name, arguments, faults=(*read.faults, *faults), answers=answers)


@dataclass(frozen=True, slots=True)
class _Asked:
    """The call as the person asked for it."""

    name: str
    caller: Caller
    sent: _Sent
    page: Page

    async def run(self, runtime: Runtime) -> Outcome:
        """Run it; a name that the caller is not offered is refused by the executor, like everywhere."""
        manifest = runtime.manifest(self.caller)
        operation = manifest.find(self.name)
        if operation is None:
            return await runtime.run(manifest, Invocation(self.name, self.sent.base))
        invocation = self.sent.invocation(operation)._replace(limit=self.page.limit, cursor=self.page.cursor)
        outcome = await runtime.run(manifest, invocation)
        if not (isinstance(outcome, Failure) and outcome.code == Code.INPUT_REQUIRED):
            return outcome
        if not can_ask():
            return replace(outcome, fix=how_to_answer(operation))
        try:
            answers = ask(operation, invocation.arguments, dict(invocation.answers))
        except QuestionClosedError:
            return failure(Code.CANCELLED, "the question was closed without an answer, and nothing was done")
        return await runtime.run(manifest, invocation._replace(answers=answers))


def _json_arguments(json_args: str | None, words: list[str]) -> tuple[JsonObject, list[str]]:
    """Arguments given as JSON, and the words that are left.

    Raises:
        CommandError: the JSON is given twice, or is not one object.
    """
    rest = [word for word in words if word != _STDIN]
    if len(rest) < len(words):
        if json_args is not None:
            raise CommandError("`-` and `--json-args` both give the arguments; leave one out")
        json_args = _STDIN
    if json_args is None:
        return {}, rest
    text = sys.stdin.buffer.read() if json_args == _STDIN else json_args.encode(errors="surrogateescape")
    try:
        return parse_object(text), rest
    except JsonSyntaxError as error:
        raise CommandError(f"the JSON arguments cannot be read: {error.message}; {error.fix}") from error


def _tell_failure(failure: Failure, *, as_json: bool) -> None:
    if as_json:
        put_json(problem_document(failure), compact=True)
        return
    say(f"{typer.style(failure.code, fg='red', bold=True)}: {failure.message}")
    rows = [(f"  {fault.pointer or '(all)'}", fault.code.value, fault.message) for fault in failure.faults]
    for fault, line in zip(failure.faults, aligned(rows), strict=True):
        say(line)
        if fault.expected is not None:
            say(f"      expected: {fault.expected}")
        if fault.suggestion is not ABSENT:
            say(f"      suggestion: {orjson.dumps(fault.suggestion).decode()}")
    if failure.code == Code.UNKNOWN_OPERATION:
        say("  `why` says whether it is declared, and which gate keeps it from this caller")
    wait = None if failure.retry_after is None else f"{failure.retry_after:g} s"
    notes = {"fix": failure.fix, "docs": failure.docs, "trace": failure.trace, "retry after": wait}
    for name, value in notes.items():
        if value is not None:
            say(f"  {heading(name)}: {value}")


def _tell_of_more(app: App, success: Success) -> None:
    """How to get the following page; a random secret signs cursors that no later command accepts."""
    if success.next_cursor is None:
        return
    of = "" if success.total is None else f", {success.total} match in all"
    say(f"more rows follow{of}; for the next page add: --cursor {success.next_cursor}")
    if not app.has_stable_secret:
        say(f"the cursor is good for this process only; set {SECRET_VARIABLE} for cursors that last")
