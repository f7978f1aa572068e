"""A reference that Anthropic does not follow."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from afford.errors import JsonObject
from afford.lint.providers import ANTHROPIC, ANTHROPIC_SOURCE, inputs_finding, parts_of
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import closed, with_portable
from afford.lint.target import Described, Target


def check(found: Target) -> Iterator[Finding]:
    """References out of the schema, back to what they stand in, and in an `allOf`."""
    for item in found.operations:
        yield from _outside(item)
        recursive = _recursive(item.input_schema or {})
        if recursive is not None:
            yield inputs_finding(item, f"Anthropic refuses `{recursive}` in its strict mode, which contains itself")


def _outside(item: Described) -> Iterator[Finding]:
    for part in parts_of(item.input_schema):
        reference, branches = part.schema.get("$ref"), part.schema.get("allOf")
        if isinstance(reference, str) and not reference.startswith("#"):
            yield inputs_finding(
                item, f"Anthropic refuses the reference to `{reference}` in its strict mode", part.pointer
            )
        if isinstance(branches, list) and any(isinstance(branch, dict) and "$ref" in branch for branch in branches):
            message = "Anthropic refuses `allOf` with a reference in it in its strict mode"
            yield inputs_finding(item, message, f"{part.pointer}/allOf")


def _recursive(schema: JsonObject) -> str | None:
    """A reference that leads back to itself; None where there is none."""
    leads: dict[str, set[str]] = {}
    for part in parts_of(schema):
        reference = part.schema.get("$ref")
        if isinstance(reference, str) and reference.startswith("#"):
            leads.setdefault(f"#{part.pointer}", set()).add(reference)
    reached = sorted({each for ends in leads.values() for each in ends})
    return next((each for each in reached if _returns(each, leads)), None)


def _returns(start: str, leads: dict[str, set[str]]) -> bool:
    pending, seen = [start], set[str]()
    while pending:
        place = pending.pop()
        for origin, ends in leads.items():
            if origin == place or origin.startswith(f"{place}/"):
                if start in ends:
                    return True
                pending.extend(ends - seen)
                seen |= ends
    return False


_STEP: Final[JsonObject] = {"type": "string", "description": "What is wished for."}


def _wish(inner: JsonObject) -> JsonObject:
    return {**closed({"step": _STEP, "then": inner}, "step", "then"), "description": "A wish, and what follows it."}


_AGAIN: Final[JsonObject] = {
    "anyOf": [{"$ref": "#/$defs/Wish"}, {"type": "null"}],
    "description": "The next wish, if there is one.",
}

RULE: Final = Rule(
    code="PRO124",
    name="anthropic-reference",
    severity=Severity.ERROR,
    profile=ANTHROPIC,
    what="A schema of inputs contains itself, or refers to another document, which Anthropic's strict mode refuses.",
    why="The request is refused with all tools in it.",
    fix="Write out as many levels as are needed, keep definitions in the schema, or do not make the tool strict.",
    source=ANTHROPIC_SOURCE,
    bad=with_portable(
        {"wish": {"step": "tea", "then": None}}, {"$defs": {"Wish": _wish(_AGAIN)}}, wish={"$ref": "#/$defs/Wish"}
    ),
    good=with_portable(
        {"wish": {"step": "tea", "then": "bed"}}, {"$defs": {"Wish": _wish(_STEP)}}, wish={"$ref": "#/$defs/Wish"}
    ),
    check=check,
)
