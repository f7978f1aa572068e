"""An object that Anthropic takes for open."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from afford.lint.providers import ANTHROPIC, ANTHROPIC_SOURCE, each_keyword, open_object
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import with_portable
from afford.lint.target import Target


def check(found: Target) -> Iterator[Finding]:
    """Objects anywhere in the inputs that are not closed by `additionalProperties: false`."""
    return each_keyword(found, open_object, "Anthropic refuses an object without {} in its strict mode")


RULE: Final = Rule(
    code="PRO121",
    name="anthropic-open-object",
    severity=Severity.ERROR,
    profile=ANTHROPIC,
    what="An object in the inputs is not closed, which Anthropic's strict mode refuses.",
    why="The request is refused with all tools in it.",
    fix="Set `additionalProperties` to false in every object; replace a map by a list of pairs.",
    source=f"{ANTHROPIC_SOURCE}: it must be false for objects",
    bad=with_portable({}, {"additionalProperties": None}),
    good=with_portable({}),
    check=check,
)
