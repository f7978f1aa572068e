"""JSON text to JSON values: exactly what RFC 8259 defines, and nothing that two readers would read differently.

Knows JSON and nothing of schemas, surfaces or requests. It is the only reader of JSON that came from outside, so that
duplicate names, `NaN` and lone surrogates are refused alike everywhere. What a value has to look like is decided by the
published schema, later.

Two readers share the work: orjson is several times faster, the standard library's misses nothing. The fast one's answer
counts where it can be proved complete, which is nearly always; everything else, every refusal too, is the slow one's.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable
from math import isfinite
from typing import Final, NoReturn, cast

import orjson

from afford.errors import JsonObject, JsonValue

MAX_DEPTH: Final = 64
"""How many arrays and objects may be inside each other, unless the caller says otherwise."""

_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
_SURROGATE_ESCAPE: Final = re.compile(rb"\\u[dD][89a-fA-F]")
_LONGEST_ECHO: Final = 60
_FIRST_DOUBTFUL_FLOAT: Final = 2.0**63


class JsonSyntaxError(Exception):
    """The text is not the JSON that is read here.

    Attributes:
        message: what is wrong and, where known, at which line and column (both from 1, in characters).
        fix: what the sender can do about it.
    """

    def __init__(self, message: str, fix: str) -> None:
        """Keep what the sender is told."""
        super().__init__(f"{message}; {fix}")
        self.message = message
        self.fix = fix


def parse_json(text: bytes, *, max_depth: int = MAX_DEPTH) -> JsonValue:
    """The one JSON value that `text`, in UTF-8, spells.

    Integers of any size up to the interpreter's digit limit stay integers; other numbers become floats.

    Args:
        text: the whole text; white space around the value is allowed, a byte order mark is not (RFC 8259 section 8.1).
        max_depth: how many arrays and objects may be inside each other; `[]` has depth 1.

    Raises:
        JsonSyntaxError: the text is no RFC 8259 JSON, or one of the things that readers disagree about: a member name
            given twice (section 4), `NaN` or an infinity (section 6), a number beyond the range of a double, a lone
            surrogate (section 8.2), nesting beyond `max_depth`.
    """
    try:
        value: JsonValue = orjson.loads(text)
    except orjson.JSONDecodeError:
        return _read_slowly(text, max_depth)
    if _is_written_alike(value, text, max_depth) or _is_beyond_doubt(value, text, max_depth):
        return value
    return _read_slowly(text, max_depth)


def parse_object(text: bytes, *, max_depth: int = MAX_DEPTH) -> JsonObject:
    """The one JSON object that `text` spells; empty or blank text is the empty object.

    Raises:
        JsonSyntaxError: as `parse_json`, or the value is not an object.
    """
    if not text.strip(b" \t\r\n"):
        return {}
    value = parse_json(text, max_depth=max_depth)
    if not isinstance(value, dict):
        raise JsonSyntaxError(f"the body is {_KINDS[type(value)]}, not an object", "send one JSON object")
    return value


def _is_written_alike(value: JsonValue, text: bytes, max_depth: int) -> bool:
    """Whether writing the value gives `text` back, byte for byte, which proves that the fast reader lost nothing of it.

    So it is with what most programs send: no blanks, and escapes only where they are needed. No text is nested deeper
    than it has opening brackets.
    """
    return text.count(b"{") + text.count(b"[") <= max_depth and orjson.dumps(value) == text


def _is_beyond_doubt(value: JsonValue, text: bytes, max_depth: int) -> bool:
    """Whether the fast reader lost nothing of `text`: no member and no digit; and whether the depth is allowed.

    It keeps the last of two members with one name, which `_has_members` would notice. It turns integers beyond 64 bits
    into floats, so a float of that size is left to the other reader.
    """
    members = 0
    level: list[list[JsonValue] | JsonObject] = [[value]]
    for _ in range(max_depth + 1):
        deeper: list[list[JsonValue] | JsonObject] = []
        for container in level:
            if isinstance(container, dict):
                members += len(container)
                items: Iterable[JsonValue] = container.values()
            else:
                items = container
            for item in items:
                # Exact types, since this loop is the price of every call and the reader makes no subclasses.
                kind = type(item)
                if kind is dict or kind is list:
                    deeper.append(cast("list[JsonValue] | JsonObject", item))
                elif kind is float and abs(cast("float", item)) >= _FIRST_DOUBTFUL_FLOAT:
                    return False
        if not deeper:
            return _has_members(text, members)
        level = deeper
    return False


def _has_members(text: bytes, members: int) -> bool:
    """Whether `text` has this many object members and no more, given that it has at least as many.

    Every member has a colon, after the quote of its name or after white space. Strings may hold such colons as well,
    so a larger count proves nothing.
    """
    count = text.count
    if count(b":") == members:
        return True
    return count(b'":') + count(b" :") + count(b"\n:") + count(b"\t:") + count(b"\r:") == members


def _read_slowly(text: bytes, max_depth: int) -> JsonValue:
    """The value by the standard library's reader, which shows every member and can be told what to refuse."""
    try:
        value: JsonValue = _DECODER.decode(text.decode())
    except json.JSONDecodeError as error:
        raise _not_json(text, error) from None
    except UnicodeDecodeError as error:
        raise JsonSyntaxError(f"the text is not UTF-8 at byte {error.start}", "encode the JSON as UTF-8") from None
    except ValueError:
        # The scanner raises a plain ValueError in one case only: the interpreter's limit on digits.
        raise JsonSyntaxError("an integer has too many digits", "send a shorter number") from None
    except RecursionError:
        raise _too_deep(max_depth) from None
    if _is_deeper(value, max_depth):
        raise _too_deep(max_depth)
    if _SURROGATE_ESCAPE.search(text) and _holds_lone_surrogate(value):
        raise JsonSyntaxError(
            "a string holds half of a surrogate pair", "send the character itself, or both halves of its escape"
        )
    return value


