"""A description that sends its reader to an address."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from afford.lint.passages import passages
from afford.lint.phrases import findings, matches
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.rules.txt112_follows_an_address import FOLLOWS
from afford.lint.samples import SEARCH, with_change
from afford.lint.target import SERVED_BY_US, Target

_ADDRESS: Final = re.compile(r"(?<![\w/])https?://[^\s<>()\"'`\]]*[^\s<>()\"'`\].,;:!?]", re.IGNORECASE)
_NOWHERE: Final = re.compile(
    r"https?://(?:[\w.-]*\.)?(?:example(?:\.(?:com|org|net))?|test|invalid|localhost)(?:[:/?#].*)?$|https?://127\.",
    re.IGNORECASE,
)
"""Names that are reserved for examples lead nowhere (RFC 2606)."""


def check(found: Target) -> Iterator[Finding]:
    """Descriptions of operations and of what stands beside them; a field may well hold an address."""
    for passage in passages(found):
        if "://" in passage.text and any(pointer in {"", "/description"} for _, pointer in passage.places):
            followed = [passage.span(*place) for place in matches(passage.plain, FOLLOWS)]
            for match in _ADDRESS.finditer(passage.text):
                is_followed = any(start <= match.start() < end for start, end in followed)
                if not is_followed and not _NOWHERE.match(match.group()):
                    message = f"`{match.group()}` is outside of what is published here"
                    yield from findings(passage, match.span(), message)


RULE: Final = Rule(
    code="TXT113",
    name="address-in-text",
    severity=Severity.WARNING,
    what="A description sends the reader to an address.",
    why="An assistant that fetches it leaves the catalog for a text that nobody reviewed; one that does not misses it.",
    fix="Say here what stands there, or answer the address where the person needs it.",
    source="house style, section 1a",
    origins=SERVED_BY_US,
    bad=with_change("search_hotels", description=f"{SEARCH.description} See https://hotels.co/areas for a map."),
    good=with_change("search_hotels", description=f"{SEARCH.description} A map is at the front desk."),
    check=check,
)
