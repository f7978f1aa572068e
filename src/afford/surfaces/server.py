"""Whether the server around an application was told to stop.

ASGI says so after the last answer only, and servers wait for that; an answer that lasts until the application stops
would keep both waiting. uvicorn handles signals by a method of the server, which says whether it should exit. With
other servers such answers end when the server gives up waiting.
"""

from __future__ import annotations

import signal


def is_ending() -> bool:
    """Whether the server that handles this process's SIGTERM waits for the last answers."""
    server: object = getattr(signal.getsignal(signal.SIGTERM), "__self__", None)
    return getattr(server, "should_exit", False) is True
