"""The judge: the published schema decides what is accepted, in both directions and on every surface.

Knows schemas and the engine that runs them. What is wrong with a refused value is worded elsewhere; nothing here knows
Python types.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Final
from weakref import WeakValueDictionary

import orjson

from afford.errors import Fault, JsonObject
from afford.schema.engine import UNREADABLE, compiled
from afford.schema.fault_finder import FaultFinder

_MOST_COMPILED: Final = 4096
_MOST_KNOWN: Final = 1024
"""Schemas that are recognised without being read again, and live as long; whoever judges often keeps the judge."""


class Judge:
    """Decides by one schema. Compiled on first use, and again after it was not used for long.

    Nesting is the caller's to bound: the engine's recursion has no limit of its own, and some hundred thousand levels
    end the process. The reader of JSON text bounds what comes from outside.
    """

    __slots__ = ("__weakref__", "_finder", "_is_valid", "_schema", "_was_used")

    def __init__(self, schema: JsonObject) -> None:
        """Take a valid schema, which must not be changed from now on."""
        self._schema = schema
        self._is_valid: Callable[[object], bool] = self._first_verdict
        self._finder: FaultFinder | None = None
        self._was_used = False

    def accepts(self, value: object) -> bool:
        """Whether the schema accepts the value; False for what is not JSON, wherever the schema looks."""
        self._was_used = True
        try:
            return self._is_valid(value)
        except UNREADABLE:
            return False

    def faults(self, value: object, *, limit: int = 20) -> tuple[Fault, ...]:
        """Everything that is wrong with a value, in the order of the schema; empty where it is accepted.

        Args:
            value: JSON, as a rule.
            limit: the most faults to report. Of a long array the first wrong items are reported.
        """
        if self.accepts(value):
            return ()
        if self._finder is None:
            self._finder = FaultFinder(self._schema)
        return self._finder.faults(value, limit)

    def release(self) -> None:
        """Give up what was compiled; it is compiled again when needed."""
        self._is_valid = self._first_verdict
        self._finder = None

    def is_in_use(self) -> bool:
        """Whether it judged since it was last asked."""
        was_used, self._was_used = self._was_used, False
        return was_used

    def _first_verdict(self, value: object) -> bool:
        engine = compiled(self._schema)
        self._is_valid = engine.is_valid
        _CACHE.keep(self)
        return engine.is_valid(value)


class _Cache:
    """Judges by schema, and how many of them stay compiled."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._by_identity: dict[int, tuple[JsonObject, Judge]] = {}
        self._by_digest: WeakValueDictionary[bytes, Judge] = WeakValueDictionary()
        self._compiled: OrderedDict[int, Judge] = OrderedDict()

    def judge(self, schema: JsonObject) -> Judge:
        known = self._by_identity.get(id(schema))
        if known is not None and known[0] is schema:
            return known[1]
        digest = hashlib.blake2b(orjson.dumps(schema, option=orjson.OPT_SORT_KEYS), digest_size=16).digest()
        with self._lock:
            judge = self._by_digest.get(digest)
            if judge is None:
                judge = self._by_digest[digest] = Judge(schema)
            if len(self._by_identity) >= _MOST_KNOWN:
                self._by_identity.clear()
            self._by_identity[id(schema)] = (schema, judge)
        return judge

    def keep(self, judge: Judge) -> None:
        """Count a judge that was just compiled; the one unused for longest gives way."""
        with self._lock:
            self._compiled[id(judge)] = judge
            while len(self._compiled) > _MOST_COMPILED:
                identity, oldest = self._compiled.popitem(last=False)
                if oldest is judge or oldest.is_in_use():
                    self._compiled[identity] = oldest
                else:
                    oldest.release()


_CACHE: Final = _Cache()


def judge_for(schema: JsonObject) -> Judge:
    """The judge of a schema, shared by all equal schemas.

    Args:
        schema: a valid JSON Schema (draft 2020-12), as derived or as checked. It must not be changed afterwards; the
            same object is recognised without reading it again.
    """
    return _CACHE.judge(schema)
