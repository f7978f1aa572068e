"""Query strings to arguments and back, strictly: every type has one spelling, every input one way to be written.

Knows the form encoding of query strings and the shape of one operation's inputs; nothing of requests, handlers or
callers. Text that two readers could take differently is a fault, and all faults of a query string are found in one
pass. Whether the arguments fit the published schema is decided afterwards.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import isfinite
from typing import Final, NamedTuple, TypeAlias
from urllib.parse import quote

from afford.errors import Fault, FaultCode, JsonObject, JsonValue
from afford.schema.query_string import Form, QueryShape, Scalar, ScalarReader, ShapeError, query_shape, shape_errors
from afford.surfaces.http.query_faults import (
    MAX_FAULTS,
    RESERVED_SLOTS,
    Arrays,
    Decoded,
    Reading,
    decoded,
    unquoted,
)

__all__ = [
    "MAX_FAULTS",
    "MAX_PAIRS",
    "RESERVED",
    "DecodedQuery",
    "QueryDecoder",
    "QueryShape",
    "ShapeError",
    "decode_query",
    "encode_query",
    "query_shape",
    "shape_errors",
]

MAX_PAIRS: Final = 1000
"""Of one query string; with more, nothing is read."""
RESERVED: Final = frozenset({"limit", "cursor"})
"""Names that every query takes without declaring them."""

_FIRST_NON_ASCII: Final = 0x80
_LARGEST_EXACT: Final = 2.0**53


_Plain: TypeAlias = tuple[str, ScalarReader | None]
"""Name of a scalar input, and how its value is read; None where the text is the value."""
_Other: TypeAlias = tuple[str, ScalarReader, str | None]
"""Name, reader, and the spelling of an array's element; None where the name is a reserved one."""
_Rest: TypeAlias = tuple[JsonObject, Arrays]
"""Reserved values by name, and arrays by input."""


class DecodedQuery(NamedTuple):
    """What a query string says."""

    arguments: JsonObject
    """What could be read, in the order of first appearance; complete only where there are no faults."""
    limit: int | None
    """The reserved `limit` as sent, of any size and sign; None where it is absent, faulty or an input of its own."""
    cursor: str | None
    """The reserved `cursor`, likewise."""
    faults: tuple[Fault, ...]
    """At most `MAX_FAULTS`; reading stops there."""


def decode_query(raw: bytes, shape: QueryShape, *, reserved: frozenset[str] = RESERVED) -> DecodedQuery:
    """The arguments that a query string spells; see `QueryDecoder`, which is for more than one."""
    return DecodedQuery(*QueryDecoder(shape, reserved=reserved).decode(raw))


class QueryDecoder:
    """Reads query strings of one shape."""

    __slots__ = ("_others", "_plain", "_reserved", "_shape")

    def __init__(self, shape: QueryShape, *, reserved: frozenset[str] = RESERVED) -> None:
        """Look up once what each name may mean.

        Args:
            shape: how the inputs travel.
            reserved: which of `limit` and `cursor` to read where `shape` does not declare them itself.
        """
        self._shape = shape
        self._reserved = reserved
        self._plain: dict[str, _Plain] = {}
        self._others: dict[str, _Other] = {}
        for raw, slot in shape.wire.items():
            if slot.form is Form.SCALAR:
                self._plain[raw] = (slot.name, None if slot.scalar is Scalar.STRING else slot.read)
            elif slot.form is Form.ARRAY:
                self._others[raw] = (slot.name, slot.read, slot.spelling)
        for name in reserved & RESERVED_SLOTS.keys() - shape.inputs.keys() - shape.wire.keys():
            self._others[name] = (name, RESERVED_SLOTS[name].read, None)

    def decode(self, raw: bytes) -> Decoded:
        """The arguments that a query string spells. Raises nothing, whatever the bytes.

        Args:
            raw: the query string as received, without the question mark. Bytes beyond ASCII count as percent-encoded.
        """
        if not raw:
            return {}, None, None, ()
        text = raw.decode("ascii") if raw.isascii() else _escaped(raw)
        if "%" in text:
            # A bracket says the same escaped or not, and most escapes are the brackets in an array's name.
            text = text.replace("%5B", "[").replace("%5D", "]")
        is_plain = "%" not in text and "+" not in text
        pieces = text.split("&")
        if len(pieces) > MAX_PAIRS:
            message = f"the query string has more than {MAX_PAIRS} pairs; send fewer"
            return {}, None, None, (Fault(pointer="", code=FaultCode.SYNTAX, message=message),)
        plain = self._plain
        arguments: JsonObject = {}
        rest: _Rest = ({}, {})
        for piece in pieces if is_plain else map(_unescaped, pieces):
            raw_name, _, spelled = piece.partition("=")
            found = plain.get(raw_name)
            # Nearly every pair is a declared scalar seen for the first time, so this branch is short.
            if found is not None:
                name, read = found
                value = spelled if read is None else read(spelled)
                if value is not None and name not in arguments:
                    arguments[name] = value
                    continue
            elif _took(self._others.get(raw_name), spelled, arguments, rest):
                continue
            return Reading(self._shape, self._reserved).read(pieces)
        return decoded(arguments, rest[0]) if rest[0] else (arguments, None, None, ())