def _members(pairs: list[tuple[str, JsonValue]]) -> JsonObject:
    members = dict(pairs)
    if len(members) != len(pairs):
        _refuse_duplicate([name for name, _ in pairs])
    return members


def _refuse_duplicate(names: list[str]) -> NoReturn:
    twice, _ = Counter(names).most_common(1)[0]
    # The name may hold a lone surrogate, which no answer could be encoded with.
    shown = twice[:_LONGEST_ECHO].encode(errors="backslashreplace").decode()
    raise JsonSyntaxError(f"the member `{shown}` is given twice in one object", "give each member once")


def _finite(digits: str) -> float:
    number = float(digits)
    if not isfinite(number):
        raise JsonSyntaxError("a number is beyond the range of a double", "send a number that fits, or a string")
    return number


def _refuse_constant(name: str) -> NoReturn:
    raise JsonSyntaxError(f"`{name}` is not JSON", "send a finite number, or null where the schema allows it")


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_members, parse_float=_finite, parse_constant=_refuse_constant)

_KINDS: Final = {
    list: "an array",
    str: "a string",
    int: "a number",
    float: "a number",
    bool: "a boolean",
    type(None): "null",
}


def _is_deeper(value: JsonValue, max_depth: int) -> bool:
    """Whether more than `max_depth` containers are inside each other; level by level, since recursion has a limit."""
    level: list[JsonValue] = [value]
    for _ in range(max_depth + 1):
        containers = [item for item in level if isinstance(item, (dict, list))]
        if not containers:
            return False
        level = [inner for item in containers for inner in (item.values() if isinstance(item, dict) else item)]
    return True


def _holds_lone_surrogate(value: JsonValue) -> bool:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return True
    return False


def _too_deep(max_depth: int) -> JsonSyntaxError:
    return JsonSyntaxError(f"more than {max_depth} arrays and objects are inside each other", "send a flatter value")


def _not_json(text: bytes, error: json.JSONDecodeError) -> JsonSyntaxError:
    if text.startswith(_BYTE_ORDER_MARK):
        return JsonSyntaxError("the text starts with a byte order mark", "send the JSON without it")
    where = f"at line {error.lineno}, column {error.colno}"
    if error.msg == "Extra data":
        return JsonSyntaxError(f"something follows the JSON value {where}", "send one JSON value and nothing else")
    return JsonSyntaxError(f"the text is not JSON {where}: {error.msg}", "send valid JSON (RFC 8259)")
