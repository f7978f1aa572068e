"""Defaults inside models that are inputs: each is accepted by the schema beside it, and means what sending it means.

Knows finished documents and core schemas. The defaults of a handler's own parameters are checked elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, cast

from pydantic import ValidationError
from pydantic_core import CoreSchema, SchemaValidator

from afford.errors import ABSENT, JsonObject
from afford.schema.core_tree import FUNCTIONS, CoreNode, CoreTree, every_node
from afford.schema.document import SchemaError, every_schema
from afford.schema.engine import accepts, compiled

_SAME_KIND: Final = {"str": str, "int": int, "bool": bool, "float": float}


def check_nested_defaults(document: JsonObject, tree: CoreTree, defaults: Sequence[tuple[CoreNode, object]]) -> None:
    """Check every default that a document publishes.

    Args:
        document: the finished input schema.
        tree: the type it was made from.
        defaults: nodes with a default, each with its published form; `ABSENT` where it has none.

    Raises:
        SchemaError: a default that its own schema refuses, or that differs from the same value sent.
    """
    definitions = document.get("$defs", {})
    for place in every_schema(document):
        if "default" in place and not accepts(compiled({**place, "$defs": definitions}), place["default"]):
            raise SchemaError(
                f"the default {_shown(place['default'])} is not accepted by its own schema",
                fix="give a default of the declared type, or declare `T | None = None`",
            )
    for node, published in defaults:
        if not _means_the_same(node, published, tree):
            raise SchemaError(
                f"the default {_shown(node['default'])} is not what sending it would give",
                fix="give a value of exactly the declared type as the default",
            )


def _means_the_same(node: CoreNode, published: object, tree: CoreTree) -> bool:
    inner, default = cast("CoreNode", node["schema"]), node["default"]
    if published is ABSENT:
        return False
    if _SAME_KIND.get(str(inner["type"])) is type(default):
        return True
    if any(str(part["type"]) in (*FUNCTIONS, "function-plain") for part in every_node(inner)):
        # An author's own validators may look anything up; they are not run while the application is put together.
        return True
    document = {"type": "definitions", "schema": inner, "definitions": tree.root.get("definitions", [])}
    try:
        sent = SchemaValidator(cast("CoreSchema", document)).validate_python(published)
    except ValidationError:
        return False
    return bool(sent == default)


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."  # noqa: PLR2004 - one line of a message
