"""A name that says nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from afford.lint.naming import parts
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import with_change
from afford.lint.target import Target

_EMPTY: Final = frozenset(
    (
        *("action", "api", "bar", "baz", "call", "default", "do", "endpoint", "exec", "execute", "foo", "func"),
        *("function", "handle", "handler", "helper", "invoke", "main", "method", "misc", "my", "new", "operation"),
        *("perform", "process", "request", "route", "run", "runner", "stuff", "temp", "thing", "tmp", "tool", "tools"),
        *("unnamed", "untitled", "util", "utility", "utils", "wrapper"),
    )
)
"""Words that any operation could be called by; `search`, `fetch`, `query` and `ping` say what happens."""


def check(found: Target) -> Iterator[Finding]:
    """Names of which no word says anything."""
    for item in found.operations:
        words = parts(item.name)
        if words and all(word in _EMPTY or word.isdigit() for word in words):
            yield Finding(subject=item.name, message=f"`{item.name}` could be the name of any operation")


RULE: Final = Rule(
    code="NAM104",
    name="vague-name",
    severity=Severity.WARNING,
    what="A name does not say what the operation does, or to what.",
    why="Names are read first, and clients that defer tools search them: one that says nothing is not found.",
    fix="Name what is done and to what, such as `search_hotels`.",
    source="selection follows names first; measurements of tool selection",
    bad=with_change("search_hotels", name="run_tool_2"),
    good=with_change("search_hotels", name="search"),
    check=check,
)
