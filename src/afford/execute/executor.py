"""The executor: a manifest and an invocation in, an outcome out.

The steps, in order: find, decode, validate, page, open the scope, consent, invoke, shape, reach, check, encode,
close the scope, record. Steps are small and synchronous with one await for the author's code; they share one private
mutable record per call, because replacing a frozen one at each step costs a third of the speed
(`docs/design/0004-private-call-record.md`). Exceptions of an author end here: only their trace id leaves.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
import secrets
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import Executor as Pool
from concurrent.futures import Future
from contextvars import copy_context
from typing import Final, cast

from afford.caller import Caller
from afford.declare.call import Call, SyncCall
from afford.declare.pages import PageRequest
from afford.declare.problems import Problem
from afford.declare.vocabulary import Kind
from afford.errors import ABSENT, Code, Failure, Fault, FaultCode, JsonObject, Refusal, failure
from afford.execute.checking import RejectedResultError, Shaped, broken, checked_json, encode, guard_reach, shape
from afford.execute.cursors import CursorError, Cursors, binding_of
from afford.execute.inflight import Entry, InFlight
from afford.execute.outcome import CallRecord, Invocation, Outcome, Success
from afford.execute.record import redacted
from afford.execute.refusals import bad_request, merged, unknown_operation, with_trace
from afford.execute.scope import AppScope, CallFailedError, CallScope
from afford.manifest import Manifest, Operation, Parameter, Source
from afford.schema import RuleViolation, judge_for

_log: Final = logging.getLogger("afford.executor")

_SHORT: Final = 1.0
"""Deadlines below this many seconds get a timer of their own; the sweeper's grain is too coarse for them."""


