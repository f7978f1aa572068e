"""A keyword that Anthropic refuses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from afford.lint.providers import ANTHROPIC, ANTHROPIC_SOURCE, BOUNDS, LENGTHS, Part, each_keyword, keywords_in
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import with_portable
from afford.lint.target import Target

_REFUSED: Final = BOUNDS | LENGTHS | {"maxItems", "uniqueItems"}
_LEAST_ITEMS: Final = (0, 1)
"""What `minItems` may be."""


def check(found: Target) -> Iterator[Finding]:
    """Keywords anywhere in the inputs, and choices that are no plain values."""
    return each_keyword(found, _refused, "Anthropic refuses {} in its strict mode")


def _refused(part: Part) -> Iterator[str]:
    yield from keywords_in(part, _REFUSED)
    if part.schema.get("minItems", 0) not in _LEAST_ITEMS:
        yield "minItems"
    choices = part.schema.get("enum")
    if isinstance(choices, list) and any(isinstance(choice, (dict, list)) for choice in choices):
        yield "enum"


RULE: Final = Rule(
    code="PRO122",
    name="anthropic-refused-keyword",
    severity=Severity.ERROR,
    profile=ANTHROPIC,
    what="A schema of inputs has a keyword that Anthropic's strict mode refuses.",
    why="The request is refused; Anthropic's own libraries move it into the description, where it binds nobody.",
    fix="Say in the description what is allowed, and leave checking it to the server; or do not make the tool strict.",
    source=ANTHROPIC_SOURCE,
    bad=with_portable(
        {"guests": 2}, guests={"type": "integer", "minimum": 1, "description": "How many guests, from one upwards."}
    ),
    good=with_portable({"guests": 2}, guests={"type": "integer", "description": "How many guests, from one upwards."}),
    check=check,
)
