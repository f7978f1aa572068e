"""Remembering what credentials stand for: bounded, until they expire, by digest.

Holds no credential, only SHA-256 digests. Safe to use from several threads.
"""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import Generic, TypeVar

Value = TypeVar("Value")


class Memory(Generic[Value]):
    """A least-recently-used memory whose entries end at a given time."""

    __slots__ = ("_entries", "_limit", "_lock")

    def __init__(self, limit: int) -> None:
        """Hold at most `limit` entries; the one not asked for the longest makes room."""
        self._entries: OrderedDict[bytes, tuple[float, Value]] = OrderedDict()
        self._limit = limit
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._entries)

    def recall(self, key: bytes, now: float) -> Value | None:
        """The value under `key`, None when there is none or its time has come."""
        with self._lock:
            entry = self._entries.get(key)
            if entry is None:
                return None
            until, value = entry
            if now >= until:
                del self._entries[key]
                return None
            self._entries.move_to_end(key)
            return value

    def keep(self, key: bytes, value: Value, until: float) -> None:
        """Remember `value` under `key` while the clock shows less than `until`, in the clock's seconds."""
        with self._lock:
            self._entries[key] = (until, value)
            self._entries.move_to_end(key)
            if len(self._entries) > self._limit:
                self._entries.popitem(last=False)