class _Running:
    """The private record of one call: what the steps have found out so far."""

    __slots__ = (
        "arguments",
        "binding",
        "caller",
        "context",
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
        self.manifest = manifest
        self.wire = wire
        self.caller: Caller = manifest.caller
        self.operation: Operation = cast("Operation", None)
        self.arguments: JsonObject = wire.arguments
        self.values: dict[str, object] = {}
        self.page: PageRequest[object] | None = None
        self.binding = b""
        self.context: Call | None = None
        self.scope: CallScope | None = None
        self.thread: Future[object] | None = None
        self.trace: str | None = None


class Executor:
    """Runs operations for one application on one event loop."""

    def __init__(
        self,
        *,
        inflight: InFlight,
        pool: Pool,
        scope: AppScope,
        cursors: Cursors,
        record: Callable[[CallRecord], None] | None = None,
    ) -> None:
        """Hold what all calls share; `record` is told of each finished call and must not block."""
        self._inflight = inflight
        self._pool = pool
        self._scope = scope
        self._cursors = cursors
        self._record = record
        self._statics: dict[str, tuple[int, Success]] = {}
        self._late: set[asyncio.Task[None]] = set()

    async def run(self, manifest: Manifest, invocation: Invocation) -> Outcome:
        """Run one call. Never raises, other than for its own task being cancelled from outside."""
        running = _Running(manifest, invocation)
        started = time.perf_counter() if self._record is not None else 0.0
        outcome: Outcome | None
        try:
            outcome = self._prepare(running)
            if outcome is None:
                outcome = await self._perform(running)
        except Exception as error:  # noqa: BLE001 - the wall: an author's exception ends here
            outcome = self._crashed(running, error)
        if self._record is not None:
            self._tell(running, outcome, time.perf_counter() - started)
        return outcome

    async def settle(self) -> None:
        """Wait for threads that outlived their call."""
        while self._late:
            await asyncio.wait(set(self._late))

    def _prepare(self, running: _Running) -> Outcome | None:
        """Everything before the author's code: find, decode, validate, page."""
        operation = running.manifest.find(running.wire.name)
        if operation is None:
            return unknown_operation(running.manifest, running.wire.name)
        running.operation = operation
        return self._validate(running) or self._page(running) or self._cached(running)

    def _validate(self, running: _Running) -> Failure | None:
        """Stage one: the published schema decides. Stage two: Pydantic converts."""
        contract = running.operation.input
        if contract.decoder is not None:
            running.arguments = contract.decoder.without_omitted_nulls(running.arguments)
        judge = judge_for(contract.schema)
        if running.wire.faults or not judge.accepts(running.arguments):
            return bad_request(merged(running.wire.faults, judge.faults(running.arguments)))
        if contract.decoder is None:
            return None
        try:
            running.values = contract.decoder.decode(running.arguments)
        except RuleViolation as violation:
            return bad_request(violation.faults)
        return None

    def _page(self, running: _Running) -> Failure | None:
        """The page a paging query is asked for: the limit clamped, the cursor verified."""
        operation, wire = running.operation, running.wire
        if operation.paging is None:
            return None
        limit = operation.paging.default if wire.limit is None else min(max(wire.limit, 1), operation.paging.max)
        running.binding = binding_of(operation, running.arguments, running.caller)
        after: object = None
        if wire.cursor is not None:
            try:
                after = self._cursors.read(wire.cursor, _position_type(operation), running.binding)
            except CursorError:
                message = "the cursor was not issued for this operation with these filters and this caller"
                fault = Fault(pointer="/cursor", code=FaultCode.CURSOR, message=message)
                return bad_request(
                    (fault,), fix="start again without a cursor, and follow the pages with unchanged filters"
                )
        running.page = PageRequest(limit, after)
        return None

    def _cached(self, running: _Running) -> Success | None:
        """The answer of a static operation, if this epoch has it already."""
        epoch, success = self._statics.get(running.operation.id, (-1, None))
        return success if epoch == running.manifest.epoch else None

    async def _perform(self, running: _Running) -> Outcome:
        """The author's code inside its deadline, and everything that must hold before the answer leaves."""
        operation = running.operation
        entry = self._inflight.enter(_swept(operation.deadline), running.wire.watch)
        try:
            if operation.deadline is not None and operation.deadline < _SHORT:
                async with asyncio.timeout(operation.deadline):
                    return await self._serve(running)
            return await self._serve(running)
        except asyncio.CancelledError:
            return self._given_up(running, entry)
        except TimeoutError:
            return self._timed_out(running)
        finally:
            self._inflight.leave(entry)

    async def _serve(self, running: _Running) -> Outcome:
        """Invoke, check and encode; then close the scope, which learns the outcome."""
        try:
            refusal = await self._consent(running)
            success = self._finish(running, await self._invoke(running)) if refusal is None else refusal
        except BaseException as error:  # noqa: BLE001 - the scope must learn of cancellation too; it is raised again
            await self._close(running, error)
            return self._refused(running, error)
        await self._close(running, CallFailedError() if isinstance(success, Failure) else None)
        if isinstance(success, Success) and running.operation.kind is Kind.STATIC:
            self._statics[running.operation.id] = (running.manifest.epoch, success)
        return success

    async def _consent(self, running: _Running) -> Failure | None:
        """For `consented` reach: no artefact, no answer."""
        guard = running.operation.guard
        if guard.consented is None:
            return None
        arguments = {item.name: await self._value(running, item) for item in guard.consented_parameters}
        answer = guard.consented(**arguments)
        if inspect.isawaitable(answer):
            answer = await cast("Awaitable[object]", answer)
        if answer is True:
            return None
        return failure(Code.FORBIDDEN, "nobody has shared this with the caller")

    async def _invoke(self, running: _Running) -> object:
        operation = running.operation
        positional: list[object] = []
        named: dict[str, object] = {}
        for parameter in operation.parameters:
            value = (
                await self._value(running, parameter)
                if parameter.source is Source.PROVIDED
                else self._own(running, parameter)
            )
            if value is ABSENT:
                continue
            if parameter.keyword:
                named[parameter.name] = value
            else:
                positional.append(value)
        if operation.is_async:
            return await cast("Awaitable[object]", operation.handler(*positional, **named))
        context = copy_context()
        running.thread = self._pool.submit(context.run, operation.handler, *positional, **named)  # type: ignore[arg-type] - ParamSpec of run
        return await asyncio.wrap_future(running.thread)

    async def _value(self, running: _Running, parameter: Parameter) -> object:
        """What a parameter receives, provided values too."""
        if parameter.source is not Source.PROVIDED:
            value = self._own(running, parameter)
            return None if value is ABSENT else value
        if running.scope is None:
            running.scope = CallScope(self._scope, running.manifest.providers, self._context(running))
        return await running.scope.value(parameter.type)

    def _own(self, running: _Running, parameter: Parameter) -> object:
        """What a parameter receives that needs no provider; `ABSENT` leaves the handler's own default."""
        source = parameter.source
        if source is Source.INPUT:
            return running.values.get(parameter.name, ABSENT)
        if source is Source.PAGE:
            return running.page
        if source is Source.CALLER:
            return running.caller
        if source is Source.CALL:
            return self._context(running)
        return running.values[""] if source is Source.MODEL else running.arguments

    def _context(self, running: _Running) -> Call:
        if running.context is None:
            operation = running.operation
            make = Call if operation.is_async else SyncCall
            running.context = make(
                operation=operation.id,
                caller=running.caller,
                request=running.wire.request,
                deadline=None if operation.deadline is None else time.monotonic() + operation.deadline,
                trace=_trace(running),
                report=running.wire.progress,
            )
        return running.context

    def _finish(self, running: _Running, result: object) -> Success:
        """Shape, reach, contract, encoding, cursor: all before the scope may commit."""
        operation = running.operation
        shaped = shape(operation, result)
        if operation.guard.owner is not None:
            rows = shaped.value if operation.reads else [shaped.value]
            guard_reach(operation, running.caller, cast("list[object]", rows))
        value = checked_json(operation, shaped.value)
        body = encode(value)
        if shaped.page is None:
            return Success(operation=operation, value=value, body=body)
        return self._paged(running, shaped, value, body)

    def _paged(self, running: _Running, shaped: Shaped, value: object, body: bytes) -> Success:
        operation, page, request = running.operation, shaped.page, running.page
        if page is None or request is None:
            raise broken("a page without a page request")
        if len(page.items) > request.limit:
            raise broken(f"the page holds {len(page.items)} rows where {request.limit} were asked for")
        if page.total is not None and (isinstance(page.total, bool) or page.total < 0):
            raise broken(f"the total {page.total!r} is no count")
        cursor = None
        if page.next is not None:
            try:
                cursor = self._cursors.sign(page.next, _position_type(operation), running.binding)
            except ValueError as error:
                raise broken(f"`next` is not the declared position type ({error})") from error
        return Success(operation=operation, value=value, body=body, next_cursor=cursor, total=page.total)

    async def _close(self, running: _Running, error: BaseException | None) -> None:
        """Close the scope now, or once the thread that may still use it has ended."""
        thread = running.thread
        if thread is not None and not thread.done():
            task = asyncio.get_running_loop().create_task(self._close_late(running, thread, error))
            self._late.add(task)
            task.add_done_callback(self._late.discard)
        elif running.scope is not None:
            await running.scope.close(error)

    async def _close_late(self, running: _Running, thread: Future[object], error: BaseException | None) -> None:
        try:
            await asyncio.wrap_future(thread)
        except Exception as late:  # noqa: BLE001 - the call was answered already; the log is all that is left
            _log.warning("%s ended after it was given up: %r", running.operation.id, late)
        if running.scope is not None:
            try:
                await running.scope.close(error or CallFailedError())
            except Exception:  # noqa: BLE001 - the call was answered already; the log is all that is left
                _log.exception("%s: closing its values failed", running.operation.id)

    def _refused(self, running: _Running, error: BaseException) -> Failure:
        """What an exception means for the caller; cancellation goes on, to be told from a deadline."""
        if isinstance(error, RejectedResultError):
            if error.detail is None:
                return error.failure
            trace = _trace(running)
            _log.error("%s: %s (trace %s)", running.operation.id, error.detail, trace, exc_info=error.__cause__)
            return with_trace(error.failure, trace)
        if isinstance(error, Refusal):
            return error.as_failure()
        if isinstance(error, Problem) and error.declaration in running.operation.problems:
            return error.as_failure()
        if isinstance(error, Exception):
            return self._crashed(running, error)
        raise error

    def _crashed(self, running: _Running, error: Exception) -> Failure:
        """The author's exception: the log gets all of it, the caller a trace id."""
        trace = _trace(running)
        name = running.operation.id if running.operation else running.wire.name
        _log.error("%s failed (trace %s)", name, trace, exc_info=error)
        return failure(Code.INTERNAL, "the service failed while running this; its log has the details", trace=trace)

    def _given_up(self, running: _Running, entry: Entry) -> Failure:
        if running.context is not None:
            running.context.cancel()
        if not (entry.timed_out or entry.cancelled):
            raise asyncio.CancelledError
        entry.task.uncancel()
        return self._timed_out(running) if entry.timed_out else failure(Code.CANCELLED, "the caller went away")

    def _timed_out(self, running: _Running) -> Failure:
        if running.context is not None:
            running.context.cancel()
        seconds = running.operation.deadline
        return failure(Code.TIMEOUT, f"it took longer than its deadline of {seconds:g} s", trace=_trace(running))

    def _tell(self, running: _Running, outcome: Outcome, duration: float) -> None:
        """Tell the record hook; a hook that raises is logged and changes nothing."""
        caller = running.caller
        record = CallRecord(
            operation=running.operation.id if running.operation else None,
            principal=caller.id,
            door=caller.door.value,
            surface=caller.surface.value,
            agent=caller.is_agent,
            arguments=redacted(running.arguments, running.operation.secrets) if running.operation else {},
            code="ok" if isinstance(outcome, Success) else outcome.code,
            duration=duration,
            trace=running.trace,
        )
        try:
            if self._record is not None:
                self._record(record)
        except Exception:  # noqa: BLE001 - a record hook may not fail a call
            _log.exception("the record hook failed")


def _swept(deadline: float | None) -> float | None:
    """The deadline, where the sweeper looks after it."""
    return None if deadline is None or deadline < _SHORT else deadline


def _trace(running: _Running) -> str:
    if running.trace is None:
        running.trace = secrets.token_hex(8)
    return running.trace


def _position_type(operation: Operation) -> object:
    """What `PageRequest[T]` calls `T`; any JSON where the handler does not say."""
    for parameter in operation.parameters:
        if parameter.source is Source.PAGE:
            return parameter.type
    return object
