"""A target from a schema catalog: a JSON object of `queries` and `actions`."""

from __future__ import annotations

import re
from typing import Final

from afford.declare.vocabulary import Paging
from afford.errors import JsonObject, JsonValue
from afford.lint.target import Described, Origin, Pages, Target
from afford.lint.targets.members import object_of, objects_of, text_of
from afford.surfaces.wire import http_page_sentences


def is_catalog(document: JsonValue) -> bool:
    """Whether it has the two lists that make a schema catalog."""
    return isinstance(document, dict) and all(isinstance(document.get(part), list) for part in ("queries", "actions"))


def from_schema_catalog(document: JsonObject, name: str) -> Target:
    """The target that a schema catalog describes.

    Args:
        document: the catalog; what is malformed in a descriptor counts as not said.
        name: what to call it.
    """
    described = [_described(item, reads=part == "queries") for part in _PARTS for item in objects_of(document, part)]
    ordered = sorted(described, key=lambda item: item.name)
    return Target(origin=Origin.CATALOG, name=name, operations=tuple(ordered))


_PARTS: Final = ("queries", "actions")
_SIZES: Final = (271828, 314159)
"""Numbers that stand for the page sizes while the pattern below is made."""
_PAGES: Final = re.compile(
    re.escape(http_page_sentences(Paging(default=_SIZES[0], max=_SIZES[1])))
    .replace(str(_SIZES[0]), r"(\d+)")
    .replace(str(_SIZES[1]), r"(\d+)")
)
"""The sentences that afford's servers add; no author wrote them."""


def _described(item: JsonObject, *, reads: bool) -> Described:
    served = text_of(item, "description")
    written, pages = _without_pages(served)
    return Described(
        name=text_of(item, "name"),
        title=text_of(item, "title"),
        description=written,
        served=served,
        reads=reads,
        input_schema=object_of(item, "input_schema"),
        output_schema=object_of(item, "output_schema"),
        safety=text_of(item, "safety") or None,
        risk=text_of(item, "risk") or None,
        reach=text_of(item, "reach") or None,
        pages=pages,
        example_params=object_of(item, "example_params"),
        example_row=item.get("example_row"),
        raw=item,
    )


def _without_pages(served: str) -> tuple[str, Pages | None]:
    """What the author wrote, and the page sizes where the server says them."""
    found = _PAGES.search(served)
    if found is None:
        return served, None
    written = f"{served[: found.start()].rstrip()} {served[found.end() :].lstrip()}".strip()
    return written, Pages(default=int(found[1]), most=int(found[2]), is_written=True)
