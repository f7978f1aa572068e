"""Compiled types rewritten for conversion: to Python values from judged JSON, and to JSON from Python values.

Knows core schemas. Whether a value is accepted was decided by the published schema, so what would decide a second time,
in another dialect, is taken out here.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from typing import Final, cast

from pydantic_core import CoreSchema, SchemaSerializer, SchemaValidator, core_schema

from afford.schema.core_tree import RECORDS, CoreNode, every_node, inner_parts
from afford.schema.forms import (
    DATE_PATTERN,
    DURATION_PATTERN,
    INSTANT_PATTERN,
    TIME_PATTERN,
    decimal_form,
    decimal_text,
    duration_text,
)

# Beside lengths and bounds, on which both agree: members of a set merge when they are equal in different spellings,
# steps of floats are rounded differently, and a zero has a sign and digits in one dialect only.
_JUDGED: Final = {
    "decimal": ("decimal_places", "ge", "max_digits"),
    "float": ("multiple_of",),
    "frozenset": ("max_length", "min_length"),
    "set": ("max_length", "min_length"),
}
_TEXT_PATTERNS: Final = {
    "date": DATE_PATTERN,
    "datetime": INSTANT_PATTERN,
    "time": TIME_PATTERN,
    "timedelta": DURATION_PATTERN,
}
_TEMPORAL_SETTINGS: Final = ("ser_json_temporal", "ser_json_timedelta")


def input_converter(root: CoreNode) -> SchemaValidator:
    """Converts JSON that the published schema accepts into the values of the type."""
    has_union = any(node["type"] == "union" for node in every_node(root))
    rewritten = _rewritten(root, _union_input if has_union else _plain_input, is_key=False)
    return SchemaValidator(cast("CoreSchema", rewritten), None, _use_prebuilt=False)


def instance_converter(root: CoreNode) -> SchemaValidator:
    """Converts attribute objects and mappings into instances of the type, for types that only instances can write."""
    return SchemaValidator(cast("CoreSchema", _rewritten(root, _any_output, is_key=False)), None, _use_prebuilt=False)


def output_writer(root: CoreNode) -> SchemaSerializer:
    """Writes values of the type in the forms that are published for them."""
    return SchemaSerializer(cast("CoreSchema", _rewritten(root, _any_output, is_key=False)), None, _use_prebuilt=False)


def _rewritten(value: object, rule: Callable[[CoreNode, bool], CoreNode], *, is_key: bool) -> object:
    if isinstance(value, list):
        return [_rewritten(item, rule, is_key=is_key) for item in cast("list[object]", value)]
    if isinstance(value, tuple):
        return tuple(_rewritten(item, rule, is_key=is_key) for item in cast("tuple[object, ...]", value))
    if not isinstance(value, dict):
        return value
    node = cast("CoreNode", value)
    copy = dict(node)
    for key, inner in inner_parts(node):
        if key == "serialization" and isinstance(node.get("type"), str):
            copy[key] = _rewritten_serializer(cast("CoreNode", inner), rule)
        else:
            copy[key] = _rewritten(inner, rule, is_key=is_key or key == "keys_schema")
    return rule(copy, is_key) if isinstance(copy.get("type"), str) else copy


def _rewritten_serializer(serializer: CoreNode, rule: Callable[[CoreNode, bool], CoreNode]) -> CoreNode:
    """Only what a serializer refers to is a node; its own `type` names a way of writing."""
    copy = dict(serializer)
    for key in ("schema", "return_schema"):
        if key in copy:
            copy[key] = _rewritten(copy[key], rule, is_key=False)
    return copy


def _plain_input(node: CoreNode, is_key: bool) -> CoreNode:  # noqa: FBT001 - a rule's second argument
    kind = str(node["type"])
    for name in ("pattern", "strict", *_JUDGED.get(kind, ())):
        node.pop(name, None)
    if kind in RECORDS:
        node["extra_behavior"] = "forbid"
    if kind in ("bool", "float") and not is_key:
        node["strict"] = True
    if isinstance(node.get("config"), dict):
        node["config"] = {key: value for key, value in cast("CoreNode", node["config"]).items() if key != "strict"}
    return node


def _union_input(node: CoreNode, is_key: bool) -> CoreNode:  # noqa: FBT001 - a rule's second argument
    """Beside other branches a branch takes what its own schema accepts: `"5"` is a Decimal, no integer and no date."""
    kind = str(node["type"])
    text = decimal_form(node)["pattern"] if kind == "decimal" else _TEXT_PATTERNS.get(kind)
    node = _plain_input(node, is_key)
    if is_key:
        return node
    if isinstance(text, str):
        return _chained(core_schema.str_schema(strict=True, pattern=text), node)
    if kind == "enum" and node.get("sub_type") in ("float", "int"):
        return _chained(core_schema.float_schema(strict=True), node)
    if kind != "int":
        return node
    whole = _chained(core_schema.float_schema(strict=True), node)
    strict = cast("CoreSchema", {**node, "strict": True})
    return cast("CoreNode", core_schema.union_schema([strict, cast("CoreSchema", whole)]))


def _chained(first: CoreSchema, node: CoreNode) -> CoreNode:
    reference = node.pop("ref", None)
    chain = cast("CoreNode", core_schema.chain_schema([first, cast("CoreSchema", node)]))
    return chain if reference is None else {**chain, "ref": reference}


def _any_output(node: CoreNode, _: bool) -> CoreNode:  # noqa: FBT001 - a rule's second argument
    kind = node["type"]
    node.pop("pattern", None)
    if "serialization" not in node:
        if kind == "decimal":
            node["serialization"] = _DECIMAL
        elif kind == "timedelta":
            node["serialization"] = _DURATION
    if isinstance(node.get("config"), dict):
        settings = cast("CoreNode", node["config"])
        node["config"] = {key: value for key, value in settings.items() if key not in _TEMPORAL_SETTINGS}
    return node


def _write_decimal(value: object) -> object:
    return decimal_text(value) if isinstance(value, Decimal) else value


def _write_duration(value: object) -> object:
    return duration_text(value) if isinstance(value, timedelta) else value


_DECIMAL: Final = core_schema.plain_serializer_function_ser_schema(_write_decimal, when_used="json")
_DURATION: Final = core_schema.plain_serializer_function_ser_schema(_write_duration, when_used="json")
