"""Inputs that are not one plain object."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from afford.lint.providers import OPENAI, OPENAI_SOURCE, inputs_finding
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import with_portable
from afford.lint.target import Target


def check(found: Target) -> Iterator[Finding]:
    """What stands at the root."""
    for item in found.operations:
        schema = item.input_schema
        if schema is not None and "anyOf" in schema:
            yield inputs_finding(item, "OpenAI refuses `anyOf` at the root of inputs in its strict mode", "/anyOf")
        elif schema is not None and schema.get("type") != "object":
            yield inputs_finding(item, "OpenAI takes only inputs with `type: object` at the root in its strict mode")


RULE: Final = Rule(
    code="PRO104",
    name="openai-root",
    severity=Severity.ERROR,
    profile=OPENAI,
    what="Inputs are alternatives at the root, or no object, which OpenAI's strict mode refuses.",
    why="The request is refused with all tools in it.",
    fix="Put the alternatives into one input, or make two operations of them.",
    source=OPENAI_SOURCE,
    bad=with_portable({}, {"anyOf": [{"required": ["nights"]}, {"required": ["check_in"]}]}),
    good=with_portable({}),
    check=check,
)
