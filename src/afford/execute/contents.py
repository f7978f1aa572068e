"""What resources and prompts answer: text, bytes or messages, checked before they may leave.

No schema describes them, so what is looked at is that they can be written at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, cast

import orjson

from afford.declare.content import CONTENT_TYPES, Message, Result
from afford.declare.operations import Role
from afford.declare.states import Snapshot
from afford.execute.checking import broken, checked_content, plain_text
from afford.manifest import Operation
from afford.schema import AnyDumper, DumpError, is_json

_DUMPER: Final = AnyDumper()
_ROLES: Final = frozenset({"user", "assistant"})


class Document(NamedTuple):
    """What a resource holds."""

    data: str | bytes
    mime_type: str | None
    """What the content itself says of its type; None: bytes of any kind."""


def content_of(operation: Operation, result: object) -> Document | tuple[Message, ...]:
    """The document of a resource; the messages of a prompt.

    Raises:
        RejectedResultError: the handler returned what is neither.
    """
    return _messages(result) if operation.role is Role.PROMPT else _document(result)


def _document(result: object) -> Document:
    if isinstance(result, str):
        return Document(plain_text(result), "text/plain")
    if isinstance(result, (bytes, bytearray)):
        return Document(bytes(result), None)
    if isinstance(result, Result):
        raise broken("a resource is one content, and a `Result` is a value with others beside it")
    if isinstance(result, CONTENT_TYPES):
        content = checked_content(result)
        return Document(content.data, content.mime_type)
    return Document(_json(result.value if isinstance(result, Snapshot) else result), "application/json")


def _json(result: object) -> str:
    try:
        value = result if is_json(result) else _DUMPER.dump(result)
    except DumpError as error:
        raise broken("the content has no JSON form") from error
    if not is_json(value):
        raise broken("the content holds a value that is not JSON")
    return orjson.dumps(value).decode("utf-8")


def _messages(result: object) -> tuple[Message, ...]:
    items = cast("Sequence[object]", result) if isinstance(result, (list, tuple)) else [result]
    return tuple(_message(item) for item in items)


def _message(item: object) -> Message:
    message = Message(item) if isinstance(item, (str, *CONTENT_TYPES)) else item
    if not isinstance(message, Message):
        raise broken(f"a prompt is made of text and messages, not of {type(item).__name__}")
    if message.role not in _ROLES:
        raise broken(f"a message of a prompt has the role {message.role!r}")
    content = message.content
    return Message(plain_text(content) if isinstance(content, str) else checked_content(content), message.role)
