"""Entities, screens and navigation: what an application is about, and where its people find it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from afford.declare.vocabulary import Agent


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityDeclaration:
    """A domain type, under its raw name."""

    name: str
    model: type
    description: str | None
    feature: str
    location: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreenDeclaration:
    """A place in the user interface. Visible unless opted out; never an operation."""

    id: str
    type: object
    path: str | None
    description: str | None
    panels: tuple[object, ...]
    access: object
    agent: Agent | Mapping[str, object] | None
    entity: str | None
    feature: str
    location: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NavDeclaration:
    """A navigation entry; it leaves the manifest with its screen."""

    id: str
    label: str
    screen: str | None
    parent: str | None
    access: object
    feature: str
    location: str | None
