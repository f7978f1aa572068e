"""`dev`: the application behind HTTP for whoever writes it, read again after each edit."""

from __future__ import annotations

import errno
import os
import socket
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Final, TypeAlias

import typer

from afford.cli.failures import OK, CommandError
from afford.cli.listening import LogLevel, listen, mount_of
from afford.cli.target import Unloaded
from afford.serving import DEFAULT_MOUNT

FIRST_PORT: Final = 8000
LAST_PORT: Final = 8099
"""Ports that are tried, one after the other, where none is asked for."""

CHILD_VARIABLE: Final = "AFFORD_DEV_CHILD"
"""Tells a process that it is a child: the number of its end of the line to the parent."""

_PACKAGES: Final = ("uvicorn", "watchfiles", "psutil")


@dataclass(frozen=True, slots=True, kw_only=True)
class DevOptions:
    """Where an application is served while it is written, and who its developer is."""

    host: Annotated[str, typer.Option("--host", metavar="ADDRESS", help="Address to listen on.")] = "127.0.0.1"
    port: Annotated[
        int | None,
        typer.Option(
            "--port",
            metavar="N",
            min=0,
            max=65535,
            show_default=False,
            help="Port to listen on; 0 takes a free one.  [default: 8000, or the next one that is free]",
        ),
    ] = None
    path: Annotated[
        str, typer.Option("--path", metavar="PATH", help="Where the app is mounted; `/` is the origin root.")
    ] = DEFAULT_MOUNT
    mcp: Annotated[bool, typer.Option("--mcp/--no-mcp", help="Whether agents can speak MCP with it.")] = True
    identity: Annotated[
        str | None,
        typer.Option("--as", metavar="ID", help="Id of the account that the token stands for. Without it: anonymous."),
    ] = None
    roles: Annotated[str, typer.Option("--roles", metavar="A,B", help="Roles of that account, with commas.")] = ""
    watch: Annotated[
        list[Path] | None,
        typer.Option(
            "--watch",
            metavar="PATH",
            help="Read the app again when this file, or anything in this folder, changes, too; may be repeated.",
        ),
    ] = None
    log_level: Annotated[
        LogLevel,
        typer.Option(
            "--log-level", metavar="LEVEL", help="critical, error, warning, info or debug: what goes to stderr."
        ),
    ] = LogLevel.WARNING


def dev(target: Unloaded, options: DevOptions) -> None:
    """Serve the app while you write it: reload, call log, token.

    Reads the app again when a file that it imports changes, in a new process. Only when that has started does the old
    one hand over, so no client is refused in between; those that listen are told that the lists may be others. An edit
    that does not build is reported, and the last good app goes on serving.

    Each call is shown with its outcome. The token opens this instance: `Authorization: Bearer TOKEN` stands for the
    account of --as and --roles, and requests without it are judged as in production. A record of the instance, with the
    token and for your account alone, lets `connect` find it.
    """
    descriptor = os.environ.pop(CHILD_VARIABLE, None)
    if descriptor is not None:
        run_child: _RunChild = import_module("afford.cli.development.child").run_child
        run_child(target, int(descriptor))
        return
    _check(options)
    run_parent: _RunParent = import_module("afford.cli.development.parent").run_parent
    with _listener(options) as listener:
        code = run_parent(target, options, listener)
    if code != OK:
        raise typer.Exit(code)


# By name, since they load a server, and a library that watches files.
_RunChild: TypeAlias = Callable[[Unloaded, int], None]
_RunParent: TypeAlias = Callable[[Unloaded, DevOptions, socket.socket], int]


def _check(options: DevOptions) -> None:
    """Refuse what could not work, before anything starts."""
    if sys.platform == "win32":
        raise CommandError("`dev` hands a listening socket on, which Windows cannot; use WSL, or `afford serve`")
    missing = [name for name in _PACKAGES if find_spec(name) is None]
    if missing:
        raise CommandError(f"`dev` needs {' and '.join(missing)}; install it with `pip install 'afford[devserver]'`")
    mount_of(options.path)
    if options.identity is None and options.roles:
        raise CommandError("roles belong to an account; say which one with `--as ID`")
    for path in options.watch or ():
        if not path.exists():
            raise CommandError(f"`--watch {path}`: there is no such file or folder; check the path")


def _listener(options: DevOptions) -> socket.socket:
    """The socket: on the port that was asked for, or else on the first one that is free."""
    if options.port is not None:
        return listen(options.host, options.port)
    for port in range(FIRST_PORT, LAST_PORT):
        try:
            return listen(options.host, port)
        except CommandError as error:
            if not isinstance(error.__cause__, OSError) or error.__cause__.errno != errno.EADDRINUSE:
                raise
    return listen(options.host, LAST_PORT)
