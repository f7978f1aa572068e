"""Ablations: one thing broken in a copy of a catalog, so that a run that stays green is known to see nothing.

The caller is handed the broken copy, while the server stays whole. Pure: what can be broken, and the copy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import Final, TypeAlias, cast

from afford.cold.mutations import FAR
from afford.cold.reading import example_of, ids_of
from afford.cold.report import Check, Notebook
from afford.cold.walk import tells_of_pages
from afford.errors import JsonObject
from afford.lint.schemas import kinds_of, resolved
from afford.lint.target import SERVED_BY_US, Described, Target

_BOUNDS: Final = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
_NUMBERS: Final = frozenset({"integer", "number"})
_RENAMED: Final = "ref"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ablation:
    """One thing broken."""

    kind: str
    operation: str
    place: str
    """What is broken, in words."""
    broken: Described
    """The operation as the copy has it."""

    def target(self, whole: Target) -> Target:
        """The copy of the catalog in which only this is broken."""
        operations = (self.broken if item.name == self.operation else item for item in whole.operations)
        return replace(whole, operations=tuple(operations))


Found: TypeAlias = "Iterator[tuple[str, Described]]"
"""What is broken in words, and the operation with it broken."""


def ablations(target: Target, whole: Notebook) -> dict[str, list[Ablation]]:
    """Everything that can be broken, by kind; of operations that were called and answered while the catalog was whole.

    Args:
        target: the catalog as it is served.
        whole: what the run over it found.
    """
    failing = {(item.operation, item.check) for item in whole.failed()}
    found: dict[str, list[Ablation]] = {}
    for kind, break_it in KINDS.items():
        # Elsewhere an input that nothing is said about is worth a note, and turns nothing red.
        is_seen = break_it is not _no_input_description or target.origin in SERVED_BY_US
        found[kind] = [
            Ablation(kind=kind, operation=item.name, place=place, broken=broken)
            for item in target.operations
            if is_seen and _answered(item, whole) and (item.name, Check.FIRST_CALL) not in failing
            for place, broken in break_it(item, whole)
        ]
    return found


def _answered(item: Described, whole: Notebook) -> bool:
    """Whether it can show: it was called, and only reads, so that it may be called once more."""
    tally = whole.tallies.get(item.name)
    return item.reads is True and tally is not None and tally.answers > 0


def _no_description(item: Described, _whole: Notebook) -> Found:
    if item.text.strip():
        yield "the description", replace(item, description="", served="")


def _no_input_description(item: Described, _whole: Notebook) -> Found:
    """Only where the description is all that is said."""
    for name, part in _inputs(item):
        if part.keys() <= {"type", "description"} and part.get("description"):
            yield (
                f"the description of `{name}`",
                _with_input(item, name, {"type": part["type"]} if "type" in part else {}),
            )


def _loose_type(item: Described, _whole: Notebook) -> Found:
    root = item.input_schema or {}
    for name, part in _inputs(item):
        if kinds_of(part, root) and kinds_of(part, root) <= _NUMBERS | {"boolean"}:
            loose: JsonObject = {"type": "string", "description": part.get("description", name)}
            yield f"the type of `{name}`, which is a string now", _with_input(item, name, loose)


def _no_choices(item: Described, _whole: Notebook) -> Found:
    for name, part in _inputs(item):
        if isinstance(part.get("enum"), list) and "string" in kinds_of(part, item.input_schema or {}):
            yield f"the choices of `{name}`", _with_input(item, name, _without(part, "enum"))


def _no_bounds(item: Described, _whole: Notebook) -> Found:
    for name, part in _inputs(item):
        bounds = [bound for key in _BOUNDS if isinstance(bound := part.get(key), (int, float))]
        # Bounds that say no more than what every number has are nothing to miss.
        is_bounded = any(abs(bound) < FAR for bound in bounds)
        if "integer" in kinds_of(part, item.input_schema or {}) and is_bounded:
            yield f"the bounds of `{name}`", _with_input(item, name, _without(part, *_BOUNDS))


def _not_required(item: Described, _whole: Notebook) -> Found:
    schema = item.input_schema or {}
    for name in sorted(item.required & item.inputs.keys()):
        required = [other for other in cast("list[str]", schema["required"]) if other != name]
        yield (
            f"that `{name}` is required",
            replace(item, input_schema=cast("JsonObject", {**schema, "required": required})),
        )


def _renamed_input(item: Described, _whole: Notebook) -> Found:
    schema = item.input_schema or {}
    for name in ids_of(item):
        properties = {_new(key) if key == name else key: part for key, part in item.inputs.items()}
        required = [_new(other) if other == name else other for other in sorted(item.required)]
        renamed = cast("JsonObject", {**schema, "properties": properties, "required": required})
        yield f"the name of the input `{name}`", replace(item, input_schema=renamed)


def _renamed_id(item: Described, _whole: Notebook) -> Found:
    for name in _row_fields(item, lambda row, key: key.endswith("_id") and _must_have(row, key)):
        yield f"the name of `{name}` in a row", _with_row(item, partial(_rename, name=name))


def _no_field(item: Described, _whole: Notebook) -> Found:
    for name in _row_fields(item, lambda row, key: _must_have(row, key) and row.get("additionalProperties") is False):
        yield f"the field `{name}` of a row", _with_row(item, partial(_drop, name=name))


def _no_example(item: Described, _whole: Notebook) -> Found:
    """Only where the schema alone does not tell what to send: two values of one form that belong together."""
    example = example_of(item) or {}
    free = [name for name, part in _inputs(item) if name in item.required and "format" in part and name in example]
    if len(free) > 1:
        yield "the example", replace(item, example_params=None, example_row=None)


def _no_page_sentence(item: Described, whole: Notebook) -> Found:
    is_server_s = bool(item.served) and not tells_of_pages(item.description)
    if whole.of(item.name).pages > 1 and is_server_s and tells_of_pages(item.served):
        yield "the sentences about pages", replace(item, served=item.description)


KINDS: Final = MappingProxyType[str, Callable[[Described, Notebook], Found]](
    {
        "description": _no_description,
        "input-description": _no_input_description,
        "type": _loose_type,
        "choices": _no_choices,
        "bounds": _no_bounds,
        "required": _not_required,
        "input-name": _renamed_input,
        "row-id": _renamed_id,
        "row-field": _no_field,
        "example": _no_example,
        "pages": _no_page_sentence,
    }
)
"""What can be broken, by kind."""


def _new(name: str) -> str:
    return f"{name}_{_RENAMED}"


def _inputs(item: Described) -> Iterator[tuple[str, JsonObject]]:
    root = item.input_schema or {}
    for name in sorted(item.inputs):
        yield name, resolved(item.inputs[name], root)


def _without(part: JsonObject, *keys: str) -> JsonObject:
    return {key: value for key, value in part.items() if key not in keys}


def _with_input(item: Described, name: str, part: JsonObject) -> Described:
    schema = item.input_schema or {}
    return replace(item, input_schema={**schema, "properties": {**item.inputs, name: part}})


def _row_fields(item: Described, wanted: Callable[[JsonObject, str], bool]) -> list[str]:
    root = item.output_schema or {}
    row = resolved(item.row, root)
    properties = row.get("properties")
    return [name for name in sorted(properties if isinstance(properties, dict) else {}) if wanted(row, name)]


def _must_have(row: JsonObject, name: str) -> bool:
    required = row.get("required")
    return isinstance(required, list) and name in required


def _with_row(item: Described, change: Callable[[JsonObject], JsonObject]) -> Described:
    """The operation with the schema of its row changed where it stands, behind a reference or not."""
    whole = item.output_schema or {}
    row = change(deepcopy(resolved(item.row, whole)))
    return replace(item, output_schema={**whole, "items": row} if "items" in whole else {**row, **_definitions(whole)})


def _definitions(schema: JsonObject) -> JsonObject:
    return {key: schema[key] for key in ("$defs", "definitions") if key in schema}


def _rename(row: JsonObject, name: str) -> JsonObject:
    properties = cast("JsonObject", row["properties"])
    properties[_new(name)] = properties.pop(name)
    row["required"] = [_new(name) if key == name else key for key in cast("list[str]", row["required"])]
    return row


def _drop(row: JsonObject, name: str) -> JsonObject:
    del cast("JsonObject", row["properties"])[name]
    row["required"] = [key for key in cast("list[str]", row["required"]) if key != name]
    return row
