"""A description that sends the reader to an operation that does not exist."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from afford.lint.prose import at
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import BOOK, with_change
from afford.lint.target import Described, Target
from afford.lint.vocabulary import PROTOCOL, Vocabulary, is_compound, vocabulary

_SNAKE: Final = r"([a-z][a-z0-9]*(?:_[a-z0-9]+)+)"
_NAME: Final = r"([A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+|[a-z]+[0-9]*(?:[A-Z][a-z0-9]+)+)"
"""In backticks; outside of them a name like `iPhone` is a brand."""
_END: Final = r"(?![\w/@\\:=.-]*[\w/@\\=-])"
_SENT_TO: Final = re.compile(
    rf"\b(?:[Cc]all|[Ii]nvoke|calling|invoking)\s+(?:the\s+)?(?:`{_NAME}`|{_SNAKE}){_END}"
    rf"|\b(?i:use|run|see|try|then|via)\s+(?:the\s+)?`{_NAME}`(?:\(\))?(?=[\s.,;)]|$)"
    rf"|`{_NAME}`\s+(?:tool|operation|query|action|verb)\b|(?<![\w`]){_SNAKE}\s+(?:tool|operation|verb)\b"
    rf"|`{_NAME}`\s+(?:returns|lists|has the|shows|gives|undoes|takes it back|cancels|confirms)\b",
)


def check(found: Target) -> Iterator[Finding]:
    """Compound names in a place where only an operation can stand."""
    known = vocabulary(found)
    for item in found.operations:
        for place, name in dangling(item, known):
            yield at(item, place, f"there is no operation `{name}`")


def dangling(item: Described, known: Vocabulary) -> Iterator[tuple[tuple[int, int], str]]:
    """Place and name of each operation that a description sends to and that does not exist."""
    for match in _SENT_TO.finditer(item.description):
        group = match.lastindex or 0
        name = match.group(group)
        others = (known.operations, known.inputs, known.outputs, known.values, PROTOCOL)
        is_known = any(name in names for names in others)
        is_prefixed = any(operation.endswith(f"_{name}") for operation in known.operations)
        if is_compound(name) and not name.startswith("afford_") and not is_known and not is_prefixed:
            yield match.span(group), name


RULE: Final = Rule(
    code="DSC117",
    name="names-no-operation",
    severity=Severity.ERROR,
    what="A description sends the reader to an operation that does not exist.",
    why="An assistant calls it, is told that there is no such operation, and has no way on.",
    fix="Name the operation that is meant, or take the sentence out.",
    source="house style checklist, item 6",
    bad=with_change("book_room", description=f"{BOOK.description} Call `send_voucher` for the voucher."),
    good=with_change("book_room", description=f"{BOOK.description} Call `hotel_detail` for the address."),
    check=check,
)
