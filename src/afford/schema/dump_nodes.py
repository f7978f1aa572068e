"""How a value of each kind of type is written, compiled once into nested functions.

Knows core schemas. A value that is an instance of its declared type goes to pydantic's serializer; the rest is read by
shape. No value is converted to make it fit: what is not of the declared kind is written as what it is, or raises.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Final, TypeAlias, cast
from uuid import UUID

from pydantic_core import SchemaSerializer, SchemaValidator

from afford.schema.conversion import instance_converter, output_writer
from afford.schema.core_tree import (
    FUNCTIONS,
    RECORDS,
    CoreField,
    CoreNode,
    CoreTree,
    published_parts,
    record_fields,
    union_choices,
)
from afford.schema.document import Direction
from afford.schema.dump_values import (
    NATIVE_LEAVES,
    NO_FIT,
    DumpError,
    Member,
    Shape,
    dump_record,
    items_of,
    mapping_of,
    object_key,
    plain_leaf,
    plain_number,
    readable,
)
from afford.schema.forms import decimal_text, duration_text, instant_text

Dump: TypeAlias = Callable[[object], object]

_ITERATED: Final = frozenset({"deque", "frozenset", "list", "set"})
_MAPS: Final = frozenset({"counter", "dict", "frozendict", "ordered-dict"})
_CLASSES: Final = frozenset({"dataclass", "model"})
_TRANSPARENT: Final = frozenset({"custom-error", "default", "definitions", *FUNCTIONS})


# What pydantic's serializer writes as well, without the way there, which for rows of a database is most of the work.
_TEXTS: Final[Mapping[str, tuple[type, Dump]]] = {
    "date": (date, cast("Dump", date.isoformat)),
    "datetime": (datetime, cast("Dump", instant_text)),
    "decimal": (Decimal, cast("Dump", decimal_text)),
    "time": (time, cast("Dump", instant_text)),
    "timedelta": (timedelta, cast("Dump", duration_text)),
    "uuid": (UUID, str),
}


class DumpBuilder:
    """Compiles the writer of one type."""

    def __init__(self, tree: CoreTree) -> None:
        """Take a compiled type."""
        self._tree = tree
        self._referred: dict[str, Dump] = {}

    def build(self) -> Dump:
        """The writer of the whole type."""
        return self._node(self._tree.root)

    def _node(self, node: CoreNode) -> Dump:
        kind = str(node["type"])
        if kind == "definition-ref":
            return self._reference(str(node["schema_ref"]))
        if "serialization" in node and kind != "json-or-python":
            return self._instance_only(node) if self._class_under(node) else self._written(node)
        if kind in _CLASSES:
            return self._of_class(node)
        if kind in RECORDS:
            return self._record(node)
        if kind in _TRANSPARENT:
            return self._node(cast("CoreNode", node["schema"]))
        return self._container(node, kind) or self._leaf(node, kind)

    def _container(self, node: CoreNode, kind: str) -> Dump | None:
        if kind == "nullable":
            inner = self._node(cast("CoreNode", node["schema"]))
            return lambda value: None if value is None else inner(value)
        if kind in ("union", "tagged-union"):
            return self._union(node)
        if kind in _ITERATED:
            return self._items(cast("CoreNode | None", node.get("items_schema")), node)
        if kind == "json-or-python":
            return self._node(cast("CoreNode", node["json_schema"]))
        if kind == "tuple" and node.get("variadic_item_index") == 0:
            return self._items(cast("list[CoreNode]", node["items_schema"])[0], node)
        if kind in ("tuple", "named-tuple"):
            return _tuple([self._node(inner) for _, inner in published_parts(node, Direction.OUTPUT)])
        if kind in _MAPS:
            return self._map(node)
        return None

    def _reference(self, reference: str) -> Dump:
        def dump(value: object) -> object:
            return self._referred[reference](value)

        if reference not in self._referred:
            # Set first, so that a type that holds itself finds its writer while it is being compiled.
            self._referred[reference] = dump
            self._referred[reference] = self._node(self._tree.definitions[reference])
        return dump

    def _leaf(self, node: CoreNode, kind: str) -> Dump:
        written, plain = self._written(node), plain_number if kind in ("int", "float") else plain_leaf
        exact, text = _TEXTS.get(kind, (None, written))

        def dump(value: object) -> object:
            # Text that was written already, such as a date read from JSON, is left for the judge.
            if type(value) in NATIVE_LEAVES:
                return value
            if type(value) is exact:
                return text(value)
            value = plain(value)
            return value if type(value) in NATIVE_LEAVES else written(value)

        return dump

    def _written(self, node: CoreNode) -> Dump:
        """By pydantic's serializer, which is compiled when a value first needs it."""
        compiled: list[SchemaSerializer] = []

        def dump(value: object) -> object:
            if not compiled:
                compiled.append(output_writer(self._complete(node)))
            return compiled[0].to_python(value, mode="json", by_alias=True, warnings=False)

        return dump

    def _complete(self, node: CoreNode) -> CoreNode:
        """The node with the definitions that it may refer to, its own among them."""
        root = self._tree.root
        if root["type"] != "definitions" or node is root:
            return node
        shared = cast("list[CoreNode]", root["definitions"])
        if any(node is defined for defined in shared):
            node = {"type": "definition-ref", "schema_ref": node["ref"]}
        return {"type": "definitions", "schema": node, "definitions": shared}

    def _of_class(self, node: CoreNode) -> Dump:
        cls, inner = cast("type", node["cls"]), cast("CoreNode", node["schema"])
        written = self._written(node)
        if node.get("root_model"):
            by_root = self._node(inner)
            return lambda value: written(value) if isinstance(value, cls) else by_root(value)
        other = self._instance_only(node) if self._needs_instance(inner) else self._node(inner)
        return lambda value: written(value) if isinstance(value, cls) else other(value)

    def _instance_only(self, node: CoreNode) -> Dump:
        """For types whose serializers need an instance: one is made from what is there."""
        converter: list[SchemaValidator] = []
        written = self._written(node)

        def dump(value: object) -> object:
            if not converter:
                converter.append(instance_converter(self._complete(node)))
            source = readable(value)
            return written(converter[0].validate_python(source, from_attributes=True, by_alias=True, by_name=True))

        return dump

    def _record(self, node: CoreNode) -> Dump:
        members = [self._member(field) for field in record_fields(node, Direction.OUTPUT)]
        known = _field_names(node) | {member.published for member in members}
        return lambda value: dump_record(value, members, known)

    def _member(self, field: CoreField) -> Member:
        condition = field.raw.get("serialization_exclude_if")
        return Member(
            name=field.name,
            published=field.published,
            dump=self._node(field.node),
            default=_default_of(field.node),
            exclude_if=cast("Callable[[object], bool] | None", condition),
        )

    def _items(self, inner: CoreNode | None, node: CoreNode) -> Dump:
        item = self._node(_ANYTHING if inner is None else inner)
        cls = self._class_of(inner)
        whole = self._written(node)

        def dump(value: object) -> object:
            values = items_of(value)
            if cls is not None and all(type(one) is cls for one in values):
                return whole(values)
            return [item(one) for one in values]

        return dump

    def _class_of(self, node: CoreNode | None) -> type | None:
        """The class whose instances the node stands for; None where it is no record."""
        if node is None:
            return None
        node = self._tree.resolved(node)
        return cast("type", node["cls"]) if node["type"] in _CLASSES and not node.get("root_model") else None

    def _class_under(self, node: CoreNode) -> type | None:
        node = self._tree.resolved(node)
        while node["type"] in (*_TRANSPARENT, "nullable"):
            node = self._tree.resolved(cast("CoreNode", node["schema"]))
        return self._class_of(node)

    def _needs_instance(self, node: CoreNode) -> bool:
        """Whether a record has serializers or computed members, which are methods of the instance."""
        while node["type"] not in RECORDS:
            if "schema" not in node:
                return False
            node = cast("CoreNode", node["schema"])
        if node.get("computed_fields"):
            return True
        return any(_has_method(field.node) for field in record_fields(node, Direction.OUTPUT))

    def _map(self, node: CoreNode) -> Dump:
        inner = cast("CoreNode | None", node.get("values_schema"))
        item = self._node(_ANYTHING if inner is None else inner)

        def dump(value: object) -> object:
            members = mapping_of(value)
            if members is None:
                raise DumpError(f"a value of type `{type(value).__name__}` is not a mapping")
            return {object_key(key): item(one) for key, one in members.items()}

        return dump

    def _union(self, node: CoreNode) -> Dump:
        """By the class of the value where a branch has one, else by the shape that is closest to it."""
        branches = [(self._shape(choice), self._node(choice)) for choice in self._branches(node)]
        whole = self._written(node)

        def dump(value: object) -> object:
            if type(value) in NATIVE_LEAVES:
                return value
            for shape, written in branches:
                if shape.cls is not None and isinstance(value, shape.cls):
                    return written(value)
            distance, _, written = min(
                ((shape.distance(value), index, written) for index, (shape, written) in enumerate(branches)),
                key=lambda ranked: ranked[:2],
            )
            return written(value) if distance < NO_FIT else plain_leaf(whole(value))

        return dump

    def _branches(self, node: CoreNode) -> list[CoreNode]:
        """The branches of a union, those of unions inside it too."""
        found: list[CoreNode] = []
        for choice in union_choices(node):
            inner = self._tree.resolved(choice)
            is_union = inner["type"] in ("union", "tagged-union") and "serialization" not in inner
            found += self._branches(inner) if is_union else [choice]
        return found

    def _shape(self, node: CoreNode) -> Shape:
        node = self._tree.resolved(node)
        cls = self._class_of(node)
        while node["type"] in (*_TRANSPARENT, *_CLASSES, "nullable"):
            node = self._tree.resolved(cast("CoreNode", node["schema"]))
            cls = cls or self._class_of(node)
        kind = node["type"]
        if kind not in RECORDS:
            is_list = kind in (*_ITERATED, "tuple", "named-tuple", "json-or-python")
            return Shape(cls=cls, is_map=kind in _MAPS, is_list=is_list)
        fields = record_fields(node, Direction.OUTPUT)
        return Shape(
            cls=cls,
            names=_field_names(node) | {field.published for field in fields},
            needed=[(field.name, field.published) for field in fields if _default_of(field.node) is None],
            tags={field.name: members for field in fields if (members := _closed_members(field.node))},
        )


