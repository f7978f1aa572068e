"""The closed table of refusals, and the values that carry one.

Knows nothing but itself: every other module may import it. One row of `TABLE` decides the HTTP status, the MCP
rendering, the exit code and whether a retry can help, so that no surface keeps a second opinion.

    code                    http  mcp        exit  retryable
    bad_request             400   result     1     no
    unauthenticated         401   protocol   1     no
    forbidden               403   result     1     no
    declined                403   result     1     no
    unknown_operation       404   protocol   1     no
    not_found               404   result     1     no
    method_not_allowed      405   protocol   1     no
    conflict                409   result     1     no
    too_large               413   result     1     no
    unsupported_media_type  415   protocol   1     no
    misdirected             421   protocol   1     no
    confirmation_required   428   result     1     no
    input_required          428   result     1     no
    rate_limited            429   result     1     yes
    cancelled               -     none       1     no
    internal                500   result     1     no
    output_contract         500   result     1     no
    reach_violation         500   result     1     no
    unavailable             503   result     1     yes
    timeout                 504   result     1     yes

Problems that an author declares carry a code of their own (`[A-Z][A-Z0-9_]*`) and behave like `result`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final, TypeAlias

JsonValue: TypeAlias = bool | int | float | str | list["JsonValue"] | dict[str, "JsonValue"] | None
"""Any JSON value, as Python holds it after parsing."""

JsonObject: TypeAlias = dict[str, JsonValue]
"""A JSON object; also how JSON Schemas are held."""


class Code(StrEnum):
    """Why a call did not succeed. Closed: a surface may switch over it."""

    BAD_REQUEST = "bad_request"
    UNAUTHENTICATED = "unauthenticated"
    FORBIDDEN = "forbidden"
    DECLINED = "declined"
    UNKNOWN_OPERATION = "unknown_operation"
    NOT_FOUND = "not_found"
    METHOD_NOT_ALLOWED = "method_not_allowed"
    CONFLICT = "conflict"
    TOO_LARGE = "too_large"
    UNSUPPORTED_MEDIA_TYPE = "unsupported_media_type"
    MISDIRECTED = "misdirected"
    CONFIRMATION_REQUIRED = "confirmation_required"
    INPUT_REQUIRED = "input_required"
    RATE_LIMITED = "rate_limited"
    CANCELLED = "cancelled"
    INTERNAL = "internal"
    OUTPUT_CONTRACT = "output_contract"
    REACH_VIOLATION = "reach_violation"
    UNAVAILABLE = "unavailable"
    TIMEOUT = "timeout"


class McpRendering(StrEnum):
    """Where a refusal appears on MCP: in a tool result, as a protocol error, or not at all."""

    RESULT = "result"
    PROTOCOL = "protocol"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class CodeRow:
    """What one code means on every surface."""

    title: str
    """One constant sentence fragment, the same for every incident (RFC 9457 `title`)."""
    status: int | None
    """HTTP status; None where no response is sent."""
    mcp: McpRendering = McpRendering.RESULT
    exit_code: int = 1
    retryable: bool = False
    """Whether the same call, unchanged, may succeed later."""


TABLE: Final[Mapping[Code, CodeRow]] = MappingProxyType(
    {
        Code.BAD_REQUEST: CodeRow("The request does not fit the published input schema", 400),
        Code.UNAUTHENTICATED: CodeRow("Valid credentials are needed", 401, McpRendering.PROTOCOL),
        Code.FORBIDDEN: CodeRow("The caller may not do this", 403),
        Code.DECLINED: CodeRow("A person declined", 403),
        Code.UNKNOWN_OPERATION: CodeRow("There is no such operation", 404, McpRendering.PROTOCOL),
        Code.NOT_FOUND: CodeRow("What the arguments address does not exist", 404),
        Code.METHOD_NOT_ALLOWED: CodeRow("The path does not answer this method", 405, McpRendering.PROTOCOL),
        Code.CONFLICT: CodeRow("The state does not allow this now", 409),
        Code.TOO_LARGE: CodeRow("The message is over the size limit", 413),
        Code.UNSUPPORTED_MEDIA_TYPE: CodeRow("The body is not JSON", 415, McpRendering.PROTOCOL),
        Code.MISDIRECTED: CodeRow("This server does not answer for that host", 421, McpRendering.PROTOCOL),
        Code.CONFIRMATION_REQUIRED: CodeRow("A person has to confirm first", 428),
        Code.INPUT_REQUIRED: CodeRow("A person has to answer a question first", 428),
        Code.RATE_LIMITED: CodeRow("Too many calls", 429, retryable=True),
        Code.CANCELLED: CodeRow("The caller went away", None, McpRendering.NONE),
        Code.INTERNAL: CodeRow("The service failed", 500),
        Code.OUTPUT_CONTRACT: CodeRow("The service answered outside its published contract", 500),
        Code.REACH_VIOLATION: CodeRow("The service was about to return somebody else's data", 500),
        Code.UNAVAILABLE: CodeRow("The service cannot answer now", 503, retryable=True),
        Code.TIMEOUT: CodeRow("The operation took too long", 504, retryable=True),
    }
)


class FaultCode(StrEnum):
    """What is wrong with one place of the input. Closed."""

    UNKNOWN_ARGUMENT = "unknown_argument"
    MISSING = "missing"
    WRONG_TYPE = "wrong_type"
    NOT_A_CHOICE = "not_a_choice"
    OUT_OF_RANGE = "out_of_range"
    WRONG_LENGTH = "wrong_length"
    WRONG_FORMAT = "wrong_format"
    DUPLICATE = "duplicate"
    NOT_ALLOWED = "not_allowed"
    """The schema refuses the value in a way that no other code names."""
    SYNTAX = "syntax"
    """The text could not be read at all: bad percent-encoding, bad JSON, a spelling no type has."""
    RULE = "rule"
    """The author's own validator refused a value that the schema accepts."""
    CURSOR = "cursor"
    """The cursor was not issued for this operation, these filters and this caller."""


