"""`serve`: the application behind HTTP, in this process or in several."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from dataclasses import dataclass
from importlib import import_module
from typing import Annotated, Final, Protocol, cast
from urllib.parse import urlsplit

import typer

from afford.app import SECRET_VARIABLE, App, find_agent_doc_gaps
from afford.caller import Door
from afford.cli.exposure import audiences, decided_by_code, refuse_open_door
from afford.cli.failures import FAILED, CommandError
from afford.cli.listening import Listening, LogLevel, authority, listen, mount_of
from afford.cli.printing import aligned, counted, heading, inventory, put, say
from afford.cli.target import Target
from afford.cli.worker import Application, Hosting, freeze, hosted, pass_to_workers
from afford.serving import DEFAULT_MOUNT, most_sessions
from afford.surfaces.http.openings import is_loopback
from afford.surfaces.http.site import urls

_FACTORY: Final = "afford.cli.worker:worker_site"


@dataclass(frozen=True, slots=True, kw_only=True)
class ServeOptions:
    """Where and how an application is served."""

    host: Annotated[str, typer.Option("--host", metavar="ADDRESS", help="Address to listen on.")] = "127.0.0.1"
    port: Annotated[
        int, typer.Option("--port", metavar="N", min=0, max=65535, help="Port to listen on; 0 takes a free one.")
    ] = 8000
    path: Annotated[
        str, typer.Option("--path", metavar="PATH", help="Where the app is mounted; `/` is the origin root.")
    ] = DEFAULT_MOUNT
    door: Annotated[
        Door, typer.Option("--door", help="`agent`: exposure applies. `app`: for the application's own people.")
    ] = Door.AGENT
    workers: Annotated[int, typer.Option("--workers", metavar="N", min=1, help="Processes that serve.")] = 1
    public_url: Annotated[
        str | None,
        typer.Option(
            "--public-url", metavar="URL", help="Where the mounted app is reached from outside, with its path."
        ),
    ] = None
    log_level: Annotated[
        LogLevel,
        typer.Option(
            "--log-level", metavar="LEVEL", help="critical, error, warning, info or debug: what goes to stderr."
        ),
    ] = LogLevel.WARNING


class _Server(Protocol):
    """What `afford.cli.server` offers; it imports uvicorn and so is loaded late."""

    def run_here(self, application: Application, listening: Listening) -> bool: ...

    def run_workers(self, factory: str, listening: Listening) -> bool: ...


def serve(target: Target, options: ServeOptions) -> None:
    """Serve the app over HTTP until stopped.

    The app is mounted under --path, with the discovery documents at the origin root. Prints the URLs, and says who is
    offered how much. On an address that others reach it refuses to start when strangers could write: an app without
    authentication that has exposed actions for anyone.
    """
    target.app.build()
    mount = mount_of(options.path)
    _check_public_url(options.public_url)
    refuse_open_door(target.app, options.host, options.door)
    if options.workers > 1 and target.address is None:
        raise CommandError("several workers need the app by name; use `afford serve module:attribute --workers N`")
    server = _server()
    listener = listen(options.host, options.port)
    listening = Listening(listener=listener, workers=options.workers, log_level=options.log_level.value)
    hosting = Hosting(
        target=target.address or "",
        mount=mount,
        door=options.door,
        public_url=options.public_url,
        workers=options.workers,
    )
    base = f"http://{authority(options.host, listener)}"
    known = urls(mount, base, mcp=options.door is Door.AGENT)

    data = sys.stdout

    def started() -> None:
        freeze()
        with redirect_stdout(data):
            _announce(target, options, known)

    if options.workers > 1:
        _warn_of_secret(target.app)
        _announce(target, options, known)
        pass_to_workers(hosting)
        has_started = server.run_workers(_FACTORY, listening)
    else:
        with redirect_stdout(sys.stderr):
            has_started = server.run_here(hosted(target.app, hosting, started), listening)
    if not has_started:
        raise CommandError("the app did not start; the log above says why", exit_code=FAILED)


def _check_public_url(url: str | None) -> None:
    if url is None:
        return
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise CommandError(f"`--public-url {url}` is no address; write it like `https://example.org/agent`")


def _server() -> _Server:
    try:
        return cast("_Server", import_module("afford.cli.server"))
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != "uvicorn":
            raise
        raise CommandError("serving needs uvicorn; install it with `pip install 'afford[serve]'`") from error


def _announce(target: Target, options: ServeOptions, known: dict[str, str]) -> None:
    """Print where the app is, and say who is offered what and what else the operator should know."""
    app = target.app
    put(heading(f"{app.title} at {known['root']}"))
    for line in aligned([(f"  {name}", url) for name, url in known.items() if name != "root"]):
        put(line)
    say(f"offered through the {options.door.value} door, of {inventory(app.build())}:")
    for line in aligned(_audience_lines(app, options.door)):
        say(line)
    for note in _notes(app, options):
        say(note)


def _audience_lines(app: App, door: Door) -> list[tuple[str, ...]]:
    """One line for each kind of caller; tools have a column of their own where there are any."""
    offered = audiences(app, door)
    if not any(item.tools for item in offered):
        return [(f"  {item.who}", str(item.operations)) for item in offered]
    lines = [(f"  {item.who}", str(item.operations), str(item.tools)) for item in offered]
    return [("  ", "operations", "tools"), *lines]


def _notes(app: App, options: ServeOptions) -> list[str]:
    notes: list[str] = []
    by_code = decided_by_code(app)
    if by_code:
        notes.append(f"not counted: {counted(by_code, 'declaration')} whose access rule is code")
    if options.door is Door.AGENT and not app.build().provided_tools.is_empty():
        notes.append("not counted: the tools of providers, which decide when they are asked")
    if options.door is Door.AGENT and not most_sessions(
        stated=app.options.get("mcp_sessions"), workers=options.workers
    ):
        notes.append("MCP sessions are off: older clients get no pushes; see `App(mcp_sessions=)`")
    gaps = len(find_agent_doc_gaps(app))
    if gaps:
        notes.append(f"{counted(gaps, 'documentation gap')}; `check` lists them")
    public_url = options.public_url or app.options.get("public_url")
    if public_url is not None:
        notes.append(f"reached from outside as {public_url}")
    elif not is_loopback(options.host) and app.options.get("allowed_hosts") is None:
        notes.append(
            "requests that name another host than this address are refused; list names in `App(allowed_hosts=)`"
        )
    if not app.options.get("allowed_origins"):
        notes.append("pages of other origins are refused; list origins in `App(allowed_origins=)`")
    return notes


def _warn_of_secret(app: App) -> None:
    if not app.has_stable_secret:
        say(
            f"warning: without {SECRET_VARIABLE} every worker signs cursors with a secret of its own and refuses those "
            f"of the others; set {SECRET_VARIABLE} to one long random value"
        )
