"""Inputs beyond the size that OpenAI takes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from afford.errors import JsonObject, JsonValue
from afford.lint.providers import OPENAI, OPENAI_SOURCE, inputs_finding, parts_of
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import closed, with_portable
from afford.lint.target import Target

_PROPERTIES: Final = 5_000
LEVELS: Final = 10
_CHOICES: Final = 1_000
_CHARACTERS: Final = 120_000
_LONG_CHOICE: Final = 250
_LONG_CHOICE_CHARACTERS: Final = 15_000


def check(found: Target) -> Iterator[Finding]:
    """Counts over one schema of inputs, as it is written."""
    for item in found.operations:
        for told in _over(item.input_schema):
            yield inputs_finding(item, f"OpenAI refuses it in its strict mode: {told}")


def properties_of(schema: JsonObject | None) -> int:
    """How many members all objects of a schema have together."""
    listed = (part.schema.get("properties") for part in parts_of(schema))
    return sum(len(properties) for properties in listed if isinstance(properties, dict))


def levels_of(schema: JsonObject | None) -> int:
    """How deep objects are in objects; 1: none is in another."""
    return max((part.depth for part in parts_of(schema)), default=0)


def _over(schema: JsonObject | None) -> Iterator[str]:
    choices, characters = 0, 0
    for part in parts_of(schema):
        members, properties, named = (part.schema.get(key) for key in ("enum", "properties", "$defs"))
        texts = [str(member) for member in members] if isinstance(members, list) else []
        size = sum(map(len, texts))
        choices += len(texts)
        characters += size + len(str(part.schema.get("const", "")))
        characters += sum(len(name) for names in (properties, named) if isinstance(names, dict) for name in names)
        if len(texts) > _LONG_CHOICE and size > _LONG_CHOICE_CHARACTERS:
            yield f"a set of {len(texts)} choices has {size:,} characters, over {_LONG_CHOICE_CHARACTERS:,}"
    if properties_of(schema) > _PROPERTIES:
        yield f"it has {properties_of(schema):,} properties, over {_PROPERTIES:,}"
    if levels_of(schema) > LEVELS:
        yield f"objects are nested {levels_of(schema)} levels deep, over {LEVELS}"
    if choices > _CHOICES:
        yield f"all choices together are {choices:,}, over {_CHOICES:,}"
    if characters > _CHARACTERS:
        yield f"names and choices have {characters:,} characters, over {_CHARACTERS:,}"


def nested(levels: int) -> JsonObject:
    """An input that is so many levels deep."""
    schema: JsonObject = {"type": "string", "description": "What the guest would like."}
    for level in range(levels):
        schema = {**closed({f"wish_{level}": schema}, f"wish_{level}"), "description": "Wishes of the guest."}
    return schema


def nested_value(levels: int) -> JsonValue:
    """An example of it."""
    value: JsonValue = "tea"
    for level in range(levels):
        value = {f"wish_{level}": value}
    return value


RULE: Final = Rule(
    code="PRO105",
    name="openai-too-large",
    severity=Severity.ERROR,
    profile=OPENAI,
    what="Inputs have more properties, levels, choices or characters than OpenAI's strict mode takes.",
    why="The request is refused with all tools in it.",
    fix="Flatten what is nested, and take as text what has very many choices.",
    source=f"{OPENAI_SOURCE}: 5,000 properties, 10 levels, 1,000 choices, 120,000 characters",
    bad=with_portable({"wishes": nested_value(10)}, wishes=nested(10)),
    good=with_portable({"wishes": nested_value(3)}, wishes=nested(3)),
    check=check,
)
