"""`install`: an application, or every running instance, in the configuration of an assistant."""

from __future__ import annotations

import difflib
import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

import typer

from afford.caller import Door, Surface
from afford.cli.failures import FAILED, CommandError
from afford.cli.identity import CallerOptions
from afford.cli.printing import put, say
from afford.cli.target import Possible, load_target, place_of
from afford.clients.change import added, removed
from afford.clients.files import ChangedError, replace, text_of
from afford.clients.jsonc import DocumentError
from afford.clients.table import CLIENTS, Client, ClientName, Surroundings
from afford.errors import JsonObject

_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
_CONNECTOR: Final = "afford"
"""What the connector is called where no application is named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InstallOptions:
    """What is done with the configuration."""

    project: Annotated[
        bool, typer.Option("--project", help="Change the project's own file, in this folder, instead of yours.")
    ] = False
    name: Annotated[
        str | None, typer.Option("--name", metavar="NAME", help="What the server is called there; else the app's name.")
    ] = None
    remove: Annotated[bool, typer.Option("--remove", help="Take the server out again.")] = False
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would change, and change nothing.")] = False
    print_only: Annotated[
        bool, typer.Option("--print", help="Print the entry, to be put wherever it is wanted, and change nothing.")
    ] = False


@dataclass(frozen=True, slots=True)
class _Server:
    """What is installed."""

    name: str
    command: list[str]
    variables: dict[str, str]


def install(
    client: Annotated[ClientName, typer.Argument(metavar="CLIENT", help=f"One of {', '.join(ClientName)}.")],
    target: Possible,
    caller: CallerOptions,
    options: InstallOptions,
) -> None:
    """Put an app into the configuration of an assistant.

    The assistant then starts `afford mcp` with the app by itself, as the account that --as and --roles say. Without a
    TARGET it is `afford connect`, which offers every instance that runs. Everything else in the file stays, comments
    too, and a copy of the file is kept. Doing it again changes nothing, or updates the entry.
    """
    known = CLIENTS[client]
    server = _server(target, caller, options.name)
    entry = known.entry(server.command, server.variables)
    if options.print_only:
        put(_changed(known, "", server.name, entry).rstrip())
        return
    file = _file(known, project=options.project)
    try:
        before = text_of(file)
        after = _changed(known, before or "", server.name, None if options.remove else entry)
    except (DocumentError, UnicodeDecodeError) as error:
        message = f"`{file}` cannot be read ({error}); correct it, or put in by hand what `--print` prints"
        raise CommandError(message, exit_code=FAILED) from error
    except OSError as error:
        raise CommandError(f"`{file}` cannot be read ({error.strerror}); check it", exit_code=FAILED) from error
    _apply(known, file, before, after, server.name, options)


def _apply(client: Client, file: Path, before: str | None, after: str, name: str, options: InstallOptions) -> None:
    if after == (before or ""):
        say(f"`{name}` is not in {file}" if options.remove else f"`{name}` is in {file} already, as it should be")
        return
    if options.dry_run:
        put(_difference(file, before or "", after))
        return
    try:
        copy = replace(file, before, after)
    except ChangedError as error:
        raise CommandError(f"somebody else changed `{file}` meanwhile; try again", exit_code=FAILED) from error
    except OSError as error:
        raise CommandError(f"`{file}` cannot be written ({error.strerror}); check it", exit_code=FAILED) from error
    put(f"{client.title}: `{name}` {'is out of' if options.remove else 'is in'} {file}")
    if copy is not None:
        put(f"Kept what it was: {copy}")
    put(f"Next: {client.hint}")


def _server(target: Possible, caller: CallerOptions, name: str | None) -> _Server:
    if target.app is None and target.text is None:
        _check_nobody(caller)
        return _Server(_named(name or _CONNECTOR), [sys.executable, "-m", "afford", "connect"], {})
    variables: dict[str, str] = {}
    if target.app is not None:
        app, command = target.app, _own_program()
    else:
        place = target.text or ""
        app = load_target(place).app
        file, found = place_of(place)
        command = [sys.executable, "-m", "afford", "mcp", found]
        if file is None:
            # Clients start servers wherever they like, and the module is found from here.
            variables["PYTHONPATH"] = os.pathsep.join(
                dict.fromkeys([str(Path.cwd()), *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))])
            )
    caller.caller(app, Surface.MCP)
    return _Server(_named(name or app.name), [*command, *_words(caller)], variables)


def _words(caller: CallerOptions) -> list[str]:
    """The options of an identity as they were given."""
    words: list[str] = []
    if caller.identity is not None:
        words += ["--as", caller.identity]
    if caller.roles:
        words += ["--roles", caller.roles]
    for claim in caller.claim or ():
        words += ["--claim", claim]
    if caller.door is not Door.AGENT:
        words += ["--door", caller.door.value]
    return words


def _check_nobody(caller: CallerOptions) -> None:
    if not caller.is_default:
        raise CommandError("the connector acts as what `afford dev --as` says; leave the identity out, or name an app")


def _own_program() -> list[str]:
    """The command that is running, for an application's own program."""
    program, found = place_of(None)
    is_script = program is not None and program.suffix == ".py"
    return [sys.executable, found, "mcp"] if is_script else [found, "mcp"]


def _named(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise CommandError(f"`{name}` is no name for a server; use `--name` with letters, digits, `-` and `_`")
    return name


def _file(client: Client, *, project: bool) -> Path:
    if not project:
        return client.user_file(Surroundings(sys.platform, Path.home(), os.environ))
    if client.project_file is None:
        raise CommandError(f"{client.title} has no file of a project; leave `--project` out")
    return Path.cwd() / client.project_file


def _changed(client: Client, text: str, name: str, entry: JsonObject | None) -> str:
    """The file with the entry, or without one."""
    try:
        return removed(client, text, name) if entry is None else added(client, text, name, entry)
    except ModuleNotFoundError as error:
        raise CommandError("TOML needs `tomlkit`; install it with `pip install 'afford[install]'`") from error


def _difference(file: Path, before: str, after: str) -> str:
    lines = difflib.unified_diff(
        before.splitlines(), after.splitlines(), str(file), f"{file} (with the change)", lineterm=""
    )
    return "\n".join(lines)
