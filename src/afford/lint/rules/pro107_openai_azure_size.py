"""Inputs beyond the size that Azure OpenAI takes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from afford.lint.providers import AZURE_SOURCE, OPENAI, inputs_finding
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.rules.pro105_openai_too_large import LEVELS, levels_of, nested, nested_value, properties_of
from afford.lint.samples import with_portable
from afford.lint.target import Target

_PROPERTIES: Final = 100
_LEVELS: Final = 5


def check(found: Target) -> Iterator[Finding]:
    """Sizes between what Azure takes and what OpenAI itself does."""
    for item in found.operations:
        properties, levels = properties_of(item.input_schema), levels_of(item.input_schema)
        if properties > _PROPERTIES:
            yield inputs_finding(item, f"it has {properties:,} properties, and Azure OpenAI takes {_PROPERTIES}")
        if _LEVELS < levels <= LEVELS:
            yield inputs_finding(item, f"objects are nested {levels} levels deep, and Azure OpenAI takes {_LEVELS}")


RULE: Final = Rule(
    code="PRO107",
    name="openai-azure-size",
    severity=Severity.WARNING,
    profile=OPENAI,
    what="Inputs have more properties or levels than Azure OpenAI's strict mode takes.",
    why="Azure refuses the request with all tools in it, where OpenAI itself takes it.",
    fix="Flatten what is nested, or split the operation.",
    source=f"{AZURE_SOURCE}: 100 properties, 5 levels",
    bad=with_portable({"wishes": nested_value(6)}, wishes=nested(6)),
    good=with_portable({"wishes": nested_value(3)}, wishes=nested(3)),
    check=check,
)
