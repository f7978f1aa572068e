"""A name that promises the caller's own rows, with a reach beyond them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from afford.lint.fields import snake
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import with_change
from afford.lint.target import Target

_OWN: Final = re.compile(r"(?:^|_)(?:my|mine|own)(?:_|$)")


def check(found: Target) -> Iterator[Finding]:
    """`my_orders`, `list_my_orders`, `ordersMine`."""
    for item in found.operations:
        if item.reach in {"published", "consented", "role"} and _OWN.search(snake(item.name)):
            yield Finding(subject=item.name, message=f"it is called one's own, and its reach is `{item.reach}`")


RULE: Final = Rule(
    code="RCH103",
    name="called-ones-own",
    severity=Severity.WARNING,
    what="An operation is named after the caller's own rows, and its reach goes beyond them.",
    why="An assistant takes the rows of others for its person's, and acts on them.",
    fix="Correct the reach, or name it after what it returns; split it where it does both.",
    source="house style checklist, item 13",
    bad=with_change("search_hotels", name="search_my_hotels", reach="consented"),
    good=with_change("search_hotels", name="search_my_hotels", reach="principal"),
    check=check,
)
