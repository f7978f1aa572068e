"""What a paging handler receives and returns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

PositionT = TypeVar("PositionT")
RowT = TypeVar("RowT")


# Neither class has slots: in Python 3.11 a frozen generic with slots cannot be made as `Page[Row](...)`.
@dataclass(frozen=True)
class PageRequest(Generic[PositionT]):
    """Which page a caller wants; injected into a handler that declares `page: PageRequest[T]`.

    `T` is the type of the position that the author hands out as `next`: anything Pydantic can turn into JSON and back.
    """

    limit: int
    """Rows wanted, already clamped to 1 .. `Paging.max`."""
    after: PositionT | None = None
    """What the previous page gave as `next`; None for the first page."""


@dataclass(frozen=True)
class Page(Generic[RowT]):
    """One page of rows.

    afford signs the position, binds it to operation, filters and caller, and writes it the way each surface needs.
    """

    items: Sequence[RowT]
    next: object | None = None
    """Where the following page starts; None: this page is the last."""
    total: int | None = None
    """How many rows match in all, where that is known."""
