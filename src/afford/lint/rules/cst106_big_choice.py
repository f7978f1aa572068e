"""A closed set of inputs with very many members."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

from afford.errors import JsonObject, JsonValue
from afford.lint.cost import tokens
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import with_input
from afford.lint.schemas import places, resolved
from afford.lint.target import Target

MOST: Final = 100
"""Members of one closed set."""


def check(found: Target) -> Iterator[Finding]:
    """Sets of inputs, and of the items of lists among them."""
    for item in found.operations:
        root = item.input_schema or {}
        for place in places(item.input_schema):
            for part in (place.schema, resolved(place.schema.get("items"), root)):
                choices = part.get("enum")
                if isinstance(choices, list) and len(choices) > MOST:
                    cost = tokens(json.dumps(choices, ensure_ascii=False))
                    message = f"`{place.name}` has {len(choices)} choices, some {cost:,} tokens in every conversation"
                    yield Finding(subject=item.name, message=message, pointer=f"/input_schema{place.pointer}")


def _country(codes: int) -> JsonObject:
    letters = "ABCDEFGHIJKLM"
    choices: list[JsonValue] = [f"{one}{other}" for one in letters for other in letters]
    return {"type": "string", "enum": choices[:codes], "description": "Country of the guest's passport, ISO 3166."}


RULE: Final = Rule(
    code="CST106",
    name="big-choice",
    severity=Severity.WARNING,
    what="A closed set of inputs has more than 100 members.",
    why="Every conversation pays for all of them, and providers limit how many choices all tools may have together.",
    fix="Take text, and refuse what is unknown with a suggestion; or let another operation list the values.",
    source="token cost of choices; OpenAI allows 1,000 choices in all of a strict schema",
    bad=with_input("book_room", "passport_country", _country(120)),
    good=with_input("book_room", "passport_country", _country(40)),
    check=check,
)
