"""MCP on stdio, in process: what one client on a pair of pipes may do, say wrongly or leave unsaid."""

from __future__ import annotations

import asyncio
import io
import json
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final, TypeAlias

import pytest
from tests.contracts.clock import Clock

from afford import App, Call, Caller, Door, Principal, Surface, SyncCall, anyone
from afford.declare.changes import Change, ChangeKind
from afford.surfaces.mcp import stdio
from afford.surfaces.mcp.lane import Lane
from afford.surfaces.mcp.stdio import GRACE, StdioServer
from afford.surfaces.mcp.streams import MAX_LINE, deliver

MODERN: Final = "2026-07-28"
META: Final = {"io.modelcontextprotocol/protocolVersion": MODERN, "io.modelcontextprotocol/clientCapabilities": {}}
HELLO: Final = {"protocolVersion": "2025-11-25", "capabilities": {}}


class Wire:
    """The client's side: sends lines, and keeps every frame that comes back in its order."""

    def __init__(self) -> None:
        self.server: StdioServer
        self.frames: list[dict[str, object]] = []
        self._more = asyncio.Event()

    def write(self, frame: bytes) -> None:
        assert b"\n" not in frame
        self.frames.append(json.loads(frame))
        self._more.set()

    def send(self, method: str, params: object = None, **members: object) -> None:
        self.server.take(line(method, params, **members))

    async def answer(self, id: object) -> dict[str, object]:
        """The response with that id, once it is there."""
        return await self.until(lambda frame: "method" not in frame and frame["id"] == id)

    async def until(self, is_wanted: Callable[[dict[str, object]], bool]) -> dict[str, object]:
        """The first frame of some kind, once it is there."""
        while True:
            for frame in self.frames:
                if is_wanted(frame):
                    return frame
            self._more.clear()
            await self._more.wait()

    async def ask(self, method: str, params: object = None, id: object = 1) -> dict[str, object]:
        """A request and its response, which nothing keeps from being asked again."""
        self.send(method, params, id=id)
        found = await self.answer(id)
        self.frames.remove(found)
        return found

    def refusals(self) -> list[tuple[object, object]]:
        return [(frame["id"], frame["error"]["code"]) for frame in self.frames]


def line(method: str, params: object = None, **members: object) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "method": method, "params": params or {}, **members}).encode()


def modern(**params: object) -> dict[str, object]:
    return {**params, "_meta": META}


def call(name: str, **arguments: object) -> dict[str, object]:
    return {"name": name, "arguments": arguments}


@asynccontextmanager
async def serving(app: App, as_: Principal | None = None) -> AsyncIterator[Wire]:
    """The server of one client, until the client closes its end."""
    wire = Wire()
    runtime = app.runtime()
    await runtime.start()
    wire.server = StdioServer(Lane(runtime), Caller(as_, Door.AGENT, Surface.MCP), wire.write)
    try:
        yield wire
    finally:
        await wire.server.close()
        await runtime.stop()


class Work:
    """Handlers that a test holds in its hand."""

    def __init__(self) -> None:
        self.begun, self.go_on, self.ended = asyncio.Event(), asyncio.Event(), asyncio.Event()
        self.release = threading.Event()
        self.cancelled: list[bool] = []
        self.app = App("works", access=anyone())
        self.app.action(description="Wait.")(self.wait)
        self.app.action(description="Wait, whatever happens.")(self.insist)
        self.app.action(description="Hold a thread.")(self.hold)
        self.app.query(description="Answer at once.")(self.read)

    async def wait(self) -> str:
        self.begun.set()
        try:
            await self.go_on.wait()
        finally:
            self.ended.set()
        return "waited"

    async def insist(self, call: Call) -> str:
        self.begun.set()
        while not self.go_on.is_set():
            try:
                await self.go_on.wait()
            except asyncio.CancelledError:
                self.ended.set()
        call.progress(1)
        return "insisted"

    def hold(self, call: SyncCall, loop: asyncio.AbstractEventLoop) -> str:
        loop.call_soon_threadsafe(self.begun.set)
        self.release.wait()
        self.cancelled.append(call.cancelled)
        call.progress(1)
        return "held"

    async def read(self) -> int:
        return 1


