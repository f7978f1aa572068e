"""Provided values: made on demand, kept for one call or for the app's life, closed in the right order.

A call scope closes after the output was checked and encoded. It learns whether the call succeeded: a failure is
thrown into generators and context managers, so that a transaction commits only when the contract held.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Mapping
from concurrent.futures import Executor as Pool
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
from afford.manifest import Parameter, Provider, Source

_NOTHING: Final = object()


class CallFailedError(Exception):
    """Thrown into call-scoped values when the call failed without an exception, as on a broken output contract."""


class AppScope:
    """Values that live as long as the application, on one event loop."""

    def __init__(self, pool: Pool, overrides: Mapping[object, object]) -> None:
        """Start empty. `overrides` is read at each use, so that a test may change it."""
        self.pool = pool
        self.overrides = overrides
        self._stack = AsyncExitStack()
        self._values: dict[object, object] = {}
        self._lock = asyncio.Lock()

    async def value(self, kind: object, providers: Mapping[object, Provider]) -> object:
        """The value of an app-scoped type, made at the first use."""
        found = self._values.get(kind, _NOTHING)
        if found is not _NOTHING:
            return found
        arguments = {
            parameter.name: await self.value(parameter.type, providers) for parameter in providers[kind].parameters
        }
        async with self._lock:
            if kind not in self._values:
                self._values[kind] = await _enter(self._stack, providers[kind], arguments, self.pool)
            return self._values[kind]

    async def close(self) -> None:
        """Close every value, the last one made first."""
        self._values.clear()
        await self._stack.aclose()


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
        provider = self._providers[kind]
        override = self._app.overrides.get(kind, _NOTHING)
        if override is not _NOTHING:
            provider = _overriding(provider, override)
        if provider.scope is Scope.APP:
            return await self._app.value(kind, self._providers)
        arguments = {parameter.name: await self.injected(parameter) for parameter in provider.parameters}
        value = await _enter(self._stack, provider, arguments, self._app.pool)
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


def _overriding(provider: Provider, override: object) -> Provider:
    """A provider that answers a test's value: the value itself, or what a function without parameters makes."""
    kind = provider.type
    is_value = isinstance(kind, type) and isinstance(override, kind)
    make: Callable[..., object] = override if callable(override) and not is_value else (lambda: override)
    return Provider(type=kind, provider=make, parameters=(), scope=Scope.CALL)


async def _enter(stack: AsyncExitStack, provider: Provider, arguments: dict[str, object], pool: Pool) -> object:
    """Call the provider, and enter what it made where that has to be entered."""
    function = provider.provider
    if inspect.isasyncgenfunction(function):
        make = cast("Callable[..., AsyncGenerator[object]]", function)
        return await stack.enter_async_context(asynccontextmanager(make)(**arguments))
    if inspect.isgeneratorfunction(function):
        yielding = cast("Callable[..., Generator[object]]", function)
        return await stack.enter_async_context(_InThread(contextmanager(yielding)(**arguments), pool))
    made = function(**arguments)
    if inspect.isawaitable(made):
        made = await cast("Awaitable[object]", made)
    if _is_instance(made, provider.type):
        # A value that already is what was asked for is handed over as it is, even if it could be entered:
        # a shared client or lock must not be opened again for each call.
        return made
    if isinstance(made, AbstractAsyncContextManager):
        return await stack.enter_async_context(cast("AbstractAsyncContextManager[object]", made))
    if isinstance(made, AbstractContextManager):
        return await stack.enter_async_context(_InThread(cast("AbstractContextManager[object]", made), pool))
    return made


class _InThread(AbstractAsyncContextManager[object]):
    """A blocking context manager, entered and left off the event loop."""

    def __init__(self, manager: AbstractContextManager[object], pool: Pool) -> None:
        self._manager = manager
        self._pool = pool

    async def __aenter__(self) -> object:
        return await asyncio.get_running_loop().run_in_executor(self._pool, self._manager.__enter__)

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._pool, self._manager.__exit__, kind, error, trace)


def _is_instance(value: object, kind: object) -> bool:
    plain = get_origin(kind) or kind
    return isinstance(plain, type) and isinstance(value, plain)
