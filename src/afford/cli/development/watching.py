"""Noticing edits. The one module that knows watchfiles; which files matter is decided here, what an edit means is not.

Folders of imported code are watched one by one and not with what is below them: what nobody imports, such as an
environment, a folder of uploads or a thousand packages of another language, costs nothing and starts nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import Final

from watchfiles import (  # a parameter may be an event of trio, which need not be installed
    Change,
    DefaultFilter,
    awatch,  # pyright: ignore[reportUnknownVariableType] - the same
)

from afford.cli.printing import say

STEP: Final = 50
"""Milliseconds without another change after which an edit is over: editors write a file in several steps."""


class Watching:
    """The files that matter now; there may be more of them later, and never fewer."""

    def __init__(self, tell: Callable[[frozenset[Path]], None], extra: Collection[Path]) -> None:
        """Watch nothing yet.

        Args:
            tell: called with what changed: Python files, folders that are new, and what lies in `extra`.
            extra: files and folders in which everything matters, with what is below them.
        """
        self._tell = tell
        self._extra = frozenset(path for path in extra if not path.is_dir())
        self._deep = [path for path in extra if path.is_dir()]
        self._folders: frozenset[Path] = frozenset()
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Begin with what is watched in any case."""
        if self._deep:
            self._tasks.append(asyncio.create_task(self._follow(self._deep, recursive=True)))
        await self.add(path.parent for path in self._extra)

    async def add(self, folders: Iterable[Path]) -> None:
        """Watch these folders as well; also again one that was removed and came back."""
        wanted = frozenset(path for path in (*self._folders, *folders) if path.is_dir())
        if wanted <= self._folders or not wanted:
            return
        self._folders = wanted
        before = [task for task in self._tasks if task.get_name() == _SHALLOW]
        # The new watch is in place before the old one ends, so that nothing falls between them.
        self._tasks.append(asyncio.create_task(self._follow(sorted(wanted), recursive=False), name=_SHALLOW))
        await asyncio.sleep(0)
        await self._end(before)

    def forget(self, folders: Iterable[Path]) -> None:
        """Let the next `add` watch these folders anew: they are others than before, under the same names."""
        self._folders = self._folders.difference(folders)

    async def stop(self) -> None:
        """Watch nothing any more."""
        await self._end(list(self._tasks))

    async def _end(self, tasks: list[asyncio.Task[None]]) -> None:
        for task in tasks:
            task.cancel()
            self._tasks.remove(task)
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _follow(self, folders: Collection[Path], *, recursive: bool) -> None:
        chosen = DefaultFilter() if recursive else self._matters
        try:
            async for changes in awatch(
                *folders, watch_filter=chosen, step=STEP, recursive=recursive, ignore_permission_denied=True
            ):
                self._tell(frozenset(Path(path) for _change, path in changes))
        except (OSError, RuntimeError) as error:
            # The library's own errors are `RuntimeError`s, such as that of a system that lets nobody watch more.
            say(f"edits are not noticed any more: {error}; start again, perhaps with WATCHFILES_FORCE_POLLING=1")

    def _matters(self, change: Change, path: str) -> bool:
        """Whether a change directly inside a watched folder may change the application."""
        changed = Path(path)
        is_new_package = change is Change.added and changed.name.isidentifier() and changed.is_dir()
        return changed.suffix == ".py" or changed in self._extra or (is_new_package and changed.name != "__pycache__")


_SHALLOW: Final = "afford-watch"
