"""Calling an author's function from the event loop, whether it is `async def` or `def`.

Knows nothing of credentials.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TypeVar, cast

Argument = TypeVar("Argument")


def awaitable(function: Callable[[Argument], object]) -> Callable[[Argument], Awaitable[object]]:
    """The function in a form that can be awaited; a plain function runs in a thread, since it may block."""
    if inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(type(function).__call__):
        return cast("Callable[[Argument], Awaitable[object]]", function)
    return partial(_in_thread, function)


async def _in_thread(function: Callable[[Argument], object], argument: Argument) -> object:
    answer = await asyncio.to_thread(_without_stop, function, argument)
    return await cast("Awaitable[object]", answer) if inspect.isawaitable(answer) else answer


def _without_stop(function: Callable[[Argument], object], argument: Argument) -> object:
    # A future cannot carry StopIteration: one that left the thread (a bare `next(...)` found nothing) would leave
    # the caller waiting forever.
    try:
        return function(argument)
    except StopIteration as error:
        raise RuntimeError("the function raised StopIteration; give next() a default") from error
