"""The names that a target gives to things, and where prose uses a name rather than a word."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from afford.errors import TABLE, FaultCode, JsonValue
from afford.lint.remembered import once_per_target
from afford.lint.schemas import places
from afford.lint.target import Described, Target
from afford.lint.words import Span

RESERVED: Final = frozenset({"limit", "cursor"})
"""No schema of a query declares them, so prose is where they belong (house style, section 1)."""
PROTOCOL: Final = RESERVED | {"next_cursor", "rows", "result", "rel", "next"}
"""Names that belong to the protocol and not to any operation."""
_CODES: Final = frozenset(code.value for code in TABLE) | {code.value for code in FaultCode}
_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_SPELLED: Final = re.compile(r"[A-Za-z][\w.:/-]*\w")
_PHRASE: Final = range(2, 6)
"""How many words the name of an operation has in prose."""
_VALUE: Final = re.compile(r"[\w\"'`\[{<-]")
"""How a value begins."""
_COMPOUND: Final = re.compile(r"[a-z0-9]+_[a-z0-9_]*[a-z0-9]|[a-z]+[0-9]*(?:[A-Z][a-z0-9]+)+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """Every name of a target, by what it names; a name may stand in several sets."""

    operations: frozenset[str]
    inputs: frozenset[str]
    """At any depth."""
    outputs: frozenset[str]
    """At any depth."""
    values: frozenset[str]
    """Members of closed sets, constants, defaults, example values and error codes."""


@once_per_target
def vocabulary(found: Target) -> Vocabulary:
    """The names of a target."""
    inputs, outputs, values = set[str](), set[str](), set(_CODES)
    for item in found.operations:
        for schema, names in ((item.input_schema, inputs), (item.output_schema, outputs)):
            for place in places(schema):
                names.add(place.name)
                values.update(_values(place.schema.get("enum")), _values(place.schema.get("const")))
                values.update(_values(place.schema.get("default")), _values(place.schema.get("items")))
        values.update(_values(item.example_params), _values(item.example_row))
    return Vocabulary(
        operations=frozenset(item.name for item in found.operations),
        inputs=frozenset(inputs),
        outputs=frozenset(outputs),
        values=frozenset(values),
    )


def is_compound(name: str) -> bool:
    """Whether it cannot be an ordinary word: `min_stars`, `minStars`."""
    return _COMPOUND.fullmatch(name) is not None


def names(text: str) -> Iterator[Span]:
    """Whatever has the form of a name."""
    for found in _NAME.finditer(text):
        yield Span(found.group(), found.start(), found.end())


def is_marked(text: str, span: Span) -> bool:
    """Whether it is written as code: in backticks or quotes, or followed by a value."""
    before, after = text[span.start - 1 : span.start], text[span.end : span.end + 1]
    quoted = before == after and before in {"`", '"', "'"}
    return quoted or after == "=" or (after == ":" and _VALUE.match(text, span.end + 1) is not None)


def single_inputs(item: Described) -> frozenset[str]:
    """Inputs of an operation whose names could be ordinary words."""
    return frozenset(name for name in item.inputs if name.isalpha() and name.islower()) - RESERVED


def ways_to_say(found: Target) -> Mapping[str, str]:
    """Operations by how prose may name them: as they are spelled, and in words."""
    spoken = {item.name.replace("_", " ").lower(): item.name for item in found.operations if "_" in item.name}
    return {**spoken, **{item.name: item.name for item in found.operations}}


def named_operations(item: Described, ways: Mapping[str, str]) -> frozenset[str]:
    """Other operations that a description names."""
    said = _SPELLED.findall(item.description)
    parts = re.findall(r"[a-z0-9]+", item.description.lower())
    said += [span.text for span in names(item.description)]
    said += [" ".join(parts[at : at + size]) for size in _PHRASE for at in range(len(parts) - size + 1)]
    return frozenset(ways[each] for each in said if each in ways) - {item.name}


def _values(value: JsonValue) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _values(item)
    elif isinstance(value, list):
        for item in value:
            yield from _values(item)
