"""An operation that does whatever it is told."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from afford.errors import JsonObject, JsonValue
from afford.lint.fields import is_text, snake
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import closed, with_change
from afford.lint.schemas import kinds_of, resolved
from afford.lint.target import ELSEWHERE, Described, Target

_METHODS: Final = frozenset({"method", "http_method", "verb", "http_verb", "request_method"})
_PATHS: Final = frozenset({"path", "url", "uri", "endpoint", "route", "api_path", "request_path"})
_CHOSEN: Final = frozenset(
    {"action", "command", "operation", "function", "function_name", "method", "tool", "tool_name", "rpc", "verb"}
)


def check(found: Target) -> Iterator[Finding]:
    """Two forms: any method on any path, and any action by name with any arguments."""
    for item in found.operations:
        names = {snake(name) for name in item.inputs}
        if names & _METHODS and any(_is_free(item, name) for name in item.inputs if snake(name) in _PATHS):
            message = "it sends any method to any path"
        elif any(_is_free(item, name) for name in item.inputs if snake(name) in _CHOSEN) and any(
            _is_open_object(part, item.input_schema or {}) for part in item.inputs.values()
        ):
            message = "it does anything that has a name, with any arguments"
        else:
            continue
        yield Finding(subject=item.name, message=message, pointer="/input_schema")


def _is_free(item: Described, name: str) -> bool:
    root = item.input_schema or {}
    schema = resolved(item.inputs.get(name), root)
    return is_text(schema, root) and not {"enum", "const"} & schema.keys()


def _is_open_object(part: JsonValue, root: JsonObject) -> bool:
    schema = resolved(part, root)
    is_open = schema.get("additionalProperties", True) in (True, {})
    return is_open and "object" in kinds_of(schema, root) and not schema.get("properties")


_INPUTS: Final[JsonObject] = {
    "method": {"type": "string", "enum": ["GET", "POST"], "description": "What to do with it."},
    "path": {"type": "string", "description": "Where to send it."},
    "body": {"type": "string", "description": "What to send."},
}

RULE: Final = Rule(
    code="INP111",
    name="passthrough",
    severity=Severity.ERROR,
    by_origin=dict.fromkeys(ELSEWHERE, Severity.WARNING),
    what="An operation does whatever it is told: any method on any path, or any action by name.",
    why="No risk that is declared for it can be honest, and no access rule can hold what it reaches.",
    fix="Declare an operation for each thing that should be possible.",
    source="generic passthrough tools with credentials of the server",
    bad=with_change(
        "search_hotels",
        input_schema=closed(_INPUTS),
        example_params={"method": "GET", "path": "/hotels", "body": "Besiktas"},
    ),
    good=with_change(
        "search_hotels",
        input_schema=closed({"method": _INPUTS["method"], "body": _INPUTS["body"]}),
        example_params={"method": "GET", "body": "Besiktas"},
    ),
    check=check,
)
