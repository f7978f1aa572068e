"""Watching a folder and building it: knows files and processes, and nothing of who asks."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic
from typing import Literal

from pydantic import BaseModel, Field

STEP = Path(__file__).with_name("step.py")
FIXES = {
    "BW001": "correct the syntax at the line that is named, then save the file",
    "BW002": "save the file as UTF-8",
    "BW003": "add a `__main__.py` with what the program does",
}
KEPT = 200


class Diagnostic(BaseModel):
    """One thing that is wrong with a source."""

    code: Literal["BW001", "BW002", "BW003"] = Field(description="What kind of mistake it is.")
    file: str = Field(description="Path of the source, below the watched folder.")
    line: int = Field(ge=1, description="Where in the file, the first line being 1.")
    message: str = Field(description="What is wrong, in the words of the compiler.")
    fix: str = Field(description="What to do about it.")


@dataclass
class Build:
    """One build session."""

    build_id: str
    trigger: str
    started_at: datetime
    status: Literal["running", "passed", "failed", "cancelled"] = "running"
    duration_ms: int = 0
    archive_bytes: int = 0
    diagnostics: list[Diagnostic] = field(default_factory=list)

    @property
    def error_count(self) -> int:
        """How many diagnostics it has."""
        return len(self.diagnostics)


class Builder:
    """Builds one folder, one build at a time."""

    def __init__(self, folder: Path, changed: Callable[[], None], saved: Callable[[Path], None]) -> None:
        """Prepare; `changed` hears of every change of status, and `saved` of every file that is saved."""
        self.folder = folder.resolve()
        self.archive = self.folder / "dist" / "app.pyz"
        self.builds: list[Build] = []
        self.is_watching = True
        self._changed = changed
        self._saved = saved
        self._count = 0
        self._process: asyncio.subprocess.Process | None = None

    @property
    def is_running(self) -> bool:
        """Whether a build is under way."""
        return bool(self.builds) and self.builds[0].status == "running"

    def sources(self) -> dict[Path, float]:
        """Every watched file with the time of its last change."""
        found = [path for kind in ("*.py", "palette.toml") for path in self.folder.rglob(kind)]
        return {path: path.stat().st_mtime for path in found if "dist" not in path.parts}

    async def watch(self, every: float = 0.2) -> None:
        """Build whenever a file is saved; until cancelled."""
        seen = self.sources()
        while True:
            await asyncio.sleep(every)
            now = self.sources()
            names = sorted({path for path, _ in now.items() ^ seen.items()})
            seen = now
            for path in names:
                self._saved(path)
            if names and self.is_watching and not self.is_running:
                await self.build(", ".join(path.name for path in names))

    async def build(self, trigger: str) -> Build:
        """Run the build step, and answer how it went."""
        self._count += 1
        build = Build(f"build_{self._count:04}", trigger, datetime.now(UTC))
        self.builds.insert(0, build)
        del self.builds[KEPT:]
        started = monotonic()
        self._changed()
        command = (sys.executable, str(STEP), str(self.folder), str(self.archive))
        self._process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
        output, _ = await self._process.communicate()
        found = [json.loads(line) for line in output.splitlines()]
        build.diagnostics = [Diagnostic(**item, fix=FIXES[item["code"]]) for item in found]
        build.duration_ms = round((monotonic() - started) * 1000)
        build.status = {0: "passed", 1: "failed"}.get(self._process.returncode or 0, "cancelled")
        build.archive_bytes = self.archive.stat().st_size if build.status == "passed" else 0
        self._changed()
        return build

    def cancel(self) -> bool:
        """Stop the build that is under way; whether there was one."""
        if self._process is None or not self.is_running:
            return False
        with suppress(ProcessLookupError):
            self._process.kill()
        return True