@pytest.fixture
async def work() -> AsyncIterator[Work]:
    held = Work()
    held.app.provide(asyncio.AbstractEventLoop, asyncio.get_running_loop)
    yield held
    held.release.set()


def structured(frame: dict[str, object]) -> object:
    return frame["result"]["structuredContent"]["result"]


# What is no request.


@pytest.mark.requirement("STDIO-01")
@pytest.mark.parametrize(
    ("sent", "refusal"),
    [
        (b"{", (None, -32700)),
        (b"hello", (None, -32700)),
        (b"\x00", (None, -32700)),
        (b"\xff\xfe{}", (None, -32700)),
        (b"\xef\xbb\xbf{}", (None, -32700)),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping"} {}', (None, -32700)),
        (b'{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', (None, -32700)),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":1,"a":2}}', (None, -32700)),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":NaN}}', (None, -32700)),
        (b'{"jsonrpc":"2.0","id":"\\ud800","method":"ping"}', (None, -32700)),
        (
            b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":' + b"[" * 100_000 + b"]" * 100_000 + b"}}",
            (None, -32700),
        ),
        (b"x" * (MAX_LINE + 1), (None, -32700)),
        (b"[]", (None, -32600)),
        (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', (None, -32600)),
        (b"null", (None, -32600)),
        (b"5", (None, -32600)),
        (b'"ping"', (None, -32600)),
        (b"{}", (None, -32600)),
        (b'{"jsonrpc":"2.0","method":"ping","id":null}', (None, -32600)),
        (b'{"jsonrpc":"2.0","method":"ping","id":true}', (None, -32600)),
        (b'{"jsonrpc":"2.0","method":"ping","id":1.0}', (None, -32600)),
        (b'{"jsonrpc":"2.0","method":"ping","id":[1]}', (None, -32600)),
        (b'{"jsonrpc":"2.0","method":"ping","id":' + b"9" * 50 + b"}", (None, -32600)),
        (b'{"id":7,"method":"ping"}', (7, -32600)),
        (b'{"jsonrpc":"1.0","id":7,"method":"ping"}', (7, -32600)),
        (b'{"jsonrpc":"2.0","id":7}', (7, -32600)),
        (b'{"jsonrpc":"2.0","id":7,"method":5}', (7, -32600)),
        (b'{"jsonrpc":"2.0","id":7,"method":"ping","params":[]}', (7, -32602)),
        (b'{"jsonrpc":"2.0","id":7,"method":"ping","params":null}', (7, -32602)),
        (b'{"jsonrpc":"2.0","id":7,"method":"\\u0000"}', (7, -32601)),
        (b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":["read"]}}', (7, -32602)),
        (b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"read","arguments":[]}}', (7, -32602)),
    ],
    ids=lambda value: str(value[:60]),
)
async def test_a_line_that_is_no_request_is_refused_and_the_next_one_served(
    work: Work, sent: bytes, refusal: tuple[object, int]
):
    async with serving(work.app) as wire:
        wire.server.take(sent)
        assert "result" in await wire.ask("ping", id=8)
        assert wire.refusals() == [refusal]


@pytest.mark.requirement("STDIO-01")
@pytest.mark.parametrize(
    "sent",
    [
        b"\n",
        b" \t\r\n",
        b'{"jsonrpc":"2.0","id":1,"result":{}}',
        b'{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"no"}}',
        b'{"jsonrpc":"2.0","method":"notifications/initialized"}',
        b'{"jsonrpc":"2.0","method":"notifications/nothing","params":{"a":1}}',
        b'{"jsonrpc":"2.0","method":"notifications/initialized","params":[]}',
        b'{"method":"notifications/initialized"}',
        b'{"jsonrpc":"2.0","method":"tools/list"}',
        *(
            b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":' + params + b"}"
            for params in (b"{}", b"null", b'{"requestId":9}', b'{"requestId":null}', b'{"requestId":[]}')
        ),
    ],
)
async def test_what_waits_for_no_answer_gets_none(work: Work, sent: bytes):
    async with serving(work.app) as wire:
        wire.server.take(sent)
        assert "result" in await wire.ask("ping")
    assert wire.frames == []


