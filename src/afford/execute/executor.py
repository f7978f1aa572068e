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
import time
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Future
from typing import Final, cast

from afford.declare.call import Call, SyncCall
from afford.declare.pages import Page, PageRequest
from afford.declare.problems import Problem
from afford.declare.vocabulary import Kind, Paging
from afford.errors import ABSENT, Code, Failure, Fault, FaultCode, ForbiddenError, Refusal, failure
from afford.execute.answers import read_answers
from afford.execute.checking import RejectedResultError, broken, guard_reach, shape, written
from afford.execute.consent import consent_value
from afford.execute.contents import content_of
from afford.execute.cursors import CursorError, Cursors, binding_of, position_type
from afford.execute.inflight import InFlight
from afford.execute.outcome import CallRecord, Invocation, Outcome, Success
from afford.execute.record import call_record
from afford.execute.refusals import bad_request, merged, unknown_operation, with_trace
from afford.execute.running import OWN, Running
from afford.execute.scope import AppScope, CallScope
from afford.execute.threads import Threads
from afford.manifest import Answer, Manifest, Parameter, Source
from afford.schema import RuleViolation

_log: Final = logging.getLogger("afford.executor")

# Asking an enum for a member costs as much as making a small object, so what every call asks for is kept here.
_STATIC: Final = Kind.STATIC
_CONTENT: Final = Answer.CONTENT
_PROVIDED: Final = Source.PROVIDED
_INPUT: Final = Source.INPUT
_CALL: Final = Source.CALL


