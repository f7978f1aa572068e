"""Outcomes as tool results: bytes spliced from what the executor encoded, within a size budget. Pure.

Structured content and the text block carry the same JSON; a failure has no structured content, and its text is one
JSON object with the key `error`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, cast

import orjson

from afford.errors import Code, Failure, JsonObject, failure
from afford.execute.outcome import Invocation, Outcome, Success
from afford.surfaces.mcp.schemas import ResultShape, result_shape
from afford.surfaces.wire import error_document

BYTES_PER_TOKEN: Final = 3.5
"""How a result's tokens are estimated from its JSON; within a fifth for the tokenisers of 2026 on JSON text."""
DEFAULT_BUDGET: Final = 25_000
"""Tokens a result may have; clients refuse or spill more."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How large one result may be."""

    tokens: int = DEFAULT_BUDGET

    @property
    def bytes(self) -> int:
        """The same as bytes of JSON."""
        return int(self.tokens * BYTES_PER_TOKEN)


def tool_result(outcome: Outcome, invocation: Invocation, budget: Budget) -> bytes:
    """The members of a `CallToolResult`, without its braces, so that the era can add its own."""
    if isinstance(outcome, Failure):
        return failed_result(outcome)
    structured = _structured(outcome)
    if len(structured) > budget.bytes:
        cut = _cut(outcome, invocation, budget)
        if isinstance(cut, Failure):
            return failed_result(cut)
        structured = cut
    return succeeded_result(structured)


def succeeded_result(structured: bytes) -> bytes:
    """The members of a result for structured content, which its text repeats."""
    text = orjson.dumps(structured.decode("utf-8"))
    return b'"content":[{"type":"text","text":' + text + b'}],"structuredContent":' + structured + b',"isError":false'


def failed_result(told: Failure) -> bytes:
    """The members of a result for a failure."""
    text = orjson.dumps({"error": error_document(told)}).decode("utf-8")
    return b'"content":[{"type":"text","text":' + orjson.dumps(text) + b'}],"isError":true'


def _structured(success: Success) -> bytes:
    shape = result_shape(success.operation)
    if shape == ResultShape.ROWS:
        return _rows(success.body, success.next_cursor, success.total)
    body = _single(success)
    return body if shape == ResultShape.OBJECT else b'{"result":' + body + b"}"


def _single(success: Success) -> bytes:
    """The value of a write, or the one row of a read, which HTTP sends as an array of one."""
    return success.body[1:-1] if success.operation.reads else success.body


def _rows(body: bytes, next_cursor: str | None, total: int | None) -> bytes:
    parts = [b'{"rows":', body]
    if next_cursor is not None:
        parts.append(b',"next_cursor":' + orjson.dumps(next_cursor))
    if total is not None:
        parts.append(b',"total":' + str(total).encode("ascii"))
    parts.append(b"}")
    return b"".join(parts)


def _cut(success: Success, invocation: Invocation, budget: Budget) -> bytes | Failure:
    """As many whole rows as fit, with the exact call that gets the rest; a refusal where there are no rows to cut."""
    if result_shape(success.operation) != ResultShape.ROWS:
        message = f"the result is over the budget of {budget.tokens} tokens"
        return failure(Code.TOO_LARGE, message, fix="ask for less: narrow the arguments")
    rows = cast("list[object]", success.value)
    kept = _fitting(rows, budget.bytes * 9 // 10)
    if kept == 0:
        message = f"a single row is over the budget of {budget.tokens} tokens"
        return failure(Code.TOO_LARGE, message, fix="ask for less: narrow the arguments")
    notice = {"returned": kept, "of": len(rows), "hint": _hint(success, invocation, kept)}
    body = _rows(orjson.dumps(rows[:kept]), None, success.total)
    return body[:-1] + b',"truncated":' + orjson.dumps(notice) + b"}"


def _hint(success: Success, invocation: Invocation, kept: int) -> str:
    name = success.operation.wire_name
    if success.operation.paging is None:
        return f"narrow the arguments of `{name}`, so that fewer rows match"
    # The page is asked for again, smaller: only the author knows the position after a row in its middle.
    arguments: JsonObject = {**invocation.arguments, "limit": kept}
    if invocation.cursor is not None:
        arguments["cursor"] = invocation.cursor
    return f"call `{name}` with {orjson.dumps(arguments).decode('utf-8')} and follow next_cursor from there"


def _fitting(rows: list[object], limit: int) -> int:
    """How many rows, from the first, fit into that many bytes."""
    size = 0
    for count, row in enumerate(rows):
        size += len(orjson.dumps(row)) + 1
        if size > limit:
            return count
    return len(rows)
