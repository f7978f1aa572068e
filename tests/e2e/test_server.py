"""A real server on real sockets: clients that vanish, lie or crowd in, and what becomes of their calls."""

from __future__ import annotations

import asyncio
import os
import re
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiosqlite
import httpx
import orjson
import pytest
import uvicorn
from pydantic import BaseModel

from afford import App, Call, anyone

WAIT = 10.0
"""Seconds after which a test gives up; none of them takes that long."""
PROTOCOLS = ["h11", "httptools"]
JSON = "Content-Type: application/json"


class Listening(uvicorn.Server):
    """uvicorn that says when it listens."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.ready = asyncio.Event()
        self.port = 0

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.ready.set()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@asynccontextmanager
async def serving(app: App, **config: object) -> AsyncIterator[Listening]:
    """The app's site on a free port of this machine, stopped at the end as a signal would."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = Listening(uvicorn.Config(app.site(), log_config=None, lifespan="on", ws="none", **config))
        server.port = listener.getsockname()[1]
        task = asyncio.create_task(server.serve(sockets=[listener]))
        try:
            await asyncio.wait({task, asyncio.create_task(server.ready.wait())}, return_when=asyncio.FIRST_COMPLETED)
            assert not task.done()
            yield server
        finally:
            server.should_exit = True
            await asyncio.wait_for(task, WAIT)


