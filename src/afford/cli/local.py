"""An application in this process, as something that `call` talks to."""

from __future__ import annotations

import orjson

from afford.caller import Caller
from afford.cli.callee import Answered, Offer, Sent, Told, columns_of, is_risky
from afford.errors import Failure
from afford.execute.outcome import Invocation, Progress
from afford.manifest import Manifest
from afford.runtime import Runtime


class LocalCallee:
    """Runs operations as a stated caller."""

    def __init__(self, runtime: Runtime, caller: Caller, progress: Progress) -> None:
        """Take the running application, who calls, and where progress is told."""
        self._runtime = runtime
        self._caller = caller
        self._progress = progress

    async def find(self, name: str) -> Offer | None:
        """The operation of that wire name; None: the caller is not offered it."""
        operation = self._manifest().find(name)
        if operation is None:
            return None
        return Offer(
            name=operation.wire_name,
            schema=operation.input.schema,
            columns=columns_of(operation.output.schema),
            is_risky=is_risky(operation.safety, operation.risk),
            operation=operation,
        )

    async def call(self, name: str, sent: Sent) -> Told:
        """Run it."""
        invocation = Invocation(
            name,
            sent.arguments,
            faults=sent.faults,
            limit=sent.limit,
            cursor=sent.cursor,
            progress=self._progress,
            answers=sent.answers,
        )
        outcome = await self._runtime.run(self._manifest(), invocation)
        if isinstance(outcome, Failure):
            return outcome
        return Answered(value=orjson.loads(outcome.body), next_cursor=outcome.next_cursor, total=outcome.total)

    def _manifest(self) -> Manifest:
        return self._runtime.manifest(self._caller)
