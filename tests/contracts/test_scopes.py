"""Provided values: how they are made, how long they live, and what closing them means."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from pathlib import Path
from typing import Protocol, Self

import aiosqlite
import pytest
from pydantic import BaseModel
from tests.contracts.links import Over, client

from afford import App, Call, Caller, ConflictError, Principal, SyncCall, anyone


class Desk:
    """Something to provide."""

    def __init__(self, name: str = "desk") -> None:
        self.name = name


class Room:
    """Something else to provide."""


class Chair:
    """Something made of a room."""


class Settings:
    """What a desk may be made of."""

    def __init__(self, place: str = "real") -> None:
        self.place = place


def new_app(**options: object) -> App:
    return App("office", access=anyone(), **options)


class Log(list[str]):
    """What happened, in order."""

    @contextlib.contextmanager
    def noted(self, name: str) -> Generator[None]:
        self.append(f"open {name}")
        try:
            yield
        except BaseException as error:
            self.append(f"undo {name}: {type(error).__name__}")
            raise
        self.append(f"keep {name}")


def plain_function(log: Log) -> Callable[[], Desk]:
    return Desk


def async_function(log: Log) -> Callable[[], Awaitable[Desk]]:
    async def make() -> Desk:
        return Desk()

    return make


def generator(log: Log) -> Callable[[], Generator[Desk]]:
    def make() -> Generator[Desk]:
        with log.noted("desk"):
            yield Desk()

    return make


def async_generator(log: Log) -> Callable[[], AsyncGenerator[Desk]]:
    async def make() -> AsyncGenerator[Desk]:
        with log.noted("desk"):
            yield Desk()

    return make


def context_manager(log: Log) -> Callable[[], contextlib.AbstractContextManager[Desk]]:
    return contextlib.contextmanager(generator(log))


def async_context_manager(log: Log) -> Callable[[], contextlib.AbstractAsyncContextManager[Desk]]:
    return contextlib.asynccontextmanager(async_generator(log))


def function_of_a_context_manager(log: Log) -> Callable[[], object]:
    async def make() -> contextlib.AbstractContextManager[Desk]:
        return contextlib.contextmanager(generator(log))()

    return make


EVERY_KIND = [
    plain_function,
    async_function,
    generator,
    async_generator,
    context_manager,
    async_context_manager,
    function_of_a_context_manager,
]
CLOSED = [kind for kind in EVERY_KIND if kind not in (plain_function, async_function)]


@pytest.mark.requirement("INJ-02")
@pytest.mark.parametrize("kind", EVERY_KIND)
@pytest.mark.parametrize("scope", ["call", "app"])
async def test_every_kind_of_provider_gives_its_value_to_both_kinds_of_handlers(
    over: Over, kind: Callable[[Log], Callable[[], object]], scope: str
):
    app, log = new_app(), Log()
    app.provide(Desk, kind(log), scope=scope)

    @app.query(description="Name the desk.")
    async def name(desk: Desk) -> str:
        return desk.name

    @app.query(description="Name the desk in a thread.")
    def name_in_thread(desk: Desk) -> str:
        return desk.name

    async with client(app, over=over) as caller:
        assert (await caller.call("name")).value == ["desk"]
        assert (await caller.call("name_in_thread")).value == ["desk"]
    times = {"call": 2, "app": 1}[scope] if kind in CLOSED else 0
    assert log == ["open desk", "keep desk"] * times


@pytest.mark.requirement("INJ-03")
@pytest.mark.parametrize("kind", CLOSED)
async def test_a_scope_learns_whether_the_contract_held(over: Over, kind: Callable[[Log], Callable[[], object]]):
    app, log = new_app(), Log()
    app.provide(Desk, kind(log))

    class Row(BaseModel):
        number: int

    @app.action(description="Answer something.")
    async def answer(what: str, desk: Desk) -> Row:
        log.append(what)
        if what == "crash":
            raise RuntimeError
        if what == "refusal":
            raise ConflictError("not now")
        return Row(number=1) if what == "right" else {"number": "one"}

    async with client(app, over=over) as caller:
        codes = [(await caller.call("answer", what=what)).code for what in ("right", "wrong", "crash", "refusal")]
    assert codes == ["ok", "output_contract", "internal", "conflict"]
    outcomes = [line for line in log if line.startswith(("keep", "undo"))]
    assert outcomes == [
        "keep desk",
        "undo desk: RejectedResultError",
        "undo desk: RuntimeError",
        "undo desk: ConflictError",
    ]


@pytest.mark.requirement("INJ-03")
async def test_values_are_closed_in_reverse_and_made_once_per_call(over: Over):
    app, log = new_app(), Log()

    async def room() -> AsyncGenerator[Room]:
        with log.noted("room"):
            yield Room()

    def chair(room: Room) -> Generator[Chair]:
        with log.noted("chair"):
            yield Chair()

    async def desk(room: Room, chair: Chair, caller: Caller, call: Call) -> Desk:
        return Desk(f"{caller.id} at {call.operation}")

    app.provide(Room, room)
    app.provide(Chair, chair)
    app.provide(Desk, desk)

    @app.query(description="Name the desk.")
    async def name(room: Room, desk: Desk, chair: Chair) -> str:
        return desk.name

    async with client(app, as_=Principal("ada"), over=over) as caller:
        assert (await caller.call("name")).value == ["ada at name"]
    assert log == ["open room", "open chair", "keep chair", "keep room"]


@pytest.mark.requirement("INJ-03", "EXEC-04")
async def test_an_answer_is_not_given_when_closing_the_scope_fails(over: Over):
    app = new_app()

    async def desk() -> AsyncGenerator[Desk]:
        yield Desk()
        raise RuntimeError("password=hunter2")

    app.provide(Desk, desk)

    @app.action(description="Sit down.")
    async def sit(desk: Desk) -> str:
        return "seated"

    async with client(app, over=over) as caller:
        answer = await caller.call("sit")
    assert (answer.code, answer.value) == ("internal", None)
    assert "hunter2" not in str(answer.error)


@pytest.mark.requirement("INJ-03", "EXEC-03")
async def test_a_scope_may_say_what_a_failed_commit_means(over: Over):
    app = new_app()

    async def desk() -> AsyncGenerator[Desk]:
        try:
            yield Desk()
        except KeyError:
            raise ConflictError("somebody sits there") from None
        raise ConflictError("somebody was faster")

    app.provide(Desk, desk)

    @app.action(description="Sit down.")
    async def sit(desk: Desk) -> str:
        return "seated"

    @app.action(description="Sit down where somebody sits.")
    async def squeeze(desk: Desk) -> str:
        raise KeyError

    async with client(app, over=over) as caller:
        assert (await caller.call("sit")).code == "conflict"
        assert (await caller.call("squeeze")).code == "conflict"


@pytest.mark.requirement("INJ-03")
async def test_a_scope_that_swallows_the_failure_does_not_make_it_a_success(over: Over):
    app = new_app()

    async def desk() -> AsyncGenerator[Desk]:
        with contextlib.suppress(Exception):
            yield Desk()

    app.provide(Desk, desk)

    @app.action(description="Sit down.")
    async def sit(desk: Desk) -> str:
        raise RuntimeError

    async with client(app, over=over) as caller:
        assert (await caller.call("sit")).code == "internal"


@pytest.mark.requirement("INJ-02", "EXEC-04")
@pytest.mark.parametrize("error", [RuntimeError, StopIteration, SystemExit, asyncio.CancelledError, KeyError])
async def test_a_provider_that_raises_fails_its_call_and_closes_what_was_open(over: Over, error: type[BaseException]):
    app, log = new_app(), Log()

    async def room() -> AsyncGenerator[Room]:
        with log.noted("room"):
            yield Room()

    class Opening:
        def __enter__(self) -> Desk:
            raise error("password=hunter2")

        def __exit__(self, *_args: object) -> None:
            log.append("never")

    app.provide(Room, room)
    app.provide(Desk, Opening)

    @app.action(description="Sit down.")
    async def sit(room: Room, desk: Desk) -> str:
        return "seated"

    async with client(app, over=over) as caller:
        answer = await caller.call("sit")
    assert answer.code == "internal"
    assert "hunter2" not in str(answer.error)
    assert log[0] == "open room"
    assert log[1].startswith("undo room")
    assert len(log) == 2


@pytest.mark.requirement("INJ-03")
async def test_a_transaction_commits_only_when_the_output_held_its_contract(over: Over, tmp_path: Path):
    app, path = new_app(), tmp_path / "office.db"

    async def transaction() -> AsyncGenerator[aiosqlite.Connection]:
        async with aiosqlite.connect(path) as db:
            try:
                yield db
            except BaseException:
                await db.rollback()
                raise
            await db.commit()

    app.provide(aiosqlite.Connection, transaction)

    class Seat(BaseModel):
        name: str

    @app.action(description="Take a seat.")
    async def take(name: str, how: str, db: aiosqlite.Connection) -> Seat:
        await db.execute("insert into seats values (?)", (name,))
        if how == "crash":
            raise RuntimeError
        return Seat(name=name) if how == "right" else {"name": 7}

    @app.query(description="See the seats.")
    async def seats(db: aiosqlite.Connection) -> list[str]:
        async with db.execute("select name from seats order by name") as rows:
            return [name for (name,) in await rows.fetchall()]

    async with aiosqlite.connect(path) as db:
        await db.execute("create table seats (name text)")
        await db.commit()
    async with client(app, over=over) as caller:
        assert (await caller.call("take", name="a", how="right")).ok
        assert (await caller.call("take", name="b", how="wrong")).code == "output_contract"
        assert (await caller.call("take", name="c", how="crash")).code == "internal"
        assert (await caller.call("seats")).value == ["a"]


@pytest.mark.requirement("INJ-02")
async def test_an_app_scoped_value_is_made_once_also_when_many_ask_at_the_same_time(over: Over):
    app, log = new_app(), Log()
    begun, release = asyncio.Event(), asyncio.Event()

    async def desk() -> AsyncGenerator[Desk]:
        with log.noted("desk"):
            begun.set()
            await release.wait()
            yield Desk()

    app.provide(Desk, desk, scope="app")

    @app.query(description="Name the desk.")
    async def name(desk: Desk) -> int:
        return id(desk)

    async with client(app, over=over) as caller:
        calls = [asyncio.create_task(caller.call("name")) for _ in range(5)]
        await begun.wait()
        release.set()
        answers = await asyncio.gather(*calls)
        assert len({str(answer.value) for answer in answers}) == 1
        assert log == ["open desk"]
    assert log == ["open desk", "keep desk"]


@pytest.mark.requirement("INJ-02", "FRAME-60")
async def test_an_app_scoped_value_is_tried_again_after_it_failed(over: Over):
    app = new_app()
    tries: list[int] = []

    def desk() -> Desk:
        tries.append(1)
        if len(tries) == 1:
            raise OSError
        return Desk()

    app.provide(Desk, desk, scope="app")

    @app.query(description="Name the desk.")
    async def name(desk: Desk) -> str:
        return desk.name

    async with client(app, over=over) as caller:
        assert [(await caller.call("name")).code for _ in range(3)] == ["internal", "ok", "ok"]
    assert len(tries) == 2


@pytest.mark.requirement("INJ-02")
async def test_an_app_scoped_value_is_entered_and_left_by_one_task(over: Over):
    app = new_app()
    tasks: list[object] = []

    async def desk() -> AsyncGenerator[Desk]:
        # A task group insists on being left where it was entered.
        async with asyncio.TaskGroup():
            tasks.append(asyncio.current_task())
            yield Desk()
            tasks.append(asyncio.current_task())

    app.provide(Desk, desk, scope="app")

    @app.query(description="Name the desk.")
    async def name(desk: Desk) -> str:
        return desk.name

    async with client(app, over=over) as caller:
        assert (await caller.call("name")).ok
    assert len(tasks) == 2
    assert tasks[0] is tasks[1]


@pytest.mark.requirement("INJ-02")
async def test_a_shared_value_is_handed_over_as_it_is_and_not_entered(over: Over):
    app, log = new_app(), Log()

    class Shared:
        async def __aenter__(self) -> Self:
            log.append("entered")
            return self

        async def __aexit__(self, *_args: object) -> None:
            log.append("left")

    shared = Shared()
    app.provide(Shared, lambda: shared)

    @app.query(description="Ask whether it is the shared one.")
    async def same(value: Shared) -> bool:
        return value is shared

    async with client(app, over=over) as caller:
        assert (await caller.call("same")).value == [True]
    assert log == []


@pytest.mark.requirement("INJ-02")
async def test_a_protocol_may_be_provided(over: Over):
    app = new_app()

    class Named(Protocol):
        name: str

    app.provide(Named, lambda: Desk("by protocol"))

    @app.query(description="Name it.")
    async def name(value: Named) -> str:
        return value.name

    async with client(app, over=over) as caller:
        assert (await caller.call("name")).value == ["by protocol"]


@pytest.mark.requirement("INJ-04")
@pytest.mark.parametrize(
    "fake",
    [Desk("fake"), lambda: Desk("fake"), async_function(Log()), generator(Log())],
    ids=["value", "function", "async function", "generator"],
)
async def test_an_override_replaces_the_provider_inside_its_block_and_only_there(over: Over, fake: object):
    app, log = new_app(), Log()
    app.provide(Desk, generator(log))

    @app.query(description="Say whether it is the real one.")
    async def is_real(desk: Desk) -> bool:
        return bool(log)

    async with client(app, over=over) as caller:
        with app.overrides({Desk: fake}):
            assert (await caller.call("is_real")).value == [False]
        assert (await caller.call("is_real")).value == [True]


@pytest.mark.requirement("INJ-04")
async def test_an_override_reaches_what_is_made_of_the_value_for_the_app_too(over: Over):
    app = new_app()

    made: list[str] = []

    def desk(settings: Settings) -> Desk:
        made.append(settings.place)
        return Desk(settings.place)

    app.provide(Settings, Settings, scope="app")
    app.provide(Desk, desk, scope="app")

    @app.query(description="Name the desk.")
    async def name(desk: Desk) -> str:
        return desk.name

    async with client(app, over=over) as caller:
        assert (await caller.call("name")).value == ["real"]
        with app.overrides({Settings: Settings("fake")}):
            assert [(await caller.call("name")).value for _ in range(2)] == [["fake"]] * 2
        assert (await caller.call("name")).value == ["real"]
    assert made == ["real", "fake"]


@pytest.mark.requirement("INJ-04")
async def test_overrides_nest_and_end_when_the_test_fails(over: Over):
    app = new_app()
    app.provide(Desk, Desk)

    @app.query(description="Name the desk.")
    async def name(desk: Desk) -> str:
        return desk.name

    async with client(app, over=over) as caller:
        with contextlib.suppress(ZeroDivisionError), app.overrides({Desk: Desk("outer")}):
            with app.overrides({Desk: Desk("inner")}):
                assert (await caller.call("name")).value == ["inner"]
            assert (await caller.call("name")).value == ["outer"]
            raise ZeroDivisionError
        assert (await caller.call("name")).value == ["desk"]


@pytest.mark.requirement("INJ-05")
async def test_a_plain_handler_runs_off_the_event_loop_and_does_not_hold_it_up(over: Over):
    app = new_app()
    loop_thread = threading.get_ident()
    release = threading.Event()

    @app.action(description="Wait for the other call.")
    def blocking() -> bool:
        assert release.wait(5)
        return threading.get_ident() != loop_thread

    @app.action(description="Let the other call go on.")
    async def releasing() -> bool:
        release.set()
        return threading.get_ident() == loop_thread

    async with client(app, over=over) as caller:
        waiting = asyncio.create_task(caller.call("blocking"))
        assert (await caller.call("releasing")).value is True
        assert (await waiting).value is True


@pytest.mark.requirement("INJ-05")
async def test_a_plain_handler_receives_what_an_async_one_does(over: Over):
    app = new_app()
    app.provide(Desk, Desk)

    @app.query(description="Tell everything.")
    def everything(a: int, /, b: int = 2, *, c: int, caller: Caller, call: SyncCall, desk: Desk) -> list[str]:
        assert isinstance(call, SyncCall)
        assert call.remaining is not None
        return [f"{a}{b}{c}", str(caller.id), call.operation, desk.name]

    async with client(app, as_=Principal("ada"), over=over) as caller:
        assert (await caller.call("everything", a=1, c=3)).value == ["123", "ada", "everything", "desk"]


@pytest.mark.requirement("INJ-05")
async def test_a_plain_function_around_an_async_handler_is_waited_for(over: Over):
    app = new_app()

    async def inner() -> str:
        return "awaited"

    def outer() -> str:
        return inner()

    app.query(id="wrapped", description="Call it through a wrapper.")(outer)
    async with client(app, over=over) as caller:
        assert (await caller.call("wrapped")).value == ["awaited"]


@pytest.mark.requirement("INJ-06")
async def test_the_lifespan_surrounds_every_call_once(over: Over):
    log = Log()

    @contextlib.asynccontextmanager
    async def lifespan(app: App) -> AsyncGenerator[None]:
        with log.noted(app.name):
            yield

    app = new_app(lifespan=lifespan)

    @app.action(description="Say hello.")
    async def hello() -> None:
        log.append("hello")

    async with client(app, over=over) as caller:
        await asyncio.gather(*(caller.call("hello") for _ in range(3)))
    assert log == ["open office", "hello", "hello", "hello", "keep office"]


@pytest.mark.requirement("INJ-06")
async def test_app_scoped_values_are_closed_before_the_lifespan_ends(over: Over):
    log = Log()

    @contextlib.asynccontextmanager
    async def lifespan(_app: App) -> AsyncGenerator[None]:
        with log.noted("app"):
            yield

    app = new_app(lifespan=lifespan)
    app.provide(Desk, generator(log), scope="app")

    @app.query(description="Name the desk.")
    async def name(desk: Desk) -> str:
        return desk.name

    async with client(app, over=over) as caller:
        await caller.call("name")
    assert log == ["open app", "open desk", "keep desk", "keep app"]


@pytest.mark.requirement("INJ-06")
async def test_a_lifespan_that_fails_is_told_to_whoever_starts_and_the_next_start_tries_again(over: Over):
    tries: list[int] = []

    @contextlib.asynccontextmanager
    async def lifespan(_app: App) -> AsyncGenerator[None]:
        tries.append(1)
        if len(tries) == 1:
            raise OSError("the database is away")
        yield

    app = new_app(lifespan=lifespan)

    @app.query(description="Say hello.")
    async def hello() -> str:
        return "hello"

    with pytest.raises(OSError, match="away"):
        async with client(app, over=over):
            pass
    async with client(app, over=over) as caller:
        assert (await caller.call("hello")).ok


@pytest.mark.requirement("INJ-06")
async def test_what_fails_while_stopping_is_raised_after_the_rest_was_closed(over: Over):
    log = Log()

    @contextlib.asynccontextmanager
    async def lifespan(_app: App) -> AsyncGenerator[None]:
        yield
        log.append("lifespan ended")

    async def desk() -> AsyncGenerator[Desk]:
        yield Desk()
        raise OSError("disk full")

    app = new_app(lifespan=lifespan)
    app.provide(Desk, desk, scope="app")

    @app.query(description="Name the desk.")
    async def name(desk: Desk) -> str:
        return desk.name

    with pytest.raises(OSError, match="disk full"):
        async with client(app, over=over) as caller:
            assert (await caller.call("name")).ok
    assert log == ["lifespan ended"]
