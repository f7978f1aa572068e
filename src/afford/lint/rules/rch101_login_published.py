"""A row for everybody that holds what its owner logs in with."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from afford.lint.identifiers import is_login
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import with_output_of
from afford.lint.schemas import places
from afford.lint.target import Target


def check(found: Target) -> Iterator[Finding]:
    """Answers of published reach, at any depth; the public address of a shop is none."""
    for item in found.operations:
        root = item.output_schema or {}
        for place in places(item.output_schema) if item.reach == "published" else ():
            if is_login(place, root):
                message = f"`{place.name}` shows everybody what somebody logs in with"
                yield Finding(subject=item.name, message=message, pointer=f"/output_schema{place.pointer}")


RULE: Final = Rule(
    code="RCH101",
    name="login-published",
    severity=Severity.ERROR,
    what="Rows that everybody may read hold an e-mail address, a telephone number or a login of their owner.",
    why="What accounts authenticate with must not be readable by everybody who can register.",
    fix="Name the owner by a pseudonym that is stable and says nothing; where it is a shop's own, say so in a reason.",
    source="house style checklist, item 13",
    bad=with_output_of("published", "owner_email", "ada@bosphorus.co"),
    good=with_output_of("published", "owner_alias", "heron-41"),
    check=check,
)
