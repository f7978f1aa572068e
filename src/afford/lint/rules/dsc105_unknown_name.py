"""A description with a name that nothing in the catalog has."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from typing import Final

from afford.lint.prose import at
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.rules import dsc117_names_no_operation
from afford.lint.samples import BOOK, with_change
from afford.lint.target import Origin, Target
from afford.lint.vocabulary import PROTOCOL, Vocabulary, vocabulary

_NAME: Final = re.compile(r"(?<![\w./:@\\$%#<{\[(*-])`?([a-z][a-z0-9]*(?:_[a-z0-9]+)+)(?![\w/@\\:=({\[*-]|\.\w)")
"""Lower case with underscores; parts of paths, addresses, files and code are left alone."""
_ANSWERED: Final = re.compile(
    r"\b(?:refused|refuses|fail(?:s|ed|ure)?|rejected|answers?|answered|errors?|codes?|status|state|reason|becomes?|"
    r"marked|flagged|tagged)(?: (?:with|as|is|are|of|be|by|to|becomes?|code|error|the|an?))*[ `\"':]*$",
    re.IGNORECASE,
)
"""How a sentence goes on with a value that an answer or a refusal may have."""
_OWN: Final = "afford_"
"""How the tools begin that the server adds itself."""


def check(found: Target) -> Iterator[Finding]:
    """Names with an underscore that are no operation, field, value or code, and that do not read as an operation."""
    known = vocabulary(found)
    is_ours = found.origin in {Origin.APP, Origin.CATALOG}
    prose = {prose.subject.rpartition(":")[2] for prose in found.prose}
    for item in found.operations:
        dangling = {place for place, _ in dsc117_names_no_operation.dangling(item, known)}
        for match in _NAME.finditer(item.description):
            name, place = match.group(1), match.span(1)
            if place in dangling or _ANSWERED.search(item.description, 0, match.start()):
                continue
            if not _is_known(name, known, prose) and (is_ours or _is_drifted(name, known)):
                yield at(item, place, f"nothing in the catalog is called `{name}`")


def _is_known(name: str, known: Vocabulary, prose: set[str]) -> bool:
    if name.startswith(_OWN) or name in prose or name in PROTOCOL:
        return True
    return any(name in names for names in (known.operations, known.inputs, known.outputs, known.values))


def _is_drifted(name: str, known: Vocabulary) -> bool:
    """Whether it resembles a name that exists: other people's tools also speak of what lies outside of them."""
    return bool(difflib.get_close_matches(name, sorted(known.inputs | known.outputs | known.operations), 1, 0.75))


RULE: Final = Rule(
    code="DSC105",
    name="unknown-name",
    severity=Severity.WARNING,
    what="A description has a name in it that nothing in the catalog has.",
    why="It is a field or an operation that was called so once; an assistant sends it, and the call is refused.",
    fix="Say it in words, or use the name that exists.",
    source="house style checklist, items 2 and 16",
    bad=with_change("book_room", description=f"{BOOK.description} What was agreed is kept as guest_note."),
    good=with_change("book_room", description=f"{BOOK.description} What was agreed is kept as a note of the guest."),
    check=check,
)
