"""Pages of lists, kept as JSON for callers who see the same: a client that lists again is answered by one copy."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

MOST_BYTES: Final = 16 << 20
"""Bytes of pages that are kept; beyond, the least recently used are forgotten."""
_ENTRY: Final = 256
"""Bytes that an entry takes beside its page."""


class Pages:
    """Pages by what they show and where they begin."""

    def __init__(self, most: int = MOST_BYTES) -> None:
        """Start with none; `most` bounds the bytes of all together."""
        self._most = most
        self._size = 0
        self._kept: OrderedDict[tuple[object, str | None], bytes] = OrderedDict()

    def get(self, shown: object, after: str | None) -> bytes | None:
        """The page that begins after a name, as `keep` was given it."""
        page = self._kept.get((shown, after))
        if page is not None:
            self._kept.move_to_end((shown, after))
        return page

    def keep(self, shown: object, after: str | None, page: bytes) -> None:
        """Remember a page.

        Args:
            shown: equal, and hashed alike, for lists that hold the same.
            after: name that the page begins after; None: the first page.
            page: JSON.
        """
        size = _size(after, page)
        if size > self._most or (shown, after) in self._kept:
            return
        self._kept[shown, after] = page
        self._size += size
        while self._size > self._most:
            (_, forgotten), bytes_of = self._kept.popitem(last=False)
            self._size -= _size(forgotten, bytes_of)


def _size(after: str | None, page: bytes) -> int:
    """Bytes that a page takes; clients may make up where it begins, and so the least is not nothing."""
    return len(page) + len(after or "") + _ENTRY
