"""`Runtime`: one application running on one event loop.

Owns what lives as long as that: the lifespan, app-scoped values, the thread pool, the current catalog epoch. Starts
alike under serve, tests and command line, and lazily when the application is mounted and nobody says it started.
"""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import itertools
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from threading import get_ident
from typing import Final, TypeAlias, cast

from afford.caller import Caller, Principal
from afford.catalog.choices import closed_set
from afford.catalog.model import Catalog, with_choices
from afford.declare.changes import Change, ChangeKind, Changes
from afford.execute.cursors import Cursors
from afford.execute.executor import Executor
from afford.execute.inflight import InFlight
from afford.execute.life import Life
from afford.execute.outcome import CallRecord, Invocation, Outcome
from afford.execute.scope import AppScope
from afford.execute.threads import Threads
from afford.execute.tickets import Tickets
from afford.manifest import Manifest, Manifests, is_enabled
from afford.schema.markers import Choices

_log: Final = logging.getLogger("afford.runtime")

THREADS: Final = 40
"""Plain `def` handlers that run at the same time."""
LOADING: Final = 30.0
"""Seconds a loader of a derived closed set may take; one that hangs must not keep the application from starting."""
COMPLETING: Final = 5.0
"""Seconds an author's function may take to propose candidates for an argument."""
MOST_CANDIDATES: Final = 1000
"""Candidates that are read of those that an author's function proposes."""

_LISTS: Final = (ChangeKind.TOOLS, ChangeKind.RESOURCES, ChangeKind.PROMPTS)

