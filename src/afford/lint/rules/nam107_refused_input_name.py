"""The name of an input that providers refuse."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import with_input
from afford.lint.schemas import escaped
from afford.lint.target import Origin, Target

_TAKEN: Final = re.compile(r"[a-zA-Z0-9_.-]{1,64}")


def check(found: Target) -> Iterator[Finding]:
    """Inputs at the top, which is where providers look."""
    for item in found.operations:
        for name in item.inputs:
            if not _TAKEN.fullmatch(name):
                message = f"providers refuse the input `{name}`: they take 1 to 64 letters, digits, `_`, `-` and `.`"
                yield Finding(subject=item.name, message=message, pointer=f"/input_schema/properties/{escaped(name)}")


RULE: Final = Rule(
    code="NAM107",
    name="refused-input-name",
    severity=Severity.ERROR,
    by_origin={Origin.OPENAPI: Severity.WARNING},
    what="An input has a name that the APIs of providers refuse.",
    why="One such name makes the provider refuse the request with all tools of all servers in it.",
    fix="Rename the input to match `^[a-zA-Z0-9_.-]{1,64}$`, and translate it where the other name is needed.",
    source="Anthropic Messages API and Amazon Bedrock: property keys match `^[a-zA-Z0-9_.-]{1,64}$`",
    bad=with_input("book_room", "wishes[]", {"type": "string", "description": "What the guest would like."}),
    good=with_input("book_room", "guest.wishes", {"type": "string", "description": "What the guest would like."}),
    check=check,
)
