"""An input that is said to come from an operation which does not have it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from afford.lint.fields import snake
from afford.lint.joins import Names, fields_of, is_told
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import with_input
from afford.lint.schemas import Place, places
from afford.lint.target import ELSEWHERE, Described, Target

_KEY: Final = re.compile(r"(?:^|_)(?:ids?|codes?|keys?|slugs?|refs?|uuid|sku)$")
_FROM: Final = re.compile(
    r"(?<!used )(?<!use )(?<!needed )(?<!accepted )(?<!required )(?<!valid )(?<!shown )"
    r"\b(?:from|by|of|in|via|through|as|out of)\s+"
    r"(?:(?:a|an|the|any|each|one|prior|earlier|previous|rows?|results?|answers?|output|of|by|in|from|call to)\s+)*`?$"
)
_ITS_ROW: Final = re.compile(
    r"`?(?:'s|\u2019s)?\s+(?:rows?|results?|answers?|output|returns?|returned|lists?|gives|gave)\b"
)
_TOKEN: Final = re.compile(r"[A-Za-z][\w.:/-]*\w")


def check(found: Target) -> Iterator[Finding]:
    """Inputs that identify something; the name has to be a field, or an input, of the operation that is named."""
    by_name = {item.name: item for item in found.operations}
    for item in found.operations:
        for place in places(item.input_schema):
            text = place.schema.get("description")
            if isinstance(text, str) and _KEY.search(snake(place.name)):
                yield from _broken(item, place, [other for other in _sources(by_name, text) if other is not item])


def _broken(item: Described, place: Place, sources: list[Described]) -> Iterator[Finding]:
    names = [name for other in sources for name in (*fields_of(other), *(p.name for p in places(other.input_schema)))]
    if not sources or not all(map(is_told, sources)) or Names(names).has(place.name):
        return
    listed = " and ".join(f"`{other.name}`" for other in sources)
    message = f"`{place.name}` is said to come from {listed}, which has no field of that name"
    yield Finding(subject=item.name, message=message, pointer=f"/input_schema{place.pointer}/description")


def _sources(operations: Mapping[str, Described], text: str) -> list[Described]:
    """The operations that a text says something comes from."""
    said = [
        token.group()
        for token in _TOKEN.finditer(text)
        if _FROM.search(text[: token.start()]) or _ITS_ROW.match(text, token.end())
    ]
    return [operations[name] for name in dict.fromkeys(said) if name in operations]


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
