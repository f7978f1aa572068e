"""What the tools of many servers are called side by side. Pure.

A published name is `<prefix>__<tool>`, of letters, digits, `_` and `-`, and never longer than clients allow. What would
be longer, or holds other characters, is changed and ends with a hash of the whole name. Names are looked up and never
taken apart, so each resolves to exactly the tool that it was made for.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable
from hashlib import sha256
from typing import Final

LONGEST: Final = 64
"""Characters of a name; several clients refuse or drop longer ones."""
SEPARATOR: Final = "__"

_LONGEST_PREFIX: Final = 24
"""Leaves most of a name to the tool."""
_HASH: Final = 8
_SHORT: Final = 4
_OTHER: Final = re.compile(r"[^A-Za-z0-9-]+")
_UNSAFE: Final = re.compile(r"[^A-Za-z0-9_-]")


def prefix_of(name: str) -> str:
    """What the tools of a server with this name begin with; holds no separator itself."""
    plain = _OTHER.sub("_", name).strip("_-") or "server"
    return (
        plain if len(plain) <= _LONGEST_PREFIX else f"{plain[: _LONGEST_PREFIX - _SHORT - 1]}_{_digest(name, _SHORT)}"
    )


def published(prefix: str, tool: str, taken: Iterable[str] = ()) -> str:
    """The name under which a tool is offered.

    Args:
        prefix: of its server.
        tool: its own name, whatever it holds.
        taken: names that others have already.
    """
    whole = f"{prefix}{SEPARATOR}{tool}"
    safe = _UNSAFE.sub("_", whole)
    if safe == whole and len(whole) <= LONGEST and whole not in taken:
        return whole
    length = _HASH
    while True:
        name = f"{safe[: LONGEST - length - 1]}_{_digest(whole, length)}"
        if name not in taken or length >= LONGEST // 2:
            return name
        length += _HASH


class Prefixes:
    """Which server has which prefix: as long as this lives, none passes to a server of another kind.

    The first of several servers with one name has the plain prefix. Others have a hash of what they serve and from
    where behind it, so that they are called the same whenever they come back.
    """

    def __init__(self) -> None:
        """Start with all free."""
        self._kinds: dict[str, Hashable] = {}
        self._holders: dict[str, str] = {}

    def take(self, holder: str, name: str, kind: tuple[str, ...]) -> str:
        """The prefix of a server from now on.

        Args:
            holder: tells this run of the server from every other.
            name: of the server.
            kind: what it serves and from where, the same for every run of it.
        """
        plain = prefix_of(name)
        for prefix in (plain, _with(plain, kind), _with(plain, (*kind, holder))):
            if prefix not in self._holders and self._kinds.get(prefix, kind) == kind:
                break
        else:
            prefix = _with(plain, (*kind, holder, str(len(self._kinds))))
        self._kinds[prefix] = kind
        self._holders[prefix] = holder
        return prefix

    def free(self, prefix: str) -> None:
        """The server is gone; the prefix waits for another run of it."""
        self._holders.pop(prefix, None)


def _with(prefix: str, kind: tuple[str, ...]) -> str:
    return f"{prefix}_{_digest(repr(kind), _SHORT)}"


def _digest(text: str, length: int) -> str:
    return sha256(text.encode()).hexdigest()[:length]
