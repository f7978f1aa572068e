"""Whether a Python value is JSON as it stands.

Knows RFC 8259 and what JSON readers agree on; nothing of schemas.
"""

from __future__ import annotations

import math
from typing import cast

from afford.schema.forms import MAX_INTEGER


def is_json(value: object) -> bool:
    """Whether every part of a value is JSON: a strict walk, for places whose schema looks at nothing.

    JSON are dicts with string keys, lists and tuples, strings without lone surrogates, integers that every reader keeps
    exactly (up to 2^53 - 1), finite floats, booleans and None. Subclasses of these are not, since no writer has to know
    them. A value that holds itself, or is nested beyond the interpreter's recursion limit, is not.
    """
    try:
        return _is_json(value)
    except RecursionError:
        return False


def _is_json(value: object) -> bool:
    kind = type(value)
    if kind is str:
        return _is_text(cast("str", value))
    if kind is int:
        return -MAX_INTEGER <= cast("int", value) <= MAX_INTEGER
    if kind is bool or value is None:
        return True
    if kind is float:
        return math.isfinite(cast("float", value))
    if kind is list or kind is tuple:
        return all(map(_is_json, cast("list[object]", value)))
    if kind is dict:
        members = cast("dict[object, object]", value)
        return all(type(key) is str and _is_text(key) for key in members) and all(map(_is_json, members.values()))
    return False


def _is_text(text: str) -> bool:
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