@pytest.mark.parametrize("id", [0, -1, 1, "", "0", "ä", 2**53])
async def test_every_id_comes_back_as_it_was_and_is_free_again(work: Work, id: object):
    async with serving(work.app) as wire:
        for _ in range(2):
            answer = await wire.ask("tools/call", call("read"), id=id)
            assert (answer["id"], type(answer["id"])) == (id, type(id))
            assert structured(answer) == 1
        assert wire.server._pending == {}


async def test_an_id_that_is_in_use_is_refused_and_the_first_request_goes_on(work: Work):
    async with serving(work.app) as wire:
        wire.send("tools/call", call("wait"), id=1)
        await work.begun.wait()
        assert (await wire.ask("ping", id=1))["error"]["code"] == -32600
        assert "result" in await wire.ask("ping", id="1")
        work.go_on.set()
        assert structured(await wire.answer(1)) == "waited"


# Lines.


async def delivered(work: Work, sent: bytes) -> list[dict[str, object]]:
    async with serving(work.app) as wire:
        await deliver(io.BytesIO(sent), wire.server.take)
    return wire.frames


async def test_a_line_that_is_too_long_is_passed_over_without_losing_the_next(work: Work):
    ping = line("ping", id=1)
    frames = await delivered(work, b"x" * (2 * MAX_LINE + 17) + b"\r\n" + ping + b"\n" + b"[" * (MAX_LINE + 1))
    assert [frame["error"]["code"] for frame in frames if "error" in frame] == [-32700, -32700]
    assert {"jsonrpc": "2.0", "id": 1, "result": {}} in frames


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b" \n\n", b""])
async def test_the_longest_line_and_the_last_one_are_served_whatever_ends_them(work: Work, end: bytes):
    ping = line("ping", id=1)
    (frame,) = await delivered(work, b" " * (MAX_LINE - len(ping) - len(end)) + ping + end)
    assert frame == {"jsonrpc": "2.0", "id": 1, "result": {}}


async def test_a_reader_that_fails_is_an_input_that_ended(work: Work):
    class Broken(io.BytesIO):
        def readline(self, size: int | None = -1) -> bytes:
            found = super().readline(size)
            if not found:
                raise ConnectionResetError
            return found

    async with serving(work.app) as wire:
        await deliver(Broken(line("ping", id=1) + b"\n"), wire.server.take)
        assert "result" in await wire.answer(1)


async def test_many_lines_at_once_are_all_answered(work: Work):
    sent = b"".join(line("tools/call", call("read"), id=number) + b"\n" for number in range(500))
    frames = await delivered(work, sent)
    assert sorted(frame["id"] for frame in frames) == list(range(500))
    assert {structured(frame) for frame in frames} == {1}


# Cancellation and the end of the input.


@pytest.mark.requirement("STDIO-02")
@pytest.mark.parametrize("id", [0, 1, "a", ""])
async def test_a_cancelled_call_is_stopped_and_nothing_more_is_said_of_it(work: Work, id: object):
    async with serving(work.app) as wire:
        wire.send("tools/call", call("wait"), id=id)
        await work.begun.wait()
        wire.send("notifications/cancelled", {"requestId": id, "reason": "changed my mind"})
        await work.ended.wait()
        assert "result" in await wire.ask("ping", id="next")
        assert structured(await wire.ask("tools/call", call("read"), id=id)) == 1
    assert wire.frames == []


@pytest.mark.requirement("STDIO-02")
@pytest.mark.parametrize("other", ["1", True, 1.0, None, [1], 2])
async def test_only_the_very_id_cancels_a_call(work: Work, other: object):
    async with serving(work.app) as wire:
        wire.send("tools/call", call("wait"), id=1)
        await work.begun.wait()
        wire.send("notifications/cancelled", {"requestId": other})
        work.go_on.set()
        assert structured(await wire.answer(1)) == "waited"


