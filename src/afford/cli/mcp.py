"""`mcp`: serve an app to one assistant over standard input and output."""

from __future__ import annotations

import asyncio
from typing import Annotated

import typer

from afford.caller import Surface
from afford.cli.attaching import running
from afford.cli.failures import FAILED, CommandError
from afford.cli.identity import CallerOptions
from afford.cli.printing import say
from afford.cli.stdout import away_from_stdout
from afford.cli.target import Unloaded
from afford.cli.tracebacks import users_traceback


def mcp(
    target: Unloaded,
    caller: CallerOptions,
    fresh: Annotated[  # noqa: FBT002 - a flag of the command line
        bool, typer.Option("--fresh", help="Start the app anew, also where `afford dev` runs it already.")
    ] = False,
) -> None:
    """Serve an app to one assistant over stdio (MCP).

    Put this command into an assistant's configuration. It speaks MCP on standard input and output until the input ends:
    operations and tools to call, resources and shared state to read and to follow, prompts, and questions to the person
    where the assistant can put them. The assistant is offered exactly what an agent with that identity is offered, and
    without `--as` what an anonymous one is. Whatever the app prints goes to standard error.

    Where `afford dev` runs the app already, the assistant is connected to that instance, as the account that `afford
    dev --as` says. An identity of its own, or --fresh, starts the app anew.
    """
    found = None if fresh or not caller.is_default else running(target.address)
    if found is not None:
        say(f"speaking for the instance at {found.url}; `--fresh` starts the app anew")
        try:
            found.serve()
        except KeyboardInterrupt:
            return
        return
    _serve(target, caller)


def _serve(target: Unloaded, caller: CallerOptions) -> None:
    app = target.load().app
    with away_from_stdout():
        served = caller.caller(app, Surface.MCP)
    try:
        asyncio.run(app.run_stdio(served))
    except KeyboardInterrupt:
        return
    except Exception as error:
        message = "the app did not start; correct what the traceback shows"
        raise CommandError(message, detail=users_traceback(error), exit_code=FAILED) from error