class _Absent:
    """The type of `ABSENT`: no value, where None is one."""

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT: Final = _Absent()


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One thing that is wrong with one place of the input."""

    pointer: str
    """RFC 6901 JSON pointer into the arguments; empty for the whole input."""
    code: FaultCode
    message: str
    """One sentence for a model or a person; never echoes what was sent at length."""
    expected: str | None = None
    """The accepted form in words, such as `integer` or `one of: a, b`."""
    suggestion: JsonValue | _Absent = ABSENT
    """A value (or, for an unknown argument, a name) that would be accepted instead."""

    def document(self) -> JsonObject:
        """The wire form; members that say nothing are absent."""
        members: JsonObject = {"pointer": self.pointer, "code": self.code.value, "message": self.message}
        if self.expected is not None:
            members["expected"] = self.expected
        if not isinstance(self.suggestion, _Absent):
            members["suggestion"] = self.suggestion
        return members


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """Why one call did not succeed: data, rendered by each surface."""

    code: str
    """A `Code`, or the code of a problem that the author declared."""
    message: str
    """What happened in this incident."""
    title: str
    status: int | None
    fix: str | None = None
    """What the caller can do about it."""
    docs: str | None = None
    """URL of a page about it."""
    faults: tuple[Fault, ...] = ()
    retryable: bool = False
    retry_after: float | None = None
    """Seconds to wait before the same call is worth sending again."""
    trace: str | None = None
    """Id under which the log has the whole story."""
    choices: tuple[str, ...] = ()
    """What exists instead: methods for 405, close operation names for an unknown one."""


def failure(
    code: Code,
    message: str,
    *,
    fix: str | None = None,
    faults: tuple[Fault, ...] = (),
    retry_after: float | None = None,
    trace: str | None = None,
    choices: tuple[str, ...] = (),
) -> Failure:
    """A failure of the closed table, with the row's title, status and retryability."""
    row = TABLE[code]
    return Failure(
        code=code.value,
        message=message,
        title=row.title,
        status=row.status,
        fix=fix,
        faults=faults,
        retryable=row.retryable,
        retry_after=retry_after,
        trace=trace,
        choices=choices,
    )


class Refusal(Exception):
    """A refusal that an author raises on purpose; its text reaches the caller.

    Use one of the subclasses, or a problem made by `app.problem(...)`. Everything else that a handler raises is
    `internal`, and its text stays in the log.
    """

    code: Code = Code.FORBIDDEN

    def __init__(self, message: str, *, fix: str | None = None, retry_after: float | None = None) -> None:
        """Keep what the caller is told.

        Args:
            message: what happened, one sentence.
            fix: what the caller can do about it.
            retry_after: seconds until the same call is worth repeating.
        """
        super().__init__(message)
        self.message = message
        self.fix = fix
        self.retry_after = retry_after

    def as_failure(self) -> Failure:
        """The failure this refusal stands for."""
        return failure(self.code, self.message, fix=self.fix, retry_after=self.retry_after)


class NotFoundError(Refusal):
    """What an argument addresses does not exist (or must look as if it did not): 404."""

    code = Code.NOT_FOUND


class ForbiddenError(Refusal):
    """The caller may know of it, but may not do it: 403."""

    code = Code.FORBIDDEN


class ConflictError(Refusal):
    """The state does not allow it now: 409."""

    code = Code.CONFLICT


class UnavailableError(Refusal):
    """Something the operation needs is down; say `retry_after` if known: 503."""

    code = Code.UNAVAILABLE


class InvalidInputError(Refusal):
    """The arguments fit the schema and still cannot be: 400, with the faults that the handler found."""

    code = Code.BAD_REQUEST

    def __init__(self, message: str, *, pointer: str = "", fix: str | None = None) -> None:
        """Name the place. `pointer` is an RFC 6901 pointer into the arguments, such as `/check_out`."""
        super().__init__(message, fix=fix)
        self.pointer = pointer

    def as_failure(self) -> Failure:
        """The failure, with one fault of code `rule`."""
        fault = Fault(pointer=self.pointer, code=FaultCode.RULE, message=self.message)
        return failure(self.code, self.message, fix=self.fix, faults=(fault,))


class CredentialsError(Exception):
    """Credentials were presented and are not good: 401 before any look-up.

    Authenticators raise it; `reason` is for the log only and never reaches the wire.
    """

    def __init__(self, reason: str) -> None:
        """Keep the reason for the log."""
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostic:
    """One authoring mistake or gap: what it is about, which rule, and what to do."""

    code: str
    """Stable code, such as `DEC101`; the text is not an interface."""
    subject: str
    """Operation, screen, entity or app it is about, by id."""
    message: str
    fix: str
    location: str | None = None
    """`file:line` of the declaration, where known."""

    def __str__(self) -> str:
        place = f" ({self.location})" if self.location else ""
        return f"{self.code} {self.subject}{place}: {self.message}. {self.fix}"


class CatalogError(Exception):
    """The declarations do not fit together; carries every diagnostic at once."""

    def __init__(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        """Keep the diagnostics, sorted by subject and code."""
        self.diagnostics = tuple(sorted(diagnostics, key=lambda item: (item.subject, item.code, item.message)))
        count = len(self.diagnostics)
        lines = [f"{count} build error{'' if count == 1 else 's'}:", *(f"  {item}" for item in self.diagnostics)]
        super().__init__("\n".join(lines))


class DeclarationError(Exception):
    """A decorator was used in a way that cannot be recorded; raised where it stands."""
