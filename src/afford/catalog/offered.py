"""`Offered`: what a tool that shows the caller its surroundings may look at."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from afford.catalog.model import Resource, Screen


class Offered(Protocol):
    """What one caller is offered beside operations; a manifest is one. Injected by this type."""

    @property
    def screens(self) -> tuple[Screen, ...]:
        """Screens the caller may open."""
        ...

    @property
    def states(self) -> Mapping[str, Resource]:
        """Keys of the shared state that the caller may read, sorted, each with its declaration."""
        ...
