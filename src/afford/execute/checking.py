"""What happens to a handler's result before it may leave: shape, contract, reach, encoding.

Every step works on plain values and answers a reason to refuse, never an exception text for the wire.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, cast

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
_NOT_JSON: Final = (TypeError, ValueError, RecursionError)
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


@dataclass(slots=True)
class Shaped:
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
    shaped = _SHAPES[operation.output.answer]
    if carries is _VALUE:
        return shaped(result)
    if carries is Carries.CONTENT:
        if result is None:
            return replace(shaped(result), alone=True)
        content = checked_content(result)
        return Shaped([content] if operation.reads else content, content=(content,), alone=True)
    if carries is Carries.ANYTHING and _is_content(result):
        several = [result] if isinstance(result, CONTENT_TYPES) else cast("Sequence[object]", result)
        contents = [checked_content(item) for item in several]
        return Shaped(contents[0] if isinstance(result, CONTENT_TYPES) else contents, content=contents, alone=True)
    if not isinstance(result, Result):
        return shaped(result)
    beside = cast("Result[object]", result)
    pieces = tuple(map(checked_content, _rows(beside.content)))
    return replace(shaped(beside.value), content=pieces)


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


def _page(result: object) -> Shaped:
    if not isinstance(result, Page):
        raise broken(f"the handler returned {_kind(result)} instead of a Page")
    page = cast("Page[object]", result)
    return Shaped(_rows(page.items), page)


def _some_rows(result: object) -> Shaped:
    return Shaped(_rows(result))


def _row(result: object) -> Shaped:
    return Shaped([result])


def _row_if_any(result: object) -> Shaped:
    if result is None:
        raise _nothing()
    return Shaped([result])


def _no_value(result: object) -> Shaped:
    if result is not None:
        raise broken(f"the handler returned {_kind(result)}, and the operation answers nothing")
    return Shaped(None)


_VALUE: Final = Carries.VALUE
_SHAPES: Final[Mapping[Answer, Callable[[object], Shaped]]] = {
    Answer.PAGE: _page,
    Answer.ROWS: _some_rows,
    Answer.ROW: _row,
    Answer.OPTIONAL_ROW: _row_if_any,
    Answer.VALUE: Shaped,
    Answer.NOTHING: _no_value,
}


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

    Where the schema leaves a place open, which no judge looks at, that place holds JSON and nothing else all the same.

    Raises:
        RejectedResultError: it is outside the contract.
    """
    output = operation.output
    dumper, judge_output = output.dumper, output.judge
    is_native = dumper is None or dumper.native
    if is_native and judge_output.accepts(value) and (not output.is_open or is_json(value)):
        try:
            return value, orjson.dumps(value, option=_ENCODING)
        except _NOT_JSON:
            # What only looks like JSON, as a subclass of dict or str does, is left to the dumper.
            pass
    dumped = value
    if dumper is not None:
        try:
            dumped = dumper.dump(value)
        except DumpError as error:
            raise broken(f"the result cannot be written as its type: {error}") from error
    if not judge_output.accepts(dumped) or (output.is_open and not is_json(dumped)):
        faults = judge_output.faults(dumped, limit=5)
        places = "; ".join(f"{fault.pointer or '/'}: {fault.message}" for fault in faults) or "a value that is not JSON"
        raise broken(f"the result is outside the output schema at {places}")
    try:
        return dumped, orjson.dumps(dumped, option=_ENCODING)
    except _NOT_JSON as error:
        raise broken("the result holds a value that is not JSON") from error


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


def _rows(given: object) -> Sequence[object]:
    items = given
    if isinstance(items, (list, tuple)):
        return cast("Sequence[object]", items)
    if isinstance(items, Iterable) and not isinstance(items, (str, bytes, Mapping)):
        return list(cast("Iterable[object]", items))
    raise broken(f"the handler returned {_kind(given)} instead of rows")


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


def _kind(value: object) -> str:
    return f"a value of type `{type(value).__name__}`"
