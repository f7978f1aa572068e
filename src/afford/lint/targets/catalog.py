"""A target from a schema catalog: a JSON object of `queries` and `actions`."""

from __future__ import annotations

from typing import Final

from afford.errors import JsonObject, JsonValue
from afford.lint.target import Described, Origin, Target
from afford.lint.targets.members import object_of, objects_of, text_of
from afford.lint.targets.paging import without_pages


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


def _described(item: JsonObject, *, reads: bool) -> Described:
    served = text_of(item, "description")
    written, pages = without_pages(served)
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
