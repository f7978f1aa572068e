"""The calls of a while, in a ring: what the record hook was told, redacted already, and when.

Knows records; nothing of who looks at them. May be read and written from any thread.
"""

from __future__ import annotations

import itertools
import time
from collections import deque
from collections.abc import Callable
from threading import Lock
from typing import Final

import orjson

from afford.declare.changes import Listeners
from afford.errors import JsonObject
from afford.execute.outcome import CallRecord

MOST_CALLS: Final = 1000
"""Calls that are kept."""
LONGEST_ARGUMENTS: Final = 4096
"""Bytes of JSON of one call's arguments that are kept; of more, only the names."""
_LONGEST_NAME: Final = 64


class CallLog:
    """Finished calls by number, from 1; the oldest are forgotten."""

    def __init__(self, most: int = MOST_CALLS, clock: Callable[[], float] = time.time) -> None:
        """Start with none.

        Args:
            most: calls that are kept.
            clock: seconds since the epoch.
        """
        self._calls: deque[JsonObject] = deque(maxlen=most)
        self._clock = clock
        self._lock = Lock()
        self._last = 0
        self._listeners = Listeners[[]]()

    def record(self, call: CallRecord) -> None:
        """Keep one call, and tell who listens that there is one more."""
        entry = _entry(call, self._clock())
        with self._lock:
            self._last += 1
            entry["number"] = self._last
            self._calls.append(entry)
        self._listeners.tell()

    def listen(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Tell a function of every further call, in the thread of the call; returns what ends that."""
        return self._listeners.add(listener)

    def after(self, number: int) -> tuple[list[JsonObject], int]:
        """The calls after a number, oldest first, and how many of them were forgotten already."""
        with self._lock:
            if number > self._last:
                # A number of another process, from before a restart.
                number = 0
            new = min(self._last - number, len(self._calls))
            calls = list(itertools.islice(self._calls, len(self._calls) - new, None))
            return calls, self._last - number - new


def _entry(call: CallRecord, at: float) -> JsonObject:
    entry: JsonObject = {
        "at": at,
        "operation": call.operation,
        "caller": call.principal,
        "door": call.door,
        "surface": call.surface,
        "agent": call.agent,
        "code": call.code,
        "ms": round(call.duration * 1000, 3),
        "trace": call.trace,
    }
    size = len(orjson.dumps(call.arguments))
    if size <= LONGEST_ARGUMENTS:
        # A copy, since the record's own holds on to whatever the caller sent.
        return {**entry, "arguments": orjson.loads(orjson.dumps(call.arguments))}
    names = sorted(call.arguments)[:_LONGEST_NAME]
    return {**entry, "bytes": size, "names": [name[:_LONGEST_NAME] for name in names]}