@pytest.mark.requirement("STDIO-02")
async def test_a_handler_that_goes_on_after_its_cancellation_speaks_to_nobody(work: Work):
    async with serving(work.app) as wire:
        wire.send("tools/call", {**call("insist"), "_meta": {"progressToken": "p"}}, id=1)
        await work.begun.wait()
        wire.send("notifications/cancelled", {"requestId": 1})
        await work.ended.wait()
        work.go_on.set()
    assert wire.frames == []


@pytest.mark.requirement("STDIO-02")
async def test_a_thread_that_is_cancelled_is_told_and_speaks_to_nobody(work: Work):
    async with serving(work.app) as wire:
        wire.send("tools/call", {**call("hold"), "_meta": {"progressToken": "p"}}, id=1)
        await work.begun.wait()
        wire.send("notifications/cancelled", {"requestId": 1})
        assert structured(await wire.ask("tools/call", call("read"), id=2)) == 1
        work.release.set()
    assert work.cancelled == [True]
    assert wire.frames == []


@pytest.mark.requirement("STDIO-03")
async def test_a_call_that_ends_soon_after_the_input_is_still_answered(work: Work):
    async with serving(work.app) as wire:
        wire.send("tools/call", call("wait"), id=1)
        await work.begun.wait()
        closing = asyncio.create_task(wire.server.close())
        work.go_on.set()
        await closing
        assert structured(await wire.answer(1)) == "waited"


@pytest.mark.requirement("STDIO-03")
async def test_a_client_that_vanishes_in_the_middle_of_a_call_ends_it_after_the_grace(work: Work, clock: Clock):
    async with serving(work.app) as wire:
        wire.send("tools/call", call("wait"), id=1)
        await work.begun.wait()
        closing = asyncio.create_task(wire.server.close())
        await asyncio.sleep(0)
        clock.forward(GRACE)
        await closing
        assert work.ended.is_set()
    assert wire.frames == []


@pytest.mark.requirement("STDIO-03")
@pytest.mark.parametrize("name", ["insist", "hold"])
async def test_a_handler_that_does_not_stop_keeps_nobody_waiting_for_an_answer(work: Work, clock: Clock, name: str):
    async with serving(work.app) as wire:
        wire.send("tools/call", call(name), id=1)
        await work.begun.wait()
        closing = asyncio.create_task(wire.server.close())
        while not closing.done():
            await asyncio.sleep(0)
            clock.forward(GRACE / 2)
        work.go_on.set()
        work.release.set()
    assert work.cancelled == ([True] if name == "hold" else [])
    assert wire.frames == []


async def test_a_handler_that_holds_its_thread_holds_up_nobody_else(work: Work):
    async with serving(work.app) as wire:
        wire.send("tools/call", call("hold"), id=1)
        await work.begun.wait()
        assert structured(await wire.ask("tools/call", call("read"), id=2)) == 1
        work.release.set()
        assert structured(await wire.answer(1)) == "held"


@pytest.mark.requirement("STDIO-04")
@pytest.mark.parametrize("plain", [False, True])
async def test_progress_comes_ahead_of_the_answer(plain: bool):  # noqa: FBT001 - a case
    app = App("works", access=anyone())

    async def report(call: Call) -> str:
        call.progress(1, 2, "half")
        call.progress(2, 2)
        return "done"

    def report_from_a_thread(call: SyncCall) -> str:
        call.progress(1, 2, "half")
        call.progress(2, 2)
        return "done"

    app.action(id="report", description="Report.")(report_from_a_thread if plain else report)
    async with serving(app) as wire:
        wire.send("tools/call", {**call("report"), "_meta": {"progressToken": 0}}, id=1)
        assert structured(await wire.answer(1)) == "done"
        wire.send("tools/call", call("report"), id=2)
        await wire.answer(2)
    told = [frame.get("params", frame.get("id")) for frame in wire.frames]
    half: dict[str, object] = {"progressToken": 0, "progress": 1, "total": 2, "message": "half"}
    assert told == [half, {"progressToken": 0, "progress": 2, "total": 2}, 1, 2]


