"""Who calls, and through which door.

A `Principal` is what authentication found; a `Caller` is the principal plus door and surface. The server makes
callers; neither is ever an argument of an operation. Knows nothing of operations.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Final

_NO_CLAIMS: Final[Mapping[str, object]] = MappingProxyType({})


class Door(StrEnum):
    """How the caller came in: as an agent, or as one of the application's own people and programs."""

    AGENT = "agent"
    """Exposure and confirmation apply."""
    APP = "app"
    """Access alone decides; agent credentials are refused."""


class Surface(StrEnum):
    """The projection a call came through."""

    HTTP = "http"
    MCP = "mcp"
    WEBMCP = "webmcp"
    CLI = "cli"


@dataclass(frozen=True, slots=True)
class Principal:
    """An authenticated identity.

    Roles are assigned by the operator and never requested; roles the app does not declare are dropped.
    """

    id: str
    """Stable identifier of the account; owner checks compare with it."""
    roles: frozenset[str] = frozenset()
    claims: Mapping[str, object] = field(default_factory=lambda: _NO_CLAIMS, hash=False)
    """What else the credential says, such as a tenant."""
    agent: bool = False
    """The credential itself belongs to an agent; the app door refuses it."""

    def __init__(
        self,
        id: str,
        roles: Iterable[str] = (),
        claims: Mapping[str, object] | None = None,
        *,
        agent: bool = False,
    ) -> None:
        """Freeze roles and claims; any iterable of role names will do.

        Raises:
            TypeError: `roles` is one string, which would be read as its letters.
        """
        if isinstance(roles, str):
            raise TypeError("roles must be a collection of role names, not one string")
        object.__setattr__(self, "id", id)
        object.__setattr__(self, "roles", frozenset(roles))
        object.__setattr__(self, "claims", MappingProxyType(dict(claims)) if claims else _NO_CLAIMS)
        object.__setattr__(self, "agent", agent)

    def limited_to(self, roles: frozenset[str]) -> Principal:
        """The same identity without roles that an application does not declare."""
        if self.roles <= roles:
            return self
        return Principal(self.id, self.roles & roles, self.claims, agent=self.agent)


@dataclass(frozen=True, slots=True)
class Caller:
    """Who is calling now: a principal (None: anonymous), a door and a surface."""

    principal: Principal | None = None
    door: Door = Door.AGENT
    surface: Surface = Surface.HTTP

    @property
    def id(self) -> str | None:
        """The principal's id, None when anonymous."""
        return None if self.principal is None else self.principal.id

    @property
    def roles(self) -> frozenset[str]:
        """The principal's roles; empty when anonymous."""
        return frozenset() if self.principal is None else self.principal.roles

    @property
    def claims(self) -> Mapping[str, object]:
        """The principal's claims; empty when anonymous."""
        return _NO_CLAIMS if self.principal is None else self.principal.claims

    @property
    def is_anonymous(self) -> bool:
        """Whether nobody was identified."""
        return self.principal is None

    @property
    def is_agent(self) -> bool:
        """Whether this is an agent's call: by its door, or because its credential says so."""
        return self.door is Door.AGENT or (self.principal is not None and self.principal.agent)
