"""An example that holds a secret."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from afford.lint.examples import leaves
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import with_change
from afford.lint.secrets import secrets_in
from afford.lint.target import Target


def check(found: Target) -> Iterator[Finding]:
    """Shapes that only secrets have."""
    for item in found.operations:
        for leaf in leaves(item):
            for span in secrets_in(leaf.value) if isinstance(leaf.value, str) else ():
                message = "the example holds a secret"
                yield Finding(subject=item.name, message=message, pointer=leaf.pointer, span=span)


RULE: Final = Rule(
    code="EXM106",
    name="secret-in-example",
    severity=Severity.ERROR,
    what="An example holds something that has the form of a secret.",
    why="Examples are published to everybody who can read the catalog.",
    fix="Take it out and revoke it.",
    source="secrets in published examples",
    bad=with_change("book_room", example_row={"booking_id": "AKIA" + "Q" * 16}),
    good=with_change("book_room", example_row={"booking_id": "AKIA-QUIET-ROOM"}),
    check=check,
)
