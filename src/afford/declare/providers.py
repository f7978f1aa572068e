"""Providers: how a value is made that handlers receive by its type."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum


class Scope(StrEnum):
    """How long a provided value lives."""

    CALL = "call"
    """One call; closed after the output was checked and encoded, and told whether the call succeeded."""
    APP = "app"
    """From the first use until the application stops."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderDeclaration:
    """One provider as declared."""

    type: object
    provider: Callable[..., object]
    scope: Scope
    location: str | None
