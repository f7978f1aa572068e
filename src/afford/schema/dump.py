"""From what a handler returned to JSON values, by the declared type.

Writes and never judges: the published schema decides afterwards whether the result may leave. Instances are written by
their type's serializer, mappings key by key, every other object by its attributes, so that rows of a database need no
copying by hand.
"""

from __future__ import annotations

from typing import Final, cast

from pydantic_core import PydanticSerializationError, ValidationError

from afford.schema.core_tree import RECORDS, CoreNode, CoreTree, compile_type, every_node, record_fields
from afford.schema.document import Direction
from afford.schema.dump_nodes import Dump, DumpBuilder
from afford.schema.dump_values import DumpError

_NATIVE: Final = frozenset(
    {
        "any",
        "bool",
        "definition-ref",
        "definitions",
        "default",
        "dict",
        "float",
        "int",
        "list",
        "literal",
        "model",
        "model-fields",
        "model-field",
        "dataclass",
        "dataclass-args",
        "dataclass-field",
        "none",
        "nullable",
        "str",
        "tagged-union",
        "typed-dict",
        "typed-dict-field",
        "union",
    }
)


class OutputDumper:
    """Writes the answers of one operation; compiled on first use."""

    __slots__ = ("_annotation", "_dump", "_native", "_tree")

    def __init__(self, annotation: object) -> None:
        """Take the declared type."""
        self._annotation = annotation
        self._tree: CoreTree | None = None
        self._dump: Dump | None = None
        self._native: bool | None = None

    @property
    def native(self) -> bool:
        """Whether a dict or a list in the right shape is its own JSON form: no conversion, renaming or leaving out."""
        if self._native is None:
            self._native = _is_native(self._compiled())
        return self._native

    def dump(self, value: object) -> object:
        """The JSON values of an answer, by published name.

        Absent members with a declared default get it. Members of a mapping that the type does not name are kept, for
        the judge to refuse; other objects are only asked for what the type names.

        Raises:
            DumpError: something has no JSON form, or cannot be read as its type.
        """
        if self._dump is None:
            self._dump = DumpBuilder(self._compiled()).build()
        try:
            return self._dump(value)
        except (PydanticSerializationError, ValidationError) as error:
            raise DumpError(_first_line(error)) from error
        except RecursionError as error:
            raise DumpError("the value holds itself, or is nested too deep") from error

    def _compiled(self) -> CoreTree:
        if self._tree is None:
            self._tree = compile_type(self._annotation)
        return self._tree


def _is_native(tree: CoreTree) -> bool:
    return all(_is_native_node(node) for node in every_node(tree.root))


def _is_native_node(node: CoreNode) -> bool:
    kind = node["type"]
    if kind not in _NATIVE or "serialization" in node:
        return False
    if kind == "dict":
        return cast("CoreNode", node.get("keys_schema", {"type": "any"}))["type"] == "str"
    if kind == "literal":
        return all(type(member) in (str, int, bool) for member in cast("list[object]", node["expected"]))
    if kind in RECORDS:
        if node.get("computed_fields"):
            return False
        fields = record_fields(node, Direction.OUTPUT)
        listed = cast("list[object]", node["fields"])
        return len(fields) == len(listed) and all(
            field.name == field.published and field.raw.get("serialization_exclude_if") is None for field in fields
        )
    return True


def _first_line(error: Exception) -> str:
    lines = str(error).splitlines() or [type(error).__name__]
    return lines[0].rstrip(":")
