"""The two-principal check: what one account is shown, no other account is shown.

A check that finds nothing because both accounts see nothing proves nothing; that counts as a failure too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import orjson

from afford.app import App
from afford.caller import Principal
from afford.declare.vocabulary import Reach
from afford.errors import JsonObject
from afford.testing.client import Over, client
from afford.testing.mcp_link import Revision


@dataclass(frozen=True, slots=True, kw_only=True)
class DisjointReport:
    """What the check saw."""

    operation: str
    first: int
    """Rows that the first principal was shown."""
    second: int
    """Rows that the second principal was shown."""
    shared: tuple[JsonObject, ...]
    """Rows that both were shown."""


async def check_disjoint(
    app: App,
    operation: str,
    first: Principal,
    second: Principal,
    *,
    arguments: Mapping[str, object] | None = None,
    over: Over = "executor",
    revision: Revision = "2026-07-28",
) -> DisjointReport:
    """Call a read as two principals and compare whole rows.

    Args:
        app: the application under test, with data for both.
        operation: wire name of a read that does not publish other people's rows.
        first: one account.
        second: another account.
        arguments: what both send.
        over: the link.
        revision: of the protocol, over MCP.

    Raises:
        AssertionError: a row was shown to both, one of them saw nothing (no positive control), or the operation is
            published, so that the check would contradict its declaration.
    """
    declared = app.build().operations[operation]
    if declared.reach is Reach.PUBLISHED:
        raise AssertionError(
            f"`{operation}` is published: its rows are for everybody, so there is nothing to keep apart"
        )
    rows: list[list[JsonObject]] = []
    for principal in (first, second):
        async with client(app, as_=principal, over=over, revision=revision) as caller:
            rows.append(await caller.all_rows(operation, arguments))
    keys = [{orjson.dumps(row, option=orjson.OPT_SORT_KEYS): row for row in seen} for seen in rows]
    shared = tuple(row for key, row in keys[0].items() if key in keys[1])
    report = DisjointReport(operation=operation, first=len(rows[0]), second=len(rows[1]), shared=shared)
    if not rows[0] or not rows[1]:
        raise AssertionError(f"no positive control: {report.first} and {report.second} rows; give both accounts some")
    if shared:
        raise AssertionError(f"{len(shared)} rows of `{operation}` were shown to both accounts, such as {shared[0]}")
    return report
