"""A safety, a risk or a hint that is none of the words or values there are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from afford.declare.vocabulary import Risk, Safety
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import with_change
from afford.lint.target import Described, Origin, Target

_HINTS: Final = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")


def check(found: Target) -> Iterator[Finding]:
    """Closed words, and hints that are no booleans."""
    for item in found.operations:
        for message in _unknown(item):
            yield Finding(subject=item.name, message=message)


def _unknown(item: Described) -> Iterator[str]:
    for name, word, known in (("safety", item.safety, [*Safety]), ("risk", item.risk, [*Risk])):
        if word and word not in known:
            yield f"the {name} `{word}` is none of {', '.join(f'`{each}`' for each in known)}"
    hints = item.hints or {}
    for name in _HINTS:
        if hints.get(name) is not None and not isinstance(hints[name], bool):
            yield f"`{name}` is no boolean"


RULE: Final = Rule(
    code="SAF106",
    name="unknown-safety",
    severity=Severity.ERROR,
    what="A safety, a risk or a hint has a value that nobody knows.",
    why="Clients read what they do not know as the default, which may be the harmless one.",
    fix="Use one of the known words, and booleans for hints.",
    source="closed words of the catalog; MCP, tool annotations",
    origins=frozenset(Origin) - {Origin.APP},
    bad=with_change("book_room", Origin.CATALOG, risk="medium"),
    good=with_change("book_room", Origin.CATALOG, risk="mid"),
    check=check,
)
