"""Who is told when something changes, and in which words: one subscription to the application, many clients.

Changes come from any thread and are handed over to the event loop once, however many clients listen. What a client was
not yet told is kept once: of equal changes that pile up while it is slow, one is told.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from afford.declare.changes import Change, ChangeKind
from afford.errors import JsonObject
from afford.runtime import Runtime

_log: Final = logging.getLogger("afford.mcp")

SWITCH_INTERVAL: Final = 1.0
"""Seconds between two looks at the functions behind `enabled=`, while somebody listens."""
MAX_SUBSCRIBERS: Final = 4096
"""Clients that may listen at the same time."""

METHODS: Final = {
    ChangeKind.TOOLS: "notifications/tools/list_changed",
    ChangeKind.RESOURCES: "notifications/resources/list_changed",
    ChangeKind.PROMPTS: "notifications/prompts/list_changed",
    ChangeKind.RESOURCE: "notifications/resources/updated",
}


@dataclass(slots=True, eq=False)
class Subscriber:
    """One client that is told."""

    tell: Callable[[str, JsonObject], None]
    """Sends a notification: its method and parameters."""
    lists: set[ChangeKind] = field(default_factory=set[ChangeKind])
    """Lists whose changes it wants to hear of."""
    uris: set[str] = field(default_factory=set[str])
    """Resources whose content it follows."""

    def wants(self, change: Change) -> bool:
        """Whether the client asked for this."""
        return change.uri in self.uris if change.kind is ChangeKind.RESOURCE else change.kind in self.lists


class TooManySubscribersError(Exception):
    """Nobody else can be told; `MAX_SUBSCRIBERS` listen."""


class Hub:
    """Hands the changes of one runtime to its clients, on its event loop."""

    def __init__(self, runtime: Runtime) -> None:
        """Prepare; nothing is subscribed to before somebody listens."""
        self._runtime = runtime
        self._subscribers: set[Subscriber] = set()
        self._pending: dict[Change, None] = {}
        self._stop: Callable[[], None] | None = None
        self._watching: asyncio.Task[None] | None = None

    def add(self, subscriber: Subscriber) -> None:
        """Tell a client from now on.

        Raises:
            TooManySubscribersError: too many listen already.
        """
        if len(self._subscribers) >= MAX_SUBSCRIBERS:
            raise TooManySubscribersError
        self._subscribers.add(subscriber)
        if self._stop is None:
            self._stop = self._runtime.changes.subscribe(self._announced)
            self._watching = self._runtime.loop.create_task(self._watch_switches())

    def remove(self, subscriber: Subscriber) -> None:
        """Tell a client no more; does nothing the second time."""
        self._subscribers.discard(subscriber)
        if not self._subscribers and self._stop is not None:
            self._stop()
            self._stop = None
            if self._watching is not None:
                self._watching.cancel()

    def _announced(self, change: Change) -> None:
        """Called in the thread that made the change."""
        try:
            self._runtime.loop.call_soon_threadsafe(self._take, change)
        except RuntimeError:
            _log.debug("the event loop is closed; nobody listens any more")

    def _take(self, change: Change) -> None:
        if not self._pending:
            self._runtime.loop.call_soon(self._tell)
        self._pending[change] = None

    def _tell(self) -> None:
        pending, self._pending = self._pending, {}
        for change in pending:
            params: JsonObject = {} if change.uri is None else {"uri": change.uri}
            for subscriber in [item for item in self._subscribers if item.wants(change)]:
                subscriber.tell(METHODS[change.kind], dict(params))

    async def _watch_switches(self) -> None:
        """Announce it when a function behind `enabled=` answers something else than before."""
        before = self._runtime.switches()
        while before:
            await asyncio.sleep(SWITCH_INTERVAL)
            now = self._runtime.switches()
            if now != before:
                before = now
                for kind in (ChangeKind.TOOLS, ChangeKind.RESOURCES, ChangeKind.PROMPTS):
                    self._take(Change(kind))
