"""Telling what an author wrote from the sentences about pages that afford's servers add."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from afford.declare.vocabulary import Paging
from afford.lint.target import Form, Pages
from afford.surfaces.mcp.project import mcp_page_sentences
from afford.surfaces.wire import http_page_sentences

_SIZES: Final = (271828, 314159)
"""Numbers that stand for the page sizes while a pattern is made."""


def _pattern(sentences: Callable[[Paging], str]) -> re.Pattern[str]:
    text = re.escape(sentences(Paging(default=_SIZES[0], max=_SIZES[1])))
    for size in _SIZES:
        text = text.replace(str(size), r"(\d+)")
    return re.compile(text)


_WRITTEN: Final = ((Form.LINK, _pattern(http_page_sentences)), (Form.CURSOR, _pattern(mcp_page_sentences)))


def without_pages(served: str) -> tuple[str, Pages | None]:
    """What the author wrote, and the pages where the server writes about them; None where it does not."""
    for form, pattern in _WRITTEN:
        found = pattern.search(served)
        if found is not None:
            written = f"{served[: found.start()].rstrip()} {served[found.end() :].lstrip()}".strip()
            return written, Pages(default=int(found[1]), most=int(found[2]), form=form, is_written=True)
    return served, None
