"""The application running inside this process, for as long as one command needs it.

Its lifespan surrounds the work, as it does under a server. What its code prints goes to stderr.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager, redirect_stdout
from typing import TypeVar

from afford.app import App
from afford.caller import Caller
from afford.catalog.model import Catalog
from afford.cli.failures import FAILED, CommandError
from afford.cli.tracebacks import users_traceback
from afford.manifest import Manifest, Manifests
from afford.runtime import Runtime

AnswerT = TypeVar("AnswerT")


def in_runtime(app: App, work: Callable[[Runtime], Awaitable[AnswerT]]) -> AnswerT:
    """Start the app, do the work, stop the app.

    Raises:
        CommandError: the app does not start, or does not stop.
        CatalogError: the app does not build.
    """
    with redirect_stdout(sys.stderr), _without_gap_warnings():
        return asyncio.run(_surrounded(app, work))


def current_catalog(app: App) -> Catalog:
    """The catalog with its derived closed sets loaded, as a running server has it.

    The app is started only where there are such sets: a document can be printed where the database cannot be reached.

    Raises:
        CommandError: the app has derived closed sets and does not start.
        CatalogError: the app does not build.
    """
    catalog = app.build()
    return in_runtime(app, _catalog_of) if catalog.choices else catalog


def manifest_for(app: App, caller: Caller) -> Manifest:
    """What the caller is offered, over the current catalog; raises what `current_catalog` raises."""
    return Manifests(current_catalog(app)).of(caller)


async def _catalog_of(runtime: Runtime) -> Catalog:
    return runtime.catalog


async def _surrounded(app: App, work: Callable[[Runtime], Awaitable[AnswerT]]) -> AnswerT:
    runtime = app.runtime()
    await _told_of_failure(runtime.start(), "the app did not start; correct what the traceback shows")
    try:
        return await work(runtime)
    finally:
        await _told_of_failure(runtime.stop(), "the app failed while it stopped; correct what the traceback shows")


async def _told_of_failure(step: Awaitable[None], message: str) -> None:
    try:
        await step
    except Exception as error:
        raise CommandError(message, detail=users_traceback(error), exit_code=FAILED) from error


@contextmanager
def _without_gap_warnings() -> Generator[None]:
    """Gaps are for whoever serves or checks the app; in the middle of a call they are noise."""
    logger = logging.getLogger("afford")
    level = logger.level
    logger.setLevel(max(level, logging.ERROR))
    try:
        yield
    finally:
        logger.setLevel(level)
