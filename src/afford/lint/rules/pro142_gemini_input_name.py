"""A name that Gemini does not take."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from afford.errors import JsonObject
from afford.lint.providers import GEMINI, GEMINI_SOURCE, inputs_finding
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import with_portable
from afford.lint.schemas import escaped
from afford.lint.target import Target

_TAKEN: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")
_START: Final = re.compile(r"[A-Za-z_]")


def check(found: Target) -> Iterator[Finding]:
    """Inputs at the top, and how names of operations begin."""
    for item in found.operations:
        if item.name and not _START.match(item.name):
            yield Finding(subject=item.name, message=f"Gemini takes no name that begins like `{item.name}`")
        for name in item.inputs:
            if not _TAKEN.fullmatch(name):
                message = (
                    f"Gemini takes no input called `{name}`: a letter or `_`, then letters, digits and `_`, 64 in all"
                )
                yield inputs_finding(item, message, f"/properties/{escaped(name)}")


_WISH: Final[JsonObject] = {"type": "string", "description": "What the guest would like."}

RULE: Final = Rule(
    code="PRO142",
    name="gemini-input-name",
    severity=Severity.ERROR,
    profile=GEMINI,
    what="An input or an operation has a name that Gemini does not take.",
    why="The request is refused with all tools in it.",
    fix="Name it with letters of English, digits and `_`, and begin with a letter.",
    source=f"{GEMINI_SOURCE}: name, parameters",
    bad=with_portable({"guest.wish": "tea"}, **{"guest.wish": _WISH}),
    good=with_portable({"guest_wish": "tea"}, guest_wish=_WISH),
    check=check,
)