Lifespan: TypeAlias = Callable[[], AbstractAsyncContextManager[object]]
"""Makes the context manager that surrounds an application's life."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuntimeSettings:
    """What a runtime needs to know beside the catalog."""

    catalog: Catalog
    secret: bytes
    lifespan: Lifespan | None
    choices_refresh: float
    """Seconds between two loads of the derived closed sets."""
    overrides: Mapping[object, object]
    record: Callable[[CallRecord], None] | None
    tool_budget: int | None
    """Tokens that a list of tools may have before it defers; 0 or None: it never does."""
    on_start: Callable[[], None]
    """Called once the lifespan is entered, before the first call."""
    changes: Changes
    """Where the application announces what clients may want to hear of."""


class Runtime:
    """One application on one event loop; start it, run calls, stop it."""

    def __init__(self, settings: RuntimeSettings) -> None:
        """Prepare; must be made on the event loop that it will run on."""
        self.loop = asyncio.get_running_loop()
        self.started = False
        self.changes = settings.changes
        self.tickets = Tickets(settings.secret)
        self._thread = get_ident()
        self._settings = settings
        self._manifests = Manifests(settings.catalog)
        self._members: dict[int, tuple[str, ...]] = dict(settings.catalog.members)
        self._choices = settings.catalog.choices
        self._refresh_due = float("inf")
        self._threads = Threads(THREADS)
        self._scope = AppScope(self._threads, settings.overrides)
        self._executor = Executor(
            inflight=InFlight(self.loop),
            threads=self._threads,
            scope=self._scope,
            cursors=Cursors(settings.secret),
            record=settings.record,
        )
        self.run: Callable[[Manifest, Invocation], Awaitable[Outcome]] = self._executor.run
        """Runs one call; never raises."""
        self._starting = asyncio.Lock()
        self._life: Life[object] | None = None
        self._refreshing: asyncio.Task[None] | None = None
        self._stopping = asyncio.Event()
        self._before_stop: list[Callable[[], Awaitable[None]]] = []

    def is_here(self) -> bool:
        """Whether this is the runtime of the event loop that is running in this thread.

        A thread runs one loop at a time, so this needs no question to the system: up to Python 3.11 asking for the
        running loop asks for the process id, which costs more than reading a request.
        """
        return self._thread == get_ident() and self.loop.is_running()

    async def start(self) -> None:
        """Enter the lifespan and load the derived closed sets; does nothing when it runs already.

        Raises:
            Exception: whatever the lifespan raises on entering; the next start tries again.
        """
        async with self._starting:
            if self.started:
                return
            await self._enter_lifespan()
            await self._load_choices()
            self._settings.on_start()
            self.started = True

    def before_stop(self, end: Callable[[], Awaitable[None]]) -> None:
        """End something before the application's own values are closed; it is called at every stop."""
        self._before_stop.append(end)

    async def stop(self) -> None:
        """End what runs over it, finish late threads, close app-scoped values, leave the lifespan.

        Raises:
            Exception: whatever closing raised; the rest is closed all the same.
        """
        self.started = False
        self._stopping.set()
        if self._refreshing is not None:
            self._refreshing.cancel()
        try:
            for end in self._before_stop:
                await end()
            await self._threads.settle()
            await self._scope.close()
        finally:
            life, self._life = self._life, None
            if life is not None:
                await life.end()
            self._threads.shut_down()

    def stop_soon(self) -> None:
        """Let those go on who wait for the end: the server waits for them before it stops the application."""
        self._stopping.set()

    def hand_over(self) -> None:
        """Like `stop_soon`, where another process takes over: who listens hears first that the lists may be others."""
        for kind in _LISTS:
            self.changes.announce(Change(kind, is_certain=True))
        # Behind what was announced, which surfaces send in the next round of the loop.
        self.loop.call_soon(self.stop_soon)

    async def stopping(self) -> None:
        """Wait until the application stops, or is about to."""
        await self._stopping.wait()

    def manifest(self, caller: Caller) -> Manifest:
        """The caller's manifest over the current epoch."""
        if self._choices and self._refresh_due <= self.loop.time():
            self._refresh_soon()
        return self._manifests.of(caller)

    @property
    def epoch(self) -> object:
        """What stays the same object for as long as callers are offered the same."""
        return self._manifests

    def is_current(self, epoch: object) -> bool:
        """Whether this runs here and now, and in that epoch; also looks after the closed sets, as `manifest` does."""
        if self._choices and self._refresh_due <= self.loop.time():
            self._refresh_soon()
        return epoch is self._manifests and self.started and self._thread == get_ident() and self.loop.is_running()

    def known_roles(self, principal: Principal | None) -> Principal | None:
        """The principal, without roles that the app does not declare."""
        return None if principal is None else principal.limited_to(self._settings.catalog.roles)

    @property
    def catalog(self) -> Catalog:
        """The current epoch of the catalog."""
        return self._manifests.catalog

    @property
    def tool_budget(self) -> int | None:
        """Tokens that a list of tools may have before it defers; 0 or None: it never does."""
        return self._settings.tool_budget

    def switches(self) -> tuple[bool, ...]:
        """What every `enabled=` function says now, in the order of the catalog; equal as long as none changed."""
        return tuple(is_enabled(item) for item in self.catalog.everything if callable(item.enabled))

    async def candidates(self, complete: Callable[..., object], *typed: object) -> list[str]:
        """What an author's function proposes for an argument; nothing where it fails, which is logged."""
        try:
            async with asyncio.timeout(COMPLETING):
                if inspect.iscoroutinefunction(complete):
                    answer: object = complete(*typed)
                else:
                    answer = await self._threads.run(_proposed, complete, *typed)
                return _texts(await cast("Awaitable[object]", answer) if inspect.isawaitable(answer) else answer)
        except Exception:  # noqa: BLE001 - a proposal is a courtesy; without one the client goes on
            _log.exception("the candidates of an argument could not be found")
            return []

    async def _enter_lifespan(self) -> None:
        """Enter the lifespan, once, even when whoever asked first was cancelled meanwhile."""
        if self._life is None:
            lifespan = self._settings.lifespan
            self._life = Life[object](contextlib.nullcontext() if lifespan is None else lifespan())
        try:
            await self._life.value()
        except Exception:
            self._life = None
            raise

    def _refresh_soon(self) -> None:
        """Load the closed sets again, off the hot path; the calls of this moment keep the snapshot they have."""
        self._refresh_due = float("inf")
        self._refreshing = self.loop.create_task(self._load_choices())

    async def _load_choices(self) -> None:
        if not self._choices:
            return
        changed = False
        for marker in self._choices:
            members = await self._loaded(marker)
            if members is not None and self._members.get(id(marker.load)) != members:
                self._members[id(marker.load)] = members
                changed = True
        if changed:
            self._manifests = Manifests(with_choices(self._manifests.catalog, self._members))
            for kind in _LISTS:
                self.changes.announce(Change(kind))
        self._refresh_due = self.loop.time() + self._settings.choices_refresh

    async def _loaded(self, marker: Choices) -> tuple[str, ...] | None:
        """The members now; None when the loader fails, and then the last good ones stay."""
        try:
            async with asyncio.timeout(LOADING):
                if inspect.iscoroutinefunction(marker.load):
                    answer: object = await marker.load()
                else:
                    answer = await self._threads.run(marker.load)
                members = await cast("Awaitable[object]", answer) if inspect.isawaitable(answer) else answer
            return closed_set(cast("Iterable[str]", members))
        except Exception:  # noqa: BLE001 - a failing loader keeps the last good set
            _log.exception("a closed set of choices could not be loaded; the last good one stays")
            return None


def _proposed(complete: Callable[..., object], *typed: object) -> object:
    """What a plain function proposes, read in its own thread: a generator works while it is read."""
    answer = complete(*typed)
    return answer if inspect.isawaitable(answer) else _texts(answer)


def _texts(found: object) -> list[str]:
    """The candidates, as many as are worth counting.

    Raises:
        TypeError: it is one text, whose letters nobody proposed, or nothing to read at all.
    """
    if isinstance(found, str):
        raise TypeError("candidates are a collection of texts, not one text")
    return [str(item) for item in itertools.islice(cast("Iterable[object]", found), MOST_CANDIDATES)]
