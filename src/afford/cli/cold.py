"""`cold`: what a stranger's assistant achieves with a served catalog, found out by trying."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, redirect_stdout
from dataclasses import dataclass
from enum import StrEnum
from importlib import import_module
from pathlib import Path
from typing import Annotated, Final, Protocol, TypeAlias, cast

import typer

from afford.app import App
from afford.caller import Door, Principal, Surface
from afford.cli.failures import FAILED, CommandError
from afford.cli.identity import Credentials
from afford.cli.printing import put
from afford.cli.progress import ProgressLine
from afford.cli.target import Address, load_target
from afford.cli.tracebacks import users_traceback
from afford.cold.embeddings import EmbeddingsError, small_model
from afford.cold.goals import Goal, GoalsError, read_goals
from afford.cold.replies import Link, Meter
from afford.cold.report import PickReport
from afford.cold.reports import RENDERERS, Format
from afford.cold.run import Allow
from afford.cold.session import Aims, ColdRun, Plan, Play
from afford.errors import CatalogError
from afford.lint.target import Target
from afford.lint.targets.reading import is_address

KEY_VARIABLE: Final = "AFFORD_MODEL_KEY"
_ASSISTANT: Final = "afford.cold.assistant"
_OPENING: Final = "afford.cold.links.opening"
_NO_CATALOG: Final = "CatalogNotFoundError"
_REFUSED: Final = frozenset({_NO_CATALOG, "ProtocolError"})
_NEEDS: Final = "the cold run needs the clients of HTTP and MCP; install `afford[cold]`"


class Over(StrEnum):
    """How operations are called."""

    HTTP = "http"
    MCP = "mcp"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reaching:
    """The options that say how the target is reached."""

    over: Annotated[
        Over | None,
        typer.Option("--over", help="How it is called; without it MCP for addresses that end with `/mcp`, else HTTP."),
    ] = None
    stdio: Annotated[
        str | None,
        typer.Option("--stdio", metavar="CMD", help="Instead of TARGET: start this MCP server on standard streams."),
    ] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Trying:
    """The options that say how much is tried."""

    form: Annotated[Format, typer.Option("--format", help="How the report is written.")] = Format.TEXT
    allow: Annotated[
        Allow,
        typer.Option(
            "--allow", help="What may be called: `reads`, also `actions`, or `destructive` and risky ones too."
        ),
    ] = Allow.READS
    max_calls: Annotated[int, typer.Option("--max-calls", metavar="N", min=1, help="Calls at most.")] = 1000
    ablate: Annotated[
        bool, typer.Option("--ablate", help="Also break one thing at a time in a copy of the catalog, and expect red.")
    ] = False
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Decides what `--ablate` breaks.")] = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Aiming:
    """The options about goals."""

    goals: Annotated[
        Path | None,
        typer.Option("--goals", metavar="FILE", help="JSON or TOML: what people say, each with the expected call."),
    ] = None
    embeddings: Annotated[
        bool, typer.Option("--embeddings", help="Match goals by a small embedding model as well.")
    ] = False
    floor: Annotated[
        float,
        typer.Option(
            "--floor", metavar="SHARE", min=0, max=1, help="Fail where fewer goals find their operation first."
        ),
    ] = 0.0
    model: Annotated[
        str | None,
        typer.Option("--model", metavar="URL", help="Let a model play: an endpoint compatible with OpenAI's."),
    ] = None
    model_name: Annotated[
        str, typer.Option("--model-name", metavar="NAME", envvar="AFFORD_MODEL", help="Which model it is asked for.")
    ] = "default"


Subject: TypeAlias = "object"
"""A `Remote` or `Local` of `afford.cold.links.opening`, which is loaded late."""


class _Opening(Protocol):
    """What `afford.cold.links.opening` offers; it imports the clients and so is loaded late."""

    Remote: Callable[..., Subject]
    Local: Callable[..., Subject]

    def opened(self, subject: Subject, seconds: float) -> AbstractAsyncContextManager[tuple[Target, Link]]: ...


class _Assistant(Protocol):
    """What `afford.cold.assistant` offers; it imports httpx and so is loaded late."""

    Endpoint: Callable[..., object]

    def play(
        self, goals: Sequence[Goal], target: Target, meter: Meter, allow: Allow, endpoint: object
    ) -> Awaitable[PickReport]: ...


def cold(target: Address, caller: Credentials, reaching: Reaching, trying: Trying, aiming: Aiming) -> None:
    """Try a served catalog as a stranger's assistant would, and measure how far it gets.

    TARGET is an app (`app.py`, `module:attribute`), which runs in this process as the stated caller, the address of a
    schema catalog or of what serves one, or the address of an MCP server. Each operation is called as its example
    shows; ids go from row to call by their names; pages are followed to the end; calls with one mistake have to be
    refused by name, and are repaired from the refusal alone; every answer is held against its schema. What is measured:
    how often the first call is right, and how often the first retry.

    Only what says that it reads is called, unless `--allow` says more: an app is run with the data it is configured
    for, and an action has its real effects. The report says what was not called, and why. Exits 1 when something
    failed, when nothing was called, and when an ablation went unnoticed or none could be made.

    `--goals FILE` measures which operation would be picked for what people say: by words, by `--embeddings`, and by
    `--model URL`, whose key is taken from AFFORD_MODEL_KEY.
    """
    opening = _opening()
    aims = _aims(aiming, trying)
    app, subject = _subject(opening, target, caller, reaching)
    begun, line = _Begun(app, _plan(caller.wait, trying), aims), ProgressLine()
    stopped = ""
    try:
        with redirect_stdout(sys.stderr):
            asyncio.run(_run(opening, subject, begun, line))
    except KeyboardInterrupt:
        stopped = "it was interrupted"
    finally:
        line.clear()
    if begun.run is None:
        raise CommandError("it was interrupted before anything was known", exit_code=FAILED)
    begun.run.notebook.stopped = begun.run.notebook.stopped or stopped
    report = begun.run.report()
    put(RENDERERS[trying.form](report))
    if report.has_failed or stopped:
        raise typer.Exit(FAILED)


@dataclass(slots=True)
class _Begun:
    """What a run is made of, and the run as soon as there is one, since anything may end it."""

    app: App | None
    plan: Plan
    aims: Aims
    run: ColdRun | None = None


async def _run(opening: _Opening, subject: Subject, begun: _Begun, line: ProgressLine) -> None:
    def told(calls: int, operation: str) -> None:
        line.show(f"{calls} calls, {operation}")

    try:
        async with opening.opened(subject, begun.plan.timeout) as (target, link):
            begun.run = ColdRun(target, link, begun.plan, begun.aims, told)
            await begun.run.run()
    except CatalogError:
        raise
    except Exception as error:
        if begun.run is not None:
            raise
        raise _not_opened(error, begun.app) from error


def _plan(wait: float, trying: Trying) -> Plan:
    return Plan(allow=trying.allow, most_calls=trying.max_calls, timeout=wait, seed=trying.seed, ablate=trying.ablate)


def _aims(aiming: Aiming, trying: Trying) -> Aims:
    """What the goals are, and who picks.

    Raises:
        CommandError: the file holds none, or what picks is not installed.
    """
    if aiming.goals is None:
        if aiming.embeddings or aiming.model or aiming.floor:
            raise CommandError("`--embeddings`, `--model` and `--floor` are about goals; name some with `--goals FILE`")
        return Aims()
    try:
        goals = read_goals(aiming.goals)
        embed = small_model() if aiming.embeddings else None
    except (GoalsError, EmbeddingsError) as error:
        raise CommandError(str(error)) from error
    play = None if aiming.model is None else _player(aiming.model, aiming.model_name, goals, trying.allow)
    return Aims(goals=goals, embed=embed, play=play, floor=aiming.floor)


def _player(url: str, name: str, goals: Sequence[Goal], allow: Allow) -> Play:
    if not is_address(url):
        raise CommandError(f"`{url}` is no address; write `--model http://host/v1`")
    assistant = cast("_Assistant", import_module(_ASSISTANT))
    endpoint = assistant.Endpoint(url=url, model=name, key=os.environ.get(KEY_VARIABLE))

    async def play(target: Target, meter: Meter) -> PickReport:
        return await assistant.play(goals, target, meter, allow, endpoint)

    return play


def _not_opened(error: Exception, app: App | None) -> CommandError:
    """Why the target could not be opened; the clients are loaded late, so that their errors are known by name."""
    told: BaseException = error
    while isinstance(told, BaseExceptionGroup):
        told = cast("BaseExceptionGroup[BaseException]", told).exceptions[0]
    words, kind = str(told) or type(told).__name__, type(told).__name__
    if app is not None and kind in _REFUSED:
        return CommandError("this caller is offered nothing; say who calls, with `--as` and `--roles`")
    if app is not None:
        message = "the app did not start; correct what the traceback shows"
        return CommandError(message, detail=users_traceback(error), exit_code=FAILED)
    if kind == _NO_CATALOG:
        return CommandError(words)
    return CommandError(f"the target does not answer as it should ({words}); check it, and the credentials")


def _opening() -> _Opening:
    try:
        return cast("_Opening", import_module(_OPENING))
    except ImportError as error:
        raise CommandError(_NEEDS) from error


def _subject(opening: _Opening, target: Address, caller: Credentials, reaching: Reaching) -> tuple[App | None, Subject]:
    """What is meant, from the words given; and the app where it is one."""
    text = target.text or ""
    if reaching.stdio is not None:
        return None, _command(opening, target, caller, reaching)
    if target.app is None and not text:
        raise CommandError("nothing is named; name an app, an address, or a server with `--stdio`")
    if target.app is None and is_address(text):
        is_mcp = text.partition("?")[0].rstrip("/").endswith("/mcp") if reaching.over is None else _is_mcp(reaching)
        return None, opening.Remote(place=text, is_mcp=is_mcp, headers=caller.headers())
    if caller.header:
        raise CommandError("`--header` is for addresses; say with `--as` and `--roles` who calls an app")
    app = target.app or load_target(text).app
    principal, door = _principal(app, caller)
    if _is_mcp(reaching) and door is not Door.AGENT:
        raise CommandError("MCP is for agents; leave `--door` out, or `--over`")
    return app, opening.Local(app=app, principal=principal, door=door, is_mcp=_is_mcp(reaching))


def _command(opening: _Opening, target: Address, caller: Credentials, reaching: Reaching) -> Subject:
    if target.text or not (reaching.stdio or "").strip():
        raise CommandError("`--stdio` names what is tried, by a command; leave the other out")
    if caller.header or reaching.over is Over.HTTP:
        raise CommandError("a server on standard streams takes no headers and speaks MCP; leave them out")
    caller.headers()  # refuses an identity, which is for apps
    return opening.Remote(place=reaching.stdio, is_mcp=True, is_command=True, headers={})


def _principal(app: App, caller: Credentials) -> tuple[Principal | None, Door]:
    found = caller.caller(app, Surface.HTTP)
    return found.principal, found.door


def _is_mcp(reaching: Reaching) -> bool:
    return reaching.over is Over.MCP
