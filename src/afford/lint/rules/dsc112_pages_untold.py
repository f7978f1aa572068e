"""An operation that answers in pages, with a description that does not say so, or not how to get the rest."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from afford.lint.prose import about, may_judge
from afford.lint.rule import Finding, Rule, Severity
from afford.lint.samples import SEARCH, with_change
from afford.lint.schemas import places
from afford.lint.target import Described, Origin, Pages, Target

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
_PAGES: Final = Pages(default=20, most=50)
_LOOP: Final = (
    'An answer is one page of a larger set: fetch the `Link` with rel="next", and keep going until there is no such '
    "link."
)


def check(found: Target) -> Iterator[Finding]:
    """Only where the target says that it pages, and the server does not write the sentences itself."""
    for item in found.operations:
        if item.pages is None or item.pages.is_written or not may_judge(item):
            continue
        said = _said(item, found.origin)
        if not _PAGE.search(said):
            yield about(item, "it answers in pages, and the description does not say so")
        elif not (_NEXT.search(said) and _END.search(said)):
            yield about(item, "it answers in pages, and the description does not say how to read to the end")


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
    what="A description does not say that the answer is one page, or not how to read the others.",
    why="An assistant that takes a page for the whole list acts on a truncated answer.",
    fix="Say that it is a page of a larger set, how to get the next one, and what tells that there is none.",
    source="house style checklist, item 3",
    bad=with_change("search_hotels", pages=_PAGES),
    good=with_change("search_hotels", pages=_PAGES, description=f"{SEARCH.description} {_LOOP}"),
    check=check,
)
