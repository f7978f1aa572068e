"""A catalog without an example where an assistant begins."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from afford.lint.answers import filters, is_list
from afford.lint.examples import has_example
from afford.lint.fields import is_identifier
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import BOOK, CANCEL, DETAIL, SEARCH
from afford.lint.target import SERVED_BY_US, Described, Origin, Target, target


def check(found: Target) -> Iterator[Finding]:
    """The searches, or all queries where none is one; and the actions that are not destructive."""
    queries = [item for item in found.operations if item.reads]
    searches = [item for item in queries if is_list(item) and not any(map(is_identifier, item.required))]
    actions = [item for item in found.operations if item.reads is False]
    doing = [item for item in actions if item.safety != "destructive"]
    yield from _missing(searches or queries, "query")
    yield from _missing(doing or actions, "action")


def _missing(candidates: Sequence[Described], kind: str) -> Iterator[Finding]:
    if candidates and not any(map(has_example, candidates)):
        primary = max(candidates, key=lambda item: (len(filters(item)), len(item.inputs), item.name))
        message = f"no {kind} that an assistant would begin with has an example"
        yield Finding(subject=primary.name, message=message)


def _without(one: Described) -> Target:
    bare = replace(one, example_params=None, example_row=None)
    return target(
        Origin.APP, *(bare if item is one else item for item in (SEARCH, DETAIL, BOOK, CANCEL)), name="hotels"
    )


RULE: Final = Rule(
    code="EXM104",
    name="no-example",
    severity=Severity.WARNING,
    what="No query, or no action, that an assistant would begin with has an example.",
    why="Examples raise the accuracy of calls with several inputs from 72 to 90 of 100, measured.",
    fix="Give it an example: inputs that work, and what they answer.",
    source="house style checklist, items 17 and 18",
    origins=SERVED_BY_US,
    bad=_without(SEARCH),
    good=_without(DETAIL),
    check=check,
)