class Executor:
    """Runs operations for one application on one event loop."""

    def __init__(
        self,
        *,
        inflight: InFlight,
        threads: Threads,
        scope: AppScope,
        cursors: Cursors,
        record: Callable[[CallRecord], None] | None = None,
    ) -> None:
        """Hold what all calls share; `record` is told of each finished call and must not block."""
        self._inflight = inflight
        self._threads = threads
        self._scope = scope
        self._cursors = cursors
        self._record = record
        self._statics: dict[str, tuple[int, Success]] = {}
        self._computing: dict[str, asyncio.Lock] = {}

    async def run(self, manifest: Manifest, invocation: Invocation) -> Outcome:
        """Run one call. Never raises, other than for its own task being cancelled from outside."""
        running = Running(manifest, invocation)
        started = time.perf_counter() if self._record is not None else 0.0
        outcome: Outcome | None
        try:
            outcome = self._prepare(running)
            if outcome is None:
                entry = running.entry = self._inflight.enter(running.operation.deadline, invocation.watch)
                try:
                    serve = self._once if running.operation.kind is _STATIC else self._serve
                    outcome = await serve(running)
                except asyncio.CancelledError as error:
                    outcome = self._stopped(running, error)
                finally:
                    self._inflight.leave(entry)
        except Exception as error:  # noqa: BLE001 - the wall: an author's exception ends here
            outcome = self._crashed(running, error)
        if self._record is not None:
            self._tell(running, outcome, time.perf_counter() - started)
        return outcome

    def _prepare(self, running: Running) -> Outcome | None:
        """Everything before the author's code: find, decode, validate, page."""
        operation = running.manifest.resolve(running.wire.name)
        if operation is None:
            return unknown_operation(running.manifest, running.wire.name)
        running.operation = operation
        refused = self._validate(running)
        if refused is None and operation.paging is not None:
            refused = self._page(running, operation.paging)
        if refused is None and operation.questions:
            refused = self._answer(running)
        if refused is None and operation.kind is _STATIC:
            return self._cached(running)
        return refused

    def _validate(self, running: Running) -> Failure | None:
        """Stage one: the published schema decides. Stage two: Pydantic converts."""
        contract, arguments, faults = running.operation.input, running.arguments, running.wire.faults
        decoder, judge = contract.decoder, contract.judge
        if decoder is not None:
            arguments = running.arguments = decoder.without_omitted_nulls(arguments)
        if faults or not judge.accepts(arguments):
            return bad_request(merged(faults, judge.faults(arguments)))
        if decoder is not None:
            try:
                running.values = decoder.decode(arguments)
            except RuleViolation as violation:
                return bad_request(violation.faults)
        return None

    def _answer(self, running: Running) -> Failure | None:
        """What a person was asked; nothing of the author's has run while an answer is missing."""
        answers = read_answers(running.operation, running.arguments, running.wire.answers)
        if isinstance(answers, Failure):
            return answers
        running.answers = answers
        return None

    def _page(self, running: Running, paging: Paging) -> Failure | None:
        """The page a paging query is asked for: the limit clamped, the cursor verified."""
        operation, wire = running.operation, running.wire
        limit = paging.default if wire.limit is None else min(max(wire.limit, 1), paging.max)
        running.binding = binding_of(operation, running.arguments, running.caller)
        after: object = None
        if wire.cursor is not None:
            try:
                after = self._cursors.read(wire.cursor, position_type(operation), running.binding)
            except CursorError:
                message = "the cursor was not issued for this operation with these filters and this caller"
                fault = Fault(pointer="/cursor", code=FaultCode.CURSOR, message=message)
                return bad_request(
                    (fault,), fix="start again without a cursor, and follow the pages with unchanged filters"
                )
        running.page = PageRequest(limit, after)
        return None

    def _cached(self, running: Running) -> Success | None:
        """The answer of a static operation, if this epoch has it already."""
        epoch, success = self._statics.get(running.operation.id, (-1, None))
        return success if epoch == running.manifest.epoch else None

    def _stopped(self, running: Running, error: asyncio.CancelledError) -> Failure:
        """What the caller is told of a call that was given up; a cancellation from outside goes on."""
        if running.context is not None:
            running.context.cancel()
        if running.entry.is_cancelled_from_outside:
            raise error
        if running.entry.cancelled:
            return failure(Code.CANCELLED, "the caller went away")
        message = f"it took longer than its deadline of {running.operation.deadline:g} s"
        return failure(Code.TIMEOUT, message, trace=running.trace_id())

    async def _once(self, running: Running) -> Outcome:
        """A static answer, computed by one call of the epoch while the others wait for it."""
        name = running.operation.id
        async with self._computing.setdefault(name, asyncio.Lock()):
            known = self._cached(running)
            if known is not None:
                return known
            outcome = await self._serve(running)
            if isinstance(outcome, Success):
                self._statics[name] = (running.manifest.epoch, outcome)
            return outcome

    async def _serve(self, running: Running) -> Outcome:
        """Invoke, check and encode; then close the scope, which learns the outcome."""
        try:
            if running.operation.guard.consented is not None:
                await self._consent(running, running.operation.guard.consented)
            success = self._finish(running, await self._called(running))
            if running.entry.is_given_up:
                # The handler went on in spite of being cancelled; the caller is told that it was given up.
                raise asyncio.CancelledError  # noqa: TRY301 - one way out for every failure
            if running.scope is not None:
                await running.scope.close(None)
        except BaseException as error:  # noqa: BLE001 - the scope must learn of cancellation too; it is raised again
            return self._refused(running, await self._closed(running, error))
        return success

    async def _consent(self, running: Running, consented: Callable[..., object]) -> None:
        """For `consented` reach: no artefact, no answer.

        Raises:
            ForbiddenError: nobody shared it.
        """
        guard = running.operation.guard
        arguments = {item.name: await self._asked(running, item) for item in guard.consented_parameters}
        if inspect.iscoroutinefunction(consented):
            answer = await consented(**arguments)
        else:
            answer = await self._in_thread(running, consented, (), arguments)
        if answer is not True:
            raise ForbiddenError("nobody has shared this with the caller")

    def _called(self, running: Running) -> Awaitable[object]:
        """What the handler answers, to be waited for."""
        operation = running.operation
        if operation.special or not operation.is_async:
            return self._invoke(running)
        # Every parameter takes the argument of its name, as with most handlers.
        return cast("Awaitable[object]", operation.handler(**running.values))

    async def _invoke(self, running: Running) -> object:
        operation = running.operation
        positional: list[object] = []
        # Most parameters take the argument of their name; only the others are looked at one by one.
        named = running.values.copy()
        named.pop("", None)
        for parameter in operation.special:
            if parameter.source is _INPUT:
                value = named.pop(parameter.argument or parameter.name, ABSENT)
                if value is ABSENT:
                    continue
            else:
                value = (
                    await self._value(running, parameter)
                    if parameter.source is _PROVIDED
                    else self._own(running, parameter)
                )
            if parameter.keyword:
                named[parameter.name] = value
            else:
                positional.append(value)
        if operation.is_async:
            return await cast("Awaitable[object]", operation.handler(*positional, **named))
        return await self._in_thread(running, operation.handler, positional, named)

    async def _in_thread(
        self,
        running: Running,
        function: Callable[..., object],
        positional: Sequence[object],
        named: dict[str, object],
    ) -> object:
        """What a plain function answers; one that only looks plain answers something to wait for."""
        running.thread = self._threads.start(function, *positional, **named)
        answer = await asyncio.wrap_future(running.thread)
        return await cast("Awaitable[object]", answer) if inspect.isawaitable(answer) else answer

    async def _asked(self, running: Running, parameter: Parameter) -> object:
        """What a parameter of a consent check receives."""
        if parameter.source is _INPUT:
            return consent_value(running.operation, running.arguments, running.values, parameter.name)
        return await self._value(running, parameter)

    async def _value(self, running: Running, parameter: Parameter) -> object:
        """What a parameter receives; `ABSENT` leaves the handler's own default."""
        if parameter.source is not _PROVIDED:
            return self._own(running, parameter)
        if running.scope is None:
            running.scope = CallScope(self._scope, running.manifest.providers, self._context(running))
        return await running.scope.value(parameter.type)

    def _own(self, running: Running, parameter: Parameter) -> object:
        """What a parameter receives that needs no provider."""
        source = parameter.source
        if source is _INPUT:
            return running.values.get(parameter.argument or parameter.name, ABSENT)
        if source is _CALL:
            return self._context(running)
        return OWN[source](running, parameter)

    def _context(self, running: Running) -> Call:
        if running.context is None:
            operation = running.operation
            make = Call if operation.is_async else SyncCall
            running.context = make(
                operation=operation.id,
                caller=running.caller,
                request=running.wire.request,
                deadline=None if operation.deadline is None else time.monotonic() + operation.deadline,
                trace=running.trace_id(),
                report=running.wire.progress,
            )
        return running.context

    def _finish(self, running: Running, result: object) -> Success:
        """Shape, reach, contract, encoding, cursor: all before the scope may commit."""
        operation = running.operation
        if operation.output.answer is _CONTENT:
            return Success(operation, content_of(operation, result), b"")
        shaped = shape(operation, result)
        if operation.guard.owner is not None:
            guard_reach(operation, running.caller, shaped.value)
        value, body = written(operation, shaped.value)
        page, content, alone = shaped.page, shaped.content, shaped.alone
        if page is None:
            return Success(operation, value, body, None, None, content, alone)
        return Success(operation, value, body, self._next(running, page, shaped.value), page.total, content, alone)

    def _next(self, running: Running, page: Page[object], rows: object) -> str | None:
        """The cursor for what follows a page, which is what was asked for."""
        operation, request = running.operation, running.page
        if request is None:
            raise broken("a page without a page request")
        count = len(cast("Sequence[object]", rows))
        if count > request.limit:
            raise broken(f"the page holds {count} rows where {request.limit} were asked for")
        if page.total is not None and (type(page.total) is not int or page.total < 0):
            raise broken(f"the total {page.total!r} is no count")
        if page.next is None:
            return None
        try:
            return self._cursors.sign(page.next, position_type(operation), running.binding)
        except ValueError as error:
            raise broken(f"`next` is not the declared position type ({error})") from error

    async def _closed(self, running: Running, error: BaseException) -> BaseException:
        """Close the scope of a failed call, now or once the thread that may still use it has ended.

        Returns:
            What the call failed with: the error, or what closing made of it.
        """
        thread, scope = running.thread, running.scope
        if thread is not None and not thread.done():
            self._threads.afterwards(self._close_late(running, thread, error))
        elif scope is not None:
            try:
                await scope.close(error)
            except BaseException as raised:  # noqa: BLE001 - it takes the place of the error
                if not isinstance(error, asyncio.CancelledError):
                    return raised
                _log.error("%s: closing its values failed", running.name, exc_info=raised)
        return error

    async def _close_late(self, running: Running, thread: Future[object], error: BaseException) -> None:
        try:
            await asyncio.wrap_future(thread)
        except Exception as late:  # noqa: BLE001 - the call was answered already; the log is all that is left
            _log.warning("%s ended after it was given up: %r", running.name, late)
        if running.scope is not None:
            await running.scope.close(error)

    def _refused(self, running: Running, error: BaseException) -> Failure:
        """What an exception means for the caller; cancellation goes on, to be told from a deadline."""
        if isinstance(error, RejectedResultError):
            if error.detail is None:
                return error.failure
            trace = running.trace_id()
            _log.error("%s: %s (trace %s)", running.name, error.detail, trace, exc_info=error.__cause__)
            return with_trace(error.failure, trace)
        if isinstance(error, Refusal):
            return error.as_failure()
        if isinstance(error, Problem) and error.declaration in running.operation.problems:
            return error.as_failure()
        if isinstance(error, asyncio.CancelledError) and running.entry.is_cancelled:
            raise error
        if isinstance(error, (KeyboardInterrupt, GeneratorExit)):
            # A person's, or the event loop's at its end; everything else is the author's, whatever it derives from.
            raise error
        return self._crashed(running, error)

    def _crashed(self, running: Running, error: BaseException) -> Failure:
        """The author's exception: the log gets all of it, the caller a trace id."""
        trace = running.trace_id()
        _log.error("%s failed (trace %s)", running.name, trace, exc_info=error)
        return failure(Code.INTERNAL, "the service failed while running this; its log has the details", trace=trace)

    def _tell(self, running: Running, outcome: Outcome, duration: float) -> None:
        """Tell the record hook; a hook that raises is logged and changes nothing."""
        record = call_record(
            caller=running.caller,
            operation=running.operation,
            arguments=running.arguments,
            outcome=outcome,
            duration=duration,
            trace=running.trace,
        )
        try:
            if self._record is not None:
                self._record(record)
        except Exception:  # noqa: BLE001 - a record hook may not fail a call
            _log.exception("the record hook failed")
