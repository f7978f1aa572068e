"""An id that is a larger number than many clients can hold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from afford.lint.fields import snake
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import with_input
from afford.lint.schemas import Place, kinds_of, places
from afford.lint.target import Origin, Target

_LARGEST: Final = 2**53 - 1
_WIDE: Final = frozenset({"int64", "uint64"})


def check(found: Target) -> Iterator[Finding]:
    """Integers called an id that are declared with 64 bits, or with values beyond 2**53."""
    for item in found.operations:
        for part, schema in (("/input_schema", item.input_schema), ("/output_schema", item.output_schema)):
            for place in places(schema):
                is_id = snake(place.name).rpartition("_")[2] in {"id", "ids"}
                if is_id and "integer" in kinds_of(place.schema, schema or {}) and _is_wide(place):
                    message = f"`{place.name}` may be a number that clients round"
                    yield Finding(subject=item.name, message=message, pointer=f"{part}{place.pointer}")


def _is_wide(place: Place) -> bool:
    most = place.schema.get("maximum")
    if isinstance(most, (int, float)):
        return most > _LARGEST
    return str(place.schema.get("format")) in _WIDE


RULE: Final = Rule(
    code="INP113",
    name="rounded-id",
    severity=Severity.WARNING,
    by_origin={Origin.OPENAPI: Severity.INFO},
    what="An id is a number that may be larger than 2**53.",
    why="Clients in JavaScript round it, and every later call with it finds nothing.",
    fix="Publish the id as a string, or declare `maximum` 9007199254740991 where that holds.",
    source="clients that round 64-bit ids",
    bad=with_input(
        "book_room",
        "promotion_id",
        {"type": "integer", "format": "int64", "description": "From the offer that was sent by e-mail."},
    ),
    good=with_input(
        "book_room", "promotion_id", {"type": "integer", "description": "From the offer that was sent by e-mail."}
    ),
    check=check,
)
