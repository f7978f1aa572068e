"""A tool that is too complex for Anthropic by itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from afford.errors import JsonObject, JsonValue
from afford.lint.providers import ANTHROPIC, ANTHROPIC_LIMITS_SOURCE, inputs_finding, is_union, optional_of, parts_of
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import with_portable
from afford.lint.target import Target

OPTIONAL: Final = 24
"""Inputs of all strict tools of a request that may be left out."""
UNIONS: Final = 16
"""Inputs of all strict tools of a request that may be of several types."""


def check(found: Target) -> Iterator[Finding]:
    """Tools that are over the limits of a whole request alone."""
    for item in found.operations:
        optional, unions = optional_in(item.input_schema), unions_in(item.input_schema)
        if optional > OPTIONAL:
            message = (
                f"{optional} inputs may be left out, and Anthropic takes {OPTIONAL} in all strict tools of a request"
            )
            yield inputs_finding(item, message)
        if unions > UNIONS:
            message = (
                f"{unions} inputs have several types, and Anthropic takes {UNIONS} in all strict tools of a request"
            )
            yield inputs_finding(item, message)


def optional_in(schema: JsonObject | None) -> int:
    """How many members of all objects may be left out."""
    return sum(len(optional_of(part.schema)) for part in parts_of(schema))


def unions_in(schema: JsonObject | None) -> int:
    """How many members of all objects may be of several types."""
    listed = (part.schema.get("properties") for part in parts_of(schema))
    return sum(is_union(member) for names in listed if isinstance(names, dict) for member in names.values())


def _wishes(count: int) -> dict[str, JsonValue]:
    wish: JsonObject = {"type": ["string", "null"], "description": "What the guest would like."}
    return {f"wish_{number}": wish for number in range(count)}


RULE: Final = Rule(
    code="PRO125",
    name="anthropic-too-complex",
    severity=Severity.ERROR,
    profile=ANTHROPIC,
    what="One tool alone has more optional inputs, or inputs of several types, than Anthropic takes in strict mode.",
    why="The request is refused with all tools in it.",
    fix="Split the operation, gather optional inputs into fewer, or do not make the tool strict.",
    source=f"{ANTHROPIC_LIMITS_SOURCE}: 24 optional parameters, 16 with union types",
    bad=with_portable(dict.fromkeys(_wishes(17)), **_wishes(17)),
    good=with_portable(dict.fromkeys(_wishes(3)), **_wishes(3)),
    check=check,
)
