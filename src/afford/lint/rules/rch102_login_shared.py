"""A row shared with some that holds what its owner logs in with."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from afford.lint.identifiers import is_login, is_of_an_owner
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import with_output_of
from afford.lint.schemas import places
from afford.lint.target import Target


def check(found: Target) -> Iterator[Finding]:
    """Answers of consented reach; who was given a role over the rows of others needs to reach them, and may."""
    for item in found.operations:
        root = item.output_schema or {}
        for place in places(item.output_schema) if item.reach == "consented" else ():
            if is_login(place, root) and is_of_an_owner(place):
                message = f"`{place.name}` shows others what somebody logs in with"
                yield Finding(subject=item.name, message=message, pointer=f"/output_schema{place.pointer}")


RULE: Final = Rule(
    code="RCH102",
    name="login-shared",
    severity=Severity.WARNING,
    what="Rows that somebody shared hold an e-mail address, a telephone number or a login of their owner.",
    why="Who shared a row agreed to show the row, and hardly what the account authenticates with.",
    fix="Name the owner by a pseudonym, or say in a reason that the address itself is what was shared.",
    source="house style checklist, item 13",
    bad=with_output_of("consented", "owner_email", "ada@bosphorus.co"),
    good=with_output_of("consented", "owner_alias", "heron-41"),
    check=check,
)
