"""An operation that answers in pages, with a description that does not say so, or not how to get the rest."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from afford.lint.answers import SIZING
from afford.lint.fields import snake
from afford.lint.prose import about, may_judge
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import SEARCH, with_change
from afford.lint.schemas import places
from afford.lint.target import ELSEWHERE, Described, Origin, Pages, Target
from afford.lint.vocabulary import RESERVED

_PAGE: Final = re.compile(
    r"\bpages?\b|\bpaginat|\bpaged\b|\bcursors?\b|rel=\W?next|\bnext (?:link|url|uri)|\bLink\b header|"
    r"\bmore (?:rows|results|items|follow|match)|\boffset\b|\btruncated\b",
    re.IGNORECASE,
)
_NEXT: Final = re.compile(r"\bnext\b|\bcursor|next_|\bLink\b|\bfollowing page|\boffset\b", re.IGNORECASE)
_END: Final = re.compile(
    r"\b(?:until|while|as long as|keep|repeat|continue|again|absen(?:t|ce)|no such|no more|no further|missing|"
    r"null|empty|last page|without|stop|done|end|remain\w*)\b",
    re.IGNORECASE,
)
_PAGED: Final = re.compile(
    r"\b(?:results?|rows|answers?|lists?|it|output|responses?) (?:is|are|come|comes) (?:paged|in pages)\b|"
    r"\bpaginat(?:ed|ion)\b|\bper page\b|\bpage[ -]size\b|rel=\W?next|"
    r"\b(?:a|one) page of (?:the )?(?:results|rows|match\w+|a larger|larger|answers)\b",
    re.IGNORECASE,
)
"""What is said of answers only; books and letters have pages, too."""
_STEPS: Final = frozenset({"start", "offset", "page", "cursor", "skip", "index", "after", "before", "token", "next"})
"""Words in the names of inputs that other people's servers page by."""
_SIZE: Final = re.compile(
    r"\b(?:page|limit|rows|results|at a time|per page|at once|default\w*|up to|at most)\b[^.;\n]*\d"
    r"|\d[^.;\n]*\b(?:page|limit|rows|results|at a time|per page|default\w*)\b",
    re.IGNORECASE,
)
_PAGES: Final = Pages(default=20, most=50)
_LOOP: Final = (
    'An answer is one page of a larger set: fetch the `Link` with rel="next", and keep going until there is no such '
    "link."
)


def check(found: Target) -> Iterator[Finding]:
    """Only where something says that it pages, and the server does not write the sentences itself."""
    for item in found.operations:
        is_written = item.pages is not None and item.pages.is_written
        if is_written or not may_judge(item) or not _is_paged(item, found.origin):
            continue
        said = _said(item, found.origin)
        if not _PAGE.search(said):
            yield about(item, "it answers in pages, and the description does not say so")
        elif not (_NEXT.search(said) and _END.search(said)):
            yield about(item, "it answers in pages, and the description does not say how to read to the end")
        elif found.origin is Origin.CATALOG and not _SIZE.search(said):
            yield about(item, "it answers in pages, and the description does not say how many rows one has")


def _is_paged(item: Described, origin: Origin) -> bool:
    """Whether it says that it pages, or its text or example does; a declared input for pages says the rest itself."""
    if item.pages is not None:
        return True
    if item.reads is False or SIZING & item.inputs.keys():
        return False
    if origin in ELSEWHERE and any(_STEPS & set(snake(name).split("_")) for name in item.inputs):
        return False
    told = str((item.output_schema or {}).get("description", ""))
    shown = origin is Origin.CATALOG and bool(RESERVED & (item.example_params or {}).keys())
    return shown or _PAGED.search(item.text) is not None or _PAGED.search(told) is not None


def _said(item: Described, origin: Origin) -> str:
    """What tells of pages. Where no name is reserved for paging, its inputs are declared, and may tell of it."""
    if origin in {Origin.APP, Origin.CATALOG}:
        return item.text
    schemas = (item.input_schema, item.output_schema)
    own = (place.schema.get("description") for schema in schemas for place in places(schema))
    return "\n".join([item.text, *(text for text in own if isinstance(text, str))])


RULE: Final = Rule(
    code="DSC112",
    name="pages-untold",
    severity=Severity.ERROR,
    what="A description does not say that the answer is one page, how large a page is, or how to read the others.",
    why="An assistant that takes a page for the whole list acts on a truncated answer.",
    fix="Say that it is a page of a larger set, how large a page is, how to get the next one, and when to stop.",
    source="house style checklist, items 3 and 4",
    bad=with_change("search_hotels", pages=_PAGES),
    good=with_change("search_hotels", pages=_PAGES, description=f"{SEARCH.description} {_LOOP}"),
    check=check,
)
