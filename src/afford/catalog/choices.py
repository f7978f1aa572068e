"""Members of derived closed sets: what a loader answered, checked."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Iterable
from typing import Final, cast

from afford.catalog.model import Catalog, with_choices

_log: Final = logging.getLogger("afford.choices")


def closed_set(members: Iterable[str]) -> tuple[str, ...]:
    """The members, sorted and each once.

    Raises:
        ValueError: there are none, which would refuse every value.
        TypeError: one of them is not a string, or the answer is one string and no collection.
    """
    if isinstance(members, str):
        raise TypeError("the loader answered one string, which would be read as its letters")
    unique = set(members)
    if not unique:
        raise ValueError("the loader answered no members")
    if not all(isinstance(member, str) for member in unique):
        raise TypeError("the loader answered members that are not strings")
    return tuple(sorted(unique))


def with_ready_choices(catalog: Catalog) -> Catalog:
    """The catalog with the sets whose loaders are plain functions; a loader that fails is logged and left out."""
    members: dict[int, tuple[str, ...]] = {}
    for marker in catalog.choices:
        if inspect.iscoroutinefunction(marker.load):
            continue
        try:
            answer = marker.load()
            if inspect.iscoroutine(answer):
                answer.close()
                continue
            members[id(marker.load)] = closed_set(cast("Iterable[str]", answer))
        except Exception:  # noqa: BLE001 - data that is away must not stop a build
            _log.exception("a closed set of choices could not be loaded; what needs it is not offered until it can")
    return with_choices(catalog, members) if members else catalog
