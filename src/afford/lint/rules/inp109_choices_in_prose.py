"""A closed set that is listed in the description of a field rather than declared."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import with_input
from afford.lint.schemas import kinds_of, places, states
from afford.lint.target import Target
from afford.lint.vocabulary import is_compound

_ITEM: Final = r"[\"'`]?[\w-]+[\"'`]?"
_QUOTED: Final = r"(?:\"[\w .-]+\"|'[\w .-]+'|`[\w.-]+`)"
_NOUN: Final = "the|a|your|these|those|them|our|its|several|many|two|three"
_PIPES: Final = rf"(?<![\w|]){_ITEM}(?:\s?\|\s?{_ITEM}){{1,}}(?![\w|])"
_QUOTED_LIST: Final = rf"{_QUOTED}(?:(?:,? (?:or|and) |, ?|/| / ){_QUOTED})+"
_INTRODUCED: Final = (
    rf"\b(?:one of|either|must be|can be|may be|(?:allowed|valid|possible|accepted) (?:values|options)(?: are)?"
    rf"|options|values|choices)\b:? ?\(?{_QUOTED_LIST}"
)
_ONE_OF: Final = (
    rf"\b(?:one of|(?:allowed|valid|possible|accepted) values(?: are)?|choices|options):? "
    rf"\(?(?!(?:{_NOUN})\b){_ITEM}(?:, ?{_ITEM})*,? (?:or|and) {_ITEM}(?=[.;)]|$)"
    rf"|\b(?:one of|(?:allowed|valid|possible|accepted) values(?: are)?|choices|options): \(?{_ITEM}(?:, ?{_ITEM})+"
)
_ASKED: Final = (
    rf"\b(?:how|which|what kind|what sort|kind|sort|type|mode|level|status|state|order|unit|priority|severity)\b"
    rf"[^:.;,()\n]{{0,40}}: \(?(?!(?:{_NOUN})\b){_ITEM}(?:, {_ITEM})*,? or {_ITEM}(?=[.;)]|$)"
)
_MUST: Final = rf"\b(?:must|has to|can only) be (?!(?:{_NOUN})\b){_ITEM}(?:, ?{_ITEM})+,? or {_ITEM}(?=[.;)]|$)"
_WHOLE: Final = r"(?-i:^[a-z_]+(?:, [a-z_]+)+,? or [a-z_]+(?=[.;]|$)|\((?:[a-z_]{3,}/){2,}[a-z_]{3,}\))"
_EXPLAINED: Final = rf"\({_QUOTED}\)(?:,| or|, or| and|, and)[^.()\n]{{1,40}}\({_QUOTED}\)"
_LISTED: Final = re.compile(f"{_PIPES}|{_INTRODUCED}|{_ONE_OF}|{_ASKED}|{_MUST}|{_WHOLE}|{_EXPLAINED}", re.IGNORECASE)
_OPEN: Final = re.compile(
    r"\be\.?g\b|\bsuch as\b|\bfor (?:example|instance)\b|\blike\b|\bincluding\b|\betc\b|\.\.\.|\u2026|\bor any\b"
    r"|\bor other\b|\bexamples?\b|\b(?:common|typical)\b"
    r"|\bstarts? with\b|\bcombin|\bseparated\b|\boperators?\b|\bsyntax\b|\bregex",
    re.IGNORECASE,
)


def check(found: Target) -> Iterator[Finding]:
    """Texts whose description lists values in a way that leaves no other; examples of values are no set."""
    for item in found.operations:
        known = {place.name for place in places(item.input_schema) if is_compound(place.name)}
        for part, schema in (("/input_schema", item.input_schema), ("/output_schema", item.output_schema)):
            for place in places(schema):
                text = place.schema.get("description")
                if not isinstance(text, str) or kinds_of(place.schema, schema or {}) - {"null", "array"} - {"string"}:
                    continue
                match = _LISTED.search(text)
                limited = states(place.schema, schema or {}, "enum", "const", "pattern", "format", "properties")
                listed = set[str]() if match is None else set(re.findall(r"\w+", match.group()))
                if match is None or limited or _OPEN.search(text) or listed & known:
                    continue
                message = f"`{place.name}` lists its values in prose: `{match.group()}`"
                pointer = f"{part}{place.pointer}/description"
                yield Finding(subject=item.name, message=message, pointer=pointer, span=match.span())


RULE: Final = Rule(
    code="INP109",
    name="choices-in-prose",
    severity=Severity.WARNING,
    what="A field lists its possible values in prose, and declares no `enum`.",
    why="Nothing checks the list: an assistant may send another spelling, and is refused late or not at all.",
    fix="Declare the values as `enum`, and leave their meaning to the description.",
    source="house style checklist, item 11",
    bad=with_input("book_room", "board", {"type": "string", "description": "Meals, one of: none, half or full."}),
    good=with_input(
        "book_room",
        "board",
        {"type": "string", "enum": ["none", "half", "full"], "description": "Meals, one of: none, half or full."},
    ),
    check=check,
)
