"""One call and what came of it, as data."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from afford.declare.content import Content
from afford.errors import Failure, Fault, JsonObject
from afford.manifest import Operation
from afford.request import Request

Progress: TypeAlias = Callable[[float, float | None, str | None], None]
"""Receives done, total and message."""
Watch: TypeAlias = Callable[[Callable[[], None]], Callable[[], None]]
"""Called once a call has lasted a while, with a way to cancel it; answers how to stop watching."""


NO_ANSWERS: Final[Mapping[str, JsonObject]] = MappingProxyType({})


def no_progress(_done: float, _total: float | None, _message: str | None) -> None:
    """Where nobody listens, progress goes nowhere."""


class Invocation(NamedTuple):
    """One call as a surface read it off the wire. A tuple: of what is frozen, the quickest to make."""

    name: str
    """Wire name of the operation."""
    arguments: JsonObject
    """JSON, parsed strictly; never including who calls."""
    faults: tuple[Fault, ...] = ()
    """What was wrong with the spelling on the wire; reported together with what the schema refuses."""
    limit: int | None = None
    cursor: str | None = None
    request: Request | None = None
    progress: Progress = no_progress
    watch: Watch | None = None
    """How to learn that the caller went away; asked only for calls that last."""
    answers: Mapping[str, JsonObject] = NO_ANSWERS
    """What a person answered, by name of the question."""


class Success(NamedTuple):
    """The answer: checked against the published schema, and already written as JSON."""

    operation: Operation
    value: object
    """Rows of a read, the value of a write: JSON values."""
    body: bytes
    """The same as compact UTF-8 JSON."""
    next_cursor: str | None = None
    """Signed; None: there is nothing after this."""
    total: int | None = None
    """How many rows match in all, where known."""
    content: Sequence[Content] = ()
    """What comes beside the value, for surfaces that can carry it."""
    alone: bool = False
    """The content is the whole answer, and the value its JSON form for surfaces that carry nothing else."""


Outcome: TypeAlias = Success | Failure


@dataclass(frozen=True, slots=True, kw_only=True)
class CallRecord:
    """What a record hook is told about one finished call. Secrets are already redacted."""

    operation: str | None
    """Id; None when the caller named nothing that it is offered."""
    principal: str | None
    door: str
    surface: str
    agent: bool
    arguments: JsonObject
    code: str
    """`ok`, or the failure's code."""
    duration: float
    """Seconds."""
    trace: str | None
