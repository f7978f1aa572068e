"""Provided values: made on demand, kept for one call or for the app's life, closed in the right order.

A call scope closes after the output was checked and encoded. It learns whether the call succeeded: a failure is
thrown into generators and context managers, so that a transaction commits only when the contract held.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Mapping
from concurrent.futures import Future
from contextlib import (
    AbstractAsyncContextManager,
    AbstractContextManager,
    AsyncExitStack,
    asynccontextmanager,
    contextmanager,
)
from types import TracebackType
from typing import Final, cast, get_origin

from afford.declare.call import Call
from afford.declare.providers import Scope
from afford.execute.life import Life
from afford.execute.threads import Threads
from afford.manifest import Parameter, Provider, Source

_log: Final = logging.getLogger("afford.scope")

_NOTHING: Final = object()


class AppScope:
    """Values that live as long as the application, on one event loop."""

    def __init__(self, threads: Threads, overrides: Mapping[object, object]) -> None:
        """Start empty. `overrides` is read at each use, so that a test may change it."""
        self.threads = threads
        self.overrides = overrides
        self._stack = AsyncExitStack()
        self._lives: dict[object, Life[object]] = {}

    async def value(self, kind: object, providers: Mapping[object, Provider]) -> object:
        """The value of an app-scoped type, made at the first use; a failure is tried again at the next."""
        key = self._key(kind, providers)
        if key not in self._lives:
            provider = _replaced(providers[kind], self.overrides)
            arguments = {item.name: await self.value(item.type, providers) for item in provider.parameters}
            if key not in self._lives:
                self._lives[key] = Life(_opened(provider, arguments, self.threads))
                self._stack.push_async_callback(self._lives[key].end)
        try:
            return await self._lives[key].value()
        except Exception:
            self._lives.pop(key, None)
            raise

    async def close(self) -> None:
        """Close every value, the last one made first."""
        self._lives.clear()
        await self._stack.aclose()

    def _key(self, kind: object, providers: Mapping[object, Provider]) -> object:
        """Under what a value is kept: by type, and apart from the others where an override is part of it."""
        if not self.overrides:
            return kind
        needed = {kind}
        pending = [kind]
        while pending:
            further = {item.type for item in providers[pending.pop()].parameters} - needed
            needed |= further
            pending += further
        replaced = frozenset((item, id(self.overrides[item])) for item in needed if item in self.overrides)
        return (kind, replaced) if replaced else kind


class CallScope:
    """Values of one call."""

    __slots__ = ("_app", "_call", "_providers", "_stack", "_values")

    def __init__(self, app: AppScope, providers: Mapping[object, Provider], call: Call) -> None:
        """Start empty."""
        self._app = app
        self._providers = providers
        self._call = call
        self._stack = AsyncExitStack()
        self._values: dict[object, object] = {}

    async def value(self, kind: object) -> object:
        """The value of a provided type; the same one throughout the call."""
        if kind in self._values:
            return self._values[kind]
        provider = _replaced(self._providers[kind], self._app.overrides)
        if provider.scope is Scope.APP:
            return await self._app.value(kind, self._providers)
        arguments = {parameter.name: await self.injected(parameter) for parameter in provider.parameters}
        value = await _enter(self._stack, provider, arguments, self._app.threads)
        self._values[kind] = value
        return value

    async def injected(self, parameter: Parameter) -> object:
        """What a parameter of a provider receives."""
        if parameter.source is Source.CALLER:
            return self._call.caller
        if parameter.source is Source.CALL:
            return self._call
        return await self.value(parameter.type)

    async def close(self, error: BaseException | None) -> None:
        """Close every value, the last one made first.

        Args:
            error: why the call failed; None: it succeeded, so transactions may commit.

        Raises:
            Exception: whatever closing raised, other than `error` itself coming back.
        """
        if error is None:
            await self._stack.aclose()
            return
        try:
            await self._stack.__aexit__(type(error), error, error.__traceback__)
        except BaseException as raised:
            if raised is not error:
                raise


def _replaced(provider: Provider, overrides: Mapping[object, object]) -> Provider:
    """The provider, or one that answers a test's value: the value itself, or what a function makes."""
    kind = provider.type
    override = overrides.get(kind, _NOTHING)
    if override is _NOTHING:
        return provider
    is_value = isinstance(kind, type) and isinstance(override, kind)
    make: Callable[..., object] = override if callable(override) and not is_value else (lambda: override)
    return Provider(type=kind, provider=make, parameters=(), scope=Scope.CALL)


@asynccontextmanager
async def _opened(provider: Provider, arguments: dict[str, object], threads: Threads) -> AsyncGenerator[object]:
    async with AsyncExitStack() as stack:
        yield await _enter(stack, provider, arguments, threads)


async def _enter(stack: AsyncExitStack, provider: Provider, arguments: dict[str, object], threads: Threads) -> object:
    """Call the provider, and enter what it made where that has to be entered."""
    function = provider.provider
    if inspect.isasyncgenfunction(function):
        make = cast("Callable[..., AsyncGenerator[object]]", function)
        return await stack.enter_async_context(asynccontextmanager(make)(**arguments))
    if inspect.isgeneratorfunction(function):
        yielding = cast("Callable[..., Generator[object]]", function)
        return await stack.enter_async_context(_InThread(contextmanager(yielding)(**arguments), threads))
    made = function(**arguments)
    if not _is_instance(made, provider.type) and inspect.isawaitable(made):
        made = await cast("Awaitable[object]", made)
    if _is_instance(made, provider.type):
        # A value that already is what was asked for is handed over as it is, even if it could be awaited or entered:
        # a shared client or pool must not be opened, and then closed, by each call.
        return made
    if isinstance(made, AbstractAsyncContextManager):
        return await stack.enter_async_context(cast("AbstractAsyncContextManager[object]", made))
    if isinstance(made, AbstractContextManager):
        return await stack.enter_async_context(_InThread(cast("AbstractContextManager[object]", made), threads))
    return made


class _InThread(AbstractAsyncContextManager[object]):
    """A blocking context manager, entered and left off the event loop."""

    def __init__(self, manager: AbstractContextManager[object], threads: Threads) -> None:
        self._manager = manager
        self._threads = threads

    async def __aenter__(self) -> object:
        entering = self._threads.start(self._manager.__enter__)
        try:
            return await asyncio.wrap_future(entering)
        except asyncio.CancelledError as error:
            if not entering.cancel():
                self._threads.afterwards(self._leave(entering, error))
            raise

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        leaving = asyncio.wrap_future(self._threads.start(self._manager.__exit__, kind, error, trace))
        try:
            return bool(await asyncio.shield(leaving))
        except asyncio.CancelledError:
            # What is closed next may be what this still works on, so the thread has to end first.
            await asyncio.wait({leaving})
            if leaving.exception() is not None:
                _log.error("closing a value failed after its call was given up", exc_info=leaving.exception())
            raise

    async def _leave(self, entering: Future[object], error: BaseException) -> None:
        """Leave what was entered after nobody waited for it any more."""
        await asyncio.wrap_future(entering)
        await self._threads.run(self._manager.__exit__, type(error), error, error.__traceback__)


def _is_instance(value: object, kind: object) -> bool:
    plain = get_origin(kind) or kind
    try:
        return isinstance(plain, type) and isinstance(value, plain)
    except TypeError:
        # A protocol that cannot be asked.
        return False
