"""Questions of an operation on the command line: put to the person at the terminal, or answered by options.

The published form decides what an answer may be, here as on every surface; a terminal only asks field by field, and
again where the form refuses. Prompts go to stderr, since stdout carries data.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Final, TypeAlias

import orjson
import typer

from afford.cli.arguments import read_arguments
from afford.cli.failures import CommandError
from afford.cli.printing import heading, say
from afford.display import visible
from afford.errors import Fault, JsonObject, JsonValue
from afford.execute.answers import worded
from afford.manifest import Operation, Question
from afford.schema import RuleViolation
from afford.schema.query_string import pointer_to
from afford.surfaces.mcp.forms import form_of

Answers: TypeAlias = dict[str, JsonObject]
"""What a person answered, by name of the question."""

_YES_OR_NO: Final = {"y": "true", "yes": "true", "n": "false", "no": "false"}


class QuestionClosedError(Exception):
    """The person ended the input, or interrupted, instead of answering."""


def can_ask() -> bool:
    """Whether somebody sits at this terminal: both what is typed and what is shown go there."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def confirmed(name: str, arguments: JsonObject) -> bool:
    """Whether the person wants a call to run that destroys something or is of high risk.

    Raises:
        CommandError: nobody sits at the terminal who could say so.
    """
    if not can_ask():
        raise CommandError(f"`{name}` is destructive or of high risk, and nobody can be asked; add `--yes` to run it")
    sent = visible(orjson.dumps(arguments).decode())
    say(f"`{name}` is destructive or of high risk. It is about to run with {sent}")
    try:
        return typer.confirm("Run it?", err=True)
    except typer.Abort:
        return False


def read_answers(words: Sequence[str], operation: Operation) -> tuple[Answers, tuple[Fault, ...]]:
    """The answers that `question.field=value` words spell, and what no value could be made of.

    Raises:
        CommandError: a word is no answer, or the operation does not ask that question.
    """
    questions = {question.name: question for question in operation.questions}
    fields: dict[str, list[str]] = {}
    for word in words:
        name, dot, field = word.partition(".")
        if not dot or "=" not in field or "=" in name:
            raise CommandError(f"`{word}` is no answer; write `--answer question.field=value`")
        if name not in questions:
            asked = ", ".join(f"`{question}`" for question in questions) or "nothing"
            raise CommandError(f"the operation does not ask `{name}`; it asks {asked}")
        fields.setdefault(name, []).append(field)
    answers: Answers = {}
    faults: list[Fault] = []
    for name, given in fields.items():
        read = read_arguments(given, questions[name].schema)
        answers[name] = read.arguments
        faults.extend(replace(fault, pointer=pointer_to(name) + fault.pointer) for fault in read.faults)
    return answers, tuple(faults)


def how_to_answer(operation: Operation) -> str:
    """The options that answer, for who sits at no terminal."""
    options = [
        f"--answer {question.name}.{field}=..." for question in operation.questions for field in _needed(question)
    ]
    return f"run it on a terminal, or add {' '.join(options)}"


def ask(operation: Operation, arguments: JsonObject, known: Answers) -> Answers:
    """Put every open question to the person, and answer all of them.

    Args:
        operation: what is about to run.
        arguments: its arguments, some of which the questions may mention.
        known: what is answered already.

    Raises:
        QuestionClosedError: the person does not answer.
    """
    answers = dict(known)
    for question in operation.questions:
        if question.name not in answers:
            say(heading(worded(operation, question, arguments)))
            answers[question.name] = _form(question)
    return answers


def _needed(question: Question) -> list[str]:
    required = question.schema.get("required")
    return [str(name) for name in required] if isinstance(required, list) else []


