"""A sum of money without a unit, or a date without a form."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from afford.errors import JsonObject
from afford.lint.fields import has_currency, is_date, is_money, says_date_form, says_unit, snake
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import with_input
from afford.lint.schemas import Place, kinds_of, places, states, texts_of
from afford.lint.target import ELSEWHERE, Target

_FORMS: Final = ("format", "pattern", "enum", "const", "examples", "example")


def check(found: Target) -> Iterator[Finding]:
    """Numbers called price, amount or cents, and texts called a date; in inputs and answers."""
    for item in found.operations:
        for part, schema in (("/input_schema", item.input_schema), ("/output_schema", item.output_schema)):
            for place in places(schema):
                lacks = _lacking(place, schema or {})
                if lacks is not None:
                    message, fix = lacks
                    yield Finding(subject=item.name, message=message, pointer=f"{part}{place.pointer}", fix=fix)


def _lacking(place: Place, root: JsonObject) -> tuple[str, str] | None:
    text = texts_of(place.schema, root)
    if is_money(place.name, place.schema, root):
        counted = snake(place.name).endswith("cents") or "number" in kinds_of(place.schema, root)
        told = says_unit(place.name, text) or (counted and has_currency(places(root)))
        message = f"`{place.name}` is a number of nothing: its description has no unit"
        return None if told else (message, "say the unit, such as `EUR cents`, in its description")
    if is_date(place.name, place.schema, root):
        told = says_date_form(text) or states(place.schema, root, *_FORMS)
        message = f"`{place.name}` has neither `format` nor a form in its description"
        return None if told else (message, "declare `format: date` or `date-time`, and say the form")
    return None


_DATE: Final[JsonObject] = {"type": "string", "description": "Day of the departure."}

RULE: Final = Rule(
    code="INP110",
    name="no-unit",
    severity=Severity.ERROR,
    by_origin=dict.fromkeys(ELSEWHERE, Severity.WARNING),
    what="A sum of money has no unit, or a date no form.",
    why="An assistant is off by a factor of a hundred, or writes the date in a way that is refused.",
    fix="Say the unit in the field's own description; declare the `format` of a date.",
    source="house style checklist, item 11",
    bad=with_input("book_room", "max_price", {"type": "integer", "description": "Most to pay for one night."}),
    good=with_input("book_room", "return_date", {**_DATE, "format": "date"}),
    check=check,
)
