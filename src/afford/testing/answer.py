"""What came back from a call, the same over every link. Knows no link."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import orjson

from afford.errors import JsonObject, JsonValue


class CallFailed(AssertionError):
    """A call that a test expected to succeed did not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came back, the same over every link."""

    value: JsonValue = None
    """Rows of a read, the value of a write; None after a failure."""
    next_cursor: str | None = None
    total: int | None = None
    truncated: JsonObject | None = None
    """Over MCP, when the rows were cut to fit: how many of how many they are, and the call that gets the rest."""
    error: JsonObject | None = None
    """What the caller was told: code, message, fix, errors and so on; None after a success."""

    @property
    def ok(self) -> bool:
        """Whether the call succeeded."""
        return self.error is None

    @property
    def code(self) -> str:
        """`ok`, or the failure's code."""
        return "ok" if self.error is None else str(self.error["code"])

    @property
    def rows(self) -> list[JsonObject]:
        """The rows of a read.

        Raises:
            CallFailed: the call failed, or answered no rows.
        """
        if not isinstance(self.value, list):
            raise CallFailed(f"no rows: {orjson.dumps(self.error or self.value).decode()}")
        return cast("list[JsonObject]", self.value)

    @property
    def row(self) -> JsonObject:
        """The one row of a read.

        Raises:
            CallFailed: there is not exactly one.
        """
        rows = self.rows
        if len(rows) != 1:
            raise CallFailed(f"{len(rows)} rows instead of one")
        return rows[0]

    @property
    def faults(self) -> list[JsonObject]:
        """What was wrong with the input, place by place."""
        found = (self.error or {}).get("errors", [])
        return cast("list[JsonObject]", found)

    def fault_codes(self) -> dict[str, str]:
        """Fault code by JSON pointer."""
        return {str(fault["pointer"]): str(fault["code"]) for fault in self.faults}
