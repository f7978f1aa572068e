"""An answer with sums of money that does not say in which currency."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from afford.errors import JsonObject
from afford.lint.fields import CENTS, CURRENCY, has_currency, is_money, snake
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import with_output
from afford.lint.schemas import Place, places, texts_of
from afford.lint.target import Target

_CALLED: Final = re.compile(r"(?:^|_)(?:prices?|cents)(?:_|$)")


def check(found: Target) -> Iterator[Finding]:
    """Answers whose sums have a unit that is no currency, such as cents, and no field that names one beside them."""
    for item in found.operations:
        root = item.output_schema or {}
        found_here = list(places(item.output_schema))
        for place in () if has_currency(found_here) else found_here:
            if is_money(place.name, place.schema, root) and _lacks_currency(place, root):
                message = f"`{place.name}` is money, and nothing says in which currency"
                yield Finding(subject=item.name, message=message, pointer=f"/output_schema{place.pointer}")


def _lacks_currency(place: Place, root: JsonObject) -> bool:
    """Whether there is a unit at all; where there is none, another rule says so."""
    text = texts_of(place.schema, root)
    is_money_for_sure = CENTS.search(text) is not None and _CALLED.search(snake(place.name)) is not None
    return is_money_for_sure and not CURRENCY.search(text)


RULE: Final = Rule(
    code="OUT104",
    name="no-currency",
    severity=Severity.WARNING,
    what="An answer holds sums of money and does not say in which currency.",
    why="An assistant names the currency that it finds likely, and compares what cannot be compared.",
    fix="Add a field `currency`, or say the currency in the description of the sum.",
    source="house style, section 7",
    bad=with_output(
        "book_room", "deposit_cents", {"type": "integer", "minimum": 0, "description": "What is held, in cents."}, 500
    ),
    good=with_output(
        "book_room", "deposit_cents", {"type": "integer", "minimum": 0, "description": "Held, in euro cents."}, 500
    ),
    check=check,
)
