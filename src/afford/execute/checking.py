"""What happens to a handler's result before it may leave: shape, contract, reach, encoding.

Every step works on plain values and answers a reason to refuse, never an exception text for the wire.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple, cast

import orjson

from afford.access import judge
from afford.caller import Caller
from afford.declare.content import CONTENT_TYPES, Content, Embedded, Result
from afford.declare.pages import Page
from afford.declare.vocabulary import Reach
from afford.errors import Code, Failure, failure
from afford.manifest import Answer, Carries, Operation
from afford.schema import DumpError, is_json

_ENCODING: Final = orjson.OPT_PASSTHROUGH_SUBCLASS | orjson.OPT_PASSTHROUGH_DATACLASS | orjson.OPT_PASSTHROUGH_DATETIME
_MISSING: Final = object()
_MIME_TYPE: Final = re.compile(r"[!#$&^_.+\w-]+/[!#$&^_.+\w-]+( *;[ -~]*)?", re.ASCII)
"""A media type with its parameters (RFC 9110 section 8.3.1, RFC 6838 section 4.2)."""
_NO_TYPE: Final = "application/octet-stream"
"""What a document of no stated type may be taken for."""
_ABSOLUTE_URI: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[!-~]+")
"""A scheme and something behind it (RFC 3986 section 4.3); the rest is its scheme's business."""


class RejectedResultError(Exception):
    """The handler's result may not leave."""

    def __init__(self, failure: Failure, detail: str | None = None) -> None:
        """Keep what the caller is told, and what the log is told; no detail: there is nothing to log."""
        super().__init__(failure.message)
        self.failure = failure
        self.detail = detail


class Shaped(NamedTuple):
    """A result in the shape that its operation answers: `rows` for reads, the value itself for writes."""

    value: object
    page: Page[object] | None = None
    content: Sequence[Content] = ()
    alone: bool = False
    """The content is the answer, and the value its JSON form."""


def shape(operation: Operation, result: object) -> Shaped:
    """The result in its declared shape.

    Raises:
        RejectedResultError: the handler returned another shape, or the one row does not exist.
    """
    carries = operation.output.carries
    if carries is Carries.VALUE:
        return _shaped(operation, result)
    if carries is Carries.CONTENT:
        if result is None:
            return _shaped(operation, result)._replace(alone=True)
        content = checked_content(result)
        return Shaped([content] if operation.reads else content, content=(content,), alone=True)
    if carries is Carries.ANYTHING and _is_content(result):
        several = [result] if isinstance(result, CONTENT_TYPES) else cast("Sequence[object]", result)
        contents = [checked_content(item) for item in several]
        return Shaped(contents[0] if isinstance(result, CONTENT_TYPES) else contents, content=contents, alone=True)
    if not isinstance(result, Result):
        return _shaped(operation, result)
    beside = cast("Result[object]", result)
    pieces = tuple(map(checked_content, _rows(beside.content)))
    return _shaped(operation, beside.value)._replace(content=pieces)


def checked_content(item: object) -> Content:
    """A picture, a sound or a document that every surface can carry.

    Raises:
        RejectedResultError: it is none, or is made of the wrong things.
    """
    if not isinstance(item, CONTENT_TYPES):
        raise broken(f"{_kind(item)} is neither an image, audio nor an embedded document")
    # What is annotated as text and bytes may be anything by now.
    mime_type, data = cast("object", item.mime_type), cast("object", item.data)
    if isinstance(item, Embedded):
        uri = cast("object", item.uri)
        if not (isinstance(uri, str) and _ABSOLUTE_URI.fullmatch(uri)):
            raise broken(f"the document has the URI {uri!r}, which is no absolute one")
        if mime_type is None:
            mime_type = _NO_TYPE
    if not (isinstance(mime_type, str) and _MIME_TYPE.fullmatch(mime_type)):
        raise broken(f"the content has the media type {mime_type!r}, which is none")
    if isinstance(item, Embedded) and isinstance(data, str):
        return Embedded(item.uri, plain_text(data), item.mime_type)
    if not isinstance(data, bytes):
        raise broken(f"the content holds {_kind(data)} instead of bytes")
    return item


def plain_text(text: str) -> str:
    """The text, as every wire can carry it.

    Raises:
        RejectedResultError: it holds half a character.
    """
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise broken("the text holds half a character, which no wire can carry") from error
    return str(text)


def _is_content(result: object) -> bool:
    """Whether an answer that nothing describes is content, or a list that begins with some."""
    first = cast("Sequence[object]", result)[:1] if isinstance(result, (list, tuple)) else [result]
    return len(first) == 1 and isinstance(first[0], CONTENT_TYPES)


