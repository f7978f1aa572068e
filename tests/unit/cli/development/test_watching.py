"""Edits that matter, and those that do not."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from afford.cli.development.watching import Watching

WAIT = 20.0


@asynccontextmanager
async def watched(folder: Path, *extra: Path) -> AsyncIterator[tuple[Watching, asyncio.Queue[frozenset[Path]]]]:
    edits = asyncio.Queue[frozenset[Path]]()
    watching = Watching(edits.put_nowait, extra)
    await watching.start()
    await watching.add([folder])
    try:
        yield watching, edits
    finally:
        await watching.stop()


async def until(edits: asyncio.Queue[frozenset[Path]], path: Path) -> set[Path]:
    """What changed up to an edit of that path."""
    seen: set[Path] = set()
    async with asyncio.timeout(WAIT):
        while path not in seen:
            seen |= await edits.get()
    return seen


@pytest.mark.requirement("DEV-06")
async def test_python_files_and_what_was_named_matter_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "named.txt").touch()
    async with watched(tmp_path, tmp_path / "named.txt") as (_watching, edits):
        for name in ("data.db", "app.py~", ".app.py.swp", "deep/inside.py", "__pycache__", "page.html"):
            (tmp_path / name).mkdir() if name == "__pycache__" else (tmp_path / name).touch()
        (tmp_path / "named.txt").write_text("a")
        assert await until(edits, tmp_path / "named.txt") == {tmp_path / "named.txt"}
        (tmp_path / "app.py").write_text("a = 1")
        assert await until(edits, tmp_path / "app.py") == {tmp_path / "app.py"}


@pytest.mark.requirement("DEV-06")
async def test_a_folder_is_watched_as_soon_as_it_is_added_and_again_when_it_comes_back(tmp_path: Path) -> None:
    package = tmp_path / "package"
    async with watched(tmp_path) as (watching, edits):
        for _ in range(2):
            package.mkdir()
            await until(edits, package)
            watching.forget([package])
            await watching.add([package])
            (package / "inner.py").write_text("a = 1")
            await until(edits, package / "inner.py")
            (package / "inner.py").unlink()
            package.rmdir()


async def test_everything_in_a_named_folder_matters_at_every_depth(tmp_path: Path) -> None:
    deep = tmp_path / "templates" / "mail"
    deep.mkdir(parents=True)
    async with watched(tmp_path, tmp_path / "templates") as (_watching, edits):
        (deep / "hello.html").write_text("hello")
        await until(edits, deep / "hello.html")
