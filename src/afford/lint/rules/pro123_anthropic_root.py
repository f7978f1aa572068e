"""Alternatives at the root of the inputs, which Anthropic refuses of any tool."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from afford.lint.providers import ANTHROPIC, inputs_finding
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import with_portable
from afford.lint.target import Target


def check(found: Target) -> Iterator[Finding]:
    """What stands at the root."""
    for item in found.operations:
        for keyword in ("allOf", "anyOf", "oneOf"):
            if keyword in (item.input_schema or {}):
                yield inputs_finding(item, f"Anthropic refuses `{keyword}` at the root of inputs", f"/{keyword}")


RULE: Final = Rule(
    code="PRO123",
    name="anthropic-root",
    severity=Severity.ERROR,
    profile=ANTHROPIC,
    what="Inputs are alternatives at the root, which Anthropic refuses, strict or not.",
    why="The request is refused with all tools in it.",
    fix="Put the alternatives into one input, or make two operations of them.",
    source="answer of the Anthropic Messages API: no oneOf, allOf, or anyOf at the top level of input_schema",
    bad=with_portable({}, {"anyOf": [{"required": ["nights"]}, {"required": ["check_in"]}]}),
    good=with_portable({}),
    check=check,
)
