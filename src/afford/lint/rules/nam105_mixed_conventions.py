"""Names of one catalog in several spellings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from afford.lint.naming import Convention, convention_of
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import clean, with_change
from afford.lint.target import Target

_SHOWN: Final = 3


def check(found: Target) -> Iterator[Finding]:
    """Names of two words or more that are not joined as most names are."""
    joined: defaultdict[Convention, list[str]] = defaultdict(list)
    for name in sorted(item.name for item in found.operations):
        convention = convention_of(name)
        if convention is not None:
            joined[convention].append(name)
    if len(joined) > 1:
        usual = max(sorted(joined), key=lambda convention: len(joined[convention]))
        others = sorted(name for convention, names in joined.items() if convention is not usual for name in names)
        shown = ", ".join(f"`{name}`" for name in others[:_SHOWN])
        more = f" and {len(others) - _SHOWN} more" if len(others) > _SHOWN else ""
        yield Finding(subject="", message=f"most names are in {usual}, and {shown}{more} {_are(others)} not")


def _are(names: list[str]) -> str:
    return "is" if len(names) == 1 else "are"


RULE: Final = Rule(
    code="NAM105",
    name="mixed-conventions",
    severity=Severity.INFO,
    what="Names of one catalog are spelled in several ways.",
    why="A model that has seen most names spells the others alike, and calls a tool that does not exist.",
    fix="Spell all of them in one way; `snake_case` is the usual one.",
    source="house conventions for names",
    bad=with_change("search_hotels", name="searchHotels"),
    good=clean(),
    check=check,
)
