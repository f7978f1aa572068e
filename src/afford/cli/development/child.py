"""The child: reads the app, starts it, serves it when the parent says so, and leaves when the parent says so."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
import sys
from contextlib import redirect_stdout
from typing import Final, TextIO

from afford import __version__
from afford.app import App
from afford.authentication import InstanceToken
from afford.caller import Door, Principal, Surface
from afford.catalog.model import Catalog
from afford.cli.development.calls import CallLog
from afford.cli.development.line import Line
from afford.cli.development.messages import Leave, Left, Loaded, Message, Plan, Ready, Serve
from afford.cli.development.panel import rows
from afford.cli.development.site import DevelopmentSite
from afford.cli.development.sources import authored_files
from afford.cli.exposure import refuse_open_door
from afford.cli.failures import FAILED, USAGE, CommandError
from afford.cli.identity import CallerOptions
from afford.cli.listening import Listening
from afford.cli.printing import put_panel
from afford.cli.server import HeldServer, held
from afford.cli.target import Target, Unloaded
from afford.cli.worker import freeze
from afford.errors import JsonObject
from afford.runtime import Runtime
from afford.serving import Development
from afford.surfaces.http.site import Site


def run_child(target: Unloaded, descriptor: int) -> None:
    """Serve one reading of the app, as the parent at the other end of the line says.

    Raises:
        CommandError: the app cannot be imported or does not start; the parent waits for an edit. With the exit code of
            wrong usage where no edit of the app would help.
        CatalogError: it does not build.
    """
    # At a terminal an interrupt reaches every process; the parent acts on it.
    signal.signal(signal.SIGINT, lambda _number, _frame: None)
    line = Line(descriptor)
    duty = _Duty(line)
    plan = line.plan()
    line.follow(duty.obey)
    os.set_inheritable(plan.listener, False)  # noqa: FBT003 - the function takes it by position
    loaded = _loaded(target, line)
    loaded.app.build()
    refuse_open_door(loaded.app, plan.host, Door.AGENT)
    data = sys.stdout
    with socket.socket(fileno=plan.listener) as listener, redirect_stdout(sys.stderr):
        serving = _Serving(loaded.app, plan, duty, data)
        server = held(serving.site(), Listening(listener=listener, workers=1, log_level=plan.log_level))
        duty.server = server
        try:
            server.run(sockets=[listener])
        except SystemExit as ended:
            if ended.code:
                raise CommandError("the app did not start; the log above says why", exit_code=FAILED) from ended
        serving.log.flush()


def _loaded(target: Unloaded, line: Line) -> Target:
    """The app; the parent learns what was read, and so what to watch, also where reading failed."""
    try:
        return target.load()
    except CommandError as error:
        # With a traceback it is the app's own code that failed.
        raise CommandError(error.message, detail=error.detail, exit_code=FAILED if error.detail else USAGE) from error
    finally:
        line.send(Loaded(files=authored_files()))


class _Duty:
    """What the parent wants, carried out on the event loop of whatever runs by then."""

    def __init__(self, line: Line) -> None:
        self.server: HeldServer | None = None
        self.runtime: Runtime | None = None
        self.is_first = False
        self._line = line
        self._loop: asyncio.AbstractEventLoop | None = None
        self._may_serve = asyncio.Event()
        self._is_leaving = False
        self._ending: asyncio.Task[None] | None = None

    async def wait_to_serve(self, ready: Ready) -> bool:
        """Say that the app has started, and wait for the word; answers whether this child serves at all."""
        self._loop = asyncio.get_running_loop()
        self._line.send(ready)
        await self._may_serve.wait()
        return not self._is_leaving

    def obey(self, message: Message) -> None:
        """Called in the thread of the line."""
        loop = self._loop
        if loop is not None:
            loop.call_soon_threadsafe(self._carry_out, message)
        elif isinstance(message, Leave):
            # Nobody was served and nothing was promised.
            os._exit(0)

    def _carry_out(self, message: Message) -> None:
        if isinstance(message, Serve):
            self.is_first = message.is_first
            self._may_serve.set()
        elif isinstance(message, Leave) and not self._is_leaving:
            self._is_leaving = True
            self._leave(message)

    def _leave(self, message: Leave) -> None:
        """Close the door before clients are told that there is something new behind it."""
        self._may_serve.set()
        if self.server is not None:
            self.server.close_door()
            self._ending = asyncio.create_task(self.server.leave(message.grace))
        if self.runtime is not None and message.is_replaced:
            self.runtime.hand_over()
        elif self.runtime is not None:
            self.runtime.stop_soon()
            # The developer ends it all: which calls are cut off for that is no news.
            logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
        self._line.send(Left())


class _Serving:
    """One app behind one socket."""

    def __init__(self, app: App, plan: Plan, duty: _Duty, data: TextIO) -> None:
        self.log: Final = CallLog(data)
        self._app = app
        self._plan = plan
        self._duty = duty
        self._data = data
        self._principal = _principal(app, plan)
        self._telling: asyncio.Task[None] | None = None
        # Links of an instance lead to the instance, wherever the app is reached in production.
        self._public_url = f"{plan.url}{plan.mount}" if app.options.get("public_url") else None
        self._surface = app.asgi(
            public_url=self._public_url,
            development=Development(token=plan.token, principal=self._principal, mcp=plan.mcp, listener=self.log.told),
        )

    def site(self) -> DevelopmentSite:
        """The ASGI application."""
        plan = self._plan
        return DevelopmentSite(
            self._surface,
            Site(self._surface, mount=plan.mount, public_url=self._public_url, title=self._app.title),
            mount=plan.mount,
            token=InstanceToken(plan.token, self._principal),
            connection=self._connection(),
            started=self._started,
        )

    def _ready(self) -> Ready:
        catalog, plan = self._app.build(), self._plan
        return Ready(
            name=self._app.name,
            title=self._app.title,
            version=self._app.options.get("version", "0.0.0"),
            mcp=f"{plan.mount}/mcp" if self._surface.serves_mcp else None,
            console=f"{plan.mount}/console" if self._surface.serves_console else None,
            offered=sorted(item.wire_name for item in catalog.everything if item.exposed),
        )

    def _connection(self) -> JsonObject:
        plan, ready = self._plan, self._ready()
        return {
            "format": 1,
            "id": plan.id,
            "name": ready.name,
            "url": plan.url,
            "mount": plan.mount,
            "mcp": ready.mcp,
            "console": ready.console,
            "epoch": plan.epoch,
        }

    async def _started(self) -> None:
        freeze()
        self._duty.runtime = runtime = await self._surface.runtime()
        if not await self._duty.wait_to_serve(self._ready()):
            # Another edit came first. Going on would accept connections for a moment, and lose them.
            await self._surface.stop()
            os._exit(0)
        if self._duty.is_first:
            self._telling = asyncio.create_task(self._announce(runtime.catalog))

    async def _announce(self, catalog: Catalog) -> None:
        """Draw the panel, made in a thread: the first calls do not wait for the linter."""
        shown = await asyncio.to_thread(rows, self._app, catalog, self._plan, self._ready())
        put_panel(f"{self._app.title}, served by afford {__version__} for its developers", shown, self._data)


def _principal(app: App, plan: Plan) -> Principal | None:
    return CallerOptions(identity=plan.identity, roles=plan.roles).caller(app, Surface.HTTP).principal
