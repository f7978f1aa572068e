"""Kind, safety and risk that contradict each other in what is published."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import SEARCH, with_change
from afford.lint.target import Origin, Target


def check(found: Target) -> Iterator[Finding]:
    """Reads that are said to write, and destruction of low risk; an action may well only read, to take a rich input."""
    for item in found.operations:
        if item.reads and item.safety in {"action", "destructive"}:
            yield Finding(subject=item.name, message=f"it is published as a read, and its safety is `{item.safety}`")
        if item.safety == "destructive" and item.risk == "low":
            yield Finding(subject=item.name, message="it is `destructive` and of `low` risk at once")


RULE: Final = Rule(
    code="SAF105",
    name="kind-against-safety",
    severity=Severity.ERROR,
    what="Kind, safety and risk of an operation contradict each other.",
    why="A client decides from these words whether to ask a person, and each client from another one.",
    fix="A query only reads (`GET` is safe, RFC 9110 section 9.2.1), and destructive is never low risk.",
    source="an app with such a declaration does not build",
    bad=with_change("search_hotels", Origin.CATALOG, safety="action"),
    good=with_change("search_hotels", Origin.CATALOG, safety="read", description=SEARCH.description),
    check=check,
)
