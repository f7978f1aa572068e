"""Arguments that become Python values one by one: scalars, and arrays of text.

Knows core schemas. Converting one value costs a fraction of converting all of them as a record, and most need no
converting at all: text that the published schema accepted is the text that the handler gets.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias, cast

from afford.errors import JsonObject
from afford.schema.conversion import input_converter
from afford.schema.core_tree import RECORDS, CoreNode, CoreTree, record_fields
from afford.schema.document import Direction

_Change: TypeAlias = tuple[str, type | None, Callable[[object], object]]
"""Name of a value, the type that it may have already, and what makes it of an argument of another type."""

_JUDGED: Final[Mapping[str, tuple[type, frozenset[str]]]] = {
    "bool": (bool, frozenset({"type", "metadata"})),
    "int": (int, frozenset({"type", "metadata", "ge", "gt", "le", "lt", "multiple_of"})),
    "str": (str, frozenset({"type", "metadata", "max_length", "min_length", "pattern"})),
}
"""Nodes whose values are their own JSON form, by what they may ask for: all of that was judged."""
_SCALARS: Final = frozenset(
    {"date", "datetime", "decimal", "enum", "float", "int", "literal", "time", "timedelta", "uuid"}
)
"""Nodes that take one JSON string, number or truth value, and run nothing of an author's."""
_ARRAY: Final = frozenset({"type", "metadata", "items_schema", "max_length", "min_length"})


class ShortWays:
    """Makes values of a handler's arguments, each whatever the others are."""

    __slots__ = ("_changes", "_names", "_together")

    def __init__(self, tree: CoreTree) -> None:
        """Take the record of all arguments."""
        fields = record_fields(tree.root, Direction.INPUT) if tree.root["type"] in RECORDS else None
        self._changes: list[_Change] = []
        self._names = {field.published: field.name for field in fields or () if field.published != field.name}
        self._together: set[str] | None = None if fields is None else set()
        """Published names of the fields that have no short way; None: none has."""
        for field in fields or ():
            own_form, convert = _own_form(field.node), _converter(field.node)
            if convert is not None and own_form not in (bool, str):
                self._changes.append((field.name, own_form, convert))
            elif convert is None and self._together is not None:
                self._together.add(field.published)

    def values(self, arguments: JsonObject) -> dict[str, object] | None:
        """The values by parameter name; None where some can only be had together.

        Raises:
            pydantic.ValidationError: one of them cannot be had at all.
        """
        if self._together is None or not self._together.isdisjoint(arguments):
            return None
        values: dict[str, object] = {**arguments}
        if self._names:
            values = {self._names.get(published, published): value for published, value in arguments.items()}
        for name, kind, convert in self._changes:
            if name in values and type(values[name]) is not kind:
                values[name] = convert(values[name])
        return values


def _converter(node: CoreNode) -> Callable[[object], object] | None:
    """What makes a value of a judged argument; None where an author's code, or more than a scalar, is involved."""
    if _own_form(node) is not None or node["type"] in _SCALARS:
        return input_converter(node).validate_python
    if node["type"] == "list" and node.keys() <= _ARRAY:
        items = cast("CoreNode", node.get("items_schema", {"type": "any"}))
        if _own_form(items) in (bool, str):
            return cast("Callable[[object], object]", list)
    return None


def _own_form(node: CoreNode) -> type | None:
    """The type of the JSON values that are their own Python values; None where all may be changed."""
    if node["type"] == "literal":
        members = cast("list[object]", node["expected"])
        return str if all(type(member) is str for member in members) else None
    kind, judged = _JUDGED.get(str(node["type"]), (None, frozenset[str]()))
    return kind if node.keys() <= judged else None
