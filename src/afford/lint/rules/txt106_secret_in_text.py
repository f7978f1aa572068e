"""A text that a model reads, with a secret in it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from afford.lint.passages import passages
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import SEARCH, with_change
from afford.lint.secrets import secrets_in
from afford.lint.target import Target


def check(found: Target) -> Iterator[Finding]:
    """Shapes that only secrets have, anywhere but in the examples of an operation, which have a rule of their own."""
    for passage in passages(found):
        for span in secrets_in(passage.text):
            for subject, pointer in passage.places:
                if not pointer.startswith("/example_"):
                    message, marked = "the text holds a secret", span if pointer else None
                    yield Finding(subject=subject, message=message, pointer=pointer, span=marked)


RULE: Final = Rule(
    code="TXT106",
    name="secret-in-text",
    severity=Severity.ERROR,
    what="A text holds something that has the form of a secret.",
    why="Everybody who can read the catalog can use it, and it is repeated in every conversation.",
    fix="Take it out and revoke it.",
    source="secrets in published texts",
    bad=with_change("search_hotels", description=f"{SEARCH.description} Testers use AKIA{'Q' * 16} for it."),
    good=with_change("search_hotels", description=f"{SEARCH.description} Testers use a key of their own for it."),
    check=check,
)
