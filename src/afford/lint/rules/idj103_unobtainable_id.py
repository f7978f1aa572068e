"""An operation that requires an id which nothing publishes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from afford.lint.fields import is_identifier, snake
from afford.lint.joins import joins
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import with_input
from afford.lint.schemas import places, states
from afford.lint.target import ELSEWHERE, Target

_KNOWN_OUTSIDE: Final = re.compile(
    r"\b(?:person(?:'s)?|humans?|users?|customers?|guests?|patients?|members?|you|they|their|e-?mail\w*|letter|receipt"
    r"|invoice|ticket|voucher|confirmation|qr|printed|card|sticker|label|link|url|address bar|portal|website|dashboard"
    r"|console|settings|webhook|issued|assigned|given|registered|national|official|government|external|provider|iso"
    r"|wikidata|isbn|imdb|google|stripe|github|slack)\b",
    re.IGNORECASE,
)
_OFFICIAL: Final = re.compile(
    r"(?:^|_)(?:tax|vat|national|passport|client|tenant|user|person|customer|patient|member|employee|student|device"
    r"|session|request|idempotency|external|trace|correlation|agent|account|chat|thread|conversation)_id$"
)


def check(found: Target) -> Iterator[Finding]:
    """Top-level inputs. Silent unless every answer tells all its fields, and where a bare `id` of one may be meant."""
    known = joins(found)
    bare = "id" in known.published.exact
    for item in found.operations if known.is_complete and not bare else ():
        for place in places(item.input_schema):
            needed = place.is_required and place.depth == 0 and is_identifier(place.name)
            if not needed or _OFFICIAL.search(snake(place.name)) or known.published.has(place.name):
                continue
            text = str(place.schema.get("description", ""))
            chosen = states(place.schema, item.input_schema or {}, "enum", "const", "default", "examples")
            if not chosen and not _KNOWN_OUTSIDE.search(text):
                message = f"no answer has a `{place.name}`, so nobody can obtain it"
                yield Finding(subject=item.name, message=message, pointer=f"/input_schema{place.pointer}")


RULE: Final = Rule(
    code="IDJ103",
    name="unobtainable-id",
    severity=Severity.ERROR,
    by_origin=dict.fromkeys(ELSEWHERE, Severity.WARNING),
    what="An operation requires an id that no operation publishes.",
    why="An assistant can call it with an invented id only.",
    fix="Publish it under the same name in a row, or say in its description where a person finds it.",
    source="house style checklist, item 16",
    bad=with_input("hotel_detail", "rate_id", {"type": "integer", "description": "Which rate to show."}, required_as=7),
    good=with_input(
        "hotel_detail", "rate_id", {"type": "integer", "description": "Printed on the offer."}, required_as=7
    ),
    check=check,
)
