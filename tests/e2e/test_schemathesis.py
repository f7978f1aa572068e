"""Generated requests against a real server: what is served keeps to the OpenAPI document that is served with it."""

from __future__ import annotations

import runpy
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from pathlib import Path
from typing import Annotated, Literal
from uuid import UUID

import pytest
import schemathesis
import uvicorn
from pydantic import BaseModel, Field
from schemathesis.engine import events, from_schema
from schemathesis.specs.openapi.checks import negative_data_rejection
from schemathesis.specs.openapi.schemas import OpenApiSchema
from starlette.applications import Starlette

from afford import (
    ApiKeys,
    App,
    Choices,
    ConflictError,
    ForbiddenError,
    InvalidInputError,
    NotFoundError,
    Page,
    PageRequest,
    Paging,
    Principal,
    anyone,
    roles,
)
from afford.errors import FaultCode, JsonValue

EXAMPLE = Path(__file__).parents[2] / "examples" / "hoteling"
TOKEN = "demo-guest-1"
CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
    "unsupported_method",
    "allow_header_conformance",
    "input_that_fits_is_refused_only_by_the_author",
    "input_that_does_not_fit_is_refused",
)
SETTINGS = {
    "seed": 1453,
    "continue-on-failure": True,
    "generation": {"deterministic": True, "max-examples": 20, "database": "none"},
    "phases": {"stateful": {"enabled": False}},
    "checks": {"enabled": False} | {name: {"enabled": True} for name in CHECKS},
}


class Colour(Enum):
    """Some colours."""

    RED = "red"
    BLUE = "blue"


class Size(BaseModel):
    """What a query string can spell as an object."""

    width: Annotated[int, Field(ge=1, le=100)] = 1
    depth: float | None = None
    unit: Literal["cm", "mm"] = "cm"
    made: date | None = None


class Cat(BaseModel):
    """A pet."""

    kind: Literal["cat"]
    lives: int = 9


class Dog(BaseModel):
    """Another pet."""

    kind: Literal["dog"]
    tricks: tuple[str, ...] = ()


class Part(BaseModel):
    """What only a body can carry: recursive, with unions and maps."""

    name: Annotated[str, Field(min_length=1, max_length=20)]
    parts: tuple[Part, ...] = ()
    when: datetime | None = None
    price: Decimal | None = None
    pet: Annotated[Cat | Dog, Field(discriminator="kind")] | None = None
    counts: Annotated[dict[str, int], Field(max_length=3)] = {}


class Scalars(BaseModel):
    """One value of every scalar type."""

    text: str
    code: Annotated[str, Field(pattern="^[a-z]{2,4}$")]
    whole: Annotated[int, Field(ge=-5, le=5)]
    number: float
    flag: bool
    day: date
    moment: datetime
    clock: time
    span: timedelta
    amount: Decimal
    key: UUID
    colour: Colour
    one_of: Literal[1, 2, 3]


def every_kind_of_input() -> App:
    """An app that takes everything that can be declared, and answers what it was sent."""
    app = App(
        "kinds",
        version="1.0.0",
        roles=("guest",),
        access=anyone(),
        authenticate=ApiKeys({TOKEN: Principal("guest-1", ["guest"])}),
        secret="of this test",
    )
    declare_reads(app)
    declare_writes(app)
    return app


def declare_reads(app: App) -> None:
    @app.query(description="Answer the scalars.")
    def scalars(given: Scalars) -> list[Scalars]:
        return [given]

    @app.query(description="Answer how many values there are.")
    def collections(
        ids: list[int],
        size: Size,
        area: Annotated[str, Choices(lambda: ["north", "south side", "a&b=c"])],
        words: Annotated[list[Literal["x", "y"]] | None, Field(max_length=3)] = None,
        maybe: Annotated[Size | None, Field(description="Another size.")] = None,
    ) -> list[int]:
        return [len(ids), len(words or ()), size.width, len(area)]

    @app.query(description="Answer what has no null on this wire.")
    def nullable(number: int | None, colours: list[Colour | None] | None = None) -> list[int | None]:
        return [number, len(colours or ())]

    @app.query(description="Answer names that every other query reserves.")
    def own_names(limit: Annotated[int, Field(ge=1, le=3)] = 2, cursor: str = "a") -> list[str]:
        return [cursor] * limit

    @app.query(description="Count.", paging=Paging(default=2, max=4))
    async def count(page: PageRequest[int], upto: Annotated[int, Field(ge=0, le=50)] = 7) -> Page[int]:
        end = min((page.after or 0) + page.limit, upto)
        return Page(range(page.after or 0, end), next=end if end < upto else None, total=upto)

    @app.static(description="Answer the same.")
    def fixed() -> list[str]:
        return ["a"]

    @app.query(description="Answer half of an even number.")
    def half(number: Annotated[int, Field(ge=-100, le=100)]) -> int | None:
        return None if number % 2 else number // 2


def declare_writes(app: App) -> None:
    gone = app.problem("IT_IS_GONE", status=410, title="It is gone", fix="Take another.")

    @app.action(description="Answer a tree.", access=roles("guest"))
    async def grow(part: Part) -> Part:
        return part

    @app.action(description="Answer what may be left out.")
    async def optional(size: Size | None = None, words: Annotated[tuple[str, ...], Field(max_length=3)] = ()) -> int:
        return len(words)

    @app.event(description="Do nothing.")
    def ping() -> None:
        return None

    @app.action(description="Refuse in a way.", raises=[gone])
    def refuse(way: Literal["gone", "conflict", "forbidden", "missing", "rule", "none"]) -> bool:
        refusals = {
            "gone": gone("It went.", retry_after=2),
            "conflict": ConflictError("It is taken."),
            "forbidden": ForbiddenError("It is closed."),
            "missing": NotFoundError("It is not here."),
            "rule": InvalidInputError("It is odd.", pointer="/way"),
        }
        if way in refusals:
            raise refusals[way]
        return True

    @app.action(description="Take raw JSON.", input_schema=RAW_INPUT, output_schema={"type": "integer"})
    def raw(arguments: dict) -> int:
        return len(arguments)


