"""A tool that costs much before it is called."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from afford.errors import JsonObject
from afford.lint.cost import costs
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import BOOK, closed, with_change
from afford.lint.target import Target

MOST: Final = 800
"""Tokens of one tool."""


def check(found: Target) -> Iterator[Finding]:
    """Tools over the limit, with what is large about them."""
    for cost in costs(found):
        if cost.total > MOST:
            parts = f"{cost.text} its text, {cost.input} its inputs, {cost.output} its outputs"
            message = f"it costs some {cost.total:,} tokens, over {MOST}: {parts}"
            yield Finding(subject=cost.name, message=message)


def _wishes(count: int) -> JsonObject:
    text = "What the guest would like to find in the room on arrival, in the guest's own words, as told on the phone."
    wishes: JsonObject = {f"wish_for_day_{day}": {"type": "string", "description": text} for day in range(1, count + 1)}
    return closed({**BOOK.inputs, **wishes}, *sorted(BOOK.required))


RULE: Final = Rule(
    code="CST101",
    name="dear-tool",
    severity=Severity.WARNING,
    what="A tool costs more than 800 tokens.",
    why="Every conversation pays for it, called or not, and models choose worse the more they have to read.",
    fix="Shorten descriptions of fields, share what repeats by `$defs`, split the tool, or answer fewer fields.",
    source="limit of 800 tokens to a tool, of mcp-toolgauge; `afford lint --cost` prints what each tool costs",
    bad=with_change("book_room", input_schema=_wishes(30)),
    good=with_change("book_room", input_schema=_wishes(7)),
    check=check,
)
