"""How one call runs: deadlines, cancellation, what is computed once, and what is recorded."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from typing import Annotated

import pytest
from pydantic import BaseModel, Field, SecretStr, field_validator
from tests.contracts.clock import Clock
from tests.contracts.links import MCP, Over, client

from afford import App, Call, Caller, CallRecord, Choices, Principal, Secret, SyncCall, anyone, roles
from afford.execute.outcome import Invocation

LONG = 30.0
SHORT = 0.02
WAIT = 5.0
"""Seconds after which a thread that waits for a test gives up; no test takes that long."""


class Connection:
    """A provided value that is closed."""


class Log(list[str]):
    """What happened, in order; threads wait for `reached`."""

    def __init__(self) -> None:
        super().__init__()
        self.begun = asyncio.Event()
        self.free = threading.Event()

    def begin(self) -> None:
        self.append("begun")
        self.begun.set()

    async def connection(self) -> AsyncGenerator[Connection]:
        try:
            yield Connection()
        except BaseException as error:
            self.append(f"rolled back: {type(error).__name__}")
            raise
        self.append("committed")

    def blocking_connection(self) -> Generator[Connection]:
        self.append("entering")
        assert self.free.wait(WAIT)
        try:
            yield Connection()
        except BaseException as error:
            self.append(f"rolled back: {type(error).__name__}")
            raise
        self.append("committed")


def new_app(**options: object) -> App:
    return App("works", **{"access": anyone(), "roles": ("staff",), **options})


@pytest.mark.requirement("EXEC-01")
async def test_what_the_manifest_does_not_list_cannot_be_run(over: Over):
    app = new_app(deny=["denied"])
    ran: list[str] = []

    def declare(name: str, **options: object) -> None:
        async def handler() -> None:
            ran.append(name)

        app.action(**{"id": name, "description": "Do it.", **options})(handler)

    declare("offered")
    declare("denied")
    declare("disabled", enabled=False)
    declare("switched_off", enabled=lambda: False)
    declare("undescribed", description="")
    declare("for_staff", access=roles("staff"))
    declare("elsewhere", agent={"surfaces": ["http" if over in MCP else "mcp"]})
    hidden = ["denied", "disabled", "switched_off", "undescribed", "for_staff", "elsewhere", "nothing"]
    async with client(app, over=over) as caller:
        assert (await caller.call("offered")).ok
        assert {(await caller.call(name)).code for name in hidden} == {"unknown_operation"}
    assert ran == ["offered"]


@pytest.mark.requirement("EXEC-01")
async def test_a_manifest_for_one_caller_does_not_run_what_another_may():
    app = new_app()

    @app.action(description="Close the works.", access=roles("staff"))
    async def close() -> None: ...

    runtime = app.runtime()
    await runtime.start()
    try:
        invocation = Invocation(name="close", arguments={})
        for principal, code in ((Principal("sam", ["staff"]), None), (Principal("ada"), "unknown_operation")):
            outcome = await runtime.run(runtime.manifest(Caller(principal)), invocation)
            assert getattr(outcome, "code", None) == code
    finally:
        await runtime.stop()


def declare_slow(app: App, log: Log, deadline: float) -> None:
    app.provide(Connection, log.connection)

    @app.action(description="Take long.", deadline=deadline)
    async def slow(connection: Connection, call: Call) -> None:
        log.begin()
        try:
            await asyncio.Event().wait()
        finally:
            log.append("cancelled")


@pytest.mark.requirement("EXEC-02", "INJ-03")
@pytest.mark.parametrize("deadline", [SHORT, LONG])
async def test_a_handler_over_its_deadline_is_cancelled_and_rolled_back(over: Over, clock: Clock, deadline: float):
    app, log = new_app(), Log()
    declare_slow(app, log, deadline)
    async with client(app, over=over) as caller:
        waiting = asyncio.create_task(caller.call("slow"))
        await log.begun.wait()
        clock.forward(deadline + 1)
        answer = await waiting
    assert answer.code == "timeout"
    assert answer.error is not None
    assert answer.error["retryable"] is True
    assert log == ["begun", "cancelled", "rolled back: CancelledError"]


@pytest.mark.requirement("EXEC-02")
@pytest.mark.parametrize("deadline", [0.9, 1.0, LONG])
async def test_a_handler_inside_its_deadline_is_left_alone(over: Over, clock: Clock, deadline: float):
    app, log = new_app(), Log()
    app.provide(Connection, log.connection)
    release = asyncio.Event()

    @app.action(description="Take its time.", deadline=deadline)
    async def steady(connection: Connection) -> str:
        log.begin()
        await release.wait()
        return "done"

    async with client(app, over=over) as caller:
        waiting = asyncio.create_task(caller.call("steady"))
        await log.begun.wait()
        clock.forward(deadline - 0.5)
        for _ in range(5):
            await asyncio.sleep(0)
        release.set()
        assert (await waiting).value == "done"
        clock.forward(deadline * 3)
        await asyncio.sleep(0)
        assert (await asyncio.gather(caller.call("steady")))[0].ok
    assert log == ["begun", "committed"] * 2


@pytest.mark.requirement("EXEC-02")
async def test_an_app_without_a_deadline_waits_for_its_handlers(over: Over, clock: Clock):
    app, log = new_app(deadline=None), Log()
    release = asyncio.Event()

    @app.action(description="Take its time.")
    async def patient(call: Call) -> bool:
        log.begin()
        await release.wait()
        return call.remaining is None and not call.cancelled

    async with client(app, over=over) as caller:
        waiting = asyncio.create_task(caller.call("patient"))
        await log.begun.wait()
        clock.forward(10_000)
        await asyncio.sleep(0)
        release.set()
        assert (await waiting).value is True


@pytest.mark.requirement("EXEC-02", "INJ-03")
@pytest.mark.parametrize("deadline", [SHORT, LONG])
async def test_a_handler_that_goes_on_in_spite_of_being_cancelled_commits_nothing(
    over: Over, clock: Clock, deadline: float
):
    app, log = new_app(), Log()
    app.provide(Connection, log.connection)

    @app.action(description="Be stubborn.", deadline=deadline)
    async def stubborn(connection: Connection) -> str:
        log.begin()
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.Event().wait()
        return "done all the same"

    @app.action(description="Do the next thing.")
    async def following() -> str:
        async with asyncio.timeout(WAIT):
            await asyncio.sleep(0)
        return "unharmed"

    async def both() -> list[object]:
        first = await caller.call("stubborn")
        return [first.code, (await caller.call("following")).value, asyncio.current_task().cancelling()]

    async with client(app, over=over) as caller:
        waiting = asyncio.create_task(both())
        await log.begun.wait()
        clock.forward(deadline + 1)
        assert await waiting == ["timeout", "unharmed", 0]
    assert log == ["begun", "rolled back: CancelledError"]


@pytest.mark.requirement("EXEC-02")
async def test_the_deadline_covers_what_is_opened_for_the_handler(over: Over):
    app = new_app()

    async def connection() -> AsyncGenerator[Connection]:
        await asyncio.Event().wait()
        yield Connection()

    app.provide(Connection, connection)

    @app.action(description="Need a connection.", deadline=SHORT)
    async def needy(connection: Connection) -> None: ...

    async with client(app, over=over) as caller:
        assert (await caller.call("needy")).code == "timeout"


@pytest.mark.requirement("EXEC-02", "INJ-05")
@pytest.mark.parametrize("deadline", [SHORT, LONG])
async def test_a_thread_over_its_deadline_keeps_its_connection_until_it_ends_and_is_rolled_back_then(
    over: Over, clock: Clock, deadline: float
):
    app, log = new_app(), Log()
    app.provide(Connection, log.connection)
    loop = asyncio.get_running_loop()

    @app.action(description="Block a thread.", deadline=deadline)
    def blocking(connection: Connection, call: SyncCall) -> str:
        loop.call_soon_threadsafe(log.begin)
        assert log.free.wait(WAIT)
        log.append(f"worked on, cancelled: {call.cancelled}")
        return "too late"

    @app.query(description="Say what happened so far.")
    async def so_far() -> list[str]:
        return list(log)

    async with client(app, over=over) as caller:
        waiting = asyncio.create_task(caller.call("blocking"))
        await log.begun.wait()
        clock.forward(deadline + 1)
        assert (await waiting).code == "timeout"
        assert (await caller.call("so_far")).value == ["begun"]
        log.free.set()
    assert log == ["begun", "worked on, cancelled: True", "rolled back: CancelledError"]


@pytest.mark.requirement("EXEC-02", "INJ-05")
@pytest.mark.parametrize("error", [RuntimeError, StopIteration, SystemExit])
async def test_a_thread_that_fails_after_its_deadline_is_rolled_back_and_stops_nothing(
    over: Over, error: type[BaseException]
):
    app, log = new_app(), Log()
    app.provide(Connection, log.connection)

    @app.action(description="Block a thread.", deadline=SHORT)
    def blocking(connection: Connection) -> str:
        assert log.free.wait(WAIT)
        raise error

    async with client(app, over=over) as caller:
        assert (await caller.call("blocking")).code == "timeout"
        log.free.set()
    assert log == ["rolled back: CancelledError"]


@pytest.mark.requirement("EXEC-02", "INJ-02")
async def test_what_a_thread_opens_after_the_deadline_is_closed_again(over: Over):
    app, log = new_app(), Log()
    app.provide(Connection, log.blocking_connection)

    @app.action(description="Need a connection.", deadline=SHORT)
    async def needy(connection: Connection) -> None:
        log.append("ran")

    async with client(app, over=over) as caller:
        assert (await caller.call("needy")).code == "timeout"
        log.free.set()
    assert log == ["entering", "rolled back: CancelledError"]


@pytest.mark.requirement("EXEC-02", "INJ-05")
async def test_a_plain_handler_that_waits_for_a_thread_until_its_deadline_never_runs(
    over: Over, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("afford.runtime.THREADS", 1)
    app, log = new_app(), Log()
    loop = asyncio.get_running_loop()

    @app.action(description="Block the only thread.")
    def blocking() -> None:
        loop.call_soon_threadsafe(log.begin)
        assert log.free.wait(WAIT)

    @app.action(description="Wait for a thread.", deadline=SHORT)
    def queued() -> None:
        log.append("ran")

    async with client(app, over=over) as caller:
        waiting = asyncio.create_task(caller.call("blocking"))
        await log.begun.wait()
        assert (await caller.call("queued")).code == "timeout"
        log.free.set()
        assert (await waiting).ok
    assert log == ["begun"]


@pytest.mark.requirement("EXEC-02", "REACH-03")
async def test_a_consent_check_in_a_thread_keeps_its_connection_until_it_ends(over: Over):
    app, log = new_app(), Log()
    app.provide(Connection, log.connection)

    def may(connection: Connection) -> bool:
        assert log.free.wait(WAIT)
        log.append("answered")
        return True

    @app.query(description="Read a shared folder.", reach="consented", consented=may, deadline=SHORT)
    async def folder() -> str:
        log.append("ran")
        return "plans"

    async with client(app, over=over) as caller:
        assert (await caller.call("folder")).code == "timeout"
        assert log == []
        log.free.set()
    assert log == ["answered", "rolled back: CancelledError"]


@pytest.mark.requirement("EXEC-02", "CASE-K27")
@pytest.mark.parametrize("error", [TimeoutError, asyncio.CancelledError, SystemExit, StopIteration, MemoryError])
@pytest.mark.parametrize("where", ["async", "plain", "closing"])
async def test_what_a_handler_raises_is_a_crash_and_no_deadline(over: Over, error: type[BaseException], where: str):
    app, log = new_app(), Log()

    async def connection() -> AsyncGenerator[Connection]:
        yield Connection()
        if where == "closing":
            raise error("password=hunter2")

    app.provide(Connection, connection)

    async def crashing(connection: Connection) -> None:
        if where == "async":
            raise error("password=hunter2")

    def crashing_in_a_thread(connection: Connection) -> None:
        raise error("password=hunter2")

    app.action(id="crash", description="Crash.")(crashing_in_a_thread if where == "plain" else crashing)

    @app.action(description="Do the next thing.")
    async def following() -> None:
        log.append("unharmed")

    async with client(app, over=over) as caller:
        answer = await caller.call("crash")
        assert answer.code == "internal"
        assert "hunter2" not in str(answer.error)
        assert (await caller.call("following")).ok


@pytest.mark.requirement("INJ-03")
async def test_a_call_that_is_cancelled_from_outside_rolls_back_and_stays_cancelled():
    app, log = new_app(), Log()
    declare_slow(app, log, LONG)
    async with client(app) as caller:
        waiting = asyncio.create_task(caller.call("slow"))
        await log.begun.wait()
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
    assert log == ["begun", "cancelled", "rolled back: CancelledError"]


@pytest.mark.requirement("EXEC-02")
async def test_a_caller_that_went_away_cancels_its_call_and_is_told_nothing(clock: Clock):
    app, log = new_app(), Log()
    declare_slow(app, log, LONG)
    watched: list[str] = []
    leave: list[Callable[[], None]] = []

    def watch(cancel: Callable[[], None]) -> Callable[[], None]:
        watched.append("begun")
        leave.append(cancel)
        return lambda: watched.append("ended")

    runtime = app.runtime()
    await runtime.start()
    try:
        invocation = Invocation(name="slow", arguments={}, watch=watch)
        waiting = asyncio.create_task(runtime.run(runtime.manifest(Caller()), invocation))
        await log.begun.wait()
        while not leave:
            clock.forward(0.2)
            await asyncio.sleep(0)
        leave[0]()
        outcome = await waiting
    finally:
        await runtime.stop()
    assert getattr(outcome, "code", None) == "cancelled"
    assert watched == ["begun", "ended"]
    assert log == ["begun", "cancelled", "rolled back: CancelledError"]


@pytest.mark.requirement("DECL-05")
async def test_a_static_answer_is_computed_once_also_when_many_ask_at_the_same_time(over: Over):
    app, log = new_app(), Log()
    release = asyncio.Event()

    @app.static(description="See the price list.")
    async def prices() -> list[int]:
        log.begin()
        await release.wait()
        return [len(log)]

    async with client(app, over=over) as caller, client(app, as_=Principal("ada"), over=over) as ada:
        waiting = [asyncio.create_task(caller.call("prices")) for _ in range(5)]
        await log.begun.wait()
        release.set()
        assert [answer.value for answer in await asyncio.gather(*waiting)] == [[1]] * 5
        assert (await caller.call("prices")).value == [1]
        assert (await ada.call("prices")).ok


@pytest.mark.requirement("DECL-05")
async def test_a_static_answer_that_failed_is_computed_again(over: Over):
    app, log = new_app(), Log()

    @app.static(description="See the price list.")
    def prices() -> list[int]:
        log.append("asked")
        if len(log) == 1:
            raise OSError
        return [7] if len(log) > 2 else ["seven"]

    async with client(app, over=over) as caller:
        codes = [(await caller.call("prices")).code for _ in range(4)]
    assert codes == ["internal", "output_contract", "ok", "ok"]
    assert len(log) == 3


@pytest.mark.requirement("DECL-05")
async def test_whoever_waits_for_a_static_answer_takes_over_when_the_first_is_cancelled():
    app, log = new_app(), Log()
    release = asyncio.Event()

    @app.static(description="See the price list.")
    async def prices() -> list[int]:
        log.begin()
        await release.wait()
        return [1]

    async with client(app) as caller:
        first = asyncio.create_task(caller.call("prices"))
        await log.begun.wait()
        second = asyncio.create_task(caller.call("prices"))
        await asyncio.sleep(0)
        first.cancel()
        release.set()
        assert (await second).value == [1]
    assert len(log) == 2


class Areas:
    """A closed set that lives in data."""

    def __init__(self) -> None:
        self.names: object = ["harbour", "old town"]
        self.loads = 0

    def load(self) -> list[str]:
        self.loads += 1
        if isinstance(self.names, BaseException):
            raise self.names
        return self.names

    async def load_later(self) -> list[str]:
        await asyncio.sleep(0)
        return self.load()


def city(load: object, **options: object) -> App:
    app = new_app(**options)
    area = Annotated[str, Choices(load)]

    async def hotels(area: object = None) -> list[str]:
        return [] if area is None else [area]

    hotels.__annotations__ |= {"area": area | None, "return": list[area]}
    app.query(description="Find hotels.")(hotels)
    return app


async def eventually(is_so: Callable[[], Awaitable[bool]]) -> None:
    """Let the other tasks and threads run until it is so."""
    async with asyncio.timeout(WAIT):
        while True:
            if await is_so():
                return
            await asyncio.sleep(0)


@pytest.mark.requirement("SCH-05", "SCH-06")
@pytest.mark.parametrize("kind", ["plain", "async", "function of a coroutine"])
async def test_one_snapshot_of_a_derived_set_serves_catalog_and_validation(over: Over, clock: Clock, kind: str):
    areas = Areas()

    def wrapper() -> object:
        return areas.load_later()

    loaders = {"plain": areas.load, "async": areas.load_later, "function of a coroutine": wrapper}
    app = city(loaders[kind])

    async def published() -> tuple[object, object]:
        operations = (await caller.manifest())["operations"]
        (operation,) = operations
        inside = operation["input_schema"]["properties"]["area"]["enum"]
        output = operation["output_schema"]
        rows = output["properties"]["rows"] if over in MCP else output
        return inside, rows["items"]["enum"]

    async with client(app, over=over) as caller:
        assert await published() == (["harbour", "old town"], ["harbour", "old town"])
        assert (await caller.call("hotels", area="old town")).value == ["old town"]
        refused = await caller.call("hotels", area="old towm")
        assert refused.fault_codes() == {"/area": "not_a_choice"}
        assert refused.faults[0]["suggestion"] == "old town"

        areas.names = ("new town", "harbour", "harbour")
        clock.forward(59)
        assert (await caller.call("hotels", area="new town")).code == "bad_request"
        clock.forward(2)
        assert (await caller.call("hotels", area="old town")).ok

        async def is_new() -> bool:
            return "new town" in str(await published())

        await eventually(is_new)
        assert await published() == (["harbour", "new town"], ["harbour", "new town"])
        assert (await caller.call("hotels", area="new town")).value == ["new town"]
        assert (await caller.call("hotels", area="old town")).fault_codes() == {"/area": "not_a_choice"}


@pytest.mark.requirement("SCH-05")
@pytest.mark.parametrize(
    "broken",
    [OSError("away"), StopIteration(), SystemExit(3), [], [1, 2], None, "harbour"],
    ids=repr,
)
async def test_a_loader_that_fails_keeps_the_last_good_set(
    over: Over, clock: Clock, broken: object, caplog: pytest.LogCaptureFixture
):
    areas = Areas()
    async with client(city(areas.load), over=over) as caller:

        async def has_failed() -> bool:
            return "could not be loaded" in caplog.text

        async def knows_the_suburb() -> bool:
            return (await caller.call("hotels", area="suburb")).ok

        areas.names = broken
        clock.forward(61)
        assert (await caller.call("hotels", area="harbour")).ok
        await eventually(has_failed)
        assert (await caller.call("hotels", area="harbour")).ok
        assert (await caller.call("hotels", area="h")).code == "bad_request"
        loads = areas.loads
        areas.names = ["harbour", "suburb"]
        assert not await knows_the_suburb()
        assert areas.loads == loads
        clock.forward(61)
        await eventually(knows_the_suburb)
    assert areas.loads == loads + 1


@pytest.mark.requirement("SCH-05")
async def test_a_set_that_never_loaded_keeps_its_operation_from_everybody(over: Over, clock: Clock):
    areas = Areas()
    areas.names = OSError("away")
    app = city(areas.load)

    @app.query(description="Say hello.")
    async def hello() -> str:
        return "hello"

    async with client(app, over=over) as caller:
        assert await caller.names() == ["hello"]
        assert (await caller.call("hotels")).code == "unknown_operation"
        assert (await caller.call("hello")).ok
        areas.names = ["harbour"]
        clock.forward(61)

        async def is_offered() -> bool:
            return (await caller.call("hotels", area="harbour")).ok

        await eventually(is_offered)
    assert app.explain("hotels").gate == "loaded"


@pytest.mark.requirement("SCH-05")
async def test_a_loader_that_hangs_does_not_keep_the_app_from_starting(clock: Clock):
    begun = asyncio.Event()

    async def load() -> list[str]:
        begun.set()
        await asyncio.Event().wait()
        return ["harbour"]

    app = city(load)
    runtime = app.runtime()
    starting = asyncio.create_task(runtime.start())
    await begun.wait()
    clock.forward(31)
    await starting
    try:
        assert runtime.manifest(Caller()).operations == ()
    finally:
        await runtime.stop()


@pytest.mark.requirement("SCH-05")
async def test_sets_are_loaded_off_the_event_loop_and_no_more_often_than_stated(over: Over, clock: Clock):
    areas = Areas()
    loop_thread = threading.get_ident()
    threads: list[int] = []

    def load() -> list[str]:
        threads.append(threading.get_ident())
        return areas.load()

    app = city(load, choices_refresh=10)
    app.build()
    assert areas.loads == 1
    async with client(app, over=over) as caller:
        for _ in range(5):
            await caller.call("hotels")
        assert areas.loads == 2
        clock.forward(11)
        await asyncio.gather(*(caller.call("hotels") for _ in range(5)))

        async def has_loaded_again() -> bool:
            return areas.loads == 3

        await eventually(has_loaded_again)
        await caller.call("hotels")
    assert areas.loads == 3
    assert loop_thread not in threads[1:]


@pytest.mark.requirement("DECL-05", "SCH-05")
async def test_a_static_answer_is_computed_again_in_the_next_epoch(over: Over, clock: Clock):
    areas = Areas()
    app = city(areas.load_later)
    computed: list[int] = []

    @app.static(description="Count the areas.")
    async def area_count() -> int:
        computed.append(1)
        return len(areas.names)

    async with client(app, over=over) as caller:

        async def is_refused() -> bool:
            return not (await caller.call("hotels", area="old town")).ok

        async def has_loaded_again() -> bool:
            await caller.call("hotels")
            return areas.loads == 2

        assert [(await caller.call("area_count")).value for _ in range(2)] == [[2], [2]]
        clock.forward(61)
        await eventually(has_loaded_again)
        assert (await caller.call("area_count")).value == [2]
        assert len(computed) == 1
        areas.names = ["harbour"]
        clock.forward(61)
        await eventually(is_refused)
        assert [(await caller.call("area_count")).value for _ in range(2)] == [[1], [1]]
    assert len(computed) == 2


class Key(BaseModel):
    place: str
    digits: Annotated[str, Field(alias="pinCode"), Secret()]


class Login(BaseModel):
    account: str
    password: SecretStr
    codes: list[Annotated[str, Secret()]] = []
    keys: list[Key] = []
    answers: dict[str, SecretStr] = {}

    @field_validator("account")
    @classmethod
    def is_known(cls, account: str) -> str:
        if account == "nobody":
            raise ValueError("there is no such account")
        return account


def recorded() -> tuple[App, list[CallRecord]]:
    records: list[CallRecord] = []
    app = new_app(record=records.append)

    @app.action(description="Log in.")
    async def log_in(login: Login, pin: Annotated[str | None, Secret()] = None, attempt: int = 1) -> str:
        return login.password.get_secret_value()[::-1]

    return app, records


LOGIN = {
    "account": "ada",
    "password": "hunter2",
    "codes": ["hunter2"],
    "keys": [{"place": "door", "pinCode": "hunter2"}],
    "answers": {"pet": "hunter2"},
}


@pytest.mark.requirement("TYPE-10")
async def test_every_call_is_recorded_with_its_secrets_redacted(over: Over):
    app, records = recorded()
    async with client(app, as_=Principal("ada", ["staff"], agent=True), over=over) as caller:
        assert (await caller.call("log_in", login=LOGIN, pin="hunter2", attempt=2)).value == "2retnuh"
    (record,) = records
    assert record.arguments == {
        "login": {
            "account": "ada",
            "password": "[redacted]",
            "codes": ["[redacted]"],
            "keys": [{"place": "door", "pinCode": "[redacted]"}],
            "answers": {"pet": "[redacted]"},
        },
        "pin": "[redacted]",
        "attempt": 2,
    }
    told = (record.operation, record.principal, record.door, record.surface, record.agent, record.code, record.trace)
    assert told == ("log_in", "ada", "agent", "mcp" if over in MCP else "http", True, "ok", None)
    assert record.duration >= 0


@pytest.mark.requirement("TYPE-10")
@pytest.mark.parametrize(
    "arguments",
    [
        {"login": LOGIN, "pni": "hunter2"},
        {"login": "ada:hunter2"},
        {"login": ["hunter2"]},
        {"login": {**LOGIN, "codes": "hunter2"}},
        {"login": {**LOGIN, "account": 5}},
        {"login": {**LOGIN, "account": "nobody"}, "pin": "hunter2"},
        {"login": {**LOGIN, "password": {"is": "hunter2"}}},
        {"login": {**LOGIN, "passwrod": "hunter2"}},
        {"pin": ["hunter2"]},
    ],
    ids=repr,
)
async def test_a_refused_call_is_recorded_without_what_may_be_a_secret(
    over: Over, arguments: dict[str, object], caplog: pytest.LogCaptureFixture
):
    app, records = recorded()
    with caplog.at_level(logging.DEBUG, logger="afford"):
        async with client(app, over=over) as caller:
            answer = await caller.call("log_in", arguments)
    assert answer.code == "bad_request"
    assert [record.code for record in records] == ["bad_request"]
    assert "hunter2" not in repr(records)
    assert "hunter2" not in caplog.text


@pytest.mark.requirement("TYPE-10")
async def test_a_call_of_nothing_that_is_offered_is_recorded_without_its_arguments(over: Over):
    app, records = recorded()
    async with client(app) as caller:
        assert (await caller.call("log_im", pin="hunter2")).code == "unknown_operation"
    (record,) = records
    assert (record.operation, record.arguments, record.principal) == (None, {}, None)


@pytest.mark.requirement("TYPE-10", "EXEC-04")
async def test_a_record_names_the_trace_of_a_failure_and_a_hook_that_fails_changes_nothing(over: Over):
    records: list[CallRecord] = []

    def record(record: CallRecord) -> None:
        records.append(record)
        raise RuntimeError

    app = new_app(record=record)

    @app.action(description="Crash or not.")
    async def crash(*, really: bool) -> None:
        if really:
            raise RuntimeError

    async with client(app, over=over) as caller:
        assert (await caller.call("crash", really=False)).ok
        answer = await caller.call("crash", really=True)
    assert answer.error is not None
    assert [record.trace for record in records] == [None, answer.error["trace"]]


@pytest.mark.requirement("TYPE-10")
async def test_secrets_are_published_as_text(over: Over):
    app, _records = recorded()
    async with client(app, over=over) as caller:
        (operation,) = (await caller.manifest())["operations"]
    schema = operation["input_schema"]
    assert schema["properties"]["pin"]["type"] == "string"
    assert "hunter2" not in str(schema)


@pytest.mark.requirement("EXEC-02")
async def test_two_hundred_calls_at_once_are_all_answered(over: Over):
    app = new_app()
    arrived = 0
    everybody = asyncio.Event()

    @app.action(description="Wait for everybody.")
    async def wait(number: Annotated[int, Field(ge=0)]) -> int:
        nonlocal arrived
        arrived += 1
        if arrived == 200:
            everybody.set()
        await everybody.wait()
        return number

    async with client(app, over=over) as caller:
        answers = await asyncio.gather(*(caller.call("wait", number=number) for number in range(200)))
    assert [answer.value for answer in answers] == list(range(200))
