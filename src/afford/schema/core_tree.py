"""Pydantic's core schemas as a tree of plain dictionaries: which node is inside which, under which published name.

Knows how pydantic nests its nodes and nothing of JSON Schema. Compiling a type happens here and nowhere else, so that
every way a type can fail to compile becomes the same error.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, TypeAlias, cast

from pydantic import PydanticUserError, TypeAdapter
from pydantic.errors import PydanticSchemaGenerationError, PydanticUndefinedAnnotation

from afford.schema.document import Direction, SchemaError

CoreNode: TypeAlias = dict[str, object]
"""One node of a core schema."""

_WRAPPED_BY: Final = {
    "custom-error": "schema",
    "dataclass": "schema",
    "default": "schema",
    "definitions": "schema",
    "function-after": "schema",
    "function-before": "schema",
    "function-wrap": "schema",
    "json-or-python": "json_schema",
    "lax-or-strict": "lax_schema",
    "model": "schema",
    "nullable": "schema",
}
_REPEATING: Final = {
    "counter": "values_schema",
    "deque": "items_schema",
    "dict": "values_schema",
    "frozendict": "values_schema",
    "frozenset": "items_schema",
    "list": "items_schema",
    "ordered-dict": "values_schema",
    "set": "items_schema",
}
FUNCTIONS: Final = frozenset({"function-after", "function-before", "function-wrap"})
RECORDS: Final = frozenset({"dataclass-args", "model-fields", "typed-dict"})


@dataclass(frozen=True, slots=True)
class CoreField:
    """One field of a record node."""

    name: str
    """The attribute or key on the Python side."""
    published: str
    node: CoreNode
    """The schema of its value."""
    raw: CoreNode
    """The field node around it."""
    is_computed: bool = False


@dataclass(frozen=True, slots=True)
class CoreTree:
    """A compiled type."""

    root: CoreNode
    definitions: dict[str, CoreNode] = field(default_factory=dict[str, CoreNode])

    def resolved(self, node: CoreNode) -> CoreNode:
        """The node itself, or what it refers to."""
        while node["type"] == "definition-ref":
            node = self.definitions[str(node["schema_ref"])]
        return node


def compile_type(annotation: object) -> CoreTree:
    """The core schema of a type.

    Raises:
        SchemaError: pydantic cannot read the type.
    """
    try:
        adapter = TypeAdapter(cast("type[object]", annotation))
        if not adapter.pydantic_complete:
            # Names that are only now defined are found now; the others raise.
            adapter.rebuild(raise_errors=True)
        root = cast("CoreNode", adapter.core_schema)
    except PydanticUndefinedAnnotation as error:
        raise SchemaError(
            f"the name `{error.name}` in the type is not defined",
            fix="define or import it where the type is declared, at module level",
        ) from error
    except PydanticSchemaGenerationError as error:
        raise SchemaError(
            f"`{_type_name(annotation)}` is no type with a JSON form",
            fix="use a BaseModel, a dataclass, or a JSON-like standard type",
        ) from error
    except (PydanticUserError, TypeError, ValueError) as error:
        reason = str(error).splitlines()[0].rstrip(".")
        raise SchemaError(f"the type cannot be read: {reason}", fix="correct the type") from error
    return tree_of(root)


def tree_of(root: CoreNode) -> CoreTree:
    """The tree under a core schema, with everything that can be referred to."""
    definitions: dict[str, CoreNode] = {}
    for node in every_node(root):
        if "ref" in node:
            definitions[str(node["ref"])] = node
    return CoreTree(root, definitions)


def every_node(value: object) -> Iterator[CoreNode]:
    """Every node in a core schema, each definition once; references are not followed."""
    if isinstance(value, (list, tuple)):
        for item in cast("list[object]", value):
            yield from every_node(item)
    elif isinstance(value, dict):
        node = cast("CoreNode", value)
        if isinstance(node.get("type"), str):
            yield node
        for key, inner in inner_parts(node):
            yield from every_node(inner) if key != "serialization" else ()


_INNER_KEYS: Final = frozenset(
    {
        "choices",
        "computed_fields",
        "definitions",
        "extras_schema",
        "fields",
        "items_schema",
        "json_schema",
        "keys_schema",
        "lax_schema",
        "python_schema",
        "return_schema",
        "schema",
        "serialization",
        "steps",
        "strict_schema",
        "values_schema",
    }
)


def inner_parts(node: CoreNode) -> Iterator[tuple[str, object]]:
    """The parts of a node that may hold other nodes; all members of a mapping from names or tags to nodes."""
    is_mapping = not isinstance(node.get("type"), str)
    for key, inner in node.items():
        if is_mapping or key in _INNER_KEYS:
            yield key, inner


def union_choices(node: CoreNode) -> list[CoreNode]:
    """The branches of a union, tagged or not."""
    choices = node["choices"]
    if isinstance(choices, dict):
        return list(cast("dict[object, CoreNode]", choices).values())
    listed = cast("list[CoreNode | tuple[CoreNode, str]]", choices)
    return [choice[0] if isinstance(choice, tuple) else choice for choice in listed]


def record_fields(node: CoreNode, direction: Direction) -> list[CoreField]:
    """The fields of a record that are published in this direction."""
    listed = node["fields"]
    if isinstance(listed, dict):
        named = list(cast("dict[str, CoreNode]", listed).items())
    else:
        named = [(str(item["name"]), item) for item in cast("list[CoreNode]", listed)]
    fields = [
        CoreField(name, _published_name(name, item, direction), cast("CoreNode", item["schema"]), item)
        for name, item in named
        if not _is_hidden(item, direction)
    ]
    if direction is Direction.OUTPUT:
        fields += [
            CoreField(
                name=str(item["property_name"]),
                published=str(item.get("alias", item["property_name"])),
                node=cast("CoreNode", item["return_schema"]),
                raw=item,
                is_computed=True,
            )
            for item in cast("list[CoreNode]", node.get("computed_fields", []))
        ]
    return fields


def published_parts(node: CoreNode, direction: Direction) -> list[tuple[str, CoreNode]]:
    """The nodes directly inside one, each with the part of the path that it adds; references are not followed."""
    if direction is Direction.OUTPUT and (written := _written_as(node)) is not None:
        return written
    kind = str(node["type"])
    if kind in RECORDS:
        return [(item.published, item.node) for item in record_fields(node, direction)]
    if kind in ("union", "tagged-union"):
        return [("", choice) for choice in union_choices(node)]
    if kind == "tuple":
        return [("*", item) for item in cast("list[CoreNode]", node["items_schema"])]
    if kind == "named-tuple":
        return [("*", cast("CoreNode", item["schema"])) for item in cast("list[CoreNode]", node["fields"])]
    if kind == "chain":
        steps = cast("list[CoreNode]", node["steps"])
        return [("", steps[0] if direction is Direction.INPUT else steps[-1])]
    if kind in _REPEATING:
        repeated = node.get(_REPEATING[kind])
        return [] if repeated is None else [("*", cast("CoreNode", repeated))]
    wrapped = _wrapped(node, kind, direction)
    return [] if wrapped is None else [("", wrapped)]


def omitted_null(default: CoreNode) -> CoreNode | None:
    """The nullable node of a field declared `T | None = None`, whose null means the same as leaving it out."""
    if "default" not in default or default["default"] is not None:
        return None
    node = cast("CoreNode", default["schema"])
    while node["type"] in FUNCTIONS:
        node = cast("CoreNode", node["schema"])
    return node if node["type"] == "nullable" else None


def _written_as(node: CoreNode) -> list[tuple[str, CoreNode]] | None:
    """What the author's serializer says it writes; None where the node itself decides."""
    serialization = node.get("serialization")
    if not isinstance(serialization, dict):
        return None
    serializer = cast("CoreNode", serialization)
    if serializer["type"] in ("format", "to-string"):
        return []
    written = serializer.get("return_schema")
    return None if written is None else [("", cast("CoreNode", written))]


def _wrapped(node: CoreNode, kind: str, direction: Direction) -> CoreNode | None:
    if direction is Direction.INPUT and "json_schema_input_schema" in node:
        return cast("CoreNode", node["json_schema_input_schema"])
    key = _WRAPPED_BY.get(kind)
    return None if key is None else cast("CoreNode", node[key])


def _published_name(name: str, item: CoreNode, direction: Direction) -> str:
    key = "validation_alias" if direction is Direction.INPUT else "serialization_alias"
    alias = item.get(key, name)
    if isinstance(alias, str):
        return alias
    for path in cast("list[object]", alias):
        if isinstance(path, list) and len(cast("list[object]", path)) == 1 and isinstance(path[0], str):
            return path[0]
    return name


def _is_hidden(item: CoreNode, direction: Direction) -> bool:
    if direction is Direction.OUTPUT:
        return item.get("serialization_exclude") is True
    return item.get("init") is False


def _type_name(annotation: object) -> str:
    return getattr(annotation, "__name__", None) or str(annotation).replace("typing.", "")