class Wire:
    """One connection, byte by byte."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def send(self, *lines: str, body: bytes = b"") -> None:
        self._writer.write("\r\n".join([*lines, "", ""]).encode("latin-1") + body)
        await self._writer.drain()

    async def answer(self) -> tuple[int, bytes]:
        """The status and the body of one answer; status 0: the server closed the connection."""
        async with asyncio.timeout(WAIT):
            try:
                head = await self._reader.readuntil(b"\r\n\r\n")
            except (asyncio.IncompleteReadError, ConnectionError):
                return 0, b""
            length = re.search(rb"content-length: (\d+)", head, re.IGNORECASE)
            body = await self._reader.readexactly(int(length.group(1))) if length else b""
            return int(head.split(b" ")[1]), body

    def kill(self) -> None:
        """End the connection as the kernel does for a process that died."""
        sock = self._writer.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._writer.transport.abort()


@asynccontextmanager
async def wire_to(server: Listening) -> AsyncIterator[Wire]:
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    try:
        yield Wire(reader, writer)
    finally:
        writer.close()


class Log(list[str]):
    """What happened, in order, and events that a test waits for."""

    def __init__(self) -> None:
        super().__init__()
        self.begun = asyncio.Event()
        self.ended = asyncio.Event()
        self.release = asyncio.Event()
        self.free = threading.Event()

    async def reached(self, event: asyncio.Event) -> None:
        await asyncio.wait_for(event.wait(), WAIT)


class Note(BaseModel):
    text: str


def notes(database: Path, log: Log, **options: object) -> App:
    """An app whose calls last until the test lets them end, with a transaction around each."""

    @asynccontextmanager
    async def lifespan(_app: App) -> AsyncGenerator[None]:
        async with aiosqlite.connect(database) as db:
            await db.execute("create table if not exists notes (text text)")
            await db.commit()
        log.append("opened")
        yield
        log.append("closed")

    async def transaction() -> AsyncGenerator[aiosqlite.Connection]:
        async with aiosqlite.connect(database) as db:
            try:
                yield db
            except BaseException as error:
                log.append(f"rolled back: {type(error).__name__}")
                log.ended.set()
                raise
            await db.commit()
            log.append("committed")

    app = App("notes", **{"access": anyone(), "lifespan": lifespan, **options})
    app.provide(aiosqlite.Connection, transaction)

    @app.action(description="Write a note, slowly.")
    async def write(text: str, db: aiosqlite.Connection) -> Note:
        await db.execute("insert into notes values (?)", (text,))
        log.begun.set()
        await log.release.wait()
        return Note(text=text)

    @app.query(description="Read notes, slowly.")
    async def read(db: aiosqlite.Connection) -> list[Note]:
        log.begun.set()
        await log.release.wait()
        async with db.execute("select text from notes") as rows:
            return [Note(text=text) for (text,) in await rows.fetchall()]

    @app.query(description="Say a word back.")
    async def echo(word: str) -> str:
        return word

    return app


async def stored(database: Path) -> list[str]:
    async with aiosqlite.connect(database) as db, db.execute("select text from notes order by text") as rows:
        return [text for (text,) in await rows.fetchall()]


@pytest.mark.requirement("EXEC-02", "INJ-03")
@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_a_client_that_is_killed_in_mid_call_cancels_it_and_rolls_back(
    tmp_path: Path, method: str, protocol: str
):
    database, log = tmp_path / "notes.db", Log()
    async with serving(notes(database, log), http=protocol) as server:
        async with wire_to(server) as wire:
            if method == "POST":
                await wire.send(
                    "POST /agent/write HTTP/1.1",
                    "Host: localhost",
                    JSON,
                    "Content-Length: 16",
                    body=b'{"text": "lost"}',
                )
            else:
                await wire.send("GET /agent/read HTTP/1.1", "Host: localhost")
            await log.reached(log.begun)
            wire.kill()
            await log.reached(log.ended)
        async with httpx.AsyncClient(base_url=server.url) as http:
            assert (await http.get("/agent/echo?word=alive")).json() == ["alive"]
    assert log == ["opened", "rolled back: CancelledError", "closed"]
    assert await stored(database) == []


@pytest.mark.requirement("HTTP-10", "HTTP-11")
@pytest.mark.parametrize("protocol", PROTOCOLS)
async def test_a_client_that_is_killed_while_it_sends_runs_nothing(tmp_path: Path, protocol: str):
    log = Log()
    async with serving(notes(tmp_path / "notes.db", log), http=protocol) as server:
        async with wire_to(server) as wire:
            await wire.send("POST /agent/write HTTP/1.1", "Host: localhost", JSON, "Content-Length: 100", body=b'{"te')
            wire.kill()
        async with httpx.AsyncClient(base_url=server.url) as http:
            assert (await http.get("/agent/echo?word=alive")).json() == ["alive"]
    assert log == ["opened", "closed"]


HOSTS_AND_ORIGINS = [
    (["Host: evil.example"], {421}),
    (["Host: evil.example:80"], {421}),
    (["Host: "], {421}),
    ([], {400, 421}),
    (["Host: localhost", "Host: evil.example"], {400, 421}),
    (["Host: evil.example", "X-Forwarded-Host: localhost"], {421}),
    (["Host: localhost", "Origin: http://evil.example"], {403}),
    (["Host: localhost", "Origin: null"], {403}),
    (["Host: localhost"], {200}),
    (["Host: 127.0.0.1"], {200}),
    (["Host: api.example", "Origin: https://api.example"], {200}),
    (["Host: api.example:443", "Origin: https://api.example"], {200}),
    (["Host: API.example:8443", "Origin: https://api.example:8443"], {200}),
]


@pytest.mark.requirement("CASE-K39")
@pytest.mark.parametrize("protocol", PROTOCOLS)
async def test_a_hostile_host_or_origin_runs_nothing_and_a_listed_name_passes(tmp_path: Path, protocol: str):
    log = Log()
    log.release.set()
    async with serving(notes(tmp_path / "notes.db", log, allowed_hosts=["api.example"]), http=protocol) as server:
        for lines, statuses in HOSTS_AND_ORIGINS:
            before = log.count("committed")
            async with wire_to(server) as wire:
                await wire.send("POST /agent/write HTTP/1.1", *lines, JSON, "Content-Length: 13", body=b'{"text": "a"}')
                status, _body = await wire.answer()
            assert status in statuses, lines
            assert log.count("committed") - before == (status == 200), lines


@pytest.mark.requirement("HTTP-11")
@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("framing", ["Transfer-Encoding: chunked", "Content-Length: 100000000"])
async def test_an_endless_body_is_refused_before_it_ends(tmp_path: Path, protocol: str, framing: str):
    log = Log()
    async with (
        serving(notes(tmp_path / "notes.db", log, max_body=10_000), http=protocol) as server,
        wire_to(server) as wire,
    ):
        chunk = b"1000\r\n" + b" " * 0x1000 + b"\r\n" if "chunked" in framing else b" " * 0x1000
        await wire.send("POST /agent/write HTTP/1.1", "Host: localhost", JSON, framing, body=chunk * 8)
        status, body = await wire.answer()
    assert (status, orjson.loads(body)["code"]) == (413, "too_large")
    assert log == ["opened", "closed"]


@pytest.mark.requirement("HTTP-10")
@pytest.mark.parametrize("protocol", PROTOCOLS)
async def test_a_chunked_body_within_the_limit_is_read(tmp_path: Path, protocol: str):
    log = Log()
    log.release.set()
    async with (
        serving(notes(tmp_path / "notes.db", log), http=protocol) as server,
        wire_to(server) as wire,
    ):
        chunks = b'7\r\n{"text"\r\n6\r\n: "hi"\r\n1\r\n}\r\n0\r\n\r\n'
        await wire.send(
            "POST /agent/write HTTP/1.1", "Host: localhost", JSON, "Transfer-Encoding: chunked", body=chunks
        )
        assert await wire.answer() == (200, b'{"text":"hi"}')


@pytest.mark.requirement("HTTP-01", "HTTP-04")
@pytest.mark.parametrize("protocol", PROTOCOLS)
async def test_one_connection_carries_every_kind_of_answer_one_after_the_other(tmp_path: Path, protocol: str):
    async with (
        serving(notes(tmp_path / "notes.db", Log()), http=protocol) as server,
        wire_to(server) as wire,
    ):
        for request, status in (
            ("GET /agent/echo?word=a", 200),
            ("GET /agent/nothing", 404),
            ("DELETE /agent/echo", 405),
            ("GET /agent/echo?word=%zz", 400),
            ("GET /agent/health", 200),
            ("GET /.well-known/afford.json", 200),
            ("GET /agent/manifest", 200),
        ):
            await wire.send(f"{request} HTTP/1.1", "Host: localhost")
            assert (await wire.answer())[0] == status
        await wire.send("GET /agent/manifest HTTP/1.1", "Host: localhost", "If-None-Match: *")
        assert await wire.answer() == (304, b"")
        await wire.send("GET /agent/echo?word=still HTTP/1.1", "Host: localhost")
        assert await wire.answer() == (200, b'["still"]')


HOSTILE_REQUESTS = [
    "GET /agent/%00 HTTP/1.1",
    "GET /agent/%ff%fe HTTP/1.1",
    "GET /agent/..%2fecho HTTP/1.1",
    "GET /agent/../agent/echo HTTP/1.1",
    "GET //agent/echo HTTP/1.1",
    "GET /agent/" + "a" * 5000 + " HTTP/1.1",
    "GET /agent/echo?" + "a=1&" * 3000 + " HTTP/1.1",
    "GET /agent/echo?word=%ff HTTP/1.1",
    "GET /agent/echo?word=a&word=b HTTP/1.1",
    "GET http://localhost/agent/nothing HTTP/1.1",
    "OPTIONS * HTTP/1.1",
    "CONNECT localhost:80 HTTP/1.1",
    "BREW /agent/echo HTTP/1.1",
    "nonsense",
]


@pytest.mark.requirement("HTTP-12")
@pytest.mark.parametrize("protocol", PROTOCOLS)
async def test_a_hostile_request_is_refused_and_the_server_goes_on(tmp_path: Path, protocol: str):
    async with serving(notes(tmp_path / "notes.db", Log()), http=protocol) as server:
        for request_line in HOSTILE_REQUESTS:
            async with wire_to(server) as wire:
                await wire.send(request_line, "Host: localhost")
                status, body = await wire.answer()
            # Without an answer the connection was closed, as servers do with what is not HTTP.
            assert status == 0 or 400 <= status < 500, (request_line[:40], body)
            async with wire_to(server) as wire:
                await wire.send("GET /agent/echo?word=a HTTP/1.1", "Host: localhost")
                assert (await wire.answer())[0] == 200, request_line[:40]


@pytest.mark.requirement("LIB-01", "EXEC-02")
@pytest.mark.parametrize("protocol", PROTOCOLS)
async def test_two_hundred_parallel_calls_are_each_answered_with_their_own_answer(tmp_path: Path, protocol: str):
    app = App("crowd", access=anyone())
    arrived, everybody = [], asyncio.Event()

    @app.action(description="Wait for everybody.")
    async def wait(number: int) -> int:
        arrived.append(number)
        if len(arrived) == 200:
            everybody.set()
        await everybody.wait()
        return number

    limits = httpx.Limits(max_connections=200)
    async with (
        serving(app, http=protocol) as server,
        httpx.AsyncClient(base_url=server.url, limits=limits, timeout=WAIT) as http,
    ):
        calls = [http.post("/agent/wait", json={"number": number}) for number in range(200)]
        answers = await asyncio.gather(*calls)
    assert [answer.json() for answer in answers] == list(range(200))


@pytest.mark.requirement("INJ-05", "HTTP-06")
async def test_handlers_that_block_every_thread_hold_up_nobody_else(tmp_path: Path):
    app = App("crowd", access=anyone())
    log = Log()
    loop = asyncio.get_running_loop()
    blocking: list[int] = []

    def arrived(number: int) -> None:
        blocking.append(number)
        if len(blocking) == 40:
            log.begun.set()

    @app.action(description="Block a thread.")
    def block(number: int, call: Call) -> int:
        loop.call_soon_threadsafe(arrived, number)
        assert log.free.wait(WAIT)
        return number

    @app.query(description="Say a word back.")
    async def echo(word: str) -> str:
        return word

    limits = httpx.Limits(max_connections=100)
    async with (
        serving(app) as server,
        httpx.AsyncClient(base_url=server.url, limits=limits, timeout=WAIT) as http,
    ):
        calls = [asyncio.create_task(http.post("/agent/block", json={"number": number})) for number in range(60)]
        await log.reached(log.begun)
        assert (await http.get("/agent/health")).json() == {"status": "ok"}
        assert (await http.get("/agent/echo?word=a")).json() == ["a"]
        assert not any(call.done() for call in calls)
        log.free.set()
        assert [(await call).json() for call in calls] == list(range(60))


@pytest.mark.requirement("INJ-06", "INJ-03")
async def test_a_server_that_is_told_to_stop_finishes_its_calls_first(tmp_path: Path):
    database, log = tmp_path / "notes.db", Log()
    async with (
        serving(notes(database, log)) as server,
        httpx.AsyncClient(base_url=server.url, timeout=WAIT) as http,
    ):
        call = asyncio.create_task(http.post("/agent/write", json={"text": "kept"}))
        await log.reached(log.begun)
        server.should_exit = True
        log.release.set()
        assert (await call).json() == {"text": "kept"}
    assert log == ["opened", "committed", "closed"]
    assert await stored(database) == ["kept"]


@pytest.mark.requirement("INJ-06", "INJ-03")
async def test_a_call_that_outlasts_the_time_to_stop_is_cancelled_and_rolled_back(tmp_path: Path):
    database, log = tmp_path / "notes.db", Log()
    async with (
        serving(notes(database, log), timeout_graceful_shutdown=0) as server,
        httpx.AsyncClient(base_url=server.url, timeout=WAIT) as http,
    ):
        call = asyncio.create_task(http.post("/agent/write", json={"text": "lost"}))
        await log.reached(log.begun)
        server.should_exit = True
        await log.reached(log.ended)
        (outcome,) = await asyncio.gather(call, return_exceptions=True)
        assert isinstance(outcome, httpx.TransportError) or outcome.status_code >= 500
    assert "rolled back: CancelledError" in log
    assert await stored(database) == []


BOOKS = """
import os