RAW_INPUT = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "tree": {"$ref": "#/$defs/node"},
        "number": {"type": ["integer", "null"], "maximum": 99},
        "either": {"oneOf": [{"type": "string", "format": "email"}, {"type": "number", "multipleOf": 0.5}]},
    },
    "required": ["tree"],
    "$defs": {
        "node": {
            "type": "object",
            "additionalProperties": False,
            "properties": {"children": {"type": "array", "maxItems": 2, "items": {"$ref": "#/$defs/node"}}},
        }
    },
}


def hoteling() -> App:
    """The example application."""
    app = runpy.run_path(str(EXAMPLE / "app.py"))["app"]
    assert isinstance(app, App)
    return app


@dataclass(frozen=True)
class Target:
    """An app, and who attacks it."""

    make: Callable[[], App]
    token: str | None


TARGETS = {
    "every kind of input, guest": Target(every_kind_of_input, TOKEN),
    "hoteling, anonymous": Target(hoteling, None),
    "hoteling, guest": Target(hoteling, TOKEN),
}


@contextmanager
def served(app: App) -> Iterator[str]:
    """The URL of the app's mount under uvicorn on a free port; requests wait in the socket until it is up."""
    host = Starlette()
    app.mount_on(host, "/agent")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = uvicorn.Server(uvicorn.Config(host, log_config=None, ws="none"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}/agent"
        finally:
            server.should_exit = True
            thread.join()


@pytest.fixture(params=[*TARGETS])
def document(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Iterator[OpenApiSchema]:
    target = TARGETS[request.param]
    monkeypatch.syspath_prepend(str(EXAMPLE))
    monkeypatch.setenv("HOTELING_DATABASE", f"sqlite+aiosqlite:///{tmp_path / 'hoteling.db'}")
    forget_example_modules()
    headers = {} if target.token is None else {"Authorization": f"Bearer {target.token}"}
    with served(target.make()) as url:
        config = schemathesis.Config.from_dict(SETTINGS)
        schema = schemathesis.openapi.from_url(f"{url}/openapi.json", config=config, headers=headers)
        schema.config.update(base_url=url, headers=headers)
        yield schema
    forget_example_modules()


def forget_example_modules() -> None:
    for path in EXAMPLE.glob("*.py"):
        sys.modules.pop(path.stem, None)


@schemathesis.check
def input_that_fits_is_refused_only_by_the_author(
    context: schemathesis.CheckContext, response: schemathesis.Response, case: schemathesis.Case
) -> None:
    """The document is the only judge of input, apart from rules in code and from cursors, which no schema can know."""
    if case.meta is not None and case.meta.generation.mode.is_positive and response.status_code == 400:
        codes = {fault["code"] for fault in response.json()["errors"]}
        assert codes <= {FaultCode.RULE, FaultCode.CURSOR}, response.text


@schemathesis.check
def input_that_does_not_fit_is_refused(
    context: schemathesis.CheckContext, response: schemathesis.Response, case: schemathesis.Case
) -> None:
    """Two tolerances are documented: null for an optional input, and nothing at all for an empty object."""
    if not holds_null(case.body) and not is_blank(case.body):
        negative_data_rejection(context, response, case)


def holds_null(value: JsonValue) -> bool:
    if isinstance(value, dict):
        return any(holds_null(inner) for inner in value.values())
    if isinstance(value, list):
        return any(holds_null(inner) for inner in value)
    return value is None


def is_blank(body: object) -> bool:
    return isinstance(body, bytes) and not body.strip()


@dataclass
class Attack:
    """What came of every request."""

    failures: list[str] = field(default_factory=list)
    """Each with the request that reproduces it."""
    statuses: dict[str, set[int]] = field(default_factory=dict)
    """By operation, as method and path."""


def attack(document: OpenApiSchema) -> Attack:
    seen = Attack()
    for event in from_schema(document).execute():
        if isinstance(event, events.NonFatalError | events.FatalError):
            seen.failures.append(repr(event))
        elif isinstance(event, events.ScenarioFinished):
            answers = [interaction.response for interaction in event.recorder.interactions.values()]
            statuses = seen.statuses.setdefault(event.recorder.label, set())
            statuses.update(answer.status_code for answer in answers if answer is not None)
            seen.failures += failures_in(event)
    return seen


def failures_in(event: events.ScenarioFinished) -> Iterator[str]:
    for results in event.recorder.checks.values():
        for result in results:
            if result.failure_info is not None:
                failure, request = result.failure_info.failure, result.failure_info.code_sample
                yield f"{event.recorder.label}: {result.name}: {failure.message}\n{request}"


@pytest.mark.requirement("HTTP-05")
def test_the_service_keeps_to_its_document(document: OpenApiSchema) -> None:
    labels = {operation.ok().label for operation in document.get_all_operations()}
    seen = attack(document)
    assert not seen.failures, "\n\n".join(seen.failures[:5])
    assert {label for label, statuses in seen.statuses.items() if {200, 400} <= statuses} == labels
