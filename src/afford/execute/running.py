"""The private record of one call (`docs/design/0004-private-call-record.md`)."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from concurrent.futures import Future
from typing import Final, cast

from afford.caller import Caller
from afford.declare.call import Call
from afford.declare.pages import PageRequest
from afford.errors import JsonObject
from afford.execute.inflight import Entry
from afford.execute.outcome import Invocation
from afford.execute.scope import CallScope
from afford.manifest import Manifest, Operation, Parameter, Source

_NO_OPERATION: Final = cast("Operation", None)
_NO_ENTRY: Final = cast("Entry", None)


class Running:
    """What the steps have found out so far. Mutable, and seen by the executor alone."""

    __slots__ = (
        "answers",
        "arguments",
        "binding",
        "context",
        "entry",
        "manifest",
        "operation",
        "page",
        "scope",
        "thread",
        "trace",
        "values",
        "wire",
    )

    def __init__(self, manifest: Manifest, wire: Invocation) -> None:
        """Start with what came off the wire."""
        self.manifest = manifest
        self.wire = wire
        self.operation: Operation = _NO_OPERATION
        self.arguments: JsonObject = wire.arguments
        self.values: dict[str, object] = {}
        self.answers: dict[str, object] = {}
        self.page: PageRequest[object] | None = None
        self.binding = b""
        self.context: Call | None = None
        self.entry: Entry = _NO_ENTRY
        self.scope: CallScope | None = None
        self.thread: Future[object] | None = None
        self.trace: str | None = None

    @property
    def caller(self) -> Caller:
        """Who calls."""
        return self.manifest.caller

    @property
    def name(self) -> str:
        """The operation's id, else what the caller took for one."""
        return self.wire.name if self.operation is _NO_OPERATION else self.operation.id

    def trace_id(self) -> str:
        """Under which the log tells what the caller is not told; made when it is first needed."""
        if self.trace is None:
            self.trace = secrets.token_hex(8)
        return self.trace


OWN: Final[dict[Source, Callable[[Running, Parameter], object]]] = {
    Source.PAGE: lambda running, _: running.page,
    Source.CALLER: lambda running, _: running.caller,
    Source.MODEL: lambda running, _: running.values[""],
    Source.ARGUMENTS: lambda running, _: running.arguments,
    Source.QUESTION: lambda running, parameter: running.answers[parameter.name],
    Source.OFFERED: lambda running, _: running.manifest,
}
"""Where a parameter's value stands that needs neither provider nor context."""