def _shaped(operation: Operation, result: object) -> Shaped:
    answer = operation.output.answer
    if answer is Answer.PAGE:
        if not isinstance(result, Page):
            raise broken(f"the handler returned {_kind(result)} instead of a Page")
        page = cast("Page[object]", result)
        return Shaped(_rows(page.items), page)
    if answer is Answer.ROWS:
        return Shaped(_rows(result))
    if answer in (Answer.ROW, Answer.OPTIONAL_ROW):
        if result is None and answer is Answer.OPTIONAL_ROW:
            raise _nothing()
        return Shaped([result])
    if answer is Answer.NOTHING and result is not None:
        raise broken(f"the handler returned {_kind(result)}, and the operation answers nothing")
    return Shaped(result)


def guard_reach(operation: Operation, caller: Caller, value: object) -> None:
    """Fail closed when a row of somebody else is about to leave.

    Args:
        operation: what answers.
        caller: who is answered.
        value: the rows of a read; the value of a write, whose rows are its elements where it is a list.

    Raises:
        RejectedResultError: a row's owner is another account, or cannot be found out.
    """
    guard = operation.guard
    if guard.owner is None or guard.reach not in (Reach.PRINCIPAL, Reach.ROLE):
        return
    if guard.reach is Reach.ROLE and guard.widens is not None and judge(guard.widens, caller):
        return
    for row in _rows_of(value):
        try:
            owner = _owner(guard.owner, row) if isinstance(guard.owner, str) else guard.owner(row)
        except Exception as error:
            raise _crossed(operation, "the owner of a row cannot be found out") from error
        if owner is not None and (caller.id is None or str(owner) != caller.id):
            raise _crossed(operation, "a row of another account was about to be returned")


def written(operation: Operation, value: object) -> tuple[object, bytes]:
    """The value as JSON values that the published output schema accepts, and the same as compact UTF-8 JSON.

    Raises:
        RejectedResultError: it is outside the contract.
    """
    dumper, judge_output = operation.output.dumper, operation.output.judge
    is_native = dumper is None or dumper.native
    if is_native and judge_output.accepts(value) and _is_closed_json(operation, value):
        body = _encoded(value)
        # What only looks like JSON, as a subclass of dict or str does, is left to the dumper.
        if body is not None:
            return value, body
    dumped = value
    if dumper is not None:
        try:
            dumped = dumper.dump(value)
        except DumpError as error:
            raise broken(f"the result cannot be written as its type: {error}") from error
    if not judge_output.accepts(dumped) or not _is_closed_json(operation, dumped):
        faults = judge_output.faults(dumped, limit=5)
        places = "; ".join(f"{fault.pointer or '/'}: {fault.message}" for fault in faults) or "a value that is not JSON"
        raise broken(f"the result is outside the output schema at {places}")
    body = _encoded(dumped)
    if body is None:
        raise broken("the result holds a value that is not JSON")
    return dumped, body


def _encoded(value: object) -> bytes | None:
    """The value as JSON text; None where something in it is not JSON after all."""
    try:
        return orjson.dumps(value, option=_ENCODING)
    except (TypeError, ValueError, RecursionError):
        return None


def broken(detail: str) -> RejectedResultError:
    """The refusal of a result outside the contract; the detail is for the log."""
    told = failure(Code.OUTPUT_CONTRACT, "the service's answer did not fit its published schema")
    return RejectedResultError(told, f"broke its output contract: {detail}")


def _nothing() -> RejectedResultError:
    """The refusal of a read of one row that there is not."""
    return RejectedResultError(failure(Code.NOT_FOUND, "there is nothing under these arguments"))


def _crossed(operation: Operation, detail: str) -> RejectedResultError:
    message = f"`{operation.wire_name}` was stopped before it returned data of another account"
    return RejectedResultError(failure(Code.REACH_VIOLATION, message), detail)


def _rows(items: object) -> Sequence[object]:
    kind = _kind(items)
    if isinstance(items, (list, tuple)):
        return cast("Sequence[object]", items)
    if isinstance(items, Iterable) and not isinstance(items, (str, bytes, Mapping)):
        return list(cast("Iterable[object]", items))
    raise broken(f"the handler returned {kind} instead of rows")


def _rows_of(value: object) -> Sequence[object]:
    if isinstance(value, (list, tuple)):
        return cast("Sequence[object]", value)
    return () if value is None else (value,)


def _owner(name: str, row: object) -> object:
    if isinstance(row, Mapping):
        owner = cast("Mapping[str, object]", row).get(name, _MISSING)
    else:
        owner = getattr(row, name, _MISSING)
    if owner is _MISSING:
        raise LookupError(f"the row has no `{name}`")
    return owner


def _is_closed_json(operation: Operation, value: object) -> bool:
    """Whether places that the schema leaves open hold JSON and nothing else, which no judge looks at."""
    return not operation.output.is_open or is_json(value)


def _kind(value: object) -> str:
    return f"a value of type `{type(value).__name__}`"
