"""Shared state: live values under names, which the application changes and agents read.

Knows nothing of who may read; `manifest` decides that.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Generator
from contextlib import contextmanager
from copy import deepcopy
from threading import RLock
from typing import Final, Generic, NamedTuple, TypeVar, cast, overload
from urllib.parse import quote

from afford.declare.changes import Change, ChangeKind, Changes, Listeners
from afford.declare.templates import UriTemplate

ValueT = TypeVar("ValueT")

STATE_PREFIX: Final = "afford://state/"
"""What the URIs of shared state begin with."""

_LIST: Final = Change(ChangeKind.RESOURCES)
_PLACEHOLDER: Final = re.compile(r"(\{[^{}]*\})")
_IN_A_PATH: Final = "/:@!$&'()*+,;="
"""What stands in the path of a URI as it is, beside the unreserved characters (RFC 3986 section 3.3)."""


class Snapshot(NamedTuple):
    """The value of a state at one moment, which is written as JSON whatever it is, text too."""

    value: object


class SharedState(Generic[ValueT]):
    """A live value, or one for each key of a template such as `session/{id}`. Safe to use from any thread.

    Values are isolated: what is given and what is handed out are deep copies, so that a value changes by `set` and
    `update` alone. They are plain data: what `copy.deepcopy` copies and `==` compares.

    The names of a template are keyword arguments of text, and the full key is the template expanded with them:
    `session/{id}` with `id="a/b"` is `session/a%2Fb`. A method that takes names raises `TypeError` for wrong or missing
    ones, and `ValueError` for an empty one. A plain key takes none.

    A key's version is 1 for its initial value and grows by one with every real change. A key that was deleted starts
    again at 1 when it is used again.

    Listeners, and the `Changes` that it is bound to, are told after each change, holding no lock, in order of versions.
    That a key of a template appears is told as its version 1; a plain key is always there. One thread tells at a time,
    so what a thread changed may be told in another one, after the method that changed it returned.
    """

    __slots__ = (
        "_bound",
        "_entries",
        "_initial",
        "_is_telling",
        "_listeners",
        "_lock",
        "_nesting",
        "_news",
        "key",
        "published",
        "template",
    )

    # Two overloads, since from the union alone mypy infers no type for a callable.
    @overload
    def __init__(self, key: str, initial: Callable[..., ValueT]) -> None: ...
    @overload
    def __init__(self, key: str, initial: ValueT) -> None: ...
    def __init__(self, key: str, initial: ValueT | Callable[..., ValueT]) -> None:
        """Declare a state; nothing exists before it is first used.

        Args:
            key: a plain key, or a template of level 1 of RFC 6570.
            initial: the initial value, or what makes it from the names of a key. It is called once for each key, at the
                first use, under the state's lock: it must not wait for another thread. What it raises reaches whoever
                uses the key, and the next use tries again.

        Raises:
            ValueError: the key is no such template.
        """
        self.key = key
        """The key as declared."""
        self.template = UriTemplate(key)
        self.published = UriTemplate(STATE_PREFIX + _as_path(key))
        """Where agents read it: the key behind the prefix, percent-encoded where a URI needs it."""
        self._initial = cast("Callable[..., ValueT]", _maker(initial))
        # Values in here are replaced and never changed, so that they are copied outside the lock.
        self._entries: dict[str, _Entry[ValueT]] = {}
        self._lock = RLock()
        self._nesting = 0
        self._news: deque[_News[ValueT]] = deque()
        self._is_telling = False
        self._listeners = Listeners[[str, ValueT | None, int]]()
        self._bound: tuple[Changes, ...] = ()

    def get(self, /, **names: str) -> ValueT:
        """A copy of the value; the initial one where the key is new."""
        key = self.template.expand(names)
        with self._changing():
            entry = self._entry(key, names)
        return deepcopy(entry.value)

    def set(self, value: ValueT, /, **names: str) -> int:
        """Store a copy of a value.

        An equal value changes nothing and is not told. Values of different types are not equal: 1 is not True.

        Returns:
            The version that the key has now.
        """
        key, stored = self.template.expand(names), deepcopy(value)
        with self._changing():
            return self._store(key, stored, names)

    def update(self, function: Callable[[ValueT], ValueT | None], /, **names: str) -> ValueT:
        """Change the value, with no other change in between.

        Args:
            function: gets a copy, and returns the new value, or None where it changed the copy. It runs under the
                state's lock: it must not wait for another thread. When it raises, nothing changes.
            **names: the names of the key.

        Returns:
            The new value.
        """
        key = self.template.expand(names)
        with self._changing():
            copy = deepcopy(self._entry(key, names).value)
            answer = function(copy)
            value = copy if answer is None else answer
            self._store(key, deepcopy(value), names)
        return value

    def version(self, /, **names: str) -> int:
        """The version of the value; 1 where the key is new."""
        key = self.template.expand(names)
        with self._changing():
            return self._entry(key, names).version

    def delete(self, /, **names: str) -> bool:
        """Remove a key of a template; listeners get None and the version after the last.

        Returns:
            Whether the key existed.

        Raises:
            TypeError: the state has a plain key, which always exists; set its value instead.
        """
        if self.template.is_plain:
            raise TypeError(f"`{self.key}` is a plain key, which always exists; set its value instead")
        key = self.template.expand(names)
        with self._changing():
            entry = self._entries.pop(key, None)
            if entry is not None:
                self._news.append(_News(key, None, entry.version + 1, is_in_list=True))
        return entry is not None

    def keys(self) -> tuple[str, ...]:
        """The full keys that exist, sorted; for a plain key always that one."""
        if self.template.is_plain:
            return (self.key,)
        with self._lock:
            return tuple(sorted(self._entries))

    def uri(self, key: str) -> str:
        """The URI of a full key, which is what the published template expands to.

        Raises:
            ValueError: no key of this state is spelled like that.
        """
        names = self.template.match(key)
        if names is None:
            raise ValueError(f"`{key}` is no key of `{self.key}`")
        return self.published.expand(names)

    def read(self, key: str) -> tuple[ValueT, int] | None:
        """A copy of a value and its version, by the full key as `keys` spells it; for agents.

        Returns:
            None where the key does not exist. Reading makes no key of a template; a plain key always exists.
        """
        with self._changing():
            is_always_there = self.template.is_plain and key == self.key
            entry = self._entry(key, {}) if is_always_there else self._entries.get(key)
        return None if entry is None else (deepcopy(entry.value), entry.version)

    def subscribe(self, listener: Callable[[str, ValueT | None, int], None]) -> Callable[[], None]:
        """Hear of every change from now on.

        Args:
            listener: gets the full key, a copy of the value (None when the key was deleted) and the version. What it
                raises is logged. It may use the state: what it changes is told after it returned.

        Returns:
            What ends the subscription, from any thread and any number of times.
        """
        return self._listeners.add(lambda key, value, version: listener(key, deepcopy(value), version))

    def bind(self, changes: Changes) -> None:
        """Announce changes there from now on, too; once, however often it is bound to the same.

        Every change is announced as `RESOURCE` with the URI of the key, and a key of a template that appears or goes as
        `RESOURCES` as well.
        """
        with self._lock:
            if changes not in self._bound:
                self._bound = (*self._bound, changes)

    def _entry(self, key: str, names: dict[str, str]) -> _Entry[ValueT]:
        """What is stored under a key, made where it is new."""
        return self._entries.get(key) or self._put(key, deepcopy(self._initial(**names)))

    def _store(self, key: str, value: ValueT, names: dict[str, str]) -> int:
        """Replace a value, where it differs, by one that nobody else holds."""
        entry = self._entry(key, names)
        return entry.version if _is_same(entry.value, value) else self._put(key, value).version

    def _put(self, key: str, value: ValueT) -> _Entry[ValueT]:
        known = self._entries.get(key)
        entry = self._entries[key] = _Entry(value, 1 if known is None else known.version + 1)
        if known is not None or not self.template.is_plain:
            self._news.append(_News(key, value, entry.version, is_in_list=known is None))
        return entry

    @contextmanager
    def _changing(self) -> Generator[None]:
        """Hold the lock; once this thread holds it no more, tell what happened."""
        try:
            with self._lock:
                self._nesting += 1
                try:
                    yield
                finally:
                    self._nesting -= 1
        finally:
            self._tell()

    def _tell(self) -> None:
        """Tell everything that is new, unless this thread is still changing or another one is telling already."""
        while True:
            with self._lock:
                if self._nesting or self._is_telling or not self._news:
                    return
                self._is_telling = True
                news = self._news.popleft()
            try:
                self._listeners.tell(news.key, news.value, news.version)
                for changes in self._bound:
                    if news.is_in_list:
                        changes.announce(_LIST)
                    changes.announce(Change(ChangeKind.RESOURCE, self.uri(news.key)))
            finally:
                with self._lock:
                    self._is_telling = False


class _Entry(NamedTuple, Generic[ValueT]):
    value: ValueT
    version: int


class _News(NamedTuple, Generic[ValueT]):
    """One change that is still to be told."""

    key: str
    value: ValueT | None
    version: int
    is_in_list: bool
    """Whether the key appeared or went."""


def _as_path(key: str) -> str:
    """The key as the end of a URI, its placeholders untouched."""
    parts = _PLACEHOLDER.split(key)
    return "".join(part if part.startswith("{") else quote(part, safe=_IN_A_PATH) for part in parts)


def _maker(initial: object) -> Callable[..., object]:
    """What makes an initial value; a value is copied now, so that whoever gave it may change it."""
    if callable(initial):
        return initial
    kept = deepcopy(initial)

    def keep(**_names: str) -> object:
        return kept

    return keep


def _is_same(one: object, other: object) -> bool:
    """Equality that keeps apart what JSON does: 1, 1.0 and True."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        mine, theirs = cast("dict[object, object]", one), cast("dict[object, object]", other)
        return mine.keys() == theirs.keys() and all(_is_same(mine[key], theirs[key]) for key in mine)
    if isinstance(one, (list, tuple)):
        items, others = cast("list[object]", one), cast("list[object]", other)
        return len(items) == len(others) and all(map(_is_same, items, others))
    return bool(one == other)
