"""What runs in a server process: the site to serve, and what happens once it has started.

Several workers are separate processes, each of which finds the application again by its TARGET; one environment
variable tells them which. Knows ASGI and no server.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass
from typing import Final, TypeAlias

import orjson
from pydantic import TypeAdapter

from afford.app import App
from afford.caller import Door
from afford.cli.target import load_target
from afford.surfaces.asgi import Receive, Scope, Send

VARIABLE: Final = "AFFORD_SERVE"
"""Holds a `Hosting` as JSON for worker processes."""

Application: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Hosting:
    """How an application is hosted, as far as a worker process needs to know."""

    target: str
    mount: str
    """Path of the application; empty for the origin root."""
    door: Door
    public_url: str | None
    workers: int = 1


def hosted(app: App, hosting: Hosting, on_start: Callable[[], None]) -> Application:
    """The ASGI application for the whole origin.

    Args:
        app: what is served.
        hosting: how.
        on_start: called when the lifespan has been entered.
    """
    site = app.site(hosting.mount, door=hosting.door.value, public_url=hosting.public_url, workers=hosting.workers)
    return _telling(site, on_start)


def worker_site() -> Application:
    """The application of a worker process, as the environment describes it; called by the server."""
    # What the application prints is no data of ours.
    sys.stdout = sys.stderr
    hosting = TypeAdapter(Hosting).validate_json(os.environ[VARIABLE])
    return hosted(load_target(hosting.target).app, hosting, freeze)


def pass_to_workers(hosting: Hosting) -> None:
    """Put the description where `worker_site` finds it."""
    os.environ[VARIABLE] = orjson.dumps(asdict(hosting)).decode()


def freeze() -> None:
    """Take what an application made on starting out of garbage collection: it lives as long as the process."""
    gc.collect()
    gc.freeze()


def _telling(application: Application, on_start: Callable[[], None]) -> Application:
    """The same application, which says when it has started. Plain functions, since every request passes here."""

    def watched(send: Send) -> Send:
        async def pass_on(message: Scope) -> None:
            if message["type"] == "lifespan.startup.complete":
                on_start()
            await send(message)

        return pass_on

    def serve(scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        return application(scope, receive, watched(send) if scope["type"] == "lifespan" else send)

    return serve
