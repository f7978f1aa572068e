"""What resources and prompts answer: text, bytes or messages, checked before they may leave.

No schema describes them, so what is looked at is that they can be written at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, cast

import orjson

from afford.declare.content import CONTENT_TYPES, Message
from afford.declare.operations import Role
from afford.execute.checking import broken
from afford.manifest import Operation
from afford.schema import AnyDumper, DumpError, is_json

_DUMPER: Final = AnyDumper()
_ROLES: Final = frozenset({"user", "assistant"})


def content_of(operation: Operation, result: object) -> str | bytes | tuple[Message, ...]:
    """Text or bytes of a resource; the messages of a prompt.

    Raises:
        RejectedResultError: the handler returned what is neither.
    """
    return _messages(result) if operation.role is Role.PROMPT else _body(result)


def _body(result: object) -> str | bytes:
    if isinstance(result, str):
        return _text(result)
    if isinstance(result, (bytes, bytearray)):
        return bytes(result)
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
    if message.role not in _ROLES or not isinstance(message.content, (str, *CONTENT_TYPES)):
        raise broken(f"a message of a prompt has the role {message.role!r} or content that is none")
    return Message(_text(message.content), message.role) if isinstance(message.content, str) else message


def _text(text: str) -> str:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise broken("the text holds half a character, which no wire can carry") from error
    return str(text)
