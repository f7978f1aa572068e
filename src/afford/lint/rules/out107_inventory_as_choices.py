"""A closed set of inputs that looks like what happens to be there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from afford.errors import JsonObject, JsonValue
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import SEARCH, SUMMARY, closed, rows, with_change
from afford.lint.schemas import escaped, kinds_of, places, resolved, states
from afford.lint.target import SERVED_BY_US, Target


def check(found: Target) -> Iterator[Finding]:
    """Choices that read like data, for a field that the rows themselves have as free text."""
    for item in found.operations:
        root = item.output_schema or {}
        free = {
            place.name
            for place in places(item.output_schema)
            if "string" in kinds_of(place.schema, root)
            and not states(place.schema, root, "enum", "const", "pattern", "format")
        }
        for name, part in item.inputs.items() if item.reads else ():
            if name in free and _is_data(resolved(part, item.input_schema or {}).get("enum")):
                message = f"the choices of `{name}` look like the rows that happen to be there"
                yield Finding(
                    subject=item.name, message=message, pointer=f"/input_schema/properties/{escaped(name)}/enum"
                )


def _is_data(members: JsonValue) -> bool:
    """Names with capitals or blanks; codes are a vocabulary in all likelihood."""
    texts = [member for member in members if isinstance(member, str)] if isinstance(members, list) else []
    return bool(texts) and sum(" " in text or (text[:1].isupper() and not text.isupper()) for text in texts) * 2 > len(
        texts
    )


_AREA: Final[JsonObject] = {"type": "string", "description": "Area of the city."}


def _with_area(**more: JsonValue) -> Target:
    properties = SUMMARY["properties"]
    fields: JsonObject = {**(properties if isinstance(properties, dict) else {}), "neighbourhood": {**_AREA, **more}}
    row = SEARCH.example_row if isinstance(SEARCH.example_row, dict) else {}
    return with_change(
        "search_hotels",
        output_schema=rows(closed(fields, *fields)),
        example_row={**row, "neighbourhood": "Besiktas"},
    )


RULE: Final = Rule(
    code="OUT107",
    name="inventory-as-choices",
    severity=Severity.INFO,
    what="The choices of an input look like what the rows hold at the moment.",
    why='Derived from an inventory, they turn "nothing there now" into a refusal, and hide what is served at all.',
    fix="Derive choices from a vocabulary, such as the areas that are served; declare them for the rows as well.",
    source="house style, section 2",
    origins=SERVED_BY_US,
    bad=_with_area(),
    good=_with_area(enum=["Besiktas", "Kadikoy", "Sultanahmet"]),
    check=check,
)
