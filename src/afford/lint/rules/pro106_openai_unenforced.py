"""A keyword that some of OpenAI's models do not enforce."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from afford.lint.providers import AZURE_SOURCE, BOUNDS, FORMATS, OPENAI, OPENAI_SOURCE, Part, each_keyword, keywords_in
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import with_portable
from afford.lint.target import Target

_UNENFORCED: Final = BOUNDS | {"pattern", "format", "minItems", "maxItems", "default"}
"""A default never applies, since everything is required."""


def check(found: Target) -> Iterator[Finding]:
    """Keywords anywhere in the inputs that are taken, and are without effect on Azure or in fine-tuned models."""
    return each_keyword(found, _told, "Azure OpenAI and fine-tuned models do not enforce {}")


def _told(part: Part) -> Iterator[str]:
    is_known = part.schema.get("format") in FORMATS
    return keywords_in(part, _UNENFORCED if is_known else _UNENFORCED - {"format"})


RULE: Final = Rule(
    code="PRO106",
    name="openai-unenforced",
    severity=Severity.WARNING,
    profile=OPENAI,
    what="A schema of inputs has a keyword that part of OpenAI's models take and do not enforce.",
    why="The model may send what the schema forbids, and nothing but the server's own check sees it.",
    fix="Keep it, since the server checks it, and say in the description what is allowed.",
    source=f"{AZURE_SOURCE}; {OPENAI_SOURCE} on fine-tuned models",
    bad=with_portable(
        {"guests": 2}, guests={"type": "integer", "minimum": 1, "description": "How many guests, from one upwards."}
    ),
    good=with_portable({"guests": 2}, guests={"type": "integer", "description": "How many guests, from one upwards."}),
    check=check,
)
