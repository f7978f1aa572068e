"""The refusals of an operation as OpenAPI responses, each with exactly the codes that can come under its status.

Knows the table of codes, the problems that an author declares, and the wire form of both; nothing of requests. There
is no `default` response: the codes are closed, so what is not listed does not come.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from afford.declare.problems import ProblemDeclaration
from afford.errors import TABLE, Code, Failure, FaultCode, JsonObject, JsonValue
from afford.manifest import Operation
from afford.surfaces.wire import problem_document

PROBLEM_MEDIA_TYPE: Final = "application/problem+json"

_ANY_OPERATION: Final = frozenset(
    {
        Code.BAD_REQUEST,
        Code.FORBIDDEN,
        Code.UNKNOWN_OPERATION,
        Code.NOT_FOUND,
        Code.CONFLICT,
        Code.MISDIRECTED,
        Code.INTERNAL,
        Code.OUTPUT_CONTRACT,
        Code.UNAVAILABLE,
    }
)
_ANY_WRITE: Final = frozenset({Code.TOO_LARGE, Code.UNSUPPORTED_MEDIA_TYPE})

FAULT_SCHEMA: Final[JsonObject] = {
    "type": "object",
    "description": "One thing that is wrong with one place of the input.",
    "additionalProperties": False,
    "properties": {
        "pointer": {
            "type": "string",
            "format": "json-pointer",
            "description": "RFC 6901 pointer into the arguments; empty for the whole input.",
        },
        "code": {"type": "string", "enum": [code.value for code in FaultCode]},
        "message": {"type": "string", "description": "What is wrong, in one sentence."},
        "expected": {"type": "string", "description": "The accepted form, in words."},
        "suggestion": {"description": "A value, or the name of an argument, that would be accepted instead."},
    },
    "required": ["pointer", "code", "message"],
}

PROBLEM_SCHEMA: Final[JsonObject] = {
    "type": "object",
    "description": "Why a call did not succeed (RFC 9457). Branch on `code`; the wording may change.",
    "additionalProperties": False,
    "properties": {
        "type": {"type": "string", "format": "uri", "description": "Names the sort of problem, as `code` does."},
        "title": {"type": "string", "description": "The sort of problem, in words."},
        "status": {"type": "integer", "minimum": 400, "maximum": 599, "description": "The HTTP status."},
        "detail": {"type": "string", "description": "What happened this time."},
        "code": {"type": "string", "description": "The sort of problem, to branch on."},
        "fix": {"type": "string", "description": "What the caller can do about it."},
        "docs": {"type": "string", "description": "URL of a page about it."},
        "errors": {
            "type": "array",
            "items": {"$ref": "#/components/schemas/Fault"},
            "description": "Everything that is wrong with the input.",
        },
        "retryable": {"type": "boolean", "description": "Whether the same call, unchanged, may succeed later."},
        "retry_after": {
            "type": "number",
            "description": "Seconds to wait before the same call is worth sending again.",
        },
        "trace": {"type": "string", "description": "Names this incident in the service's log."},
    },
    "required": ["type", "title", "status", "detail", "code"],
}

REFUSAL_HEADERS: Final[Mapping[str, JsonObject]] = {
    "Retry-After": {
        "description": "Seconds to wait before the same call is worth sending again, where they are known.",
        "schema": {"type": "integer", "minimum": 1},
    },
    "WWW-Authenticate": {
        "description": "Which credentials are accepted (RFC 9110 section 11.6.1).",
        "required": True,
        "schema": {"type": "string"},
    },
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusals:
    """The refusals that share one status."""

    status: int
    codes: tuple[Code, ...]
    """In the order of the table."""
    problems: tuple[ProblemDeclaration, ...]
    """In the order that the operation lists them."""
    key: str
    """Under `components/responses`: the codes themselves, so that equal keys are equal responses."""

    def response(self) -> JsonObject:
        """The OpenAPI response object."""
        members: JsonObject = {"description": self._description()}
        headers = self._headers()
        if headers:
            members["headers"] = headers
        members["content"] = {PROBLEM_MEDIA_TYPE: self._content()}
        return members

    def _description(self) -> str:
        lines = [f"`{code.value}`: {TABLE[code].title}." for code in self.codes]
        return "\n\n".join([*lines, *(_problem_line(problem) for problem in self.problems)])

    def _headers(self) -> JsonObject:
        named: list[str] = []
        if self.problems or any(TABLE[code].retryable for code in self.codes):
            named.append("Retry-After")
        if Code.UNAUTHENTICATED in self.codes:
            named.append("WWW-Authenticate")
        return {name: {"$ref": f"#/components/headers/{name}"} for name in named}

    def _content(self) -> JsonObject:
        codes: list[JsonValue] = list(_names(self.codes, self.problems))
        narrowed: JsonObject = {"properties": {"status": {"const": self.status}, "code": {"enum": codes}}}
        content: JsonObject = {"schema": {"allOf": [{"$ref": "#/components/schemas/Problem"}, narrowed]}}
        if self.problems:
            content["examples"] = {problem.code: {"value": _incident_of(problem)} for problem in self.problems}
        return content


def refusals_of(operation: Operation, *, has_credentials: bool) -> tuple[Refusals, ...]:
    """Everything that a call of the operation can be refused with over HTTP, by status in ascending order.

    Two things are left out: 405, because the document says which method a path answers, and refusals of what is
    published but not enforced.

    Args:
        operation: any operation.
        has_credentials: whether callers can present credentials, which may then be bad ones.
    """
    codes = set(_ANY_OPERATION)
    if has_credentials:
        codes.add(Code.UNAUTHENTICATED)
    if not operation.reads:
        codes |= _ANY_WRITE
    if operation.guard.owner is not None:
        codes.add(Code.REACH_VIOLATION)
    if operation.deadline is not None:
        codes.add(Code.TIMEOUT)
    if operation.questions:
        codes.add(Code.INPUT_REQUIRED)
    return _by_status(frozenset(codes), operation.problems)


@lru_cache(maxsize=256)
def _by_status(codes: frozenset[Code], problems: tuple[ProblemDeclaration, ...]) -> tuple[Refusals, ...]:
    """The refusals grouped; remembered, since most operations of an application refuse alike."""
    statuses = {*(TABLE[code].status for code in codes), *(problem.status for problem in problems)}
    return tuple(_of_status(status, codes, problems) for status in sorted(filter(None, statuses)))


def _of_status(status: int, codes: frozenset[Code], problems: tuple[ProblemDeclaration, ...]) -> Refusals:
    own_codes = tuple(code for code, row in TABLE.items() if code in codes and row.status == status)
    own_problems = tuple(problem for problem in problems if problem.status == status)
    return Refusals(
        status=status, codes=own_codes, problems=own_problems, key=".".join(_names(own_codes, own_problems))
    )


def _names(codes: Iterable[Code], problems: Iterable[ProblemDeclaration]) -> list[str]:
    return [*(code.value for code in codes), *(problem.code for problem in problems)]


def _problem_line(problem: ProblemDeclaration) -> str:
    parts = [f"`{problem.code}`: {problem.title.rstrip('.')}."]
    if problem.fix:
        parts.append(problem.fix)
    if problem.docs:
        parts.append(f"See {problem.docs}.")
    return " ".join(parts)


def _incident_of(problem: ProblemDeclaration) -> JsonObject:
    """What a caller is sent when the problem is raised, with the title where the incident's own words would be."""
    return problem_document(
        Failure(
            code=problem.code,
            message=problem.title,
            title=problem.title,
            status=problem.status,
            fix=problem.fix,
            docs=problem.docs,
            retryable=problem.retryable,
        )
    )
