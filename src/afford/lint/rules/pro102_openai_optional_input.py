"""An input that may be left out, where OpenAI wants all of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from afford.lint.providers import OPENAI, OPENAI_SOURCE, inputs_finding, optional_of, parts_of
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import with_portable
from afford.lint.target import Target

_SHOWN: Final = 5


def check(found: Target) -> Iterator[Finding]:
    """Members of objects anywhere in the inputs that are not in `required`."""
    for item in found.operations:
        optional = [(name, part.pointer) for part in parts_of(item.input_schema) for name in optional_of(part.schema)]
        if optional:
            names = ", ".join(f"`{name}`" for name, _ in optional[:_SHOWN])
            more = f" and {len(optional) - _SHOWN} more" if len(optional) > _SHOWN else ""
            message = f"OpenAI refuses inputs that are not required in its strict mode: {names}{more}"
            yield inputs_finding(item, message, optional[0][1])


RULE: Final = Rule(
    code="PRO102",
    name="openai-optional-input",
    severity=Severity.ERROR,
    profile=OPENAI,
    what="An input is not required, which OpenAI's strict mode refuses.",
    why="The request is refused with all tools in it; clients that mend it make a model send a value for everything.",
    fix="Require every input, and let those that may be left out be null as well.",
    source=OPENAI_SOURCE,
    bad=with_portable({}, {"required": ["check_in", "property_id"]}),
    good=with_portable({"wish": None}, wish={"type": ["string", "null"], "description": "What the guest would like."}),
    check=check,
)
