"""Following pages to their end: whether they add up, and whether anybody was told that there are any."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from math import ceil
from typing import Final

import orjson

from afford.cold.replies import Reply, Verdict
from afford.errors import JsonObject, JsonValue
from afford.lint.target import Described

MOST_PAGES: Final = 60
"""Pages of one walk; a longer one is given up, and said to be."""
_STEPS: Final = 3
"""Pages that a walk is made of, where the total is known."""
_TELLING: Final = re.compile(r"\bpages?\b|\bnext\b|\bcursor\b|\brel=", re.IGNORECASE)

Ask = Callable[[JsonObject, int | None], Awaitable[Reply]]
"""Calls for a number of rows."""
Follow = Callable[[JsonObject, int | None, str], Awaitable[Reply]]
"""Asks for the page at a place that the page before named."""


@dataclass(slots=True)
class Walked:
    """What a walk came to."""

    pages: int = 0
    rows: int = 0
    faults: list[str] = field(default_factory=list[str])
    """What is wrong, one sentence each."""
    notes: list[str] = field(default_factory=list[str])


async def walk(operation: Described, arguments: JsonObject, ask: Ask, follow: Follow) -> Walked:
    """Follow the pages of a call to the last one, in steps that make several of them."""
    walked = Walked()
    first = await ask(arguments, None)
    if first.verdict is not Verdict.OK:
        return walked
    if first.following is not None and not tells_of_pages(operation.text):
        walked.faults.append("there is a next page, and the description does not say so; tell how to get on")
    limit = _limit(operation, first)
    page = first if limit is None else await ask(arguments, limit)
    rows: list[JsonValue] = []
    while True:
        if page.verdict is not Verdict.OK:
            walked.faults.append(f"page {walked.pages + 1} is refused ({page.told()}); let pages be followed")
            return walked
        walked.pages += 1
        rows.extend(page.rows)
        walked.rows = len(rows)
        if page.following is None:
            break
        if walked.pages >= MOST_PAGES:
            walked.notes.append(f"the walk was given up after {MOST_PAGES} pages")
            return walked
        page = await follow(arguments, limit, page.following)
    _add_up(walked, rows, first.total)
    return walked


def tells_of_pages(description: str) -> bool:
    """Whether a description mentions that there may be more."""
    return _TELLING.search(description) is not None


def _limit(operation: Described, first: Reply) -> int | None:
    """Rows of one page, such that there are several; None: as many as there are unasked."""
    if first.following is None and not first.rows:
        return None
    known = first.total if first.total is not None else len(first.rows)
    if operation.pages is None or known < _STEPS:
        return None
    limit = ceil(known / _STEPS)
    return limit if operation.pages.most is None else min(limit, operation.pages.most)


def _add_up(walked: Walked, rows: list[JsonValue], total: int | None) -> None:
    if total is not None and len(rows) != total:
        walked.faults.append(f"the pages hold {len(rows)} rows, and {total} were announced; correct one of them")
    counts = Counter(orjson.dumps(row, option=orjson.OPT_SORT_KEYS) for row in rows)
    twice = sum(count > 1 for count in counts.values())
    if twice and walked.pages > 1:
        # Rows may well be equal where they have no id; where they have one, a page repeats another.
        has_id = any(isinstance(row, dict) and any(name.endswith("id") for name in row) for row in rows)
        message = f"{twice} rows come more than once; order them by something that is one row's alone"
        (walked.faults if has_id else walked.notes).append(message)
