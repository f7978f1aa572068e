"""The connector on this process's standard streams."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from afford.caller import Caller, Door, Surface
from afford.connector.gateway import Gateway
from afford.connector.remotes import Remote
from afford.connector.roster import Roster
from afford.instances import folder
from afford.surfaces.mcp.stdio import converse
from afford.surfaces.mcp.streams import own_streams

__all__ = ["folder", "serve_connector"]

_CLIENT = Caller(None, Door.AGENT, Surface.MCP)
"""Who is at the other end: instances decide by their tokens, and nobody decides by this."""


async def serve_connector(remotes: Sequence[Remote], place: Path | None) -> None:
    """Offer every server to one client on standard input and output, until the input ends.

    Args:
        remotes: servers that were named by their addresses.
        place: the folder of instance records; None: no instances are wanted.
    """
    with own_streams() as (stream, write):
        gateway = Gateway()
        roster = Roster(gateway.changed, remotes, place)
        gateway.attach(roster)
        await roster.start()
        try:
            await converse(gateway, _CLIENT, stream, write)
        finally:
            await roster.stop()