@pytest.mark.requirement("STDIO-03")
async def test_whoever_listens_ends_with_the_input_and_not_after_it(work: Work, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(stdio, "GRACE", None)
    wanted = {"notifications": {"toolsListChanged": True}, "_meta": META}
    async with serving(work.app) as wire:
        wire.send("subscriptions/listen", wanted, id=1)
        await wire.until(lambda frame: frame.get("method") == "notifications/subscriptions/acknowledged")
        await wire.server.close()
    assert len(wire.frames) == 1


async def test_nobody_is_told_of_changes_before_shaking_hands(work: Work):
    async with serving(work.app) as wire:
        wire.send("notifications/initialized")
        assert served(await wire.ask("tools/list", modern()))
        work.app.changes.announce(Change(ChangeKind.TOOLS))
        assert served(await wire.ask("tools/list", modern()))
    assert wire.frames == []


# Eras.


Steps: TypeAlias = list[tuple[str, dict[str, object], Callable[[dict[str, object]], bool]]]


def served(frame: dict[str, object]) -> bool:
    return "result" in frame


def refused(code: int) -> Callable[[dict[str, object]], bool]:
    return lambda frame: "error" in frame and frame["error"]["code"] == code


UNSTATED: Final = {"_meta": {"io.modelcontextprotocol/protocolVersion": MODERN}}
FUTURE: Final = {"_meta": {**META, "io.modelcontextprotocol/protocolVersion": "2099-01-01"}}


@pytest.mark.requirement("STDIO-05")
@pytest.mark.parametrize(
    "steps",
    [
        [
            ("initialize", HELLO, served),
            ("tools/list", {}, served),
            ("tools/list", modern(), refused(-32602)),
            ("server/discover", modern(), refused(-32602)),
            ("server/discover", {}, refused(-32601)),
            ("ping", {}, served),
        ],
        [
            ("server/discover", modern(), served),
            ("tools/list", modern(), served),
            ("initialize", HELLO, refused(-32602)),
            ("initialize", {**HELLO, "_meta": META}, refused(-32602)),
            ("tools/list", {}, refused(-32602)),
            ("ping", modern(), refused(-32601)),
            ("tools/call", modern(name="read"), served),
        ],
        [("tools/list", modern(), served), ("initialize", HELLO, refused(-32602))],
        [("tools/list", {}, served), ("tools/list", modern(), refused(-32602))],
        [("server/discover", FUTURE, refused(-32022)), ("initialize", HELLO, served), ("ping", {}, served)],
        [("server/discover", FUTURE, refused(-32022)), ("server/discover", modern(), served)],
        [("server/discover", {}, refused(-32602)), ("initialize", HELLO, served)],
        [("server/discover", UNSTATED, refused(-32602)), ("initialize", HELLO, served)],
        [("nothing", {}, refused(-32601)), ("tools/list", modern(), refused(-32602))],
    ],
)
async def test_the_first_request_that_is_served_chooses_the_era(work: Work, steps: Steps):
    async with serving(work.app) as wire:
        wire.send("notifications/initialized")
        for method, params, is_expected in steps:
            answer = await wire.ask(method, params)
            assert is_expected(answer), (method, answer)


@pytest.mark.parametrize(
    ("asked", "spoken"),
    [("2025-11-25", "2025-11-25"), ("2025-06-18", "2025-06-18"), ("2024-11-05", "2025-11-25"), (5, "2025-11-25")],
)
async def test_a_handshake_agrees_on_a_revision(work: Work, asked: object, spoken: str):
    async with serving(work.app) as wire:
        hello = await wire.ask("initialize", {"protocolVersion": asked, "capabilities": {}})
    assert hello["result"]["protocolVersion"] == spoken
