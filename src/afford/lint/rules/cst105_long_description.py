"""A description that clients cut."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from afford.lint.prose import at
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.rules.dsc122_rule_in_the_tail import MOST, has_rule_in_the_tail
from afford.lint.samples import SEARCH, with_change
from afford.lint.target import Target

_STORY: Final = "Hotels of all kinds are among them, from small houses at the water to large ones. "


def check(found: Target) -> Iterator[Finding]:
    """Long texts as they are sent; a rule in the tail is worse, and another rule's."""
    for item in found.operations:
        length = len(item.text)
        if length > MOST and not has_rule_in_the_tail(item):
            yield at(item, (MOST, length), f"it has {length:,} characters, and some clients cut at {MOST:,}")


RULE: Final = Rule(
    code="CST105",
    name="long-description",
    severity=Severity.WARNING,
    what="A description is longer than 2,048 characters.",
    why="Some clients cut it there without a word, and all of it is paid for where they do not.",
    fix="Leave to the schemas what they say, and to a resource what is only to be looked up.",
    source="clients' limit of 2,048 characters to a description",
    bad=with_change("search_hotels", description=f"{SEARCH.description} {_STORY * 28}"),
    good=with_change("search_hotels", description=f"{SEARCH.description} {_STORY * 20}"),
    check=check,
)
