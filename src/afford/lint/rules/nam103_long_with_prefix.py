"""A name that is too long once a client puts the server's name in front of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import with_change
from afford.lint.target import Origin, Target

MOST: Final = 64
"""Characters that clients and providers take for a name with its prefix."""


def check(found: Target) -> Iterator[Finding]:
    """Names behind `mcp__SERVER__`, with the server's name where the target tells it."""
    server = found.name if found.origin is Origin.APP else ""
    prefix = f"mcp__{server}__"
    for item in found.operations:
        length = len(prefix) + len(item.name)
        if length > MOST:
            named = f"behind `{prefix}`" if server else "behind `mcp__`, the server's name and `__`"
            message = f"{named} it has {length} characters{'' if server else ' or more'}, and clients take {MOST}"
            yield Finding(subject=item.name, message=message)


RULE: Final = Rule(
    code="NAM103",
    name="long-with-prefix",
    severity=Severity.WARNING,
    what="A name with the prefix that clients add is longer than 64 characters.",
    why="Some clients refuse the tool or the whole server without a word, others cut names so that two become one.",
    fix="Shorten the name, or the server's.",
    source="limit of 64 characters for a tool's name in the APIs of OpenAI and Amazon Bedrock, and in clients",
    bad=with_change("search_hotels", name="search_hotels_and_hostels_of_the_city_by_neighbourhood_and_stars"),
    good=with_change("search_hotels", name="search_hotels_and_hostels_by_neighbourhood"),
    check=check,
)
