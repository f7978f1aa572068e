"""`Exchange`: what a transport gives the lane beside the request."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import NamedTuple, TypeAlias

from afford.caller import Caller
from afford.errors import JsonObject
from afford.execute.outcome import Watch
from afford.manifest import Manifest
from afford.request import Request
from afford.surfaces.mcp.listening import Subscriber

Notify: TypeAlias = Callable[[bytes], None]
"""Sends one frame to the client that made the request, before its response."""
Ask: TypeAlias = Callable[[JsonObject], Awaitable[JsonObject]]
"""Takes the parameters of `elicitation/create` and answers the client's result; raises `ProtocolError` where there is
none."""


class Exchange(NamedTuple):
    """Who asks, and what the transport can do for the answer. A tuple: of what is frozen, the quickest to make."""

    caller: Caller
    request: Request | None = None
    notify: Notify | None = None
    """None: the transport cannot send anything before the response."""
    watch: Watch | None = None
    ask: Ask | None = None
    """Puts a question to the person behind the client, while the call waits; None: nobody can be asked so."""
    subscriber: Subscriber | None = None
    """Whom a client of the handshake revisions is told changes through; None: it cannot be told of any."""
    manifest: Manifest | None = None
    """What the caller is offered now, where the transport found it out already."""
