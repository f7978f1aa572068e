"""Who is told when something changes, and in which words: one subscription to the application, many clients.

Changes come from any thread and are handed over to the event loop once, however many clients listen; of equal ones
that come close together, one is told. Nobody hears of what is hidden: that a list changed is told to those whose own
list is another one now, and that a document changed to those who may read it now.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock
from typing import Final

from afford.caller import Caller
from afford.declare.changes import Change, ChangeKind
from afford.errors import JsonObject
from afford.manifest import Manifest, Operation
from afford.runtime import Runtime
from afford.surfaces.server import is_ending

_log: Final = logging.getLogger("afford.mcp")

LOOK_INTERVAL: Final = 1.0
"""Seconds between two looks at what announces nothing, while somebody listens: the functions behind `enabled=`, and
whether the server was told to stop."""
MAX_SUBSCRIBERS: Final = 4096
"""Clients that may listen at the same time."""
MAX_OF_ONE: Final = 1024
"""Of those, clients of one and the same caller; all anonymous ones count as one."""
MAX_FOLLOWED: Final = 1000
"""Documents that one client may follow."""

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
    """Sends a notification, its method and parameters; must not wait."""
    caller: Caller
    """Who it is."""
    lists: set[ChangeKind] = field(default_factory=set[ChangeKind])
    """Lists whose changes it wants to hear of."""
    uris: dict[str, str] = field(default_factory=dict[str, str])
    """Documents that it follows: the URI under which changes are announced, and the client's own spelling of it."""
    known: dict[ChangeKind, int] = field(default_factory=dict[ChangeKind, int])
    """Each list as the client was last told of it, by what tells it from others."""

    def follow(self, uri: str, manifest: Manifest) -> bool:
        """Tell it of a document from now on; answers whether the caller is offered it, and more may be followed."""
        announced = manifest.canonical_uri(uri)
        if announced is None or (announced not in self.uris and len(self.uris) >= MAX_FOLLOWED):
            return False
        self.uris[announced] = uri
        return True

    def unfollow(self, uri: str, manifest: Manifest) -> None:
        """Tell it no more of a document, however its URI is spelled; one that is gone is known by its old spelling."""
        canonical = manifest.canonical_uri(uri)
        kept = ((announced, own) for announced, own in self.uris.items() if announced != canonical and own != uri)
        self.uris = dict(kept)

    def wants(self, change: Change) -> bool:
        """Whether the client asked for this."""
        return change.uri in self.uris if change.kind is ChangeKind.RESOURCE else change.kind in self.lists


class TooManySubscribersError(Exception):
    """Nobody else can be told, or nobody else of this caller."""


