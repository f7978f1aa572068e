"""The published schema of one type by way of pydantic: compiled, corrected, checked, remembered.

The road for everything that is not plain: models, dataclasses, unions, recursion, types of an author's own. Knows core
schemas, the generator and the checks that a finished document has to pass; nothing of fields and parameters.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, cast

from pydantic import PydanticUserError
from pydantic.errors import PydanticInvalidForJsonSchema
from pydantic_core import CoreSchema, PydanticOmit

from afford.errors import JsonObject, JsonValue
from afford.schema.choices import numbered
from afford.schema.core_tree import CoreTree, compile_type
from afford.schema.document import (
    REF_PREFIX,
    Direction,
    SchemaError,
    TypeSchema,
    is_open,
    is_open_object,
    joined,
    ordered,
    subschemas,
    transformed,
)
from afford.schema.engine import check_pattern, is_valid_schema
from afford.schema.generator import MODES, SchemaGenerator
from afford.schema.markers import Choices
from afford.schema.model_defaults import check_nested_defaults
from afford.schema.refusals import refuse_unpublishable

_REMEMBERED: Final = 2048
_UUID_VERSION: Final = re.compile("uuid[1-8]")


def publish(annotation: object, direction: Direction) -> TypeSchema:
    """The published schema of a type, remembered per type.

    Raises:
        SchemaError: the type cannot be published.
    """
    try:
        # Unions compare equal in any order and are published in the order written, which only the text tells.
        return _remembered(annotation, direction, repr(annotation))
    except TypeError as error:
        if "unhashable" not in str(error):
            raise
        return _published(annotation, direction)


@lru_cache(maxsize=_REMEMBERED)
def _remembered(annotation: object, direction: Direction, _text: str) -> TypeSchema:
    return _published(annotation, direction)


def _published(annotation: object, direction: Direction) -> TypeSchema:
    tree = compile_type(annotation)
    refuse_unpublishable(tree, direction)
    generator = SchemaGenerator()
    document = _finished(_generated(generator, tree, direction))
    choices: list[Choices] = []
    document = numbered(document, choices)
    _check_document(document, direction)
    if direction is Direction.INPUT:
        check_nested_defaults(document, tree, generator.defaults)
    return TypeSchema(document, tuple(choices), is_open(document))


def _generated(generator: SchemaGenerator, tree: CoreTree, direction: Direction) -> JsonObject:
    try:
        return generator.generate(cast("CoreSchema", tree.root), mode=MODES[direction])
    except PydanticInvalidForJsonSchema as error:
        raise SchemaError(
            "a type without a JSON form", fix="use a BaseModel, a dataclass or a standard type, or add `WithJsonSchema`"
        ) from error
    except (PydanticUserError, PydanticOmit) as error:
        reason = str(error).splitlines()[0].rstrip(".")
        raise SchemaError(f"the type cannot be published: {reason}", fix="correct the type") from error


def _finished(document: JsonObject) -> JsonObject:
    """The document with sets and open places where they are used, definitions by name and keys in order."""
    definitions = cast("dict[str, JsonObject]", document.pop("$defs", {}))
    sets = {name: inner for name, inner in definitions.items() if not inner or inner.keys() & {"enum", "const"}}

    def finish(place: JsonObject) -> JsonObject:
        reference = place.get("$ref")
        if isinstance(reference, str) and reference.removeprefix(REF_PREFIX) in sets:
            siblings = {key: value for key, value in place.items() if key != "$ref"}
            place = {**sets[reference.removeprefix(REF_PREFIX)], **siblings}
        if place.get("writeOnly") and place.get("format") == "password":
            place.pop("format")
        if _UUID_VERSION.fullmatch(str(place.get("format"))):
            # No format of JSON Schema, so nothing would be asserted; the pattern beside it says the version.
            place["format"] = "uuid"
        return ordered(place)

    finished = transformed(document, finish)
    kept = {name: transformed(definitions[name], finish) for name in sorted(definitions) if name not in sets}
    root = finished.get("$ref")
    if isinstance(root, str) and len(finished) == 1:
        # A recursive type stands in its own definitions; its root is spelled out all the same.
        finished = dict(kept[root.removeprefix(REF_PREFIX)])
    if kept:
        finished["$defs"] = cast("JsonValue", kept)
    return finished


def _check_document(document: JsonObject, direction: Direction) -> None:
    """Check what an author's own schema hooks may have put in."""
    if not is_valid_schema(document):
        raise SchemaError(
            "the type publishes no valid JSON Schema", fix="correct its `json_schema_extra` or `WithJsonSchema`"
        )
    for path, place in _places(document, ""):
        pattern = place.get("pattern")
        if isinstance(pattern, str):
            check_pattern(pattern, path)
        named = place.get("patternProperties")
        for key_pattern in named if isinstance(named, dict) else ():
            check_pattern(key_pattern, path)
        if is_open_object(place):
            raise SchemaError(
                "the type publishes an open object",
                fix='add `"additionalProperties": false` to its own schema',
                path=path,
            )
        if direction is Direction.OUTPUT and place.get("writeOnly"):
            raise SchemaError("an answer may not hold a secret", fix="leave the field out, or exclude it", path=path)


def _places(schema: JsonObject, path: str) -> list[tuple[str, JsonObject]]:
    """Every place of a document with its path, definitions under their names."""
    found = [(path, schema)]
    for keys, inner in subschemas(schema):
        if isinstance(inner, dict):
            part = keys[-1] if keys[0] in ("properties", "$defs") else "*" if keys[0] in _REPEATED else ""
            found += _places(inner, joined(path, part))
    return found


_REPEATED: Final = frozenset({"additionalProperties", "items", "patternProperties", "prefixItems"})
