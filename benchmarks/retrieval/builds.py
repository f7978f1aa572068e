"""Ten operations of a build and deployment service."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from afford import Feature

builds = Feature("builds", description="Continuous integration: builds, tests and what goes live.")

BuildId = Annotated[int, Field(ge=1, description="The build's id, as list_builds or start_build answers it.")]
Environment = Annotated[Literal["staging", "production"], Field(description="Where it runs.")]


class Build(BaseModel):
    build_id: int
    branch: str
    state: str


class Line(BaseModel):
    number: int
    text: str


class Test(BaseModel):
    name: str
    failures: int


class Artifact(BaseModel):
    name: str
    url: str


@builds.query(
    description="List recent builds with branch, state and duration. For whether a branch is green, what is running "
    "now, and the id of a build."
)
async def list_builds(
    branch: Annotated[str | None, Field(description="Only builds of this branch.")] = None,
    state: Annotated[
        Literal["queued", "running", "passed", "failed"] | None, Field(description="Only builds in this state.")
    ] = None,
) -> list[Build]: ...


@builds.query(
    description="Read the output of a build, or of one of its steps. For why a build failed: the error is usually in "
    "the last lines."
)
async def build_log(
    build_id: BuildId,
    step: Annotated[
        str | None, Field(description="Name of the step, such as compile; the whole log without it.")
    ] = None,
    tail: Annotated[int, Field(ge=1, le=2000, description="Lines counted from the end.")] = 200,
) -> list[Line]: ...


@builds.action(
    description="Compile and test a branch or commit from the start. It waits in the queue for a free machine and "
    "answers at once; list_builds tells how it went."
)
async def start_build(
    branch: Annotated[str, Field(description="Branch to build.")],
    commit: Annotated[str | None, Field(description="Commit hash; the newest of the branch without it.")] = None,
) -> Build: ...


@builds.action(
    description="Stop a build that is queued or running and free its machine. What it has produced is thrown away."
)
async def cancel_build(build_id: BuildId) -> Build: ...


@builds.action(
    description="Run the failed tests of a finished build again on the same commit, without compiling. For failures "
    "that look like chance."
)
async def rerun_failed_tests(build_id: BuildId) -> Build: ...


@builds.query(
    description="List tests that fail now and then without a change of the code, with how often. For deciding what to "
    "repair or to put in quarantine."
)
async def flaky_tests(
    days: Annotated[int, Field(ge=1, le=90, description="How far to look back.")] = 30,
) -> list[Test]: ...


@builds.query(
    description="List the files that a build has produced, such as packages, images and coverage reports, with links "
    "to download them."
)
async def list_artifacts(build_id: BuildId) -> list[Artifact]: ...


@builds.action(
    description="Put a passed build live in an environment, a few machines at a time. Users see the new version at "
    "once.",
    risk="high",
)
async def deploy_build(build_id: BuildId, environment: Environment) -> str: ...


@builds.action(
    description="Return an environment to the version that ran before the last deployment, at once and on all "
    "machines. For when what went live is broken.",
    risk="high",
)
async def roll_back(environment: Environment) -> str: ...


@builds.action(
    description="Throw away the compiled dependencies that are kept between builds, so that the next build fetches "
    "everything anew. For builds that fail only on the server and pass elsewhere.",
    safety="destructive",
)
async def clear_cache(
    branch: Annotated[str | None, Field(description="Only this branch's; all without it.")] = None,
) -> None: ...
