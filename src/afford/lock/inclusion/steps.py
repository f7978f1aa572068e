"""`Inner`: from a value to one inside it, on both sides of a comparison."""

from __future__ import annotations

from dataclasses import dataclass

from afford.lock.inclusion.documents import Part


@dataclass(frozen=True, slots=True)
class Inner:
    """One member or item, with what each side asks of it."""

    parts: tuple[Part, ...]
    """Of the left side; none: anything may stand there."""
    target: Part
    steps: tuple[str, ...]
    """Of a JSON pointer, from the schema of the whole to that of the inner value."""
    where: str | int
    """Name or position of a value that stands there."""
