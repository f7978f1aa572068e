"""Moves what a schema refers to to the one place that an OpenAPI document has for shared schemas.

Knows how JSON Schema (draft 2020-12) refers inside one document, and where OpenAPI 3.1 keeps components; nothing of
operations. Every reference that it answers leads to a component as a whole, never to a place inside one, which many
readers of OpenAPI cannot follow.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Final, cast
from urllib.parse import unquote

from afford.errors import JsonObject, JsonValue
from afford.schema.document import transformed

_COMPONENTS: Final = "#/components/schemas/"
_UNSAFE: Final = re.compile(r"[^A-Za-z0-9._-]")
"""What the key of a component may not hold (OpenAPI 3.1, "Components Object")."""
_OF_A_DOCUMENT: Final = frozenset({"$anchor", "$defs", "$id", "$schema", "definitions"})
"""Keywords that only serve references inside a document of its own, which the schema no longer is."""


@dataclass(frozen=True, slots=True)
class Moved:
    """A schema that defines nothing itself, and what it refers to."""

    schema: JsonObject
    components: Mapping[str, JsonValue]
    """By the key under `components/schemas`, in the order in which they are first referred to."""


def move_definitions(schema: JsonObject, prefix: str) -> Moved:
    """The schema with everything that it refers to moved to components.

    What `#/$defs/Room` refers to becomes the component `<prefix>.Room`, and the root itself, where something refers
    to it, `<prefix>`. Nothing is inlined, so recursive schemas stay recursive; what nothing refers to is left out.

    Args:
        schema: a schema whose references are JSON pointers into itself.
        prefix: what starts no other key of the document; letters, digits, `.`, `_` and `-`.
    """
    moving = _Moving(schema, prefix)
    root = moving.rewritten(schema)
    return Moved(root, moving.components())


class _Moving:
    """One schema on the move."""

    def __init__(self, root: JsonObject, prefix: str) -> None:
        self._root = root
        self._prefix = prefix
        self._keys: dict[str, str] = {}
        """By reference, as written."""
        self._targets: dict[str, JsonValue] = {}
        """By key: what was referred to, as it was."""

    def rewritten(self, schema: JsonObject) -> JsonObject:
        """A copy whose references lead to components."""
        return transformed(schema, self._with_new_references)

    def components(self) -> dict[str, JsonValue]:
        """Everything referred to, and what that refers to in turn."""
        done: dict[str, JsonValue] = {}
        while len(done) < len(self._targets):
            for key in [key for key in self._targets if key not in done]:
                target = self._targets[key]
                done[key] = self.rewritten(target) if isinstance(target, dict) else target
        return done

    def _with_new_references(self, schema: JsonObject) -> JsonObject:
        """Change one schema in place; `transformed` has copied it."""
        for keyword in _OF_A_DOCUMENT:
            schema.pop(keyword, None)
        reference = schema.get("$ref")
        if isinstance(reference, str):
            schema["$ref"] = self._moved(reference)
        discriminator = schema.get("discriminator")
        if isinstance(discriminator, dict) and isinstance(mapping := discriminator.get("mapping"), dict):
            schema["discriminator"] = {**discriminator, "mapping": self._moved_mapping(mapping)}
        return schema

    def _moved_mapping(self, mapping: Mapping[str, JsonValue]) -> JsonObject:
        """A discriminator's values with what each refers to; names that are no references stay."""
        return {
            value: self._moved(target) if isinstance(target, str) and target.startswith("#") else target
            for value, target in mapping.items()
        }

    def _moved(self, reference: str) -> str:
        if reference not in self._keys:
            self._keys[reference] = self._added(reference)
        return _COMPONENTS + self._keys[reference]

    def _added(self, reference: str) -> str:
        """The key of a component for what is referred to; different places never share one."""
        tokens = [_unescaped(token) for token in reference.split("/")[1:]]
        key = ".".join([self._prefix, *(_UNSAFE.sub("_", token) for token in tokens[-1:])])
        target = _resolved(self._root, tokens)
        while key in self._targets and self._targets[key] is not target:
            key += "_"
        self._targets[key] = target
        return key


def _unescaped(token: str) -> str:
    """A reference token of a JSON pointer in its URI form (RFC 6901 section 6)."""
    return unquote(token).replace("~1", "/").replace("~0", "~")


def _resolved(root: JsonObject, tokens: list[str]) -> JsonValue:
    """What a pointer leads to; the build has refused pointers that lead nowhere."""
    return reduce(_member, tokens, cast("JsonValue", root))


def _member(found: JsonValue, token: str) -> JsonValue:
    if isinstance(found, dict):
        return found[token]
    return found[int(token)] if isinstance(found, list) else None
