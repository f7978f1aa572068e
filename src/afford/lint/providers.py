"""What model providers take of a tool's inputs, and schemas as they are written rather than as they are meant.

Facts of November 2026, each with where it is documented. Providers change these; a profile is opt-in for that reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from afford.errors import JsonObject, JsonValue
from afford.lint.rule import Finding
from afford.lint.schemas import escaped, types_of
from afford.lint.target import Described, Target

OPENAI: Final = "openai-strict"
ANTHROPIC: Final = "anthropic-strict"
GEMINI: Final = "gemini"
OPENAI_SOURCE: Final = "https://developers.openai.com/api/docs/guides/structured-outputs#supported-schemas"
AZURE_SOURCE: Final = "https://learn.microsoft.com/en-us/azure/foundry/openai/how-to/structured-outputs"
ANTHROPIC_SOURCE: Final = (
    "https://platform.claude.com/docs/en/build-with-claude/structured-outputs#json-schema-limitations"
)
ANTHROPIC_LIMITS_SOURCE: Final = (
    "https://platform.claude.com/docs/en/build-with-claude/structured-outputs#schema-complexity-limits"
)
GEMINI_SOURCE: Final = "https://cloud.google.com/vertex-ai/docs/reference/rest/v1beta1/FunctionDeclaration"

FORMATS: Final = frozenset({"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"})
"""Formats of text that OpenAI and Anthropic document; Anthropic documents `uri` as well."""
BOUNDS: Final = frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"})
"""Keywords that bound numbers."""
LENGTHS: Final = frozenset({"minLength", "maxLength"})
CONDITIONS: Final = frozenset({"not", "if", "then", "else", "dependentRequired", "dependentSchemas"})
OBJECT_RULES: Final = frozenset(
    {"patternProperties", "propertyNames", "minProperties", "maxProperties", "unevaluatedProperties"}
)
LIST_RULES: Final = frozenset(
    {"uniqueItems", "contains", "minContains", "maxContains", "prefixItems", "unevaluatedItems"}
)

_ONE: Final = frozenset(
    {"items", "additionalProperties", "contains", "not", "if", "then", "else", "propertyNames"}
    | {"unevaluatedItems", "unevaluatedProperties"}
)
"""Keywords that hold a schema."""
_LISTED: Final = frozenset({"anyOf", "oneOf", "allOf", "prefixItems"})
_SHOWN: Final = 6
"""Words of one finding."""
_NAMED: Final = frozenset({"properties", "$defs", "definitions", "patternProperties", "dependentSchemas"})


@dataclass(frozen=True, slots=True)
class Part:
    """One subschema as it is written."""

    pointer: str
    """RFC 6901, from the root of the schema."""
    schema: JsonObject
    depth: int
    """How many objects it is in."""


def parts_of(schema: JsonObject | None) -> Iterator[Part]:
    """The root and every subschema where it stands; references are left alone."""
    if schema is not None:
        yield from _parts(schema, "", 0)


def is_object(schema: JsonObject) -> bool:
    """Whether it describes objects."""
    return "object" in types_of(schema) or isinstance(schema.get("properties"), dict)


def is_union(schema: JsonValue) -> bool:
    """Whether a parameter may be of several types, as Anthropic counts them: by `anyOf`, or by a list of types."""
    return isinstance(schema, dict) and ("anyOf" in schema or isinstance(schema.get("type"), list))


def optional_of(schema: JsonObject) -> list[str]:
    """Members of an object that need not be sent."""
    properties, required = schema.get("properties"), schema.get("required")
    needed = set(map(str, required)) if isinstance(required, list) else set[str]()
    return [name for name in properties if name not in needed] if isinstance(properties, dict) else []


def each_keyword(found: Target, told: Callable[[Part], Iterable[str]], message: str) -> Iterator[Finding]:
    """A finding for each operation that `told` says words of parts of its inputs of, with all of them.

    Args:
        found: what is linted.
        told: what offends about one part, such as a keyword.
        message: with `{}` for the words.
    """
    for item in found.operations:
        told_at = [(word, part.pointer) for part in parts_of(item.input_schema) for word in told(part)]
        if told_at:
            words = sorted({word for word, _ in told_at})
            shown = ", ".join(f"`{word}`" for word in words[:_SHOWN])
            more = f" and {len(words) - _SHOWN} more" if len(words) > _SHOWN else ""
            places = f", in {len(told_at)} places" if len(told_at) > len(words) else ""
            yield inputs_finding(item, f"{message.format(f'{shown}{more}')}{places}", told_at[0][1])


def keywords_in(part: Part, refused: frozenset[str]) -> Iterator[str]:
    """The keywords of a part that are refused, in the order of the alphabet."""
    return iter(sorted(refused & part.schema.keys()))


def formats_beyond(part: Part, known: frozenset[str]) -> Iterator[str]:
    """The format of a part, where it is another one than those that are documented."""
    form = part.schema.get("format")
    if isinstance(form, str) and form not in known:
        yield f"format: {form}"


def open_object(part: Part) -> Iterator[str]:
    """What an object lacks that takes members beside those that it names."""
    if is_object(part.schema) and part.schema.get("additionalProperties") is not False:
        yield "additionalProperties: false"


def inputs_finding(item: Described, message: str, pointer: str = "") -> Finding:
    """A finding about a part of the inputs of an operation."""
    return Finding(subject=item.name, message=message, pointer=f"/input_schema{pointer}")


def _parts(schema: JsonObject, pointer: str, depth: int) -> Iterator[Part]:
    yield Part(pointer, schema, depth)
    inside = depth + 1 if is_object(schema) else depth
    for key, value in schema.items():
        if key in _ONE and isinstance(value, dict):
            yield from _parts(value, f"{pointer}/{key}", inside)
        elif key in _LISTED and isinstance(value, list):
            for place, branch in enumerate(value):
                if isinstance(branch, dict):
                    yield from _parts(branch, f"{pointer}/{key}/{place}", depth)
        elif key in _NAMED and isinstance(value, dict):
            for name, branch in value.items():
                if isinstance(branch, dict):
                    yield from _parts(
                        branch, f"{pointer}/{key}/{escaped(name)}", inside if key == "properties" else depth
                    )
