"""The floor that all surfaces stand on: wording and documents that have to be the same everywhere.

Pure: knows manifests and failures; no transport, no event loop, no executor.
"""

from __future__ import annotations

import hashlib
from typing import Final

from afford.caller import Door
from afford.declare.vocabulary import Paging
from afford.errors import Code, Failure, JsonObject, failure
from afford.manifest import Operation

PROBLEM_TYPE: Final = "urn:afford:problem:"
"""Prefix of RFC 9457 `type`; the code follows."""
_LONGEST_WAIT: Final = 2.0**31
"""Seconds; what is longer, or is no number at all, is not worth saying."""


def description(operation: Operation, door: Door) -> str:
    """What the callers of a door are told an operation is for."""
    return operation.agent_description if door is Door.AGENT else operation.description


def http_description(operation: Operation, door: Door) -> str:
    """The same, with what only HTTP can say about pages."""
    text = description(operation, door)
    if operation.paging is None:
        return text
    return f"{text} {http_page_sentences(operation.paging)}".strip()


def http_page_sentences(paging: Paging) -> str:
    """How pages travel over HTTP; authors never write this (descriptor house style, "Pagination")."""
    return (
        f"This answers one page of a larger set: {paging.default} rows, or as many as `limit` says, "
        f"clamped to 1..{paging.max} and never refused. The body is always a bare array. While more rows match, the "
        'response has a Link header with rel="next": fetch that URI as it is, and go on until there is no such link. '
        "X-Total-Count, where it is sent, is how many rows match in all."
    )


def unauthenticated() -> Failure:
    """The one refusal of bad credentials, and of none where they are needed: the same for every name."""
    return failure(Code.UNAUTHENTICATED, "valid credentials are needed", fix="send the credentials that were issued")


def wrong_door() -> Failure:
    """The refusal of an agent's credentials at the app door."""
    return failure(Code.FORBIDDEN, "agent credentials do not open this door", fix="use the agent door")


def error_document(failure: Failure) -> JsonObject:
    """What every surface tells about a failure; members that say nothing are absent."""
    members: JsonObject = {"code": failure.code, "message": failure.message}
    if failure.fix:
        members["fix"] = failure.fix
    if failure.docs:
        members["docs"] = failure.docs
    if failure.faults:
        members["errors"] = [fault.document() for fault in failure.faults]
    wait = seconds_to_wait(failure)
    if failure.retryable or wait is not None:
        members["retryable"] = failure.retryable
    if wait is not None:
        members["retry_after"] = wait
    if failure.trace is not None:
        members["trace"] = failure.trace
    return members


def seconds_to_wait(failure: Failure) -> float | None:
    """How long to wait before the same call; None where nobody knows, or an author's number is no time to wait."""
    wait = failure.retry_after
    return wait if wait is not None and 0 <= wait < _LONGEST_WAIT else None


def problem_document(failure: Failure) -> JsonObject:
    """The failure as RFC 9457 problem details."""
    members = error_document(failure)
    detail = members.pop("message")
    code = members.pop("code")
    head: JsonObject = {"type": f"{PROBLEM_TYPE}{failure.code}", "title": failure.title}
    if failure.status is not None:
        head["status"] = failure.status
    return {**head, "detail": detail, "code": code, **members}


def entity_tag(body: bytes) -> str:
    """A strong entity tag (RFC 9110 section 8.8.3)."""
    return f'"{hashlib.blake2b(body, digest_size=16).hexdigest()}"'


def is_match(field: str, tag: str) -> bool:
    """Whether an `If-None-Match` field matches a tag, by weak comparison (RFC 9110 section 13.1.2)."""
    candidates = [item.strip().removeprefix("W/") for item in field.split(",")]
    return "*" in candidates or tag in candidates
