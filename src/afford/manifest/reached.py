"""Which entities a set of operations is about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from afford.catalog.model import Entity
from afford.catalog.operation import Operation


def reached_entities(operations: Iterable[Operation], entities: Mapping[str, Entity]) -> list[str]:
    """Names of the entities that the operations are about, and of those these refer to directly; sorted."""
    named = {item.entity for item in operations if item.entity is not None}
    return sorted(named | {other for name in named for other in entities[name].references})
