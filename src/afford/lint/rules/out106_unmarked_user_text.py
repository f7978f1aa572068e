"""A field that holds what people wrote, and is not marked as such."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from afford.errors import JsonObject
from afford.lint.fields import is_text, snake
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import with_output
from afford.lint.schemas import places, states
from afford.lint.target import SERVED_BY_US, Target
from afford.schema.document import USER_TEXT_KEY

_WRITTEN: Final[frozenset[str]] = frozenset(
    (
        *("review", "review_text", "comment", "comments", "feedback", "testimonial", "bio", "caption", "remark"),
        *("remarks", "message_text", "post_text", "reply", "reply_text", "user_text", "message_body", "body"),
    )
)

_SAID: Final = re.compile(
    r"\b(?:users?|guests?|customers?|clients?|visitors?|readers?|members?|people|persons?|owners?|senders?|authors?|"
    r"reviewers?|residents?|patients?|buyers?|sellers?|somebody|someone) (?:wrote|writes?|said|says?)\b"
    r"|\bin (?:his|her|their) own words\b",
    re.IGNORECASE,
)
"""What the description of such a text says of who wrote it."""


def check(found: Target) -> Iterator[Finding]:
    """Free texts in what is read, by their usual names."""
    for item in found.operations:
        root = item.output_schema or {}
        for place in places(item.output_schema) if item.reads else ():
            marked = states(place.schema, root, USER_TEXT_KEY, "enum", "const", "format", "pattern")
            is_written = snake(place.name) in _WRITTEN or _SAID.search(str(place.schema.get("description", "")))
            if is_written and is_text(place.schema, root) and not marked:
                message = f"`{place.name}` reads like text that users wrote, and is not marked as such"
                yield Finding(subject=item.name, message=message, pointer=f"/output_schema{place.pointer}")


_REVIEW: Final[JsonObject] = {"type": "string", "description": "What the last guest wrote."}

RULE: Final = Rule(
    code="OUT106",
    name="unmarked-user-text",
    severity=Severity.INFO,
    what="A field holds what people wrote, and is not marked as such.",
    why="A model reads it as the service speaking, with whatever somebody hid in it.",
    fix=f"Annotate it with `UserText`, which publishes `{USER_TEXT_KEY}`.",
    source="house style, section 1a",
    origins=SERVED_BY_US,
    bad=with_output("hotel_detail", "review", _REVIEW, "Quiet rooms."),
    good=with_output("hotel_detail", "review", {**_REVIEW, USER_TEXT_KEY: True}, "Quiet rooms."),
    check=check,
)
