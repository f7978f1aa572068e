"""What parent and child tell each other: data, one JSON document to a line. Knows no process and no socket."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Final, Literal, TypeAlias

import orjson
from pydantic import Field, TypeAdapter


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How a child serves: the first message that it gets."""

    kind: Literal["plan"] = "plan"
    id: str
    """Of the instance; the same for every child of a parent, like everything but `epoch`."""
    token: str = field(repr=False)
    listener: int
    """File descriptor of the listening socket."""
    host: str
    """Address that it listens on, as the developer named it."""
    url: str
    """Origin under which it is reached on this machine."""
    mount: str
    mcp: bool
    identity: str | None
    """Whom the token stands for; None: an anonymous agent."""
    roles: str
    log_level: str
    epoch: int
    """Number of this child; later ones have larger ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Serve:
    """To the child: accept connections from now on."""

    kind: Literal["serve"] = "serve"
    is_first: bool
    """Whether nothing was served before, so that the developer wants to know where and what."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Leave:
    """To the child: accept no connection any more, and end."""

    kind: Literal["leave"] = "leave"
    grace: float
    """Seconds that running calls get to finish."""
    is_replaced: bool
    """Whether another child takes over, so that clients find other lists when they look again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """To the parent: the application was imported, or could not be."""

    kind: Literal["loaded"] = "loaded"
    files: list[str]
    """What its code was read from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready:
    """To the parent: the application has started; the child waits for `Serve`."""

    kind: Literal["ready"] = "ready"
    name: str
    title: str
    version: str
    mcp: str | None
    """Path of the MCP endpoint."""
    console: str | None
    """Path of the console."""
    offered: list[str]
    """Wire names of everything that agents may reach."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """To the parent: no connection is accepted any more."""

    kind: Literal["left"] = "left"


Message: TypeAlias = Plan | Serve | Leave | Loaded | Ready | Left

_ADAPTER: Final[TypeAdapter[Message]] = TypeAdapter(Annotated[Message, Field(discriminator="kind")])


def line_of(message: Message) -> bytes:
    """A message as it is sent."""
    return orjson.dumps(message, option=orjson.OPT_APPEND_NEWLINE)


def message_of(line: bytes) -> Message:
    """A message as it arrived.

    Raises:
        ValueError: it is none.
    """
    return _ADAPTER.validate_json(line)
