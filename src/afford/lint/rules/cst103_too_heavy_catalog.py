"""A catalog that clients would rather defer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from afford.lint.cost import costs
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.rules.cst102_heavy_catalog import TOO_MANY
from afford.lint.samples import clean, with_reports
from afford.lint.target import Origin, Target

_SHOWN: Final = 3


def check(found: Target) -> Iterator[Finding]:
    """All tools together, with those that make most of it."""
    listed = costs(found)
    total = sum(cost.total for cost in listed)
    if total > TOO_MANY:
        dearest = ", ".join(f"`{cost.name}` {cost.total:,}" for cost in listed[:_SHOWN])
        yield Finding(
            subject="",
            message=f"all tools together cost some {total:,} tokens, over {TOO_MANY:,}; the most expensive: {dearest}",
        )


RULE: Final = Rule(
    code="CST103",
    name="too-heavy-catalog",
    severity=Severity.WARNING,
    # Nobody is offered everything that an app declares, and afford defers what is too long a list for one caller.
    by_origin={Origin.APP: Severity.INFO},
    what="All tools together cost more than 10,000 tokens.",
    why="Models choose better among tools that they search for than among a list of this size.",
    fix="Offer each caller only what its role needs, split the server, or defer; `App(tool_budget=...)` defers.",
    source="Anthropic on tool search: worth it above some 10,000 tokens of definitions",
    bad=with_reports(15, 10),
    good=clean(),
    check=check,
)
