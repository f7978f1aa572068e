"""`call`: one operation or tool, run in this process as a stated caller, or where an application is being served."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Final, cast

import orjson
import typer

from afford.app import SECRET_VARIABLE
from afford.caller import Surface
from afford.catalog.names import wire_name
from afford.cli.arguments import read_arguments
from afford.cli.asking import QuestionClosedError, ask, can_ask, confirmed, how_to_answer, read_answers
from afford.cli.callee import Answered, Callee, Offer, Sent, Told
from afford.cli.completing import argument_words, operation_names
from afford.cli.failures import FAILED, CommandError
from afford.cli.identity import Credentials
from afford.cli.local import LocalCallee
from afford.cli.options import NAME_HELP, AsJson
from afford.cli.printing import aligned, heading, put_json, put_table, say
from afford.cli.progress import ProgressLine
from afford.cli.remote import RemoteCallee
from afford.cli.session import in_runtime
from afford.cli.tables import table_of
from afford.cli.target import Place, load_running
from afford.errors import ABSENT, Code, Failure, JsonObject, JsonValue, failure
from afford.runtime import Runtime
from afford.schema.strict_json import JsonSyntaxError, parse_object
from afford.surfaces.wire import problem_document

if TYPE_CHECKING:
    from afford.cli.running import Reached

_STDIN: Final = "-"
_MOST_PAGES: Final = 10_000
"""Pages that `--all` follows, so that a server which never ends does not keep anybody."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Which rows of a paging query are wanted."""

    limit: Annotated[int | None, typer.Option("--limit", metavar="N", help="Rows of one page.")] = None
    cursor: Annotated[str | None, typer.Option("--cursor", metavar="C", help="Go on after the page before.")] = None
    all_pages: Annotated[bool, typer.Option("--all", help="Follow the pages to the end.")] = False


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
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Run what is destructive or of high risk without asking.")
    ] = False


def call(
    target: Place,
    name: Annotated[str, typer.Argument(metavar="NAME", help=NAME_HELP, autocompletion=operation_names)],
    caller: Credentials,
    page: Page,
    given: Given,
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="KEY=VALUE",
            help="Arguments; `-` reads a JSON object from standard input.",
            autocompletion=argument_words,
        ),
    ] = None,
    as_json: AsJson = False,  # noqa: FBT002 - an option
) -> None:
    """Run one operation or tool as a stated caller.

    Use it to try an operation exactly as an agent would meet it, with the same exposure, access, checks and refusals.
    An app runs in this process with its lifespan around it, and an action has its real effects. A served app, named by
    its address (`https://host/agent`), is called where it is, as whoever `--token` or `--header` says; an instance of
    `afford dev` is named `@name`, and called as whoever it was started for.

    Rows are drawn as a table on a terminal, and printed as JSON into a pipe or with --json. A value is written as the
    input schema wants it: text as it is, numbers and booleans as in JSON, an array by repeating its key, an object as
    JSON. What the operation has to know from a person is asked on the terminal before anything runs, and so is whether
    to run what is destructive or of high risk. Exits 1 when the call fails; with --json the failure is printed as the
    problem document that HTTP serves.
    """
    base, rest = _json_arguments(given.json_args, words or [])
    line = ProgressLine()
    asked = _Asked(wire_name(name), _Written(base, rest, given.answer or []), page, given.yes, line)
    has_stable_secret = True
    callee = _elsewhere(target, caller)
    if callee is not None:
        found = asyncio.run(asked.run(callee))
    else:
        app = target.load().app
        who = caller.caller(app, Surface.CLI)
        has_stable_secret = app.has_stable_secret

        async def run(runtime: Runtime) -> _Found:
            return await asked.run(LocalCallee(runtime, who, line.report))

        found = in_runtime(app, run)
    _show(found, as_json=as_json, has_stable_secret=has_stable_secret)


def _elsewhere(target: Place, caller: Credentials) -> RemoteCallee | None:
    """What is called over HTTP; None: an app in this process is."""
    if target.is_address:
        return RemoteCallee(str(target.address), caller.headers(), caller.wait)
    if target.instance is None:
        return None
    found = cast("Reached", load_running().reached(target.instance))
    return RemoteCallee(found.url, {**found.headers, **caller.headers()}, caller.wait)


@dataclass(frozen=True, slots=True)
class _Found:
    """What came of it. With `--all`, both what was answered and what then failed."""

    columns: tuple[str, ...]
    answered: Answered | None
    failure: Failure | None = None


