"""`mcp`: serve an app to one assistant over standard input and output."""

from __future__ import annotations

import asyncio

from afford.caller import Surface
from afford.cli.failures import FAILED, CommandError
from afford.cli.identity import CallerOptions
from afford.cli.stdout import away_from_stdout
from afford.cli.target import Target
from afford.cli.tracebacks import users_traceback


def mcp(target: Target, caller: CallerOptions) -> None:
    """Serve an app to one assistant over stdio (MCP).

    Put this command into an assistant's configuration. It speaks MCP on standard input and output until the input ends:
    operations and tools to call, resources and shared state to read and to follow, prompts, and questions to the person
    where the assistant can put them. The assistant is offered exactly what an agent with that identity is offered, and
    without `--as` what an anonymous one is. Whatever the app prints goes to standard error.
    """
    with away_from_stdout():
        served = caller.caller(target.app, Surface.MCP)
    try:
        asyncio.run(target.app.run_stdio(served))
    except KeyboardInterrupt:
        return
    except Exception as error:
        message = "the app did not start; correct what the traceback shows"
        raise CommandError(message, detail=users_traceback(error), exit_code=FAILED) from error
