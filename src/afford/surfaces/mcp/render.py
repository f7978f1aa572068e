"""Outcomes as tool results: bytes spliced from what the executor encoded, within a size budget. Pure.

Structured content and the text block carry the same JSON; a failure has no structured content, and its text is one
JSON object with the key `error`.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, cast

import orjson

from afford.declare.content import Content, Embedded, Image
from afford.declare.vocabulary import Safety
from afford.errors import Code, Failure, JsonObject, failure
from afford.execute.outcome import Invocation, Outcome, Success
from afford.manifest import Operation
from afford.surfaces.mcp.schemas import ResultShape, is_cuttable, result_shape
from afford.surfaces.wire import error_document

BYTES_PER_TOKEN: Final = 3.5
"""How a result's tokens are estimated from its JSON; within a fifth for the tokenisers of 2026 on JSON text."""
DEFAULT_BUDGET: Final = 25_000
"""Tokens a result may have; clients refuse or spill more."""
_LONGEST_CALL: Final = 2000
"""Characters of arguments that are repeated in a hint."""
_DONE: Final = "it has run, so do not call it again for the rest of its answer; read that in smaller parts"


@dataclass(frozen=True, slots=True)
class Budget:
    """How large one result may be."""

    tokens: int = DEFAULT_BUDGET
    bytes: int = field(init=False)
    """The same as bytes of JSON."""

    def __post_init__(self) -> None:
        """Work the bytes out once."""
        object.__setattr__(self, "bytes", int(self.tokens * BYTES_PER_TOKEN))


def tool_result(outcome: Outcome, invocation: Invocation, budget: Budget) -> bytes:
    """The members of a `CallToolResult`, without its braces, so that the era can add its own."""
    if isinstance(outcome, Failure):
        return failed_result(outcome)
    if outcome.alone:
        return b'"content":' + orjson.dumps([block(item) for item in outcome.content]) + b',"isError":false'
    structured = _structured(outcome)
    if len(structured) > budget.bytes:
        cut = _cut(outcome, invocation, budget)
        if isinstance(cut, Failure):
            return failed_result(cut)
        structured = cut
    return succeeded_result(structured, outcome.content)


def succeeded_result(structured: bytes, content: Sequence[Content] = ()) -> bytes:
    """The members of a result for structured content, which its text repeats, and content beside it."""
    text = orjson.dumps(structured.decode("utf-8"))
    beside = b"".join([b"," + orjson.dumps(block(item)) for item in content]) if content else b""
    head = b'"content":[{"type":"text","text":'
    return b"".join((head, text, b"}", beside, b'],"structuredContent":', structured, b',"isError":false'))


def block(content: str | Content) -> JsonObject:
    """One content block (specification, "Tools", "Tool Result")."""
    if isinstance(content, str):
        return {"type": "text", "text": content}
    if isinstance(content, Embedded):
        return {"type": "resource", "resource": resource_contents(content.uri, content.mime_type, content.data)}
    kind = "image" if isinstance(content, Image) else "audio"
    return {"type": kind, "data": _base64(content.data), "mimeType": content.mime_type}


def resource_contents(uri: str, mime_type: str | None, data: str | bytes) -> JsonObject:
    """A document with its content (specification, "Resources", "Resource Contents")."""
    members: JsonObject = {"uri": uri}
    if mime_type is not None:
        members["mimeType"] = mime_type
    return {**members, "text": data} if isinstance(data, str) else {**members, "blob": _base64(data)}


def failed_result(told: Failure) -> bytes:
    """The members of a result for a failure."""
    try:
        text = orjson.dumps({"error": error_document(told)}).decode("utf-8")
    except orjson.JSONEncodeError:
        # An author's own words that no UTF-8 can carry, such as half of a surrogate pair.
        return failed_result(failure(Code.INTERNAL, "the service failed to say why it refused"))
    return b'"content":[{"type":"text","text":' + orjson.dumps(text) + b'}],"isError":true'


def _structured(success: Success) -> bytes:
    shape = result_shape(success.operation)
    if shape is ResultShape.ROWS:
        return _rows(success.body, success.next_cursor, success.total)
    body = _single(success)
    if shape is ResultShape.OBJECT or (shape is ResultShape.OPEN and body[:1] == b"{"):
        return body
    return b'{"result":' + body + b"}"


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
    """As much as fits and is valid, and how to get the rest; a refusal where nothing can be cut."""
    operation, room = success.operation, budget.bytes * 9 // 10
    if result_shape(operation) == ResultShape.ROWS:
        rows = cast("list[object]", success.value)
        kept = _fitting(rows, room)
        if kept == 0:
            return _too_large(operation, f"a single row is over the budget of {budget.tokens} tokens")
        body = _rows(orjson.dumps(rows[:kept]), None, success.total)
        notice = _notice(kept, len(rows), _hint(success, invocation, kept))
        return body[:-1] + b',"truncated":' + orjson.dumps(notice) + b"}"
    value = cast("list[object]", success.value)[0] if operation.reads else success.value
    if is_cuttable(operation) and isinstance(value, (str, list, tuple)):
        whole = cast("str | Sequence[object]", value)
        kept = _fitting_text(whole, room) if isinstance(whole, str) else _fitting(whole, room)
        if kept:
            return orjson.dumps({"result": whole[:kept], "truncated": _notice(kept, len(whole), _rest(operation))})
    return _too_large(operation, f"the result is over the budget of {budget.tokens} tokens")


def _notice(returned: int, of: int, hint: str) -> JsonObject:
    """What stands under `truncated`."""
    return {"returned": returned, "of": of, "hint": hint}


def _too_large(operation: Operation, message: str) -> Failure:
    return failure(Code.TOO_LARGE, message, fix=_DONE if _acts(operation) else "ask for less: narrow the arguments")


def _rest(operation: Operation) -> str:
    """What to do about the rest of a text or a list."""
    name = operation.wire_name
    return _DONE if _acts(operation) else f"this is the beginning only; narrow the arguments of `{name}` for less"


def _acts(operation: Operation) -> bool:
    """Whether calling it again would do something again."""
    return operation.safety is not Safety.READ


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def _hint(success: Success, invocation: Invocation, kept: int) -> str:
    name = success.operation.wire_name
    if success.operation.paging is None:
        return f"narrow the arguments of `{name}`, so that fewer rows match"
    # The page is asked for again, smaller: only the author knows the position after a row in its middle.
    arguments: JsonObject = {**invocation.arguments, "limit": kept}
    if invocation.cursor is not None:
        arguments["cursor"] = invocation.cursor
    written = orjson.dumps(arguments).decode("utf-8")
    if len(written) > _LONGEST_CALL:
        return f"call `{name}` again with `limit` {kept} and nothing else changed, and follow next_cursor from there"
    return f"call `{name}` with {written} and follow next_cursor from there"


def _fitting(rows: Sequence[object], limit: int) -> int:
    """How many rows, from the first, fit into that many bytes."""
    size = 0
    for count, row in enumerate(rows):
        size += len(orjson.dumps(row)) + 1
        if size > limit:
            return count
    return len(rows)


def _fitting_text(text: str, limit: int) -> int:
    """How many characters, from the first, fit into about that many bytes."""
    kept = min(len(text), limit)
    while len(orjson.dumps(text[:kept])) > limit:
        kept = kept * 3 // 4
    return kept
