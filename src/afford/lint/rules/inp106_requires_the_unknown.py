"""A schema that requires what it does not declare."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from afford.lint.nodes import nodes, required_and_undeclared
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import DETAIL, with_change
from afford.lint.target import Target


def check(found: Target) -> Iterator[Finding]:
    """At any depth, in inputs and answers."""
    for item in found.operations:
        for part, schema in (("/input_schema", item.input_schema), ("/output_schema", item.output_schema)):
            for node in nodes(schema):
                for name in required_and_undeclared(node):
                    message = f"`{name}` is required and not declared"
                    yield Finding(subject=item.name, message=message, pointer=f"{part}{node.pointer}/required")


RULE: Final = Rule(
    code="INP106",
    name="requires-the-unknown",
    severity=Severity.ERROR,
    what="A schema requires a name that it does not declare.",
    why="Nobody knows what to send, and in a closed schema nothing that is sent is accepted.",
    fix="Declare it under `properties`, or take it out of `required`.",
    source="house style checklist, item 12",
    bad=with_change(
        "hotel_detail",
        input_schema={**(DETAIL.input_schema or {}), "required": ["property_id", "guest"]},
        example_params=None,
    ),
    good=with_change("hotel_detail", input_schema={**(DETAIL.input_schema or {}), "required": ["property_id"]}),
    check=check,
)
