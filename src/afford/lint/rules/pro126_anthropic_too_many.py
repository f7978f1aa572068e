"""More tools than Anthropic takes in strict mode together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from afford.lint.providers import ANTHROPIC, ANTHROPIC_LIMITS_SOURCE
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.rules.pro125_anthropic_too_complex import OPTIONAL, UNIONS, optional_in, unions_in
from afford.lint.samples import PORTABLE, with_reports
from afford.lint.target import Target

_TOOLS: Final = 20


def check(found: Target) -> Iterator[Finding]:
    """Sums over all tools, as if all were strict; what one has too much of alone is another rule's."""
    optional = [optional_in(item.input_schema) for item in found.operations]
    unions = [unions_in(item.input_schema) for item in found.operations]
    if len(found.operations) > _TOOLS:
        yield Finding(
            subject="",
            message=f"there are {len(found.operations)} tools, and Anthropic takes {_TOOLS} strict ones in a request",
        )
    if sum(optional) > OPTIONAL >= max(optional):
        message = f"all tools have {sum(optional)} optional inputs, and Anthropic takes {OPTIONAL} in strict ones"
        yield Finding(subject="", message=message)
    if sum(unions) > UNIONS >= max(unions):
        message = f"all tools have {sum(unions)} inputs of several types, and Anthropic takes {UNIONS} in strict ones"
        yield Finding(subject="", message=message)


RULE: Final = Rule(
    code="PRO126",
    name="anthropic-too-many",
    severity=Severity.WARNING,
    profile=ANTHROPIC,
    what="All tools together are more than Anthropic takes in strict mode.",
    why="A request in which all of them are strict is refused.",
    fix="Make strict what writes or costs, and leave the others as they are; they count towards no limit.",
    source=f"{ANTHROPIC_LIMITS_SOURCE}: 20 strict tools, 24 optional parameters, 16 with union types",
    bad=with_reports(17, 0, base=PORTABLE),
    good=with_reports(16, 0, base=PORTABLE),
    check=check,
)