from pydantic import BaseModel

from afford import App, Page, PageRequest, Paging, anyone

app = App("library", access=anyone())


class Book(BaseModel):
    number: int
    worker: int


@app.query(description="Search the shelves.", paging=Paging(default=2))
async def books(page: PageRequest[int]) -> Page[Book]:
    start = page.after or 0
    rows = [Book(number=number, worker=os.getpid()) for number in range(start, min(start + page.limit, 7))]
    return Page(rows, next=start + page.limit if start + page.limit < 7 else None)
"""


@asynccontextmanager
async def worker(folder: Path, **variables: str) -> AsyncIterator[str]:
    """A server process of its own; gives the URL of the app."""
    environment = {**os.environ, **variables, "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "-m", "afford", "serve", "library.py", "--port", "0"]
    process = await asyncio.create_subprocess_exec(
        *command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    try:
        assert process.stdout is not None
        async with asyncio.timeout(WAIT):
            line = (await process.stdout.readline()).decode()
        found = re.search(r"http://\S+", line)
        assert found, line
        yield found.group(0).rstrip("/")
    finally:
        process.terminate()
        # Read to the end, so that the transport of the pipe is closed with the process.
        await asyncio.wait_for(process.communicate(), WAIT)


@pytest.mark.requirement("PAGE-07", "PAGE-08")
async def test_pages_may_be_walked_over_two_workers_that_share_a_secret(tmp_path: Path):
    (tmp_path / "library.py").write_text(BOOKS, encoding="utf-8")
    shared = {"AFFORD_SECRET": "one secret for all workers"}
    async with worker(tmp_path, **shared) as one, worker(tmp_path, **shared) as two, httpx.AsyncClient() as http:
        rows: list[dict[str, int]] = []
        query = ""
        for turn in range(4):
            response = await http.get(f"{(one, two)[turn % 2]}/books{query}")
            assert response.status_code == 200, response.text
            rows += response.json()
            query = response.links["next"]["url"] if "next" in response.links else ""
        assert query == ""
    assert [row["number"] for row in rows] == list(range(7))
    assert len({row["worker"] for row in rows}) == 2


@pytest.mark.requirement("PAGE-07")
async def test_a_worker_without_the_secret_refuses_the_cursor_of_another(tmp_path: Path):
    (tmp_path / "library.py").write_text(BOOKS, encoding="utf-8")
    async with worker(tmp_path) as one, worker(tmp_path) as two, httpx.AsyncClient() as http:
        query = (await http.get(f"{one}/books")).links["next"]["url"]
        assert (await http.get(f"{one}/books{query}")).status_code == 200
        refused = await http.get(f"{two}/books{query}")
    assert (refused.status_code, refused.json()["errors"][0]["code"]) == (400, "cursor")
