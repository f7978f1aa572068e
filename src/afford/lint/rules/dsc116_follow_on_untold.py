"""An action that leaves something to do next, with a description that does not say with what."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from afford.errors import JsonObject
from afford.lint.fields import snake
from afford.lint.joins import fields_of
from afford.lint.prose import about
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import clean, with_change
from afford.lint.schemas import places, types_of
from afford.lint.target import Described, Target
from afford.lint.vocabulary import named_operations, ways_to_say

_KEY: Final = re.compile(r"(?:^|_)(?:id|number|code|key|ref|reference|token|uuid|slug)$")
_STEM: Final = 4
"""Letters by which words of one kind are told: `apply`, `application`."""
_FORMATS: Final = frozenset({None, "uuid"})


def check(found: Target) -> Iterator[Finding]:
    """Actions that make something, answer its key for another operation to take, and name no other operation at all."""
    ways = ways_to_say(found)
    listed = {name for item in found.operations if item.reads for name in fields_of(item) - item.required}
    takers: dict[str, list[str]] = {}
    for item in found.operations:
        for name in item.required:
            takers.setdefault(name, []).append(item.name)
    for item in found.operations:
        if item.reads is not False or item.safety == "destructive" or not item.description.strip():
            continue
        made = [key for key in _keys(item) if key not in listed or _is_named_after(item, key)]
        follow = sorted({taker for key in made for taker in takers.get(key, []) if taker != item.name})
        if follow and not named_operations(item, ways):
            likely = ", ".join(f"`{name}`" for name in follow[:3])
            message = f"what it answers is what {likely} needs, and the description names nothing to do next"
            yield about(item, message)


def _keys(item: Described) -> list[str]:
    """Fields of the answer that say which thing it is: made by the call, since it does not take them itself."""
    members = (place for place in places(item.output_schema) if place.depth == 0 and place.is_required)
    return [place.name for place in members if place.name not in item.inputs and _is_key(place.name, place.schema)]


def _is_named_after(item: Described, key: str) -> bool:
    """Whether the operation is called what its answer identifies: `book_room` makes a `booking_id`."""
    thing = snake(key).split("_")[0][:_STEM]
    return any(word[:_STEM] == thing for word in snake(item.name).split("_"))


def _is_key(name: str, schema: JsonObject) -> bool:
    """Whether it identifies something by its name and type; a title or a branch is merely repeated."""
    if not _KEY.search(snake(name)):
        return False
    if "enum" in schema or "const" in schema or schema.get("format") not in _FORMATS:
        return False
    return bool(types_of(schema) & {"string", "integer"})


RULE: Final = Rule(
    code="DSC116",
    name="follow-on-untold",
    severity=Severity.WARNING,
    what="A description of an action does not name the operation that comes next.",
    why="What was begun stays half done: an assistant does not know that there is anything to pay, confirm or undo.",
    fix="Name the operation that takes the answer on.",
    source="house style checklist, item 6",
    bad=with_change(
        "book_room",
        description=(
            "Book a room in a hotel for the person, after they said yes to this hotel and these nights. The room is "
            "theirs at once and their card is charged on arrival."
        ),
    ),
    good=clean(),
    check=check,
)
