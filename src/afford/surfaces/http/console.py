"""What the HTTP surface knows of a console: its path, what it answers, and to whom.

The console itself stands above the surfaces, since it shows all of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

from afford.caller import Caller
from afford.request import Request
from afford.surfaces.asgi import Receive, Scope, Send
from afford.surfaces.http.admission import Admission
from afford.surfaces.http.message import Response

CONSOLE: Final = "console"
"""Path of the console below the application's root."""


def below_console(name: str) -> str | None:
    """The path below the console, empty or with its leading slash; None: it is somewhere else."""
    if name == CONSOLE:
        return ""
    return name.removeprefix(CONSOLE) if name.startswith(f"{CONSOLE}/") else None


class Console(Protocol):
    """The pages that show an application to its developer or operator."""

    def asset(self, name: str, request: Request) -> Response | None:
        """A file of the page, the same for everybody; None: there is none of that name below the console's path."""
        ...

    def admits(self, caller: Caller, *, is_developer: bool) -> bool:
        """Whether the caller may see what the page shows."""
        ...

    async def answer(self, visit: Visit, name: str) -> Response | None:
        """What is below the console's path, for whoever was admitted; None: it was sent already."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """One request of somebody who was admitted to the console."""

    admitted: Admission
    is_developer: bool
    """Whether the token of the instance opened it: only its holder may act as others."""
    request: Request
    scope: Scope
    receive: Receive
    send: Send
