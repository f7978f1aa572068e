"""The one tolerance of inputs: an explicit null for a field declared `T | None = None` means leaving it out.

Finds such fields at any depth of a compiled type and takes their nulls out of JSON values. Everything that comes out is
judged afterwards, so a null that is left where it does not belong is refused like any other value.
"""

from __future__ import annotations

from typing import Final, TypeVar, cast

from afford.errors import JsonObject, JsonValue
from afford.schema.core_tree import (
    RECORDS,
    CoreNode,
    CoreTree,
    every_node,
    omitted_null,
    published_parts,
    record_fields,
    union_choices,
)
from afford.schema.document import Direction

_Json = TypeVar("_Json", bound=JsonValue)

_LISTS: Final = frozenset({"deque", "frozenset", "list", "set"})
_MAPS: Final = frozenset({"counter", "dict", "frozendict", "ordered-dict"})


def holds_null(value: JsonValue) -> bool:
    """Whether there is a null anywhere in a value."""
    if isinstance(value, dict):
        value = list(value.values())
    if not isinstance(value, list):
        return value is None
    # A loop, not a generator: this looks at the arguments of every call.
    for item in value:  # noqa: SIM110 - see above
        if item is None or (isinstance(item, (dict, list)) and holds_null(item)):
            return True
    return False


def _is_omittable(node: CoreNode) -> bool:
    """Whether a null for this field means leaving it out."""
    return node["type"] == "default" and omitted_null(node) is not None


class NullPlan:
    """Where nulls of one type mean leaving out."""

    __slots__ = ("_tree", "is_empty")

    def __init__(self, tree: CoreTree) -> None:
        """Take a compiled input type."""
        self._tree = tree
        self.is_empty = not any(map(_is_omittable, every_node(tree.root)))
        """Whether there is no such place."""

    def without_nulls(self, value: _Json) -> _Json:
        """The value without such nulls; the same object where there are none."""
        if not isinstance(value, (dict, list)) or not holds_null(value):
            return value
        return cast("_Json", self._cleaned(self._tree.root, value))

    def _cleaned(self, node: CoreNode, value: JsonValue) -> JsonValue:
        node = self._tree.resolved(node)
        kind = node["type"]
        if not isinstance(value, (dict, list)):
            return value
        if kind in ("union", "tagged-union"):
            return self._cleaned_by_branch(node, value)
        if isinstance(value, dict) and kind in RECORDS:
            return self._cleaned_record(node, value)
        if (isinstance(value, dict) and kind in _MAPS) or (isinstance(value, list) and kind in _LISTS):
            return self._cleaned_items(node, value)
        if kind == "tuple" and isinstance(value, list):
            return self._cleaned_tuple(node, value)
        inner = [part for name, part in published_parts(node, Direction.INPUT) if name == ""]
        return self._cleaned(inner[0], value) if inner else value

    def _cleaned_record(self, node: CoreNode, value: JsonObject) -> JsonObject:
        cleaned = dict(value)
        is_changed = False
        for field in record_fields(node, Direction.INPUT):
            if field.published not in value:
                continue
            member = value[field.published]
            if member is None:
                if _is_omittable(field.node):
                    del cleaned[field.published]
                    is_changed = True
                continue
            cleaned[field.published] = self._cleaned(field.node, member)
            is_changed = is_changed or cleaned[field.published] is not member
        return cleaned if is_changed else value

    def _cleaned_items(self, node: CoreNode, value: JsonObject | list[JsonValue]) -> JsonValue:
        parts = published_parts(node, Direction.INPUT)
        if not parts:
            return value
        inner = parts[0][1]
        if isinstance(value, dict):
            members = {key: self._cleaned(inner, item) for key, item in value.items()}
            return members if any(members[key] is not item for key, item in value.items()) else value
        items = [self._cleaned(inner, item) for item in value]
        return items if any(new is not old for new, old in zip(items, value, strict=True)) else value

    def _cleaned_tuple(self, node: CoreNode, value: list[JsonValue]) -> list[JsonValue]:
        inner = [part for _, part in published_parts(node, Direction.INPUT)]
        repeated = inner[-1] if node.get("variadic_item_index") is not None else None
        cleaned = list(value)
        for index, item in enumerate(value):
            part = inner[index] if index < len(inner) else repeated
            if part is not None:
                cleaned[index] = self._cleaned(part, item)
        return cleaned if any(new is not old for new, old in zip(cleaned, value, strict=True)) else value

    def _cleaned_by_branch(self, node: CoreNode, value: JsonObject | list[JsonValue]) -> JsonValue:
        """By the one branch that the value can belong to; where branches disagree about a null, it stays."""
        if node["type"] == "tagged-union":
            branch = self._tagged(node, value)
            return value if branch is None else self._cleaned(branch, value)
        answers = [self._cleaned(branch, value) for branch in union_choices(node) if self._fits(branch, value)]
        if not answers or any(answer != answers[0] for answer in answers):
            return value
        return answers[0]

    def _tagged(self, node: CoreNode, value: JsonValue) -> CoreNode | None:
        discriminator = node["discriminator"]
        if not isinstance(value, dict) or callable(discriminator):
            return None
        paths = cast("list[object]", discriminator) if isinstance(discriminator, list) else [discriminator]
        for path in paths:
            key = cast("list[object]", path)[0] if isinstance(path, list) else path
            tag = value.get(key) if isinstance(key, str) else None
            for name, branch in cast("dict[object, CoreNode]", node["choices"]).items():
                if tag is not None and getattr(name, "value", name) == tag:
                    return branch
        return None

    def _fits(self, node: CoreNode, value: JsonValue) -> bool:
        """Whether a value can be of this branch, by its outermost shape and the names of its members."""
        node = self._tree.resolved(node)
        kind = node["type"]
        if kind in ("union", "tagged-union"):
            return any(self._fits(branch, value) for branch in union_choices(node))
        if kind in RECORDS:
            names = {field.published for field in record_fields(node, Direction.INPUT)}
            return isinstance(value, dict) and value.keys() <= names
        if kind in _MAPS:
            return isinstance(value, dict)
        if kind in _LISTS or kind == "tuple":
            return isinstance(value, list)
        inner = [part for name, part in published_parts(node, Direction.INPUT) if name == ""]
        return bool(inner) and self._fits(inner[0], value)
