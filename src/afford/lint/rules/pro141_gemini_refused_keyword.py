"""A keyword that Gemini's `parameters` do not have."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from afford.lint.providers import (
    BOUNDS,
    CONDITIONS,
    GEMINI,
    GEMINI_SOURCE,
    LIST_RULES,
    Part,
    each_keyword,
    keywords_in,
)
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import with_portable
from afford.lint.target import Target

_REFUSED: Final = (
    CONDITIONS
    | LIST_RULES
    | (BOUNDS - {"minimum", "maximum"})
    | {"$ref", "$defs", "definitions", "const", "oneOf", "allOf"}
    | {"patternProperties", "propertyNames", "unevaluatedProperties"}
)
"""Of a schema, its `Schema` has type, format, title, description, nullable, enum, items, properties, required, anyOf,
default, example, pattern, and least and most of values, lengths, items and properties."""


def check(found: Target) -> Iterator[Finding]:
    """Keywords anywhere in the inputs, lists of types, and maps."""
    return each_keyword(found, _refused, "Gemini refuses {} in `parameters`")


def _refused(part: Part) -> Iterator[str]:
    yield from keywords_in(part, _REFUSED)
    if isinstance(part.schema.get("type"), list):
        yield "type: [...]"
    if isinstance(part.schema.get("additionalProperties"), dict):
        yield "additionalProperties"


RULE: Final = Rule(
    code="PRO141",
    name="gemini-refused-keyword",
    severity=Severity.ERROR,
    profile=GEMINI,
    what="A schema of inputs has a keyword that Gemini's `parameters` do not have.",
    why="Gemini refuses the request, or the client takes the keyword out and the constraint is lost without a word.",
    fix="Write references out, a constant as an `enum` of one text, and bounds with `minimum` and `maximum`; or make "
    "sure that the client sends `parametersJsonSchema`, which takes plain JSON Schema.",
    source=f'{GEMINI_SOURCE}; the API answers with "Unknown name" and the keyword',
    bad=with_portable(
        {"guests": 2},
        guests={"type": "integer", "exclusiveMinimum": 0, "description": "How many guests, from one upwards."},
    ),
    good=with_portable(
        {"guests": 2}, guests={"type": "integer", "minimum": 1, "description": "How many guests, from one upwards."}
    ),
    check=check,
)
