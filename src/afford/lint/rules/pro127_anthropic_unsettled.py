"""A keyword that Anthropic documents neither as taken nor as refused."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from afford.lint.providers import (
    ANTHROPIC,
    ANTHROPIC_SOURCE,
    CONDITIONS,
    FORMATS,
    LIST_RULES,
    OBJECT_RULES,
    Part,
    each_keyword,
    formats_beyond,
    keywords_in,
)
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import with_portable
from afford.lint.target import Target

_UNSETTLED: Final = CONDITIONS | OBJECT_RULES | (LIST_RULES - {"uniqueItems"}) | {"oneOf"}
_FORMATS: Final = FORMATS | {"uri"}


def check(found: Target) -> Iterator[Finding]:
    """Keywords anywhere in the inputs, and formats beside the ten that are documented."""
    return each_keyword(found, _unsettled, "nothing says that Anthropic enforces {} in its strict mode")


def _unsettled(part: Part) -> Iterator[str]:
    yield from keywords_in(part, _UNSETTLED)
    yield from formats_beyond(part, _FORMATS)


RULE: Final = Rule(
    code="PRO127",
    name="anthropic-unsettled",
    severity=Severity.WARNING,
    profile=ANTHROPIC,
    what="A schema of inputs has a keyword that Anthropic's strict mode is not documented to know.",
    why="It may be refused, or be taken and bind nobody; Anthropic's own libraries move it into the description.",
    fix="Write alternatives as `anyOf`, and say in the description what else is meant.",
    source=f"{ANTHROPIC_SOURCE}: in neither of its lists",
    bad=with_portable(
        {"wish": "tea"},
        wish={
            "oneOf": [{"type": "string"}, {"type": "integer"}],
            "description": "What the guest would like, or a code.",
        },
    ),
    good=with_portable(
        {"wish": "tea"},
        wish={
            "anyOf": [{"type": "string"}, {"type": "integer"}],
            "description": "What the guest would like, or a code.",
        },
    ),
    check=check,
)
