"""The one configuration of the validation engine: draft 2020-12, formats asserted, linear patterns, nothing fetched.

Knows jsonschema-rs. Everything that judges a value or a pattern compiles it here, so that no two places disagree.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, TypeAlias
from urllib.parse import quote

import jsonschema_rs

from afford.errors import JsonObject
from afford.schema.document import SchemaError

Engine: TypeAlias = jsonschema_rs.Draft202012Validator
Registry: TypeAlias = jsonschema_rs.Registry

UNREADABLE: Final = (ValueError, RecursionError, TypeError, OverflowError)
"""What the engine raises on values that are not JSON, such as sets, dates and lone surrogates."""

_ROOT: Final = "afford:root"
_PATTERNS: Final = jsonschema_rs.RegexOptions()
# Without a mask the engine renders the whole value into the text of every error.
_MASK: Final = "value"


def compiled(schema: JsonObject, registry: Registry | None = None) -> Engine:
    """An engine for a schema.

    Raises:
        jsonschema_rs.ValidationError: the schema is no valid one, or one of its references leads nowhere.
    """
    return jsonschema_rs.Draft202012Validator(
        schema,
        validate_formats=True,
        pattern_options=_PATTERNS,
        offline=True,
        mask=_MASK,
        registry=registry,
    )


def places_of(schema: JsonObject) -> Registry:
    """What `compiled_place` needs to find the places of a schema."""
    # Under an identifier of its own the schema would be another resource, in which local references look elsewhere.
    unnamed = {key: value for key, value in schema.items() if key not in ("$id", "$schema")}
    return jsonschema_rs.Registry([(_ROOT, unnamed)])


def is_valid_schema(schema: JsonObject) -> bool:
    """Whether a schema is one of draft 2020-12."""
    return jsonschema_rs.meta.is_valid(schema)


def compiled_place(registry: Registry, place: tuple[str, ...]) -> Engine:
    """An engine for one place inside a schema, whose references still mean the whole schema."""
    tokens = (quote(token.replace("~", "~0").replace("/", "~1"), safe="~") for token in place)
    return compiled({"$ref": "/".join((f"{_ROOT}#", *tokens))}, registry)


def accepts(engine: Engine, value: object) -> bool:
    """Whether the engine accepts a value; False for what it cannot read."""
    try:
        return engine.is_valid(value)
    except UNREADABLE:
        return False


def check_pattern(pattern: str, path: str = "") -> None:
    """Check that patterns like this one can be judged.

    Raises:
        SchemaError: it is no regular expression, or needs looking around or referring back.
    """
    if not _is_linear(pattern):
        raise SchemaError(
            f"the pattern `{pattern}` cannot be run in linear time, or is no regular expression",
            fix="write it without looking ahead or behind and without back references",
            path=path,
        )


@lru_cache(maxsize=4096)
def _is_linear(pattern: str) -> bool:
    try:
        compiled({"pattern": pattern})
    except ValueError:
        return False
    return True
