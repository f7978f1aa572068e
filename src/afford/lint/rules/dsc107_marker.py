"""A description that says which inputs are required or optional."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from afford.lint.prose import at
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import SEARCH, with_change
from afford.lint.target import Described, Target
from afford.lint.vocabulary import is_compound, single_inputs

_MARK: Final = r"(?:optional|required|mandatory)(?![\w-])"
_WORD: Final = re.compile(r"optional|required|mandatory", re.IGNORECASE)
_INPUT: Final = r"(?:filters?|parameters?|params?|arguments?|args?|inputs?)"
_TYPE: Final = r"(?:string|integer|int|number|float|bool(?:ean)?|array|list|object|str|uuid|date)"
_IS: Final = r"(?:is|are)\s+(?:an?\s+\w+\s+and\s+)?(?:\w+\s+)?"
_MARKER: Final = re.compile(
    rf"(?<![\w-])(?:{_MARK}\s+(?:\w+\s+)?{_INPUT}\b|{_MARK}\s+fields?(?=:)|{_INPUT}\s+{_IS}{_MARK})"
    rf"|\((?:{_TYPE},\s*)?{_MARK}(?:,[^()\n]*)?\)",
    re.IGNORECASE,
)


def check(found: Target) -> Iterator[Finding]:
    """Markers about inputs; "payment is required first" and "licence-required" are the service's own business."""
    for item in found.operations:
        # A pattern of its own for each operation is dear to compile, and finds nothing without one of the words.
        if _WORD.search(item.description) is None:
            continue
        for match in _pattern(item).finditer(item.description):
            yield at(item, match.span(), f"`{match.group()}` repeats what the schema's `required` says")


def _pattern(item: Described) -> re.Pattern[str]:
    patterns = [_MARKER.pattern]
    own = "|".join(sorted(single_inputs(item)))
    if own:
        patterns.append(rf"(?:^|(?<=[.\n] )|(?<=\n))(?:required|optional|mandatory): (?:{own})\b")
        determiner = r"(?<!the )(?<!an )(?<!a )"
        patterns.append(rf"{determiner}(?<![\w-])(?:{own}) (?:is|are) (?:optional|mandatory)(?![\w-])")
    certain = "|".join(re.escape(name) for name in sorted(item.inputs) if is_compound(name))
    names = [r"`[a-z]\w*`", *([rf"\b(?:{certain})"] if certain else [])]
    patterns.append(rf"(?:{'|'.join(names)})\s+{_IS}{_MARK}")
    return re.compile("|".join(patterns), re.IGNORECASE)


RULE: Final = Rule(
    code="DSC107",
    name="marker",
    severity=Severity.WARNING,
    what="A description says what is required or optional.",
    why="The schema's `required` says it where it is checked; in prose it is duplication, and duplication drifts.",
    fix="Take it out; say what a call without any of it means, where that is not plain.",
    source="house style checklist, item 2",
    bad=with_change("search_hotels", description=f"{SEARCH.description} Every filter is optional."),
    good=with_change("search_hotels", description=f"{SEARCH.description} Hotels are licence-required here."),
    check=check,
)