def _form(question: Question) -> JsonObject:
    """One answer that the form and the author's own validators accept."""
    fields = form_of(question).get("properties")
    while True:
        content: JsonObject = {}
        for name, field in (fields if isinstance(fields, dict) else {}).items():
            if isinstance(field, dict):
                _fill(content, question, name, field)
        faults = question.judge.faults(content) or _violations(question, content)
        if not faults:
            return content
        for fault in faults:
            say(f"  {fault.pointer.removeprefix('/')}: {fault.message}")


def _violations(question: Question, content: JsonObject) -> tuple[Fault, ...]:
    try:
        question.decoder.decode(question.decoder.without_omitted_nulls(content))
    except RuleViolation as violation:
        return violation.faults
    return ()


def _fill(content: JsonObject, question: Question, name: str, field: JsonObject) -> None:
    """Ask for one field until it is answered; one that may be left out is left out by an empty line."""
    may_be_left_out = name not in _needed(question)
    while True:
        label = _label(name, field, may_be_left_out=may_be_left_out)
        text = _line(label, is_secret=_is_secret(question, name)).strip()
        if not text and may_be_left_out:
            return
        fault = _refused(content, question, name, _words(text, field)) if text else None
        if text and fault is None:
            return
        say(f"    {'an answer is needed' if fault is None else fault.expected or fault.message}")


def _refused(content: JsonObject, question: Question, name: str, texts: list[str]) -> Fault | None:
    """Put the value that the texts spell into the answer; the first fault where the form refuses it."""
    read = read_arguments([f"{name}={text}" for text in texts], question.schema)
    place = pointer_to(name)
    found = [*read.faults, *question.judge.faults(read.arguments)]
    own = [fault for fault in found if fault.pointer == place or fault.pointer.startswith(f"{place}/")]
    if own:
        return own[0]
    content.update(read.arguments)
    return None


def _words(text: str, field: JsonObject) -> list[str]:
    """The texts of the values that a line holds: several where the field takes several."""
    kind = field.get("type")
    if kind == "boolean":
        return [_YES_OR_NO.get(text.lower(), text)]
    return [part.strip() for part in text.split(",")] if kind == "array" else [text]


def _label(name: str, field: JsonObject, *, may_be_left_out: bool) -> str:
    """The name of a field, what it is for, what may be typed and what an empty line means."""
    notes = [_choices(field)] if _choices(field) else []
    if "default" in field:
        notes.append(f"Enter for {_shown(field['default'])}")
    elif may_be_left_out:
        notes.append("Enter to leave it out")
    text = field.get("description")
    told = f"{name}, {text[0].lower()}{text[1:].rstrip('.')}" if isinstance(text, str) and text else name
    return f"  {told}" + (f" ({'; '.join(notes)})" if notes else "")


def _choices(field: JsonObject) -> str:
    if field.get("type") == "boolean":
        return "y/n"
    items = field.get("items")
    several = field.get("type") == "array" and isinstance(items, dict)
    members = (items if several and isinstance(items, dict) else field).get("enum")
    shown = ", ".join(map(_shown, members)) if isinstance(members, list) else ""
    return f"some of {shown}, with commas" if several and shown else shown


def _shown(value: JsonValue) -> str:
    if isinstance(value, bool):
        return "y" if value else "n"
    if isinstance(value, list):
        return ", ".join(map(_shown, value)) or "none"
    return str(value)


def _is_secret(question: Question, name: str) -> bool:
    """Whether nobody who looks at the terminal should read it."""
    properties = question.schema.get("properties")
    field = properties.get(name) if isinstance(properties, dict) else None
    return isinstance(field, dict) and field.get("writeOnly") is True


def _line(label: str, *, is_secret: bool) -> str:
    with _interruptible():
        try:
            text: str = typer.prompt(label, default="", show_default=False, err=True, hide_input=is_secret)
        except (typer.Abort, KeyboardInterrupt) as error:
            say("")
            raise QuestionClosedError from error
    return text


@contextmanager
def _interruptible() -> Generator[None]:
    """Let an interrupt end the waiting at once; the event loop's own handler would only cancel what waits for it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
