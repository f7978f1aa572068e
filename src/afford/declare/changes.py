"""What clients are told when something changed while the application runs: lists of tools, a resource's content.

Knows threads and nothing of event loops: a surface that pushes subscribes, and gets into its own loop by itself.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from threading import Lock
from typing import Final, Generic, ParamSpec

ArgumentsP = ParamSpec("ArgumentsP")

_log: Final = logging.getLogger("afford.changes")


class ChangeKind(StrEnum):
    """What changed."""

    TOOLS = "tools"
    """Which tools there are."""
    RESOURCES = "resources"
    """Which resources there are."""
    PROMPTS = "prompts"
    """Which prompts there are."""
    RESOURCE = "resource"
    """The content of one resource."""


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that changed. Equal changes mean the same to a client, so a surface may merge those not sent yet."""

    kind: ChangeKind
    uri: str | None = None
    """Which resource, for `RESOURCE`; None for the lists."""
    is_certain: bool = False
    """Told to everybody who listens, even where the list looks the same from here."""


class Listeners(Generic[ArgumentsP]):
    """Functions that want to be told, in the order in which they came. Safe to use from any thread."""

    __slots__ = ("_lock", "_subscriptions")

    def __init__(self) -> None:
        """Start with nobody listening."""
        self._lock = Lock()
        # Replaced and never changed, so that telling needs no lock and is not disturbed by whoever comes or goes.
        self._subscriptions: tuple[_Subscription[ArgumentsP], ...] = ()

    def add(self, listener: Callable[ArgumentsP, object]) -> Callable[[], None]:
        """Tell a function from now on; one that is added twice is told twice.

        Returns:
            What ends this subscription, from any thread and any number of times. A round of telling that is under way
            may still reach the function.
        """
        subscription = _Subscription(listener)
        with self._lock:
            self._subscriptions = (*self._subscriptions, subscription)

        def stop() -> None:
            with self._lock:
                self._subscriptions = tuple(other for other in self._subscriptions if other is not subscription)

        return stop

    def tell(self, *args: ArgumentsP.args, **kwargs: ArgumentsP.kwargs) -> None:
        """Call every function, in this thread and holding no lock; what one raises is logged and hurts no other."""
        for subscription in self._subscriptions:
            try:
                subscription.listener(*args, **kwargs)
            except Exception:  # noqa: BLE001 - whoever makes a change does not answer for those who hear of it
                _log.exception("a listener raised; the others are told all the same")


class Changes:
    """Where the parts of one app announce what changed, and surfaces that push to clients hear of it.

    Safe to use from any thread. Nothing is kept: who subscribes hears of later changes only.
    """

    __slots__ = ("_listeners",)

    def __init__(self) -> None:
        """Start with nobody listening."""
        self._listeners = Listeners[[Change]]()

    def announce(self, change: Change) -> None:
        """Tell every listener, in this thread. Never raises, and waits for nothing but the listeners themselves."""
        self._listeners.tell(change)

    def subscribe(self, listener: Callable[[Change], None]) -> Callable[[], None]:
        """Hear of every change from now on.

        Args:
            listener: runs in the announcing thread, so it hands the work over and returns. What it raises is logged.

        Returns:
            What ends the subscription, from any thread and any number of times.
        """
        return self._listeners.add(listener)


class _Subscription(Generic[ArgumentsP]):
    """One listener; told apart by identity, since a function may be added twice."""

    __slots__ = ("listener",)

    def __init__(self, listener: Callable[ArgumentsP, object]) -> None:
        self.listener = listener
