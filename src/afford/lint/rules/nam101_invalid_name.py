"""A name that the protocol does not allow."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import with_change
from afford.lint.target import Origin, Target

MOST: Final = 128
"""Characters of a tool's name."""
_OTHER: Final = re.compile(r"[^A-Za-z0-9_.-]")


def check(found: Target) -> Iterator[Finding]:
    """Names by the characters and the length that the specification gives."""
    for item in found.operations:
        wrong = _OTHER.search(item.name)
        if not item.name:
            yield Finding(subject=item.name, message="an operation has no name")
        elif wrong is not None:
            message = f"the name has `{wrong.group()}`, and is made of letters of English, digits, `_`, `-` and `.`"
            yield Finding(subject=item.name, message=message)
        elif len(item.name) > MOST:
            yield Finding(subject=item.name, message=f"the name has {len(item.name)} characters, over {MOST}")


RULE: Final = Rule(
    code="NAM101",
    name="invalid-name",
    severity=Severity.ERROR,
    by_origin={Origin.OPENAPI: Severity.WARNING},
    what="A name has characters or a length that MCP does not allow.",
    why="Providers refuse the whole list of tools for one such name, and clients drop or rename the tool.",
    fix="Name it with 1 to 128 letters, digits, `_`, `-` and `.`; in an OpenAPI document that is its `operationId`.",
    source='MCP specification, "Tools", "Tool Names"',
    bad=with_change("search_hotels", name="search hotels!"),
    good=with_change("search_hotels", name="search_hotels-2.0"),
    check=check,
)
