"""Goals: sentences that a person might say, each with the call that answers it. Reads the file; knows no model."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

import orjson

from afford.cold.report import Check, Finding
from afford.errors import JsonObject, JsonValue
from afford.lint.judging import faults_of
from afford.lint.target import Target

_MEMBERS = frozenset({"goal", "call", "arguments"})


class GoalsError(Exception):
    """The file holds no goals; one sentence that ends with what to do."""


class ModelError(Exception):
    """A model that should pick could not be asked; one sentence that ends with what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """What somebody wants, and what should be called."""

    text: str
    """In the person's words."""
    call: str
    """Wire name of the operation."""
    arguments: JsonObject | None = None
    """Arguments that the call has to have, perhaps among others; None: any that fit."""


def read_goals(path: Path) -> tuple[Goal, ...]:
    """The goals in a file: JSON or TOML with a list `goals`, or JSON that is the list itself.

    Raises:
        GoalsError: it cannot be read, or an entry is no goal.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise GoalsError(f"`{path}` cannot be read ({error.strerror}); check the path") from error
    try:
        document: JsonValue = tomllib.loads(content.decode()) if path.suffix == ".toml" else orjson.loads(content)
    except (ValueError, UnicodeDecodeError) as error:
        kind = "TOML" if path.suffix == ".toml" else "JSON"
        raise GoalsError(f"`{path}` is no {kind} ({error}); correct it") from error
    entries = document.get("goals") if isinstance(document, dict) else document
    if not isinstance(entries, list) or not entries:
        raise GoalsError(f"`{path}` has no list of goals; write entries with `goal` and `call`")
    return tuple(_goal(entry, f"goal {number} of `{path}`") for number, entry in enumerate(entries, start=1))


def _goal(entry: JsonValue, where: str) -> Goal:
    if not isinstance(entry, dict):
        raise GoalsError(f"{where} is no object; write one with `goal` and `call`")
    unknown = sorted(entry.keys() - _MEMBERS)
    if unknown:
        raise GoalsError(f"{where} has `{unknown[0]}`; there are only `goal`, `call` and `arguments`")
    text, call, arguments = entry.get("goal"), entry.get("call"), entry.get("arguments")
    if not isinstance(text, str) or not text.strip():
        raise GoalsError(f"{where} has no `goal`; write what a person would say")
    if not isinstance(call, str) or not call:
        raise GoalsError(f"{where} has no `call`; name the operation that answers it")
    if arguments is not None and not isinstance(arguments, dict):
        raise GoalsError(f"the `arguments` of {where} are no object; write them by name")
    return Goal(text=text, call=call, arguments=arguments)


def misfits(goals: Sequence[Goal], target: Target) -> Iterator[Finding]:
    """Goals whose call is not offered, or whose arguments the published schema refuses."""
    names = [item.name for item in target.operations]
    for goal in goals:
        item = target.find(goal.call)
        if item is None:
            close = get_close_matches(goal.call, names, n=1)
            hint = f"did you mean `{close[0]}`?" if close else "name one that this caller is offered"
            yield _finding(goal, f"`{goal.call}` is not offered; {hint}")
        elif goal.arguments is not None:
            # Only some of the arguments may be stated, so what is missing is nobody's mistake.
            schema: JsonObject = {**(item.input_schema or {}), "required": []}
            for fault in faults_of(schema, schema, goal.arguments):
                yield _finding(goal, f"its arguments do not fit: {fault.message}; correct them")


def _finding(goal: Goal, message: str) -> Finding:
    return Finding(operation=goal.call, check=Check.GOAL, message=f"{goal.text!r}: {message}")
