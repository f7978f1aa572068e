"""uvicorn, set up for this: the one module that imports it, loaded by `serve` when there is something to serve."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType
from typing import Final, cast

import uvicorn
from uvicorn.config import STARTUP_FAILURE
from uvicorn.supervisors import Multiprocess

from afford.cli.listening import BACKLOG, Listening

GRACE: Final = 20
"""Seconds that running calls get to finish when the server is told to stop."""

ARRIVING: Final = 0.25
"""Seconds for the request of a connection that was accepted; browsers open some that they never use."""

_LOOK: Final = 0.01
_STOPPING: Final = (signal.SIGINT, signal.SIGTERM)


class HeldServer(uvicorn.Server):
    """A server that another process tells when to stop: an interrupt at the terminal is for that process."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Act on what was sent to this process alone."""
        if sig != signal.SIGINT:
            super().handle_exit(sig, frame)

    def close_door(self) -> None:
        """Accept nothing any more; whoever holds the listening socket, too, goes on. On the server's event loop."""
        listening: list[asyncio.base_events.Server] = getattr(self, "servers", [])
        for server in listening:
            server.close()

    async def leave(self, grace: float) -> None:
        """Let the server end once calls are through, or `grace` seconds are over.

        A connection that was accepted, and whose request is on its way, is served first: uvicorn would close it.
        """
        # uvicorn hands it to asyncio, which takes any number.
        self.config.timeout_graceful_shutdown = cast("int", grace)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(ARRIVING):
                while True:
                    # Also the first time, for connections that are accepted and not made yet.
                    await asyncio.sleep(_LOOK)
                    if all(getattr(connection, "cycle", None) for connection in self.server_state.connections):
                        break
        self.should_exit = True


def held(application: Callable[..., object], listening: Listening) -> HeldServer:
    """A server for an application whose life another process decides about; `run` it with the listening socket."""
    return HeldServer(_config(application, listening))


def run_here(application: Callable[..., object], listening: Listening) -> bool:
    """Serve in this process until SIGINT or SIGTERM; answers whether the application started."""
    server = uvicorn.Server(_config(application, listening))
    with _stopped_by_signals(server):
        try:
            server.run(sockets=[listening.listener])
        except SystemExit as ended:
            return not ended.code
    return server.started


def run_workers(factory: str, listening: Listening) -> bool:
    """Serve in several processes until SIGINT or SIGTERM; answers whether they started.

    Args:
        factory: import string of the function that makes the application in a worker.
        listening: the socket that the workers share, and how many they are.
    """
    listening.listener.set_inheritable(True)
    supervisor = Multiprocess(_config(factory, listening), sockets=[listening.listener])
    supervisor.run()
    return all(process.exitcode != STARTUP_FAILURE for process in supervisor.processes)


def _config(application: Callable[..., object] | str, listening: Listening) -> uvicorn.Config:
    return uvicorn.Config(
        application,
        factory=isinstance(application, str),
        interface="asgi3",
        lifespan="on",
        ws="none",
        workers=listening.workers,
        backlog=BACKLOG,
        access_log=False,
        log_config=_log_config(listening.log_level),
        log_level=listening.log_level,
        # A handler's `request.client` is the peer; who trusts a proxy's word configures that proxy's server.
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=GRACE,
    )


def _log_config(level: str) -> dict[str, object]:
    """Logging to stderr for the server and, where the application has not set it up itself, for afford."""
    here = {"handlers": ["stderr"], "level": level.upper(), "propagate": False}
    loggers = {"uvicorn": here}
    if not logging.getLogger("afford").hasHandlers():
        loggers["afford"] = here
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": {"format": "%(levelname)s %(name)s: %(message)s"}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line", "stream": "ext://sys.stderr"}},
        "loggers": loggers,
    }


@contextmanager
def _stopped_by_signals(server: uvicorn.Server) -> Generator[None]:
    """Make the two signals that stop a server end it as asked for, and not as a failure.

    uvicorn raises the signal it was stopped by once more when it is done, for a handler that was there before.
    """

    def leave(_signal: int, _frame: FrameType | None) -> None:
        if not server.should_exit:
            raise SystemExit(0)

    before = {number: signal.signal(number, leave) for number in _STOPPING}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
