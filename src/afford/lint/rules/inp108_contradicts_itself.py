"""A schema whose own default or member it refuses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from afford.errors import JsonObject, JsonValue
from afford.lint.judging import refuses
from afford.lint.nodes import nodes
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import with_input
from afford.lint.target import SERVED_BY_US, Target

_BOUNDS: Final = (
    ("minimum", "maximum"),
    ("minLength", "maxLength"),
    ("minItems", "maxItems"),
    ("minProperties", "maxProperties"),
)


def check(found: Target) -> Iterator[Finding]:
    """Defaults, members of closed sets, and bounds that leave nothing between them, in inputs and answers."""
    for item in found.operations:
        for part, root in (("/input_schema", item.input_schema), ("/output_schema", item.output_schema)):
            for node in nodes(root):
                for low, high in _crossed(node.schema):
                    message = f"`{low}` is above `{high}`, so that no value is accepted"
                    yield Finding(subject=item.name, message=message, pointer=f"{part}{node.pointer}/{low}")
                for keyword, value in _own_values(node.schema):
                    omits = keyword == "default" and value is None and found.origin not in SERVED_BY_US
                    if not omits and refuses(node.schema, root or {}, value):
                        message = f"the schema refuses its own {_shown(keyword, value)}"
                        yield Finding(subject=item.name, message=message, pointer=f"{part}{node.pointer}/{keyword}")


def _crossed(schema: JsonObject) -> Iterator[tuple[str, str]]:
    """Pairs of bounds of which the lower one is above the upper one."""
    for low, high in _BOUNDS:
        least, most = schema.get(low), schema.get(high)
        if isinstance(least, (int, float)) and isinstance(most, (int, float)) and least > most:
            yield low, high


def _own_values(schema: JsonObject) -> Iterator[tuple[str, JsonValue]]:
    if "default" in schema:
        yield "default", schema["default"]
    members = schema.get("enum")
    yield from (("enum", member) for member in (members if isinstance(members, list) else []))
    if "const" in schema:
        yield "const", schema["const"]


def _shown(keyword: str, value: JsonValue) -> str:
    kind = {"default": "default", "enum": "choice", "const": "constant"}[keyword]
    return f"{kind} `{value!r}`" if isinstance(value, (str, int, float)) else kind


RULE: Final = Rule(
    code="INP108",
    name="contradicts-itself",
    severity=Severity.ERROR,
    what="A schema refuses its own default, one of its own choices, or everything.",
    why="Type and choices that contradict each other cost small models 13 to 29 of 100 tasks, measured.",
    fix="Make the type, the bounds and the values agree.",
    source="agentgauge, type and enum contradictions",
    bad=with_input("book_room", "beds", {"type": "integer", "enum": ["one", "two"], "description": "How many beds."}),
    good=with_input("book_room", "beds", {"type": "string", "enum": ["one", "two"], "description": "How many beds."}),
    check=check,
)
