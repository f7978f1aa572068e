"""The programs: `afford`, and the same commands bound to one application.

Here a mistake becomes an exit code: 0 fine, 1 findings or a failed call, 2 wrong usage. Only errors of afford itself
show a traceback.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Final

import typer.main

from afford import __version__
from afford.app import App
from afford.cli.failures import FAILED, CommandError
from afford.cli.printing import complain, put_diagnostics
from afford.cli.program import Command, make_program
from afford.errors import CatalogError

COMMANDS: Final = (
    Command("serve", "serve", ("serve TARGET", "serve TARGET --host 0.0.0.0 --port 80 --workers 4")),
    Command("dev", "dev", ("dev TARGET", "dev TARGET --as ada --roles staff", "dev TARGET --port 0 --watch templates")),
    Command("mcp", "mcp", ("mcp TARGET", "mcp TARGET --as ada --roles staff")),
    Command("connect", "connect", ("connect", "connect docs=https://example.org/mcp")),
    Command(
        "install",
        "install",
        ("install claude-code TARGET --as ada --roles staff", "install vscode TARGET --project --dry-run"),
    ),
    Command("check", "check", ("check TARGET", "check TARGET --json")),
    Command(
        "lint",
        "lint",
        ("lint TARGET", "lint TARGET --cost", "lint TARGET --format sarif --baseline known.json --update-baseline"),
    ),
    Command(
        "cold",
        "cold",
        (
            "cold TARGET --as ada --roles guest --ablate",
            "cold TARGET --as ada --roles staff --allow destructive --format html > report.html",
        ),
    ),
    Command("explain", "explain", ("explain missing-access", "explain bad_request")),
    Command("manifest", "manifest", ("manifest TARGET", "manifest TARGET --as ada --roles staff --json")),
    Command("why", "why", ("why TARGET book_room", "why TARGET frontdesk:arrivals --as ada --roles guest")),
    Command(
        "call",
        "call",
        (
            "call TARGET search_hotels neighbourhood=Besiktas min_stars=4 --all",
            "call TARGET book_room --as ada --roles guest --yes --json-args - < booking.json",
            "call TARGET order_taxi hotel=24 --answer pickup.time=18:30",
        ),
    ),
    Command("lock", "lock", ("lock TARGET", "lock TARGET --check")),
    Command(
        "diff",
        "diff",
        (
            "diff afford.lock TARGET",
            "diff old.json https://tools.example/mcp --fail-on compatible",
            "diff afford.lock TARGET --format markdown",
        ),
    ),
    Command("documents", "schema", ("schema TARGET --public > catalog.json",)),
    Command("documents", "openapi", ("openapi TARGET --as ada --roles staff > openapi.json",)),
)

_ABOUT: Final = "Declare operations once; serve them to people, programs and agents. See `afford COMMAND --help`."


def main(argv: Sequence[str] | None = None) -> None:
    """Run the `afford` program; always ends by `SystemExit`.

    Args:
        argv: words after the program's name; None: those of this process.
    """
    _run(make_program(_wanted(argv), about=_ABOUT, version=f"afford {__version__}", app=None), argv, "afford")


def run_for(app: App, argv: Sequence[str] | None = None) -> None:
    """Run the same commands about one app, none of which takes a TARGET; always ends by `SystemExit`.

    Args:
        app: the application.
        argv: words after the program's name; None: those of this process.
    """
    version = f"{app.name} {app.options.get('version', '0.0.0')}"
    about = app.options.get("description") or f"Serve, check and call {app.title}."
    _run(make_program(_wanted(argv), about=about, version=version, app=app), argv, None)


def _wanted(argv: Sequence[str] | None) -> Sequence[Command]:
    """The one command that is called for, so that the others need not be loaded; all where there is a choice."""
    first = next(iter(sys.argv[1:] if argv is None else argv), None)
    return [command for command in COMMANDS if command.name == first] or COMMANDS


def _run(program: typer.Typer, argv: Sequence[str] | None, name: str | None) -> None:
    try:
        typer.main.get_command(program).main(args=argv, prog_name=name)
    except CommandError as error:
        complain(error)
        sys.exit(error.exit_code)
    except CatalogError as error:
        put_diagnostics(error.diagnostics, err=True)
        count = len(error.diagnostics)
        complain(CommandError(f"the app does not build: {count} to correct; `explain CODE` says more about one"))
        sys.exit(FAILED)
