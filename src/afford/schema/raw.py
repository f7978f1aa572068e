"""An author's own JSON Schema: whether it can be published and enforced as it stands.

Knows JSON Schema (draft 2020-12) and the engine; raises nothing, since an author wants all problems at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, cast
from urllib.parse import unquote

import jsonschema_rs

from afford.errors import JsonObject, JsonValue
from afford.schema.document import Direction, SchemaError, subschemas, transformed
from afford.schema.engine import check_pattern, compiled
from afford.schema.forms import MAX_INTEGER
from afford.schema.json_value import is_json

_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_OBJECT_KEYWORDS: Final = frozenset(
    {"dependentRequired", "dependentSchemas", "maxProperties", "minProperties", "patternProperties", "properties"}
)
_IN_PLACE: Final = frozenset({"allOf", "anyOf", "dependentSchemas", "else", "if", "not", "oneOf", "then"})
_DYNAMIC: Final = ("$dynamicRef", "$recursiveRef")


def check_raw_schema(schema: object, direction: Direction) -> list[SchemaError]:
    """Everything that keeps a schema from being published and enforced.

    It has to be valid JSON Schema (draft 2020-12), describe an object (inputs), be closed at every object (`false` or a
    schema for `additionalProperties` or `unevaluatedProperties`, and nothing but `false` at the root of inputs), refer
    only to its own parts, and use patterns that run in linear time.

    Args:
        schema: the schema as written; not changed.
        direction: whether it is for inputs, whose root has to be an object, or for an answer.

    Returns:
        The problems in the order of the schema, with a JSON pointer as `path`; empty when there are none.
    """
    if isinstance(schema, Mapping) and not isinstance(schema, dict):
        schema = dict(cast("Mapping[str, object]", schema))
    if not isinstance(schema, dict) or not is_json(cast("object", schema)):
        return [SchemaError("a schema is a JSON object", fix="give a dict of JSON values")]
    document = cast("JsonObject", schema)
    invalid = _against_the_dialect(document)
    if invalid is not None:
        return [invalid]
    errors = [*_of_root(document, direction)]
    # The root of inputs was checked already, and more strictly.
    for place, closed, inner in _places(document, document, "", is_closed=direction is Direction.INPUT):
        errors += _of_place(document, place, inner, is_closed=closed)
    return errors or _of_engine(document)


def _against_the_dialect(document: JsonObject) -> SchemaError | None:
    dialect = document.get("$schema", _DIALECT)
    if str(dialect).rstrip("#") != _DIALECT:
        return SchemaError(
            f"the dialect `{dialect}` is not supported", fix=f"write it for `{_DIALECT}`", path="/$schema"
        )
    try:
        jsonschema_rs.meta.validate({**document, "$schema": _DIALECT})
    except jsonschema_rs.ValidationError as error:
        place = "".join(f"/{part}" for part in error.instance_path)
        return SchemaError(
            f"`{error.kind.name}` of the JSON Schema dialect is broken", fix="write a valid 2020-12 schema", path=place
        )
    return None


def _of_root(document: JsonObject, direction: Direction) -> Iterator[SchemaError]:
    if direction is Direction.OUTPUT:
        return
    if document.get("type") != "object":
        yield SchemaError("inputs are the members of one object", fix='give the root `"type": "object"`')
    elif document.get("additionalProperties") is not False and document.get("unevaluatedProperties") is not False:
        yield SchemaError(
            "the inputs are open: an argument that no one named would be accepted",
            fix='add `"additionalProperties": false` to the root',
        )


def _of_place(document: JsonObject, place: str, schema: JsonObject, *, is_closed: bool) -> Iterator[SchemaError]:
    if not is_closed and _is_object(schema) and not _closes(document, schema):
        yield SchemaError(
            "this object is open: members that no one named would be accepted",
            fix='add `"additionalProperties": false`, or a schema for the other members',
            path=place,
        )
    reference = schema.get("$ref")
    if isinstance(reference, str) and _target(document, reference) is None:
        yield SchemaError(
            f"the reference `{reference}` leads outside this schema or nowhere",
            fix="copy what it means into `$defs` and refer to `#/$defs/...`",
            path=place,
        )
    for key in (*_DYNAMIC, *(("$id",) if place else ())):
        if key in schema:
            yield SchemaError(f"`{key}` is not supported", fix="refer to `#/$defs/...` by `$ref`", path=place)
    yield from _of_patterns(schema, place)


def _of_patterns(schema: JsonObject, place: str) -> Iterator[SchemaError]:
    patterns = [schema["pattern"]] if "pattern" in schema else []
    patterns += list(cast("JsonObject", schema.get("patternProperties", {})))
    for pattern in patterns:
        try:
            check_pattern(str(pattern), place)
        except SchemaError as error:
            yield error


def _of_engine(document: JsonObject) -> list[SchemaError]:
    try:
        compiled(document)
    except (ValueError, jsonschema_rs.ReferencingError) as error:
        reason = str(error).splitlines()[0].rstrip(".")
        return [SchemaError(f"the schema cannot be compiled: {reason}", fix="write a valid 2020-12 schema")]
    return []


def _places(
    document: JsonObject, schema: JsonObject, place: str, *, is_closed: bool
) -> Iterator[tuple[str, bool, JsonObject]]:
    """Every object schema with its pointer, and whether what it applies to is closed by a schema around it."""
    yield place, is_closed, schema
    for keys, inner in subschemas(schema):
        if isinstance(inner, dict):
            pointer = place + "".join(f"/{key.replace('~', '~0').replace('/', '~1')}" for key in keys)
            closed = keys[0] in _IN_PLACE and (is_closed or _closes(document, schema))
            yield from _places(document, inner, pointer, is_closed=closed)


def _is_object(schema: JsonObject) -> bool:
    declared = schema.get("type")
    types = declared if isinstance(declared, list) else [declared]
    return "object" in types or (declared is None and not _OBJECT_KEYWORDS.isdisjoint(schema))


def _closes(document: JsonObject, schema: JsonValue, entered: frozenset[str] = frozenset()) -> bool:
    """Whether a schema lets no unnamed member through, by itself or by the branches it is made of."""
    if not isinstance(schema, dict):
        return schema is False
    if any(schema.get(key, True) is not True for key in ("additionalProperties", "unevaluatedProperties")):
        return True
    reference = schema.get("$ref")
    if isinstance(reference, str) and reference not in entered:
        return _closes(document, _target(document, reference), entered | {reference})
    for key in ("anyOf", "oneOf"):
        branches = schema.get(key)
        if isinstance(branches, list) and all(_closes(document, branch, entered) for branch in branches):
            return True
    return any(_closes(document, part, entered) for part in cast("list[JsonValue]", schema.get("allOf", [])))


def _target(document: JsonObject, reference: str) -> JsonValue:
    """What a local reference means; None where it leads outside or nowhere."""
    if reference == "#":
        return document
    if not reference.startswith("#/"):
        return None
    found: JsonValue = document
    for token in reference[2:].split("/"):
        key = unquote(token).replace("~1", "/").replace("~0", "~")
        if isinstance(found, dict) and key in found:
            found = found[key]
        elif isinstance(found, list) and key.isdecimal() and int(key) < len(found):
            found = found[int(key)]
        else:
            return None
    return found if isinstance(found, (dict, bool)) else None


def exact_integers(schema: JsonObject) -> JsonObject:
    """The schema with every integer bounded to what JSON readers keep exactly, +-(2^53-1), unless it has bounds.

    Published like that, so that an author's own schema refuses what no derived one accepts (RFC 8259 section 6).
    """
    return transformed(schema, _bounded)


def _bounded(schema: JsonObject) -> JsonObject:
    kind = schema.get("type")
    if kind != "integer" and not (isinstance(kind, list) and "integer" in kind and "number" not in kind):
        return schema
    bounds: JsonObject = {}
    if "minimum" not in schema and "exclusiveMinimum" not in schema:
        bounds["minimum"] = -MAX_INTEGER
    if "maximum" not in schema and "exclusiveMaximum" not in schema:
        bounds["maximum"] = MAX_INTEGER
    return {**schema, **bounds}
