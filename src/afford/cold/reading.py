"""What the catalog itself tells before anything is called: whether somebody who knows nothing else can start.

Pure; looks at the described operations, as the caller was served them.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Final

from afford.cold.report import Check, Finding
from afford.cold.values import Made, value_for
from afford.errors import JsonObject, JsonValue
from afford.lint.examples import params_faults, row_faults
from afford.lint.fields import is_date, is_identifier, snake
from afford.lint.rules.idj103_unobtainable_id import check as unobtainable
from afford.lint.schemas import kinds_of, places, resolved
from afford.lint.target import SERVED_BY_US, Described, Origin, Target

_SAYING: Final = frozenset(
    {"description", "enum", "const", "format", "pattern", "minimum", "maximum", "default", "examples", "minLength"}
)
"""Keywords that tell a reader what to send."""
_KEY_WORDS: Final = ("_code", "_key", "_ref", "_number", "_uuid", "_slug", "_handle")
_SCALAR: Final = frozenset({"string", "integer"})


def read(target: Target, names: frozenset[str]) -> Iterator[Finding]:
    """What is missing in the catalog of some operations."""
    is_ours = target.origin in SERVED_BY_US
    for item in target.operations:
        if item.name in names:
            yield from _told(item, is_ours=is_ours)
            yield from _example(item)
    for finding in unobtainable(target):
        if finding.subject in names:
            message = f"{finding.message}; publish it under that name, or say where a person finds it"
            yield Finding(
                operation=finding.subject, check=Check.JOIN, message=message, is_note=target.origin is Origin.MCP
            )


def ids_of(item: Described) -> list[str]:
    """Required inputs that address something, and so come from somebody's answer."""
    root = item.input_schema or {}
    return [name for name in sorted(item.required) if name in item.inputs and _addresses(name, item.inputs[name], root)]


def publishers(target: Target) -> dict[str, set[str]]:
    """Names of the operations that answer a field, by its name."""
    found: dict[str, set[str]] = {}
    for item in target.operations:
        for place in places(item.output_schema):
            found.setdefault(place.name, set()).add(item.name)
    return found


def base_of(item: Described, facts: JsonObject) -> JsonObject | None:
    """Arguments for a call without an example: ids from live rows, the rest from the schema; None where that fails."""
    root = item.input_schema or {}
    made: JsonObject = {}
    ids = ids_of(item)
    for name in sorted(item.required):
        value = Made(facts[name]) if name in ids and name in facts else value_for(item.inputs.get(name), root)
        if value is None:
            return None
        made[name] = value.value
    return made


def with_days_apart(item: Described, arguments: JsonObject) -> JsonObject:
    """The same arguments with each day after the one before, in the order of the inputs."""
    root = item.input_schema or {}
    days = [name for name in item.inputs if name in arguments and _is_day(item.inputs[name], root)]
    spread: JsonObject = {name: (_DAY + timedelta(days=place)).isoformat() for place, name in enumerate(days)}
    return {**arguments, **spread}


def example_of(item: Described) -> JsonObject | None:
    """The published example without what says which page it shows."""
    if item.example_params is None:
        return None
    return {key: value for key, value in item.example_params.items() if key in item.inputs or key not in _PAGE}


def facts_of(value: JsonValue) -> JsonObject:
    """What an answer says under the names of its fields: of several rows and depths, the first value of each name."""
    facts: JsonObject = {}
    pending: list[JsonValue] = [value]
    while pending:
        first = pending.pop(0)
        if isinstance(first, list):
            pending.extend(first[:1])
        elif isinstance(first, dict):
            for name, part in first.items():
                if isinstance(part, (dict, list)):
                    pending.append(part)
                elif part is not None:
                    facts.setdefault(name, part)
    return facts


_PAGE: Final = frozenset({"limit", "cursor"})
_DAY: Final = date(2030, 6, 12)


def _is_day(schema: JsonValue, root: JsonObject) -> bool:
    """Whether it is a day."""
    return resolved(schema, root).get("format") == "date"


def _addresses(name: str, schema: JsonValue, root: JsonObject) -> bool:
    found = resolved(schema, root)
    kinds = kinds_of(found, root) - {"null"}
    if not kinds or not kinds <= _SCALAR or {"enum", "const"} & found.keys() or is_date(name, found, root):
        return False
    return is_identifier(name) or snake(name).endswith(_KEY_WORDS)


def _told(item: Described, *, is_ours: bool) -> Iterator[Finding]:
    def finding(message: str, *, is_note: bool = False) -> Finding:
        return Finding(operation=item.name, check=Check.TOLD, message=message, is_note=is_note)

    if not item.text.strip():
        yield finding("it has no description, so nobody can tell when to call it; say what it is for")
    root = item.input_schema or {}
    for name in sorted(item.inputs):
        part = resolved(item.inputs[name], root)
        if not _SAYING & part.keys():
            yield finding(f"nothing is said about `{name}`; describe it", is_note=not is_ours)
        if not kinds_of(part, root) and not {"enum", "const"} & part.keys():
            yield finding(f"`{name}` has no type; state it", is_note=not is_ours)
    if item.output_schema is None and is_ours:
        yield finding("it has no output schema, so nobody knows what comes back; publish it")


def _example(item: Described) -> Iterator[Finding]:
    for part, faults in (("arguments", params_faults(item)), ("row", row_faults(item))):
        for fault in faults:
            message = f"the example's {part} contradict the schema: {fault.message}; correct one of them"
            yield Finding(operation=item.name, check=Check.EXAMPLE, message=message)
