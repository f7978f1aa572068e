"""The measured operations as plain functions, for the frameworks that take such: same types, same rows.

Knows no framework. The cursor is what our side signs, so that all sides answer the same bytes; signing nothing is to
their advantage.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, Final

from hotels import ROWS, Arrival, Echo, HotelPage, Meals, Message, Money, StarFloor, Wanted, Where

CURSOR_VARIABLE: Final = "BENCHMARK_CURSOR"
CURSOR: Final = os.environ.get(CURSOR_VARIABLE, "none")


async def echo(message: Message) -> Echo:
    return {"message": message}


async def search_hotels(  # noqa: PLR0913, PLR0917 - an operation has as many inputs as it has
    neighbourhood: Where = None,
    board: Meals = None,
    min_stars: StarFloor = None,
    check_in: Arrival = None,
    currency: Money = None,
    amenities: Wanted = None,
    limit: int = 20,
    cursor: str | None = None,
) -> HotelPage:
    return page(limit)


def answer(name: str, arguments: dict[str, Any]) -> Mapping[str, Any]:
    """What a tool answers, for sides that dispatch by themselves."""
    return {"message": arguments["message"]} if name == "echo" else page(arguments["limit"])


def page(limit: int) -> HotelPage:
    """The first page."""
    return {"rows": ROWS[:limit], "next_cursor": CURSOR}
