"""An input that is said to come from an operation which does not have it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from afford.lint.fields import snake
from afford.lint.joins import fields_of, is_told, matches
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import with_input
from afford.lint.schemas import Place, places
from afford.lint.target import ELSEWHERE, Described, Target

_KEY: Final = re.compile(r"(?:^|_)(?:ids?|codes?|keys?|slugs?|refs?|uuid|sku)$")
_FROM: Final = (
    r"(?<!used )(?<!use )(?<!needed )(?<!accepted )(?<!required )(?<!valid )(?<!shown )"
    r"\b(?:from|by|of|in|via|through|as|out of)\s+"
    r"(?:(?:a|an|the|any|each|one|prior|earlier|previous|rows?|results?|answers?|output|of|by|in|from|call to)\s+)*`?"
)
_OF_ROW: Final = r"`?(?:'s|\u2019s)?\s+(?:rows?|results?|answers?|output|returns?|returned|lists?|gives|gave)\b"


def check(found: Target) -> Iterator[Finding]:
    """Inputs that identify something; the name has to be a field, or an input, of the operation that is named."""
    for item in found.operations:
        for place in places(item.input_schema):
            text = place.schema.get("description")
            if isinstance(text, str) and _KEY.search(snake(place.name)):
                yield from _broken(found, item, place, text)


def _broken(found: Target, item: Described, place: Place, text: str) -> Iterator[Finding]:
    sources = [other for other in found.operations if other is not item and _comes_from(text, other.name)]
    names = [name for other in sources for name in (*fields_of(other), *(p.name for p in places(other.input_schema)))]
    if not sources or not all(map(is_told, sources)) or matches(place.name, names):
        return
    listed = " and ".join(f"`{other.name}`" for other in sources)
    message = f"`{place.name}` is said to come from {listed}, which has no field of that name"
    yield Finding(subject=item.name, message=message, pointer=f"/input_schema{place.pointer}/description")


def _comes_from(text: str, name: str) -> bool:
    written = rf"(?<![\w-]){re.escape(name)}(?![\w-])"
    return re.search(rf"{_FROM}{written}|{written}{_OF_ROW}", text) is not None


RULE: Final = Rule(
    code="IDJ104",
    name="broken-provenance",
    severity=Severity.ERROR,
    by_origin=dict.fromkeys(ELSEWHERE, Severity.WARNING),
    what="An input is said to come from an operation that has no field of its name.",
    why="An assistant has to guess which field is meant, and sends the wrong one.",
    fix="Give the field and the input one name.",
    source="house style checklist, item 16",
    bad=with_input("book_room", "rate_code", {"type": "string", "description": "From a row of `hotel_detail`."}),
    good=with_input("book_room", "currency_code", {"type": "string", "description": "As on the person's card."}),
    check=check,
)
