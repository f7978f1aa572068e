"""The closed words an author may use, and the small values that group options."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Literal, TypeAlias


class Kind(StrEnum):
    """What an operation is: it reads (`query`, `static`) or it writes (`action`, `event`)."""

    QUERY = "query"
    STATIC = "static"
    """A query without inputs whose answer is computed once per catalog epoch and cached."""
    ACTION = "action"
    EVENT = "event"
    """An action without a result, answered when it ran."""

    @property
    def reads(self) -> bool:
        """Whether it is served by `GET` and listed under queries."""
        return self in _READING


# Beside the class: inside, each member would be looked up by the metaclass, at every call.
_READING: Final = (Kind.QUERY, Kind.STATIC)


class Safety(StrEnum):
    """What calling does to the world."""

    READ = "read"
    ACTION = "action"
    DESTRUCTIVE = "destructive"


class Risk(StrEnum):
    """Blast radius of a call, for policies and for people who confirm."""

    LOW = "low"
    MID = "mid"
    HIGH = "high"


class Reach(StrEnum):
    """Whose rows an operation returns."""

    PRINCIPAL = "principal"
    """The caller's own rows, and rows that belong to nobody."""
    PUBLISHED = "published"
    """Rows with owners, shown to everybody by intent."""
    CONSENTED = "consented"
    """Rows that somebody shared with the caller, with an artefact that says so."""
    ROLE = "role"
    """Rows of others for callers with a granted role; everybody else gets their own."""


RiskWord: TypeAlias = Literal["low", "mid", "high"]
SafetyWord: TypeAlias = Literal["read", "action", "destructive"]
ReachWord: TypeAlias = Literal["principal", "published", "consented", "role"]
SurfaceWord: TypeAlias = Literal["http", "mcp", "webmcp", "cli"]
ScreenType: TypeAlias = Literal["dashboard", "list", "detail", "form", "custom"]


class DocMarker:
    """The type of `DOC`."""

    def __repr__(self) -> str:
        return "DOC"


DOC: Final = DocMarker()
"""`description=DOC` takes the docstring's first paragraph, by explicit choice; a docstring alone exposes nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Agent:
    """What agents are told about an operation, where it differs from what everybody is told."""

    expose: bool | None = None
    """Whether agents may see it at all; None: they may when it has a description."""
    title: str | None = None
    description: str | None = None
    """The text for agents; None: the operation's own."""
    surfaces: Iterable[SurfaceWord] | None = None
    """The surfaces agents may reach it through; None: all of them."""
    tags: Iterable[str] = ()
    idempotent: bool | None = None
    """Whether repeating a call with equal arguments changes nothing more; None: reads yes, writes no."""
    open_world: bool | None = None
    """Whether it touches things outside the application; None: no."""
    risk: RiskWord | None = None
    safety: SafetyWord | None = None


@dataclass(frozen=True, slots=True)
class Example:
    """One call that works, with one row (or result) of its answer. It illustrates; the schemas decide."""

    params: Mapping[str, object]
    row: object = None
    """One element of a query's answer, or an action's result; a model, a dataclass or plain JSON."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Paging:
    """How a paging query is sized: rows without a `limit`, and the most that one page may hold."""

    default: int = 20
    max: int = 100
