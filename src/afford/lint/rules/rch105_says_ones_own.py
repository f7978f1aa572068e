"""A text that promises the caller's own rows and no others, with a reach beyond them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from afford.lint.prose import at, sentence_at
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import SEARCH, with_change
from afford.lint.target import Target

_ONLY_OWN: Final = re.compile(
    r"\b(?:only|just|solely|exclusively|nothing but|none but)\s+(?:ever\s+)?(?:(?:the|their|your|his|her|"
    r"a)\s+)?(?:(?:person|caller|user|principal|human|account)(?:'s|\u2019s)\s+)?own\b|\bonly\s+(?:yours|theirs)\b|"
    r"\b(?:nobody|no one|no-one)\s+else(?:'s|\u2019s)",
    re.IGNORECASE,
)
_AS_WELL: Final = re.compile(
    r"\b(?:shared|invited|everyone|everybody|all others|staff|admins?|roles?|otherwise|unless|except|public|edit|"
    r"change|delete|write|cancel)\b",
    re.IGNORECASE,
)
"""What shows that others are spoken of as well, or something else than reading."""


def check(found: Target) -> Iterator[Finding]:
    """Published and consented reach; by a role some see all and the others only their own, as the text may say."""
    for item in found.operations:
        for match in _ONLY_OWN.finditer(item.description) if item.reach in {"published", "consented"} else ():
            if not _AS_WELL.search(sentence_at(item.description, match.start())):
                yield at(item, match.span(), f"`{match.group()}` is said, and the reach is `{item.reach}`")


RULE: Final = Rule(
    code="RCH105",
    name="says-ones-own",
    severity=Severity.WARNING,
    what="A text promises only the caller's own rows, and the reach goes beyond them.",
    why="One of both is wrong: the rows of others are taken for one's own, or the reach is declared too wide.",
    fix="Correct the reach, or say whose rows these are.",
    source="house style checklist, item 13",
    bad=with_change(
        "search_hotels", reach="published", description=f"{SEARCH.description} Only the person's own are listed."
    ),
    good=with_change(
        "search_hotels", reach="published", description=f"{SEARCH.description} Everybody's favourites are listed."
    ),
    check=check,
)
