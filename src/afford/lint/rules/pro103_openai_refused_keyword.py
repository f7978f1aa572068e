"""A keyword that OpenAI refuses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from afford.lint.providers import (
    CONDITIONS,
    FORMATS,
    LENGTHS,
    LIST_RULES,
    OBJECT_RULES,
    OPENAI,
    OPENAI_SOURCE,
    Part,
    each_keyword,
    formats_beyond,
    keywords_in,
)
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import with_portable
from afford.lint.target import Target

REFUSED: Final = CONDITIONS | OBJECT_RULES | LIST_RULES | LENGTHS | {"allOf", "oneOf"}
"""The guide names compositions; the others are what the API answers with "is not permitted"."""


def check(found: Target) -> Iterator[Finding]:
    """Keywords anywhere in the inputs, and formats beside the nine that are documented."""
    return each_keyword(found, _refused, "OpenAI refuses {} in its strict mode")


def _refused(part: Part) -> Iterator[str]:
    yield from keywords_in(part, REFUSED)
    yield from formats_beyond(part, FORMATS)


RULE: Final = Rule(
    code="PRO103",
    name="openai-refused-keyword",
    severity=Severity.ERROR,
    profile=OPENAI,
    what="A schema of inputs has a keyword that OpenAI's strict mode refuses.",
    why="The request is refused with all tools in it.",
    fix="Write alternatives as `anyOf`, and say in the description what else is refused; the server still checks it.",
    source=f'{OPENAI_SOURCE}; the API\'s answer names the keyword that "is not permitted"',
    bad=with_portable(
        {"wishes": ["quiet"]},
        wishes={
            "type": "array",
            "uniqueItems": True,
            "items": {"type": "string"},
            "description": "What the guest would like.",
        },
    ),
    good=with_portable(
        {"wishes": ["quiet"]},
        wishes={"type": "array", "items": {"type": "string"}, "description": "What the guest would like."},
    ),
    check=check,
)