def encode_query(arguments: JsonObject) -> str:
    """The query string that spells `arguments`, such as `ids%5B%5D=1&ids%5B%5D=2`, in their order.

    The inverse of `decode_query` for arguments that a shape allows. A float that is whole is written as an integer,
    since JSON Schema takes both for the same number.

    Raises:
        ValueError: something has no spelling: null, an empty array or object, NaN or an infinity, a second level.
    """
    return "&".join(
        f"{quote(spelling, safe='')}={quote(_spelled(spelling, value), safe='')}"
        for name, argument in arguments.items()
        for spelling, value in _pairs(name, argument)
    )


def _took(other: _Other | None, spelled: str, arguments: JsonObject, rest: _Rest) -> bool:
    """Take a reserved value that did not come before, or an element spelled like those before it."""
    if other is None:
        return False
    name, read, spelling = other
    value = read(spelled)
    if value is None:
        return False
    page, arrays = rest
    if spelling is None:
        if name in page:
            return False
        page[name] = value
        return True
    begun, elements = arrays.setdefault(name, (spelling, []))
    elements.append(value)
    arguments[name] = elements
    return begun == spelling


def _unescaped(piece: str) -> str:
    """The pair with its value unescaped; nothing that a table knows where that cannot be."""
    name, mark, value = piece.partition("=")
    text = unquoted(value)
    return "%" if text is None else f"{name}{mark}{text}"


def _escaped(raw: bytes) -> str:
    """The text, every byte beyond ASCII percent-encoded, so that what is no UTF-8 is found where it stands."""
    return "".join(chr(byte) if byte < _FIRST_NON_ASCII else f"%{byte:02X}" for byte in raw)


def _pairs(name: str, argument: JsonValue) -> Iterable[tuple[str, JsonValue]]:
    if isinstance(argument, (list, dict)) and not argument:
        raise ValueError(f"`{name}` is empty, which a query string cannot spell; leave it out")
    if isinstance(argument, list):
        return [(f"{name}[]", element) for element in argument]
    if isinstance(argument, dict):
        return [(f"{name}[{key}]", member) for key, member in argument.items()]
    return [(name, argument)]


def _spelled(spelling: str, value: JsonValue) -> str:
    if value is None:
        raise ValueError(f"`{spelling}` is null, which a query string cannot spell; leave it out")
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        if not isfinite(value):
            raise ValueError(f"`{spelling}` is not finite, which a query string cannot spell")
        return str(int(value)) if value.is_integer() and abs(value) < _LARGEST_EXACT else repr(value)
    if isinstance(value, (str, int)):
        return str(value)
    raise ValueError(f"`{spelling}` is nested too deep for a query string; use an action")
