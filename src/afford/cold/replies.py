"""What came back from a call, whatever carried it. Knows the table of refusals, and no wire."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from http import HTTPStatus
from typing import Final, Protocol

from afford.errors import TABLE, Code, FaultCode, JsonObject, JsonValue
from afford.lint.target import Described

_HELD: Final = frozenset({Code.CONFIRMATION_REQUIRED, Code.INPUT_REQUIRED})
_CREDENTIALS: Final = frozenset({Code.UNAUTHENTICATED, Code.RATE_LIMITED})
_BAD_INPUT: Final = frozenset({HTTPStatus.BAD_REQUEST, HTTPStatus.UNPROCESSABLE_ENTITY})
_SERVER_ERROR: Final = 500
_STATUS: Final = {code.value: row.status for code, row in TABLE.items()}


class Verdict(StrEnum):
    """What a reply says of the call that was made."""

    OK = "ok"
    HELD = "held"
    """Right so far: a person has to confirm, or to answer, before it runs."""
    MALFORMED = "malformed"
    """The input does not fit."""
    STATE = "state"
    """The input fits, and what it asks for is not there, not free or not allowed."""
    FAILED = "failed"
    """No answer that a contract foresees."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """What the caller was told in place of an answer."""

    code: str
    """The service's code; empty where it has none."""
    message: str
    fix: str = ""
    faults: tuple[JsonObject, ...] = ()
    """What is wrong with the input, place by place: `pointer`, `code`, `message`, `expected`, `suggestion`."""
    status: int | None = None
    """HTTP status, where HTTP carried it."""
    is_protocol: bool = False
    """Whether the protocol refused, before any operation did."""

    @property
    def verdict(self) -> Verdict:
        """What it says of the call."""
        if self.code in _HELD:
            return Verdict.HELD
        if self.code == Code.BAD_REQUEST or self.faults or self.status in _BAD_INPUT:
            return Verdict.MALFORMED
        status = self.status or _STATUS.get(self.code)
        is_failure = self.is_protocol or self.code in _CREDENTIALS or self.code == UNREACHABLE
        if is_failure or (status is not None and status >= _SERVER_ERROR):
            return Verdict.FAILED
        # Servers that have no codes name the library that judged the input.
        return Verdict.MALFORMED if not self.code and "validation" in self.message.lower() else Verdict.STATE

    @property
    def is_by_rule(self) -> bool:
        """Whether only a rule of the author refuses it, which no schema can say."""
        return bool(self.faults) and all(fault.get("code") == FaultCode.RULE for fault in self.faults)

    def document(self) -> JsonObject:
        """As a caller reads it."""
        members: JsonObject = {"code": self.code, "message": self.message}
        if self.fix:
            members["fix"] = self.fix
        return {**members, "errors": [*self.faults]} if self.faults else members


UNREACHABLE: Final = "unreachable"
"""Code of a call that got no reply at all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """An answer, or a refusal."""

    value: JsonValue = None
    """The answer itself, as the described output schema means it."""
    refusal: Refusal | None = None
    following: str | None = None
    """Where the next page is, in the words of the link; None: this is the last."""
    total: int | None = None
    is_blank: bool = False
    """Whether the server sent no structured answer, so that no schema can be held against it."""

    @property
    def verdict(self) -> Verdict:
        """What it says of the call."""
        return Verdict.OK if self.refusal is None else self.refusal.verdict

    @property
    def rows(self) -> Sequence[JsonValue]:
        """The rows of the answer; an answer that is no list is one row."""
        if self.refusal is not None or self.value is None:
            return ()
        return self.value if isinstance(self.value, list) else (self.value,)

    def told(self) -> str:
        """Code and message of the refusal, for a report."""
        if self.refusal is None:
            return "answered"
        return ": ".join(part for part in (self.refusal.code, self.refusal.message) if part)


class Link(Protocol):
    """Carries calls to one server as one caller."""

    async def call(self, operation: Described, arguments: JsonObject, limit: int | None = None) -> Reply:
        """Call an operation, a paging one for `limit` rows where that is said; raises nothing for what comes back."""
        ...

    async def follow(self, operation: Described, arguments: JsonObject, limit: int | None, place: str) -> Reply:
        """The page at `place`, which the reply before it named for the same call."""
        ...

    def spells(self, operation: Described, arguments: JsonObject) -> bool:
        """Whether what is wrong with the arguments is still wrong on this wire."""
        ...


Progress = Callable[[int, str], None]
"""Hears of each call before it is made: its number, and what is called."""


class OutOfCallsError(Exception):
    """As many calls were made as are allowed."""


class Meter:
    """A link that counts, stops at the most calls that are allowed, and waits for none of them too long."""

    def __init__(self, link: Link, most: int, timeout: float, told: Progress) -> None:
        """Put a counter and a clock before a link.

        Args:
            link: what carries the calls.
            most: calls that are made at all.
            timeout: seconds for one of them.
            told: hears of each call.
        """
        self._link = link
        self._most = most
        self._timeout = timeout
        self._told = told
        self.calls = 0

    async def call(self, operation: Described, arguments: JsonObject, limit: int | None = None) -> Reply:
        """As the link does.

        Raises:
            OutOfCallsError: there were too many already.
        """
        self._count(operation)
        return await self._in_time(self._link.call(operation, arguments, limit))

    async def follow(self, operation: Described, arguments: JsonObject, limit: int | None, place: str) -> Reply:
        """As the link does.

        Raises:
            OutOfCallsError: there were too many already.
        """
        self._count(operation)
        return await self._in_time(self._link.follow(operation, arguments, limit, place))

    def spells(self, operation: Described, arguments: JsonObject) -> bool:
        """As the link does."""
        return self._link.spells(operation, arguments)

    async def _in_time(self, reply: Awaitable[Reply]) -> Reply:
        try:
            async with asyncio.timeout(self._timeout):
                return await reply
        except TimeoutError:
            message = f"no reply within {self._timeout:g} s"
            return Reply(refusal=Refusal(code=UNREACHABLE, message=message))

    def _count(self, operation: Described) -> None:
        if self.calls >= self._most:
            raise OutOfCallsError
        self.calls += 1
        self._told(self.calls, operation.name)
