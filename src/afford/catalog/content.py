"""Answers that carry pictures, sound or documents: what they publish, and their JSON form."""

from __future__ import annotations

import base64
from types import UnionType
from typing import Final, Union, cast, get_args, get_origin

from afford.catalog.operation import Carries
from afford.catalog.signature import bare
from afford.declare.content import CONTENT_TYPES, Audio, Embedded, Image, Result
from afford.errors import JsonObject
from afford.schema import AnyDumper, DumpError

CONTENT_SCHEMA: Final[JsonObject] = {
    "type": "object",
    "description": "A picture, a sound or a document.",
    "properties": {
        "type": {"type": "string", "enum": ["image", "audio", "resource"]},
        "uri": {"type": "string", "description": "Of a document."},
        "mime_type": {"type": "string"},
        "data": {"type": "string", "description": "The bytes, in base64."},
        "text": {"type": "string", "description": "Of a document that is text."},
    },
    "required": ["type"],
    "additionalProperties": False,
}


def carried(returns: object) -> tuple[Carries, object]:
    """What an answer carries beyond its value, and the type of the value."""
    plain = bare(returns)
    if get_origin(plain) is Result:
        return Carries.RESULT, get_args(plain)[0]
    members = get_args(plain) if get_origin(plain) in (Union, UnionType) else (plain,)
    if any(member in CONTENT_TYPES for member in members) and set(members) <= {*CONTENT_TYPES, type(None)}:
        return Carries.CONTENT, returns
    return Carries.VALUE, returns


class ContentDumper:
    """Writes content as JSON objects, for surfaces that carry nothing else."""

    native = False

    def dump(self, value: object) -> object:
        """The JSON form of one piece of content, or of a list of them; None is None.

        Raises:
            DumpError: something is no content.
        """
        if isinstance(value, list):
            return [_document(item) for item in cast("list[object]", value)]
        return None if value is None else _document(value)


class OpenDumper(AnyDumper):
    """Writes whatever an answer is that nothing describes."""

    def dump(self, value: object) -> object:
        """The JSON form of content, of a list of nothing else, or of any other value."""
        if isinstance(value, CONTENT_TYPES):
            return _document(value)
        items = _items(value)
        if any(isinstance(item, CONTENT_TYPES) for item in items):
            return [_document(item) for item in items]
        return super().dump(value)


def _items(value: object) -> list[object]:
    return cast("list[object]", value) if isinstance(value, list) else []


def _document(value: object) -> JsonObject:
    if isinstance(value, Image | Audio):
        kind = "image" if isinstance(value, Image) else "audio"
        return {"type": kind, "mime_type": value.mime_type, "data": _base64(value.data)}
    if not isinstance(value, Embedded):
        raise DumpError(f"a {type(value).__name__} is neither Image, Audio nor Embedded")
    document: JsonObject = {"type": "resource", "uri": value.uri}
    if value.mime_type is not None:
        document["mime_type"] = value.mime_type
    if isinstance(value.data, str):
        return {**document, "text": value.data}
    return {**document, "data": _base64(value.data)}


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")