class Hub:
    """Hands the changes of one runtime to its clients, on its event loop."""

    def __init__(self, runtime: Runtime) -> None:
        """Prepare; nothing is subscribed to before somebody listens."""
        self._runtime = runtime
        self._subscribers: set[Subscriber] = set()
        self._of_one: Counter[str | None] = Counter()
        self._lock = Lock()
        self._pending: dict[Change, None] = {}
        self._stop: Callable[[], None] | None = None
        self._looking: asyncio.Task[None] | None = None

    def __len__(self) -> int:
        """How many clients listen."""
        return len(self._subscribers)

    def add(self, subscriber: Subscriber) -> None:
        """Tell a client from now on.

        Raises:
            TooManySubscribersError: too many listen already.
        """
        caller = subscriber.caller.id
        if len(self._subscribers) >= MAX_SUBSCRIBERS or self._of_one[caller] >= MAX_OF_ONE:
            raise TooManySubscribersError
        manifest = self._runtime.manifest(subscriber.caller)
        subscriber.known = {kind: _fingerprint(kind, manifest) for kind in subscriber.lists}
        self._subscribers.add(subscriber)
        self._of_one[caller] += 1
        if self._stop is None:
            self._stop = self._runtime.changes.subscribe(self._announced)
            self._looking = self._runtime.loop.create_task(self._look())

    def remove(self, subscriber: Subscriber) -> None:
        """Tell a client no more; does nothing the second time."""
        if subscriber in self._subscribers:
            self._subscribers.discard(subscriber)
            self._of_one -= Counter([subscriber.caller.id])
        if not self._subscribers and self._stop is not None:
            self._stop()
            self._stop = None
            if self._looking is not None:
                self._looking.cancel()

    def _announced(self, change: Change) -> None:
        """Called in the thread that made the change."""
        with self._lock:
            wakes = not self._pending
            self._pending[change] = None
        if wakes:
            # A thread may outlive the event loop; then nobody listens any more.
            with contextlib.suppress(RuntimeError):
                self._runtime.loop.call_soon_threadsafe(self._tell)

    def _tell(self) -> None:
        with self._lock:
            pending, self._pending = self._pending, {}
        views = _Views(self._runtime)
        for subscriber in tuple(self._subscribers):
            try:
                _tell_one(subscriber, pending, views)
            except Exception:  # noqa: BLE001 - one client that cannot be told is no reason not to tell the others
                _log.exception("a client could not be told of a change")

    async def _look(self) -> None:
        """Announce it when a function behind `enabled=` answers something else than before; notice the end."""
        before = self._runtime.switches()
        while not is_ending():
            await asyncio.sleep(LOOK_INTERVAL)
            now = self._runtime.switches()
            if now != before:
                before = now
                for kind in (ChangeKind.TOOLS, ChangeKind.RESOURCES, ChangeKind.PROMPTS):
                    self._announced(Change(kind))
        self._runtime.stop_soon()


class _Views:
    """What callers are offered in one round of telling; equal callers are looked at once."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._manifests: dict[Caller, Manifest] = {}
        self._fingerprints: dict[tuple[Caller, ChangeKind], int] = {}

    def manifest(self, caller: Caller) -> Manifest:
        found = self._manifests.get(caller)
        if found is None:
            found = self._manifests[caller] = self._runtime.manifest(caller)
        return found

    def fingerprint(self, caller: Caller, kind: ChangeKind) -> int:
        found = self._fingerprints.get((caller, kind))
        if found is None:
            found = self._fingerprints[caller, kind] = _fingerprint(kind, self.manifest(caller))
        return found


def _tell_one(subscriber: Subscriber, changes: dict[Change, None], views: _Views) -> None:
    """Tell a client of those changes that it wants to hear of, and may."""
    for change in filter(subscriber.wants, changes):
        if change.uri is not None:
            own = subscriber.uris[change.uri]
            if views.manifest(subscriber.caller).resource(own) is not None:
                subscriber.tell(METHODS[change.kind], {"uri": own})
            continue
        shown = views.fingerprint(subscriber.caller, change.kind)
        if change.is_certain or subscriber.known.get(change.kind) != shown:
            subscriber.known[change.kind] = shown
            subscriber.tell(METHODS[change.kind], {})


def _fingerprint(kind: ChangeKind, manifest: Manifest) -> int:
    """What tells one list from another."""
    if kind is ChangeKind.TOOLS:
        return hash(tuple(map(_told_apart, manifest.operations)))
    if kind is ChangeKind.PROMPTS:
        return hash(tuple(_told_apart(item.operation) for item in manifest.prompts))
    documents = tuple((item.uri, _told_apart(item.resource.operation)) for item in manifest.readables)
    return hash((documents, tuple(_told_apart(item.operation) for item in manifest.templates)))


def _told_apart(operation: Operation) -> tuple[object, ...]:
    """What tells an operation from one of the same name that a list would show differently.

    Schemas are replaced and never changed, so of those the identity will do. Not that of the operation: tools that are
    provided are made anew whenever they are asked for.
    """
    return (
        operation.wire_name,
        operation.title,
        operation.agent_description,
        operation.risk,
        operation.safety,
        id(operation.input.schema),
        id(operation.output.schema),
    )
