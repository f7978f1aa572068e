"""`connect`: every running instance on this machine, and any other MCP server, as one MCP server for an assistant."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Annotated, Protocol, cast

import typer

from afford.cli.failures import CommandError
from afford.connector.remotes import Remote, remote_of


class _Connector(Protocol):
    """What `afford.connector.serving` offers; it imports the MCP client and so is loaded late."""

    async def serve_connector(self, remotes: Sequence[Remote], place: Path | None) -> None: ...

    def folder(self) -> Path: ...


def connect(
    servers: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="URL", help="Any other MCP server over HTTP, as `URL` or `NAME=URL`.", show_default=False
        ),
    ] = None,
    instances: Annotated[  # noqa: FBT002 - a flag of the command line
        bool, typer.Option("--instances/--no-instances", help="The instances that run on this machine.")
    ] = True,
    token_from: Annotated[
        str | None,
        typer.Option(
            "--token-from",
            metavar="VARIABLE",
            help="Environment variable with the bearer token of the one URL that is named.",
        ),
    ] = None,
) -> None:
    """Offer every running instance to one assistant over stdio (MCP).

    Put this command into an assistant's configuration once. It follows the instances that `afford dev` starts: each
    tool is `<instance>__<tool>`, whole, and the assistant is told when one comes, goes or changes. `afford_instances`
    lists them. What the assistant may see and do there is what `afford dev --as --roles` says.
    """
    remotes = _remotes(servers or [], token_from)
    if not instances and not remotes:
        raise CommandError("there is nothing to connect to; name a URL, or leave out `--no-instances`")
    connector = _connector()
    # The client logs a traceback for every connection that ends, and instances end all the time.
    logging.getLogger("mcp").setLevel(logging.CRITICAL)
    try:
        asyncio.run(connector.serve_connector(remotes, connector.folder() if instances else None))
    except KeyboardInterrupt:
        return


def _remotes(servers: Sequence[str], token_from: str | None) -> list[Remote]:
    token = None
    if token_from is not None:
        if len(servers) != 1:
            raise CommandError(
                "`--token-from` is for one URL; start `afford connect` once for each server with a token"
            )
        token = os.environ.get(token_from)
        if not token:
            raise CommandError(f"the environment variable `{token_from}` is not set; set it to the server's token")
    remotes: dict[str, Remote] = {}
    for text in servers:
        try:
            remote = remote_of(text, token)
        except ValueError as error:
            raise CommandError(f"`{text}` {error}; write it like `https://example.org/mcp`") from error
        remotes[remote.url] = remote
    return [*remotes.values()]


def _connector() -> _Connector:
    try:
        return cast("_Connector", import_module("afford.connector.serving"))
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] == "afford":
            raise
        raise CommandError(
            "connecting needs the MCP client; install it with `pip install 'afford[connect]'`"
        ) from error
