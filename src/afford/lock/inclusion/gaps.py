"""`Flaw` and `Gap`: why a schema is not known to accept what another accepts, at one place."""

from __future__ import annotations

from dataclasses import dataclass

from afford.errors import JsonValue


@dataclass(frozen=True, slots=True, kw_only=True)
class Flaw:
    """A keyword of the right schema that the left one does not imply."""

    keyword: str
    left: JsonValue = None
    """What the left schema says of it; None: nothing."""
    right: JsonValue = None
    member: str | None = None
    """The property that it is about."""
    reason: str = ""
    """Why nobody can tell; empty: the keyword is understood, and not implied."""
    values: tuple[JsonValue, ...] = ()
    """Values that may show it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """A place at which the left schema may accept what the right one refuses."""

    at: tuple[str, ...]
    """Steps of a JSON pointer into the schemas, as if every reference were replaced by what it names."""
    flaw: Flaw
    is_shown: bool = False
    """Whether there is a witness."""
    witness: JsonValue = None
    """A whole value that the left schema accepts and the right one refuses."""
