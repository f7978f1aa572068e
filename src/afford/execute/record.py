"""What a record may show of one finished call."""

from __future__ import annotations

from typing import Final

from afford.caller import Caller
from afford.errors import Code, JsonObject, JsonValue
from afford.execute.outcome import CallRecord, Outcome, Success
from afford.manifest import Operation

REDACTED: Final = "[redacted]"
EVERY: Final = "*"


def call_record(
    *,
    caller: Caller,
    operation: Operation | None,
    arguments: JsonObject,
    outcome: Outcome,
    duration: float,
    trace: str | None,
) -> CallRecord:
    """The record of one call; no arguments where nothing says which of them are secret."""
    code = "ok" if isinstance(outcome, Success) else outcome.code
    shown: JsonObject = {}
    if operation is not None:
        hide = _withheld if code == Code.BAD_REQUEST else redacted
        shown = hide(operation, arguments) if operation.secrets else arguments
    return CallRecord(
        operation=operation.id if operation else None,
        principal=caller.id,
        door=caller.door.value,
        surface=caller.surface.value,
        agent=caller.is_agent,
        arguments=shown,
        code=code,
        duration=duration,
        trace=trace,
    )


def redacted(operation: Operation, arguments: JsonObject) -> JsonObject:
    """Arguments that the published schema accepted, with every secret place replaced; they are not changed."""
    shown: JsonValue = arguments
    for place in operation.secrets:
        shown = _without(shown, place.split(".") if place else [])
    return shown if isinstance(shown, dict) else {}


def _withheld(operation: Operation, arguments: JsonObject) -> JsonObject:
    """Refused arguments: a secret may stand anywhere beside its place, or under a misspelt name."""
    declared = operation.input.schema["properties"]
    known = declared if isinstance(declared, dict) else {}
    hidden = {place.partition(".")[0] for place in operation.secrets}
    return {
        name: value if name in known and name not in hidden and EVERY not in hidden else REDACTED
        for name, value in arguments.items()
    }


def _without(value: JsonValue, path: list[str]) -> JsonValue:
    """The value without what stands at the path, whose steps are names, or `*` for every item or member."""
    if not path:
        return value if value is None else REDACTED
    step, rest = path[0], path[1:]
    if isinstance(value, list):
        return [_without(item, rest if step == EVERY else path) for item in value]
    if isinstance(value, dict):
        return {key: _without(item, rest) if step in (key, EVERY) else item for key, item in value.items()}
    return value