_ANYTHING: Final[CoreNode] = {"type": "any"}


def _tuple(dumps: Sequence[Dump]) -> Dump:
    """By position; items too many are left to the judge."""

    def dump(value: object) -> object:
        values = items_of(value)
        written = [one(item) for one, item in zip(dumps, values, strict=False)]
        return [*written, *values[len(written) :]]

    return dump


def _field_names(node: CoreNode) -> frozenset[str]:
    """The names of all fields, those that are never written too."""
    listed = node["fields"]
    if isinstance(listed, dict):
        return frozenset(cast("dict[str, object]", listed))
    return frozenset(str(item["name"]) for item in cast("list[CoreNode]", listed))


def _default_of(node: CoreNode) -> Callable[[], object] | None:
    if node["type"] != "default":
        return None
    if "default" in node:
        return lambda: node["default"]
    if "default_factory" in node and not node.get("default_factory_takes_data"):
        return cast("Callable[[], object]", node["default_factory"])
    return None


def _has_method(node: CoreNode) -> bool:
    """Whether a method of the record writes this field."""
    while True:
        serialization = node.get("serialization")
        if isinstance(serialization, dict) and cast("CoreNode", serialization).get("is_field_serializer"):
            return True
        if node["type"] not in (*_TRANSPARENT, "nullable"):
            return False
        node = cast("CoreNode", node["schema"])


def _closed_members(node: CoreNode) -> frozenset[object]:
    while node["type"] in _TRANSPARENT:
        node = cast("CoreNode", node["schema"])
    members = cast("list[object]", node.get("expected", node.get("members", [])))
    return frozenset(getattr(member, "value", member) for member in members)
