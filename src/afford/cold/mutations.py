"""Calls with one mistake, each of which the published schema refuses; and the edges of what it accepts.

Pure and bounded: the same schema gives the same calls, in the same order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from afford.errors import JsonObject, JsonValue
from afford.lint.judging import refuses
from afford.lint.schemas import kinds_of, resolved
from afford.lint.target import Described

MOST: Final = 40
"""Mistakes that are tried with one operation."""
_EXTRA: Final = "unasked_for"
_SHORTEST: Final = 4
"""Letters of a name that is still known with one of them missing."""
FAR: Final = 1_000_003
"""A number that hardly anybody allows without meaning to."""
_EXACT: Final = 2**53
"""Beyond it numbers are not the same to everybody."""
_FREE_TEXT: Final = "cold run"
_NUMBERS: Final = frozenset({"integer", "number"})


class Mistake(StrEnum):
    """What is wrong with a call."""

    MISSING = "missing"
    MISSPELT = "misspelt"
    EXTRA = "extra"
    WRONG_TYPE = "wrong_type"
    OUT_OF_BOUNDS = "out_of_bounds"
    NOT_A_CHOICE = "not_a_choice"
    WRONG_FORMAT = "wrong_format"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutation:
    """A call with one mistake."""

    mistake: Mistake
    names: frozenset[str]
    """Inputs of which a refusal has to name one: as sent, or as it should have been."""
    arguments: JsonObject


def mutations(operation: Described, base: JsonObject) -> Iterator[Mutation]:
    """Calls that the operation's schema refuses, made from one that it accepts; at most `MOST`."""
    schema = operation.input_schema or {}
    made = (item for item in _mutations(operation, base) if refuses(schema, schema, item.arguments))
    for _, mutation in zip(range(MOST), made, strict=False):
        yield mutation


def edges(operation: Described, base: JsonObject) -> Iterator[tuple[str, JsonObject]]:
    """Calls that the operation's schema accepts, though only just, each with the name of the input it tries."""
    schema = operation.input_schema or {}
    for name, part in sorted(operation.inputs.items()):
        for value in _edges(resolved(part, schema), schema):
            arguments: JsonObject = {**base, name: value}
            if base.get(name) != value and not refuses(schema, schema, arguments):
                yield name, arguments


def _mutations(operation: Described, base: JsonObject) -> Iterator[Mutation]:
    root = operation.input_schema or {}
    yield Mutation(mistake=Mistake.EXTRA, names=frozenset({_EXTRA}), arguments={**base, _EXTRA: _FREE_TEXT})
    for name in sorted(operation.inputs):
        without = {key: value for key, value in base.items() if key != name}
        if name in operation.required:
            yield Mutation(mistake=Mistake.MISSING, names=frozenset({name}), arguments=without)
        if name in base and len(name) >= _SHORTEST:
            slip = name[:-1]
            yield Mutation(
                mistake=Mistake.MISSPELT, names=frozenset({name, slip}), arguments={**without, slip: base[name]}
            )
        part = resolved(operation.inputs[name], root)
        for mistake, value in _wrong_values(part, root):
            yield Mutation(mistake=mistake, names=frozenset({name}), arguments={**base, name: value})


def _wrong_values(schema: JsonObject, root: JsonObject) -> Iterator[tuple[Mistake, JsonValue]]:
    kinds = kinds_of(schema, root)
    choices = schema.get("enum")
    if isinstance(choices, list) and choices:
        # Nearly a member where there is one to be nearly: then the refusal can tell which.
        first = choices[0]
        yield Mistake.NOT_A_CHOICE, f"{first}x" if isinstance(first, str) else _FREE_TEXT
    elif kinds:
        yield Mistake.WRONG_TYPE, "seven" if "string" not in kinds else {"value": "seven"}
    for key, beyond in _BEYOND.items():
        bound = schema.get(key)
        if isinstance(bound, (int, float)) and not isinstance(bound, bool) and abs(bound) <= _EXACT:
            yield Mistake.OUT_OF_BOUNDS, beyond(bound)
    least, most = schema.get("minLength"), schema.get("maxLength")
    if isinstance(least, int) and least > 0 and "string" in kinds:
        yield Mistake.OUT_OF_BOUNDS, ""
    if isinstance(most, int) and "string" in kinds:
        yield Mistake.OUT_OF_BOUNDS, "x" * (most + 1)
    if "string" in kinds and ("format" in schema or "pattern" in schema):
        yield Mistake.WRONG_FORMAT, f"~{_FREE_TEXT}"


_BEYOND: Final[dict[str, Callable[[float], float]]] = {
    "minimum": lambda bound: bound - 1,
    "maximum": lambda bound: bound + 1,
    "exclusiveMinimum": lambda bound: bound,
    "exclusiveMaximum": lambda bound: bound,
}


def _edges(schema: JsonObject, root: JsonObject) -> Iterator[JsonValue]:
    choices = schema.get("enum")
    if isinstance(choices, list):
        yield from dict.fromkeys(item for item in (*choices[:1], *choices[-1:]) if not isinstance(item, (dict, list)))
        return
    kinds = kinds_of(schema, root)
    if kinds & _NUMBERS:
        least, most = schema.get("minimum"), schema.get("maximum")
        yield least if least is not None else -FAR
        yield most if most is not None else FAR
    elif "boolean" in kinds:
        yield from (True, False)
    elif "string" in kinds and not {"format", "pattern", "const"} & schema.keys():
        yield _FREE_TEXT