@dataclass(frozen=True, slots=True)
class _Written:
    """What the person wrote."""

    base: JsonObject
    """Arguments that were given as JSON."""
    words: list[str]
    answers: list[str]

    def sent(self, offer: Offer, page: Page) -> Sent:
        """The call that this spells."""
        read = read_arguments(self.words, offer.schema)
        both = sorted(self.base.keys() & read.arguments.keys())
        if both:
            raise CommandError(f"`{both[0]}` is given twice: as JSON and as `{both[0]}=...`; leave one out")
        if self.answers and offer.operation is None:
            raise CommandError("HTTP cannot carry answers to questions; leave `--answer` out, or use MCP")
        answers, faults = read_answers(self.answers, offer.operation) if offer.operation else ({}, ())
        return Sent(
            arguments={**self.base, **read.arguments},
            faults=(*read.faults, *faults),
            answers=answers,
            limit=page.limit,
            cursor=page.cursor,
        )


@dataclass(frozen=True, slots=True)
class _Asked:
    """The call as the person asked for it."""

    name: str
    written: _Written
    page: Page
    yes: bool
    line: ProgressLine

    async def run(self, callee: Callee) -> _Found:
        """Run it; a name that the caller is not offered is refused like everywhere."""
        offer = await callee.find(self.name)
        if offer is None:
            return _found((), await callee.call(self.name, Sent(arguments=self.written.base)))
        sent = self.written.sent(offer, self.page)
        if offer.is_risky and not self.yes and not confirmed(offer.name, sent.arguments):
            return _Found(offer.columns, None, failure(Code.CANCELLED, "nothing was done"))
        try:
            told = await self._answered(callee, offer, sent)
            if not self.page.all_pages or isinstance(told, Failure):
                return _found(offer.columns, told)
            return await self._followed(callee, offer, sent, told)
        finally:
            self.line.clear()

    async def _answered(self, callee: Callee, offer: Offer, sent: Sent) -> Told:
        """The answer, once the person has answered what it asks."""
        told = await callee.call(offer.name, sent)
        operation = offer.operation
        if operation is None or not (isinstance(told, Failure) and told.code == Code.INPUT_REQUIRED):
            return told
        if not can_ask():
            return replace(told, fix=how_to_answer(operation))
        try:
            answers = ask(operation, sent.arguments, dict(sent.answers))
        except QuestionClosedError:
            return failure(Code.CANCELLED, "the question was closed without an answer, and nothing was done")
        return await callee.call(offer.name, replace(sent, answers=answers))

    async def _followed(self, callee: Callee, offer: Offer, sent: Sent, first: Answered) -> _Found:
        """All pages as one answer; what was read stays where a later page fails."""
        rows: list[JsonValue] = list(first.value) if isinstance(first.value, list) else [first.value]
        seen: set[str] = set()
        last = first
        while last.next_cursor is not None:
            if last.next_cursor in seen or len(seen) >= _MOST_PAGES:
                told: Told = failure(Code.INTERNAL, "the pages do not end", fix="follow them with `--cursor`")
            else:
                seen.add(last.next_cursor)
                self.line.show(f"{len(rows)} rows" + (f" of {last.total}" if last.total is not None else ""))
                told = await callee.call(offer.name, replace(sent, cursor=last.next_cursor))
            if isinstance(told, Failure):
                return _Found(offer.columns, Answered(value=rows, next_cursor=last.next_cursor), told)
            rows.extend(told.value if isinstance(told.value, list) else [told.value])
            last = told
        return _Found(offer.columns, Answered(value=rows if isinstance(first.value, list) else first.value))


def _found(columns: tuple[str, ...], told: Told) -> _Found:
    return _Found(columns, None, told) if isinstance(told, Failure) else _Found(columns, told)


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


def _show(found: _Found, *, as_json: bool, has_stable_secret: bool) -> None:
    """Print what came of it; ends the command where the call failed."""
    if found.answered is not None:
        table = None if as_json or not sys.stdout.isatty() else table_of(found.answered.value, found.columns)
        if table is None:
            put_json(found.answered.value, compact=as_json)
        else:
            put_table(*table, keeps_words=False)
        _tell_of_more(found.answered, has_stable_secret=has_stable_secret)
    if found.failure is not None:
        _tell_failure(found.failure, as_json=as_json and found.answered is None)
        raise typer.Exit(FAILED)


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


def _tell_of_more(answered: Answered, *, has_stable_secret: bool) -> None:
    """How to get the following page; a random secret signs cursors that no later command accepts."""
    if answered.next_cursor is None:
        return
    of = "" if answered.total is None else f", {answered.total} match in all"
    say(f"more rows follow{of}; add --all for the rest, or --cursor {answered.next_cursor} for the next page")
    if not has_stable_secret:
        say(f"the cursor is good for this process only; set {SECRET_VARIABLE} for cursors that last")
