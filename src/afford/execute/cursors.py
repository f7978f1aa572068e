"""Cursors: where a page ended, signed and bound to operation, filters and caller.

A cursor is opaque to callers but not secret: it is signed, not encrypted, so a position must not hold what the
caller may not read.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
from functools import lru_cache
from typing import Final, cast

import orjson
from pydantic import TypeAdapter, ValidationError

from afford.caller import Caller
from afford.errors import JsonObject
from afford.manifest import Operation, Source

_MAC_BYTES: Final = 16
_MAX_CURSOR: Final = 4096
_URL_SAFE: Final = bytes.maketrans(b"+/", b"-_")


class CursorError(Exception):
    """The text is no cursor of this app for this operation, these filters and this caller."""


class Cursors:
    """Makes and reads cursors under one secret."""

    def __init__(self, secret: bytes) -> None:
        """Derive the signing key, so that the app's secret itself signs nothing."""
        key = hmac.digest(secret, b"afford cursor v2", "sha256")
        # A keyed BLAKE2b is a MAC of its own (RFC 7693 section 2.9) at a quarter of what an HMAC costs.
        self._keyed = hashlib.blake2b(key=key, digest_size=_MAC_BYTES)

    def sign(self, position: object, position_type: object, binding: bytes) -> str:
        """The cursor for a position.

        Raises:
            ValueError: the position is not of the declared type, is not JSON, or is too long to travel.
        """
        adapter = _adapter(position_type)
        # The adapter's own methods do the same, after looking at a dozen options that are not used here.
        payload = adapter.serializer.to_json(adapter.validator.validate_python(position))
        encoded = binascii.b2a_base64(self._mac(binding, payload) + payload, newline=False)
        cursor = encoded.translate(_URL_SAFE, b"=").decode("ascii")
        if len(cursor) > _MAX_CURSOR:
            raise ValueError(f"its cursor has {len(cursor)} characters, over {_MAX_CURSOR}")
        return cursor

    def read(self, cursor: str, position_type: object, binding: bytes) -> object:
        """The position in a cursor.

        Raises:
            CursorError: it was not made by `sign` with the same secret and binding.
        """
        if len(cursor) > _MAX_CURSOR:
            raise CursorError
        try:
            text = cursor.encode("ascii")
            raw = base64.b64decode(text + b"=" * (-len(text) % 4), altchars=b"-_", validate=True)
        except (UnicodeEncodeError, binascii.Error) as error:
            raise CursorError from error
        mac, payload = raw[:_MAC_BYTES], raw[_MAC_BYTES:]
        if not hmac.compare_digest(mac, self._mac(binding, payload)):
            raise CursorError
        try:
            return _adapter(position_type).validate_json(payload)
        except ValidationError as error:
            raise CursorError from error

    def _mac(self, binding: bytes, payload: bytes) -> bytes:
        keyed = self._keyed.copy()
        keyed.update(binding)
        keyed.update(payload)
        return keyed.digest()


def binding_of(operation: Operation, arguments: JsonObject, caller: Caller) -> bytes:
    """What a cursor is bound to: operation, filters and caller.

    A filter that equals its default is left out, since sending a default equals omitting it.
    """
    defaults = operation.input.defaults
    filters = {k: v for k, v in arguments.items() if k not in defaults or defaults[k] != v} if defaults else arguments
    bound = [operation.id, caller.id, filters]
    # A JSON array says where it ends, so what is signed behind it cannot be taken for a part of it.
    try:
        return orjson.dumps(bound, option=orjson.OPT_SORT_KEYS)
    except TypeError:
        # An author's own schema may accept integers beyond 64 bits.
        return json.dumps(bound, sort_keys=True).encode()


def position_type(operation: Operation) -> object:
    """What `PageRequest[T]` calls `T`; any JSON where the handler does not say."""
    for parameter in operation.special:
        if parameter.source is Source.PAGE:
            return parameter.type
    return object


@lru_cache(maxsize=256)
def _adapter(position_type: object) -> TypeAdapter[object]:
    return TypeAdapter(cast("type[object]", position_type))
