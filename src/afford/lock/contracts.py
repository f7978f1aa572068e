"""What a changed schema means: for callers of an input, and for readers of an answer.

Callers send what they were told of, and readers are told what they get. So where a schema says nothing of further
members, its own side is taken to send none, and the other side to bear them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from afford.errors import JsonObject, JsonValue
from afford.lock.changes import Change, Grade
from afford.lock.inclusion import Gap, gaps_between
from afford.lock.inclusion.documents import mapped, subschemas

_CLOSING: Final = ("additionalProperties", "patternProperties", "unevaluatedProperties", "propertyNames")
_COMBINING: Final = frozenset({"allOf", "anyOf", "oneOf", "not", "if", "$ref"})


@dataclass(frozen=True, slots=True, kw_only=True)
class _Words:
    """How gaps of one side and direction are told."""

    grade: Grade
    required: str
    properties: str
    other: str
    why: str
    unshown: str
    """Why, where no value shows it."""
    fix: str
    left_is_old: bool


_NOTHING: Final = "nothing"
_REFUSED: Final = _Words(
    grade=Grade.BREAKING,
    required="`{member}` has to be sent",
    properties="`{member}` is not accepted any more",
    other="`{keyword}` accepts less",
    why="calls that were right are refused",
    unshown="calls that were right may be refused",
    fix="go on accepting them, or offer the change under a new name",
    left_is_old=True,
)
_ACCEPTED: Final = _Words(
    grade=Grade.COMPATIBLE,
    required="`{member}` may be left out",
    properties="`{member}` may be sent, and is new",
    other="`{keyword}` accepts more",
    why="calls that were right still are",
    unshown="calls that were right still are",
    fix=_NOTHING,
    left_is_old=False,
)
_SURPRISING: Final = _Words(
    grade=Grade.BREAKING,
    required="`{member}` may be missing from the answer",
    properties="`{member}` is new in an answer that was closed",
    other="`{keyword}` allows more",
    why="readers may get what the old schema ruled out",
    unshown="readers may get what the old schema ruled out",
    fix="go on answering as before, or offer the change under a new name",
    left_is_old=False,
)
_SURER: Final = _Words(
    grade=Grade.COMPATIBLE,
    required="`{member}` is always in the answer",
    properties="`{member}` is in no answer any more",
    other="`{keyword}` allows less",
    why="readers of the old schema understand every answer",
    unshown="readers of the old schema understand every answer",
    fix=_NOTHING,
    left_is_old=True,
)


def input_changes(old: JsonObject, new: JsonObject) -> list[Change]:
    """What callers have to know of a changed input schema."""
    sent, taken = _declared(old), _declared(new)
    return [*_both(gaps_between(sent, taken), gaps_between(taken, sent), _REFUSED, _ACCEPTED)]


def output_changes(old: JsonObject, new: JsonObject) -> list[Change]:
    """What readers have to know of a changed output schema."""
    return [*_both(gaps_between(_declared(new), old), gaps_between(_declared(old), new), _SURPRISING, _SURER)]


def default_changes(old: JsonObject, new: JsonObject) -> Iterator[Change]:
    """Inputs that mean something else when they are left out."""
    before, after = dict(subschemas(old)), dict(subschemas(new))
    for place in sorted(before.keys() & after.keys()):
        one, other = before[place].get("default"), after[place].get("default")
        if (one, type(one)) != (other, type(other)) and not _is_sure(place, before) and not _is_sure(place, after):
            yield Change(
                grade=Grade.BREAKING,
                pointer=pointer_of(place),
                what="the default is another one",
                before=one,
                after=other,
                why="calls that leave it out mean something else",
                fix="keep the default, or offer the change under a new name",
            )


def pointer_of(steps: tuple[str, ...]) -> str:
    """Steps as an RFC 6901 pointer."""
    return "".join(f"/{step.replace('~', '~0').replace('/', '~1')}" for step in steps)


def _is_sure(place: tuple[str, ...], schemas: Mapping[tuple[str, ...], JsonObject]) -> bool:
    """Whether the value at a place is always sent, so that its default never counts."""
    if len(place) < 2 or place[-2] != "properties":  # noqa: PLR2004 - a keyword and a name
        return False
    required = schemas.get(place[:-2], {}).get("required")
    return isinstance(required, list) and place[-1] in required


def _both(worse: tuple[Gap, ...], better: tuple[Gap, ...], bad: _Words, good: _Words) -> Iterator[Change]:
    """Changes for gaps in both directions; what is told as worse is not told as better as well."""
    told = {(gap.at, gap.flaw.member) for gap in worse}
    yield from (_told(gap, bad) for gap in worse)
    for gap in better:
        if (gap.at, gap.flaw.member) not in told:
            yield _told(gap, good)


def _told(gap: Gap, words: _Words) -> Change:
    flaw = gap.flaw
    phrase = {"required": words.required, "properties": words.properties}.get(flaw.keyword, words.other)
    what = phrase.format(member=flaw.member, keyword=flaw.keyword)
    if flaw.keyword == "required" and words is _REFUSED and not flaw.left:
        what += ", and is new"
    if flaw.reason and not gap.is_shown:
        what = f"nobody can tell what it means: {flaw.reason}"
    before, after = (flaw.left, flaw.right) if words.left_is_old else (flaw.right, flaw.left)
    is_member = flaw.keyword in {"required", "properties"}
    return Change(
        grade=words.grade,
        pointer=pointer_of((*gap.at, *_steps(gap))),
        what=what,
        before=None if is_member else before,
        after=None if is_member else after,
        why=words.why if gap.is_shown else words.unshown,
        fix=words.fix,
        is_shown=gap.is_shown and words.grade is Grade.BREAKING,
        witness=gap.witness if words.grade is Grade.BREAKING else None,
    )


def _steps(gap: Gap) -> tuple[str, ...]:
    flaw = gap.flaw
    if flaw.member is not None and flaw.keyword in {"required", "properties"}:
        return ("properties", flaw.member)
    return (flaw.keyword,) if flaw.keyword else ()


def _declared(schema: JsonObject) -> JsonObject:
    """The schema with objects closed that name members and do not say whether there may be others."""
    combined = any(isinstance(part.get("allOf"), list) for _, part in subschemas(schema))
    if combined:
        # A part of a conjunction must leave room for what the others name.
        return schema
    closed: JsonValue = mapped(schema, _closed)
    return closed if isinstance(closed, dict) else schema


def _closed(place: JsonObject) -> JsonObject:
    is_open = "properties" in place and not any(key in place for key in (*_CLOSING, *_COMBINING))
    return {**place, "additionalProperties": False} if is_open else place
