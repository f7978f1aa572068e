"""The entry, `afford dev app.py`: a build tool that a person and an assistant look at together."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tomllib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Annotated, Literal, TypedDict

from builder import Build, Builder, Diagnostic
from pydantic import BaseModel, Field

from afford import DOC, Agent, App, Caller, Example, NotFoundError, Page, PageRequest, Paging, Tool, anyone

FOLDER = Path(os.environ.get("BUILDWATCH_FOLDER", Path(__file__).with_name("sample")))
MANUAL = Path(__file__).with_name("manual")

BuildId = Annotated[str, Field(pattern=r"^build_\d{4,}$", description="Id of a build session, as in list_builds.")]
Status = Annotated[Literal["running", "passed", "failed", "cancelled"], Field(description="How the build stands.")]


class BuildRow(BaseModel):
    build_id: BuildId
    status: Status
    trigger: Annotated[str, Field(description="What set it off: names of saved files, `start` or `asked`.")]
    started_at: Annotated[datetime, Field(description="When it began.")]
    duration_ms: Annotated[int, Field(ge=0, description="How long it took, in milliseconds; 0 while it runs.")]
    error_count: Annotated[int, Field(ge=0, description="How many mistakes the sources had.")]


class BuildReport(BuildRow):
    archive_bytes: Annotated[int, Field(ge=0, description="Size of the archive, in bytes; 0 where there is none.")]
    diagnostics: Annotated[list[Diagnostic], Field(description="Every mistake, by file and line.")]


class Watch(TypedDict):
    status: str
    build_id: str | None
    watching: bool


class Directions(BaseModel):
    place: Annotated[str, Field(description="A file on this machine.")]
    next_step: Annotated[str, Field(description="What to do there.")]


class Output(BaseModel):
    exit_code: Annotated[int, Field(description="What the command ended with; 0 where all went well.")]
    output: Annotated[str, Field(description="What it printed, its last 4,000 characters.")]


@asynccontextmanager
async def lifespan(_app: App) -> AsyncIterator[None]:
    await builder.build("start")
    watching = asyncio.create_task(builder.watch())
    yield
    builder.cancel()
    watching.cancel()
    with suppress(asyncio.CancelledError):
        await watching


app = App("buildwatch", title="Build watch", access=anyone(), lifespan=lifespan)
watch = app.shared_state(
    "watch", Watch(status="running", build_id=None, watching=True), description="The last build, and what comes next."
)
BuildRunning = app.problem(
    "BUILD_RUNNING", status=409, title="A build is running", fix="wait for it, or cancel_build", retryable=True
)
TIMES = {"started_at": "2026-01-05T09:00:00Z", "duration_ms": 84}
ROW = {"build_id": "build_0001", "status": "passed", "trigger": "start", **TIMES, "error_count": 0}
REPORT = {**ROW, "trigger": "asked", "archive_bytes": 512, "diagnostics": []}


def report(build: Build) -> BuildReport:
    return BuildReport.model_validate(build, from_attributes=True)


def changed() -> None:
    last = builder.builds[0] if builder.builds else None
    status, build_id = (last.status, last.build_id) if last else ("running", None)
    watch.set(Watch(status=status, build_id=build_id, watching=builder.is_watching))
    summary.notify_updated()


def saved(path: Path) -> None:
    if path.name == "palette.toml":
        palette.notify_changed()


builder = Builder(FOLDER, changed, saved)


@app.query(
    description=DOC,
    paging=Paging(default=20, max=100),
    example=Example({}, row=ROW),
)
async def list_builds(*, page: PageRequest[int]) -> Page[BuildRow]:
    """List build sessions, newest first. Call it to see what was built and how it went; free of cost and always up to
    date. For the mistakes of one, go on with build_report."""
    start = page.after or 0
    rows = [BuildRow.model_validate(build, from_attributes=True) for build in builder.builds[start:][: page.limit]]
    end = start + len(rows)
    return Page(rows, next=end if end < len(builder.builds) else None, total=len(builder.builds))


@app.query(description=DOC, example=Example({"build_id": "build_0001"}))
async def build_report(build_id: BuildId) -> BuildReport | None:
    """Read one build session with every mistake that it found and how to mend each. Call it whenever a build has
    failed, and before proposing any change of the sources; free of cost."""
    return next((report(build) for build in builder.builds if build.build_id == build_id), None)


@app.static(description=DOC)
async def toolchain() -> dict[Literal["python", "step"], str]:
    """Say with what is built: the interpreter and the build step, and nothing else. Call it before explaining a mistake
    that depends on the version; once per conversation is enough."""
    return {"python": sys.version.split()[0], "step": "step.py: compile every source, then pack an archive"}


@app.action(description=DOC, raises=[BuildRunning], example=Example({}, row=REPORT))
async def start_build() -> BuildReport:
    """Build now, without waiting for a file to be saved, and answer how it went. Call it after changing sources while
    watching is paused. It replaces the archive of the build before; build_report keeps what it found."""
    if builder.is_running:
        raise BuildRunning("another build is under way")
    return report(await builder.build("asked"))


@app.action(description=DOC, example=Example({}))
async def cancel_build() -> Annotated[bool, Field(description="Whether there was one to cancel.")]:
    """Stop the build that is under way, when it takes too long; the archive of the build before stays as it is."""
    return builder.cancel()


@app.action(description=DOC, safety="destructive", example=Example({}))
async def clean_output() -> None:
    """Delete the built archive, when somebody asks for a clean start. It is gone for good until start_build makes
    another."""
    builder.archive.unlink(missing_ok=True)


@app.event(description=DOC, example=Example({"watching": False}))
async def set_watching(watching: Annotated[bool, Field(description="Whether to build on every save.")]) -> None:
    """Pause or resume building on every save. Pause it before changing several files together; resume it afterwards."""
    builder.is_watching = watching
    changed()


def markdown() -> str:
    last = builder.builds[0] if builder.builds else None
    if last is None:
        return "# No build yet"
    lines = [f"- `{item.file}:{item.line}` {item.code}: {item.message} ({item.fix})" for item in last.diagnostics]
    return "\n".join([f"# {last.build_id}: {last.status}", "", *(lines or [f"{last.duration_ms} ms, no mistakes."])])


def docs(
    topic: Annotated[Literal["diagnostics", "palette"], Field(description="Which page of the manual.")],
) -> Directions:
    step = "Read this file before you answer: it is of the version that runs here."
    return Directions(place=str(MANUAL / f"{topic}.md"), next_step=step)


def commands(_caller: Caller) -> list[Tool]:
    """One tool for each command of the palette, as the file says now."""
    try:
        found = tomllib.loads((FOLDER / "palette.toml").read_text(encoding="utf-8"))
    except FileNotFoundError:
        return []
    return [
        Tool(id=f"run_{name}", handler=running(item["command"]), description=item["description"], output=Output)
        for name, item in found.items()
    ]


def running(command: list[str]) -> object:
    def run() -> Output:
        words = [sys.executable if word == "python" else word for word in command]
        done = subprocess.run(words, cwd=FOLDER, capture_output=True, text=True, timeout=60, check=False)
        return Output(exit_code=done.returncode, output=(done.stdout + done.stderr)[-4000:])

    return run


def read_source(name: str) -> str:
    for path in builder.sources():
        if path.name == name:
            return path.read_text(encoding="utf-8")
    raise NotFoundError("there is no such source", fix="complete the name from what is watched")


summary = app.resource(
    "summary",
    name="Build summary",
    description="The last build in a few lines. Read it before talking about the state of the sources.",
    mime_type="text/markdown",
    read=markdown,
)
app.resource(
    "source",
    name="Source",
    description="One source file as it is saved now.",
    uri_template="buildwatch://sources/{name}",
    read=read_source,
    complete={"name": lambda typed: [path.name for path in builder.sources() if path.name.startswith(typed)]},
)
app.tool(
    "docs",
    handler=docs,
    description="Locate the manual of this version. Call it before answering about it; free.",
    safety="read",
    agent=Agent(title="Manual"),
)
palette = app.tool_provider(commands)
app.prompt("mend", description="Mends what the last build found.", handler=lambda: f"Mend this:\n\n{markdown()}")
