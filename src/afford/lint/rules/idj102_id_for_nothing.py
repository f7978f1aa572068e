"""An answer with an id that no operation takes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from afford.lint.fields import is_identifier, snake
from afford.lint.joins import joins
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import with_output
from afford.lint.schemas import places
from afford.lint.target import ELSEWHERE, Target

_KEPT: Final = re.compile(
    r"_by_(?:[a-z]+_)?id$|(?:^|_)(?:agent|actor|trace|request|correlation|transaction|payment|refund|charge|reference|confirmation|receipt|tracking"
    r"|external|user|owner|author|seller|buyer|customer|host|guest|member|principal|sender|recipient|creator|reviewer"
    r"|assignee|tenant|organi[sz]ation|event_source|session|national|tax|vat|device)_id$"
)
"""Ids for the record, and of people: they tell rows apart and are not meant to be sent."""


def check(found: Target) -> Iterator[Finding]:
    """Ids under a full name, at any depth; in a role they count as what they are ids of."""
    taken = joins(found).taken
    for item in found.operations:
        for place in places(item.output_schema):
            if is_identifier(place.name) and not _KEPT.search(snake(place.name)) and not taken.has(place.name):
                message = f"no operation takes `{place.name}`"
                yield Finding(subject=item.name, message=message, pointer=f"/output_schema{place.pointer}")


RULE: Final = Rule(
    code="IDJ102",
    name="id-for-nothing",
    severity=Severity.WARNING,
    by_origin=dict.fromkeys(ELSEWHERE, Severity.INFO),
    what="An answer has an id that no operation takes.",
    why="A field that leads nowhere invites an assistant to send it somewhere.",
    fix="Take it out, or declare the operation that takes it.",
    source="house style checklist, item 16",
    bad=with_output("book_room", "room_id", {"type": "integer", "description": "Identifies the room."}, 7),
    good=with_output("book_room", "created_by_id", {"type": "integer", "description": "Who booked it."}, 7),
    check=check,
)
