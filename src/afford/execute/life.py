"""A context manager held open by a task of its own.

Knows tasks and context managers only. One task enters and leaves, because what is built on cancel scopes insists on it,
and because whoever asked first may be cancelled while others wait for the same thing.
"""

from __future__ import annotations

import asyncio
from contextlib import AbstractAsyncContextManager
from typing import Generic, TypeVar

ValueT = TypeVar("ValueT")


class Life(Generic[ValueT]):
    """From entering to leaving; begins at once."""

    __slots__ = ("_entered", "_over", "_task")

    def __init__(self, manager: AbstractAsyncContextManager[ValueT]) -> None:
        """Begin to enter; must be made on the event loop that it will run on."""
        loop = asyncio.get_running_loop()
        self._entered: asyncio.Future[ValueT] = loop.create_future()
        self._over = asyncio.Event()
        self._task = loop.create_task(self._live(manager))

    async def value(self) -> ValueT:
        """What entering gave; any number may wait, and one that is cancelled disturbs no other.

        Raises:
            Exception: whatever entering raised.
        """
        return await asyncio.shield(self._entered)

    async def end(self) -> None:
        """Leave; does nothing when entering failed.

        Raises:
            Exception: whatever leaving raised.
        """
        self._over.set()
        await self._task

    async def _live(self, manager: AbstractAsyncContextManager[ValueT]) -> None:
        try:
            async with manager as value:
                self._entered.set_result(value)
                await self._over.wait()
        except BaseException as error:
            if self._entered.done():
                raise
            self._entered.set_exception(error)
            # Whoever waits is told; when nobody does any more, that is no mistake of the program.
            self._entered.exception()
