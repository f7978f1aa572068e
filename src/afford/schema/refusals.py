"""Types that are refused because no JSON Schema says what they accept or write.

Walks a compiled type and raises at the first place that would make the published schema and the conversion disagree.
Knows core schemas and the reasons; publishes nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, cast

from pydantic import ByteSize
from pydantic.types import EncodedBytes, EncodedStr

from afford.schema.core_tree import FUNCTIONS, RECORDS, CoreNode, CoreTree, published_parts, record_fields
from afford.schema.document import Direction, SchemaError, joined

_AS_TEXT: Final = "declare it as `str` and check it in a validator of your own"
_KINDS: Final = {
    "arguments": ("a signature has no JSON form", "use a model"),
    "arguments-v3": ("a signature has no JSON form", "use a model"),
    "bytes": ("bytes have no JSON form", "use `str` with an encoding that you name in the description"),
    "call": ("a call has no JSON form", "use a model"),
    "callable": ("a callable has no JSON form", "take the name of what to run, as a `Literal` or an `Enum`"),
    "complex": ("complex numbers have no JSON form", "use a model with two numbers"),
    "ellipsis": ("`...` has no JSON form", "use `None`"),
    "fraction": ("fractions have no JSON form", "use a model with two integers"),
    "generator": ("an iterable is read once, without an end that a schema could state", "use `list[...]`"),
    "is-instance": ("a class of your own has no JSON form", "use a BaseModel, a dataclass or a TypedDict"),
    "is-subclass": ("a class as a value has no JSON form", "take its name, as a `Literal` or an `Enum`"),
    "json": ("JSON inside a string hides its schema", "declare the type inside `Json[...]` itself"),
    "multi-host-url": ("URL types accept other text than JSON Schema says", _AS_TEXT),
    "url": ("URL types accept other text than JSON Schema says", _AS_TEXT),
}
_CHANGES: Final = ("strip_whitespace", "to_lower", "to_upper", "ascii_only")
_CONFIG_CHANGES: Final = ("str_strip_whitespace", "str_to_lower", "str_to_upper", "str_min_length", "str_max_length")
_OPEN: Final = (
    "a record with `extra='allow'` takes and answers members that no schema names",
    "declare the members, or add one field of type `dict[str, JsonValue]` for them",
)
_TEMPORAL: Final = frozenset({"date", "datetime", "time", "timedelta"})
_BOUNDS: Final = ("ge", "gt", "le", "lt")
_MAPS: Final = frozenset({"counter", "dict", "frozendict", "ordered-dict"})
# Pydantic publishes these names as they are where JSON Schema has no keyword for the place they stand at.
_UNPUBLISHED: Final = frozenset(
    {"ge", "gt", "le", "lt", "multiple_of", "max_digits", "decimal_places", "allow_inf_nan"}
)


def refuse_unpublishable(tree: CoreTree, direction: Direction) -> None:
    """Check every place of a compiled type.

    Raises:
        SchemaError: with the first place that cannot be published, in the order of declaration.
    """
    _refuse(tree, tree.root, direction, "", set())


def _refuse(tree: CoreTree, node: CoreNode, direction: Direction, path: str, seen: set[str]) -> None:
    if node["type"] == "definition-ref":
        reference = str(node["schema_ref"])
        if reference in seen:
            return
        seen.add(reference)
        node = tree.resolved(node)
    problem = _problem(node, direction)
    if problem is not None:
        raise SchemaError(problem[0], fix=problem[1], path=path)
    for part, inner in published_parts(node, direction):
        _refuse(tree, inner, direction, joined(path, part), seen)


def _problem(node: CoreNode, direction: Direction) -> tuple[str, str] | None:
    kind = str(node["type"])
    if kind in _KINDS and not published_parts(node, direction):
        return _KINDS[kind]
    check = _CHECKS.get(kind)
    return None if check is None else check(node, direction)


def _of_text(node: CoreNode, direction: Direction) -> tuple[str, str] | None:
    if direction is Direction.OUTPUT:
        return None
    for name in _CHANGES:
        if node.get(name):
            return (
                f"`{name}` changes or refuses text in a way that JSON Schema cannot say",
                "remove it, and use `pattern` or a validator of your own",
            )
    return None


def _of_configured(node: CoreNode, direction: Direction) -> tuple[str, str] | None:
    config = node.get("config")
    settings = cast("CoreNode", config) if isinstance(config, dict) else {}
    if direction is Direction.INPUT:
        for name in _CONFIG_CHANGES:
            if settings.get(name):
                return (
                    f"the model setting `{name}` changes or refuses text unseen by the schema",
                    "remove it, and constrain the fields with `Field(...)`",
                )
    return _OPEN if settings.get("extra_fields_behavior") == "allow" else None


def _of_record(node: CoreNode, direction: Direction) -> tuple[str, str] | None:
    if node.get("extra_behavior") == "allow":
        return _OPEN
    if direction is Direction.INPUT:
        for field in record_fields(node, direction):
            alias = field.raw.get("validation_alias", field.name)
            if not isinstance(alias, str) and field.published == field.name:
                return ("an alias that leads into other members cannot be published", "give one `alias`, as a string")
    return _of_configured(node, direction)


def _of_temporal(node: CoreNode, _: Direction) -> tuple[str, str] | None:
    if any(name in node for name in _BOUNDS):
        return ("bounds of dates and times cannot be published", "check them in a validator or in the handler")
    if node.get("tz_constraint") == "naive":
        return ("a time without an offset says no instant", "use `datetime` or `AwareDatetime`")
    return None


def _of_map(node: CoreNode, _: Direction) -> tuple[str, str] | None:
    keys = cast("CoreNode", node.get("keys_schema", {"type": "any"}))
    kind = keys["type"]
    if kind == "any":
        return ("a bare `dict` says nothing about its members", "use a model, or `dict[str, JsonValue]` for any JSON")
    if kind == "str" or (kind == "int" and not any(name in keys for name in (*_BOUNDS, "multiple_of"))):
        return None
    members = cast("list[object]", keys.get("members", keys.get("expected", [])))
    if kind in ("enum", "literal") and all(isinstance(getattr(item, "value", item), str) for item in members):
        return None
    return (
        "only text and plain integers can be the keys of a JSON object",
        "use `dict[str, ...]`, or a list of models",
    )


def _of_function(node: CoreNode, _: Direction) -> tuple[str, str] | None:
    owner = getattr(cast("CoreNode", node["function"]).get("function"), "__self__", None)
    if isinstance(owner, (EncodedBytes, EncodedStr)):
        return ("text in Base64 accepts other text than JSON Schema says", _AS_TEXT)
    if owner is ByteSize:
        return ("`ByteSize` accepts other text than JSON Schema says", "take the number of bytes as `int`")
    metadata = node.get("metadata")
    updates = cast("CoreNode", metadata).get("pydantic_js_updates") if isinstance(metadata, dict) else None
    lost = sorted(_UNPUBLISHED & cast("CoreNode", updates).keys()) if isinstance(updates, dict) else []
    if lost:
        return (
            f"`{lost[0]}` cannot be published for this type",
            "put it on the number itself, inside the union and before validators of your own",
        )
    return None


def _of_tagged(node: CoreNode, direction: Direction) -> tuple[str, str] | None:
    if direction is Direction.INPUT and callable(node["discriminator"]):
        return (
            "a discriminator that is a function cannot be published",
            "discriminate by the name of a field with a `Literal` type",
        )
    return None


def _of_tuple(node: CoreNode, _: Direction) -> tuple[str, str] | None:
    if node.get("variadic_item_index") is not None and len(cast("list[object]", node["items_schema"])) > 1:
        return ("a tuple with a fixed and a variable part cannot be published", "use a list, or a model")
    return None


def _of_plain_function(node: CoreNode, direction: Direction) -> tuple[str, str] | None:
    taken = node.get("json_schema_input_schema")
    if direction is Direction.INPUT and isinstance(taken, dict) and cast("CoreNode", taken)["type"] == "any":
        return ("a `PlainValidator` does not say what it accepts", "say it with `json_schema_input_type=`")
    return None


_CHECKS: Final[dict[str, Callable[[CoreNode, Direction], tuple[str, str] | None]]] = {
    **dict.fromkeys(FUNCTIONS, _of_function),
    **dict.fromkeys(RECORDS, _of_record),
    **dict.fromkeys(_TEMPORAL, _of_temporal),
    **dict.fromkeys(_MAPS, _of_map),
    "dataclass": _of_configured,
    "function-plain": _of_plain_function,
    "model": _of_configured,
    "str": _of_text,
    "tagged-union": _of_tagged,
    "tuple": _of_tuple,
}
