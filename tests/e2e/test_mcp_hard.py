"""MCP on real sockets, where clients lie, crowd in and vanish, and handlers misbehave."""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
import threading
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
from tests.contracts.mcp_wire import META, MODERN
from tests.e2e.test_server import JSON, PROTOCOLS, WAIT, Listening, Wire, serving, wire_to

from afford import App, Call, SyncCall, anyone

MCP = "POST /agent/mcp HTTP/1.1"
LOCAL = "Host: localhost"
BOTH = "Accept: application/json, text/event-stream"
REPLIES = ["json", "events"]
"""What a call is answered with: one object, or an event stream, which clients get that want progress."""


class Transaction:
    """What a handler works in; it commits or rolls back."""


class Happenings(list[str]):
    """What happened, in order, and events that a test waits for."""

    def __init__(self) -> None:
        super().__init__()
        self.begun = asyncio.Event()
        self.ended = asyncio.Event()
        self.release = asyncio.Event()
        self.free = threading.Event()
        self.is_given_up = False
        """Whether the thread has to notice that its caller is gone before it ends."""


async def reached(event: asyncio.Event) -> None:
    await asyncio.wait_for(event.wait(), WAIT)


class OddError(BaseException):
    """Derived from what only interpreters should raise."""


def workshop(seen: Happenings, **options: object) -> App:
    """An app whose handlers wait for the test, or misbehave; each works in a transaction."""
    loop = asyncio.get_running_loop()

    async def transaction() -> AsyncGenerator[Transaction]:
        try:
            yield Transaction()
        except BaseException as error:
            seen.append(f"rolled back: {type(error).__name__}")
            seen.ended.set()
            raise
        seen.append("committed")
        seen.ended.set()

    app = App("workshop", **{"access": anyone(), **options})  # type: ignore[arg-type]
    app.provide(Transaction, transaction)
    declare_misbehaving(app, seen)

    @app.query(description="Say a word back.")
    async def echo(word: str) -> str:
        seen.append(f"echo {word}")
        return word

    @app.action(description="Work until the test lets it end.")
    async def work(db: Transaction, call: Call) -> str:
        call.progress(1, 3)
        seen.begun.set()
        await seen.release.wait()
        call.progress(3, 3)
        return "done"

    @app.action(description="Work in a thread until the test lets it end.")
    def drill(db: Transaction, call: SyncCall) -> str:
        call.progress(1, 3)
        loop.call_soon_threadsafe(seen.begun.set)
        assert seen.free.wait(WAIT)
        # As a thread has to find out for itself that nobody waits for it any more.
        while seen.is_given_up and not call.cancelled:
            threading.Event().wait(0.01)
        return "done"

    @app.action(description="Answer much.")
    async def much(db: Transaction) -> list[str]:
        return ["x" * 1000 for _ in range(80)]

    @app.action(description="Print wherever there is something to print to.")
    async def prints(call: Call) -> str:
        print("printed")  # noqa: T201 - what the test is about
        sys.stdout.write("written")
        os.write(2, b"")
        call.progress(1)
        return "done"

    return app


def declare_misbehaving(app: App, seen: Happenings) -> None:
    """Handlers that do what handlers should not."""
    spawned: set[asyncio.Future[None]] = set()

    @app.action(description="Never end.", deadline=0.05)
    async def endless(db: Transaction, call: Call) -> str:
        call.progress(1)
        await asyncio.Event().wait()
        return "done"

    @app.action(description="Block a thread for longer than there is time.", deadline=0.05)
    def blocks(db: Transaction, call: SyncCall) -> str:
        call.progress(1)
        assert seen.free.wait(WAIT)
        return "done"

    @app.action(description="Raise what nobody should.")
    async def odd(db: Transaction, call: Call) -> str:
        call.progress(1)
        raise OddError("password=hunter2")

    @app.action(description="Raise what nobody should, in a thread.")
    def odd_in_thread(db: Transaction, call: SyncCall) -> str:
        call.progress(1)
        raise KeyboardInterrupt("password=hunter2")

    @app.action(description="Leave the process.")
    async def leaves(db: Transaction, call: Call) -> str:
        call.progress(1)
        sys.exit("password=hunter2")

    @app.action(description="Cancel itself.")
    async def cancels(db: Transaction, call: Call) -> str:
        call.progress(1)
        task = asyncio.current_task()
        assert task is not None
        task.cancel()
        await asyncio.Event().wait()
        return "done"

    @app.action(description="Raise a cancellation that nobody asked for.")
    async def gives_up(db: Transaction, call: Call) -> str:
        call.progress(1)
        raise asyncio.CancelledError("password=hunter2")

    @app.action(description="Start something that outlives the call, and goes on reporting.")
    async def spawns(db: Transaction, call: Call) -> str:
        async def later() -> None:
            await seen.release.wait()
            call.progress(2)
            seen.begun.set()

        call.progress(1)
        spawned.add(asyncio.ensure_future(later()))
        return "done"


def body_of(method: str, params: dict[str, object] | None = None, *, progress: bool = False) -> bytes:
    meta = {**META, "progressToken": "p"} if progress else META
    return json.dumps(
        {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**(params or {}), "_meta": meta}}
    ).encode()


def call_of(name: str, *, progress: bool = False, **arguments: object) -> bytes:
    return body_of("tools/call", {"name": name, "arguments": arguments}, progress=progress)


def modern(method: str, name: str | None = None) -> list[str]:
    lines = [LOCAL, JSON, BOTH, f"MCP-Protocol-Version: {MODERN}", f"Mcp-Method: {method}"]
    return lines if name is None else [*lines, f"Mcp-Name: {name}"]


async def call(wire: Wire, name: str, *, progress: bool = False, **arguments: object) -> None:
    body = call_of(name, progress=progress, **arguments)
    await wire.send(MCP, *modern("tools/call", name), f"Content-Length: {len(body)}", body=body)


@asynccontextmanager
async def client(server: Listening) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=server.url, timeout=WAIT) as http:
        yield http


async def called(http: httpx.AsyncClient, name: str, *, progress: bool = False, **arguments: object) -> httpx.Response:
    headers = dict(line.split(": ", 1) for line in modern("tools/call", name)[1:])
    return await http.post("/agent/mcp", content=call_of(name, progress=progress, **arguments), headers=headers)


async def is_alive(server: Listening) -> bool:
    async with client(server) as http:
        answer = await called(http, "echo", word="alive")
    return answer.status_code == 200 and answer.json()["result"]["structuredContent"] == {"result": "alive"}


def frames(text: str) -> list[dict[str, object]]:
    """What an event stream carried."""
    return [json.loads(line.removeprefix("data: ")) for line in text.splitlines() if line.startswith("data: ")]


HOSTS_AND_ORIGINS = [
    (["Host: evil.example"], {421}),
    (["Host: localhost.evil.example"], {421}),
    (["Host: localhost", "Host: evil.example"], {400, 421}),
    ([], {400, 421}),
    (["Host: localhost", "Origin: http://evil.example"], {403}),
    (["Host: localhost", "Origin: https://api.example.evil.example"], {403}),
    (["Host: localhost", "Origin: null"], {403}),
    (["Host: localhost", "Origin: file://"], {403}),
    (["Host: api.example", "Origin: https://api.example"], {200}),
    (["Host: 127.0.0.1"], {200}),
]


@pytest.mark.requirement("CASE-K39", "FRAME-42")
@pytest.mark.parametrize("protocol", PROTOCOLS)
async def test_a_hostile_host_or_origin_calls_no_tool(protocol: str):
    seen = Happenings()
    body = call_of("echo", word="a")
    async with serving(workshop(seen, allowed_hosts=["api.example"]), http=protocol) as server:
        for lines, statuses in HOSTS_AND_ORIGINS:
            del seen[:]
            async with wire_to(server) as wire:
                own = [line for line in modern("tools/call", "echo") if line != LOCAL]
                await wire.send(MCP, *lines, *own, f"Content-Length: {len(body)}", body=body)
                status, _body = await wire.answer()
            assert status in statuses, lines
            assert seen == (["echo a"] if status == 200 else []), lines


@pytest.mark.requirement("HARD-01")
@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("framing", ["Transfer-Encoding: chunked", "Content-Length: 100000000"])
async def test_an_endless_message_is_refused_before_it_ends(protocol: str, framing: str):
    seen = Happenings()
    megabyte = b" " * (1 << 20)
    async with serving(workshop(seen), http=protocol) as server, wire_to(server) as wire:
        body = (b"100000\r\n" + megabyte + b"\r\n") * 5 if "chunked" in framing else megabyte
        await wire.send(MCP, *modern("tools/call", "echo"), framing, body=body)
        status, answer = await wire.answer()
        error = json.loads(answer)
        assert await is_alive(server)
    assert (status, error["error"]["code"], error["id"]) == (413, -32700, None)
    assert seen == ["echo alive"]


MALFORMED = {
    "nothing": (b"", -32700),
    "white space": (b" \r\n", -32700),
    "half a message": (call_of("echo", word="a")[:-1], -32700),
    "two messages": (call_of("echo", word="a") * 2, -32700),
    "a batch": (b"[" + call_of("echo", word="a") + b"]", -32600),
    "a text": (b'"tools/call"', -32600),
    "null": (b"null", -32600),
    "no UTF-8": (b'{"jsonrpc":"2.0","id":1,"method":"\xff\xfe"}', -32700),
    "UTF-16": (call_of("echo", word="a").decode().encode("utf-16"), -32700),
    "a byte order mark": (b"\xef\xbb\xbf" + call_of("echo", word="a"), -32700),
    "NaN": (call_of("echo", word="a").replace(b'"a"', b"NaN"), -32700),
    "infinity by size": (call_of("echo", word="a").replace(b'"a"', b"1e999"), -32700),
    "a number of ten thousand digits": (call_of("echo", word="a").replace(b'"a"', b"1" * 10_000), -32700),
    "half a character": (call_of("echo", word="a").replace(b'"a"', rb'"\ud800"'), -32700),
    "a member twice": (call_of("echo", word="a").replace(b'"word"', b'"word": "b", "word"'), -32700),
    "a hundred thousand arrays": (call_of("echo", word="a").replace(b'"a"', b"[" * 100_000 + b"]" * 100_000), -32700),
    "a hundred thousand open arrays": (b"[" * 100_000, -32700),
    "objects inside each other": (b'{"a":' * 10_000 + b"1" + b"}" * 10_000, -32700),
    "an older JSON-RPC": (call_of("echo", word="a").replace(b'"2.0"', b'"1.0"'), -32600),
    "no method": (b'{"jsonrpc":"2.0","id":1,"params":{}}', -32600),
    "a response": (b'{"jsonrpc":"2.0","id":1,"result":{}}', -32600),
    "a method that is a number": (b'{"jsonrpc":"2.0","id":1,"method":7}', -32600),
    "params that are a list": (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":["echo"]}', -32602),
    "params that are null": (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":null}', -32602),
    "metadata that is a text": (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":"x"}}', -32602),
    "an id that is true": (b'{"jsonrpc":"2.0","id":true,"method":"tools/call"}', -32600),
    "an id that is a fraction": (b'{"jsonrpc":"2.0","id":1.5,"method":"tools/call"}', -32600),
    "an id that is an object": (b'{"jsonrpc":"2.0","id":{},"method":"tools/call"}', -32600),
    "an id of a megabyte": (b'{"jsonrpc":"2.0","id":"' + b"i" * (1 << 20) + b'","method":"tools/call"}', -32600),
}


@pytest.mark.requirement("HARD-01")
@pytest.mark.parametrize("protocol", PROTOCOLS)
async def test_malformed_messages_are_refused_one_after_the_other_on_one_connection(protocol: str):
    seen = Happenings()
    async with serving(workshop(seen), http=protocol) as server, wire_to(server) as wire:
        for case, (body, code) in MALFORMED.items():
            await wire.send(MCP, *modern("tools/call", "echo"), f"Content-Length: {len(body)}", body=body)
            status, answer = await wire.answer()
            assert (status, json.loads(answer)["error"]["code"]) == (400, code), case
            assert len(answer) < 1000, case
        await call(wire, "echo", word="a")
        assert (await wire.answer())[0] == 200
    assert seen == ["echo a"]


@pytest.mark.requirement("HARD-01")
@pytest.mark.parametrize(
    ("kind", "status"),
    [
        ("", 400),
        ("text/plain", 400),
        ("text/plain; application/json", 400),
        ("application/jsonx", 400),
        ("application/x-www-form-urlencoded", 400),
        ("multipart/form-data; boundary=x", 400),
        ("application/json, text/plain", 400),
        ("application/json", 200),
        ("Application/JSON ; charset=utf-8", 200),
    ],
)
async def test_only_json_is_read(kind: str, status: int):
    seen = Happenings()
    body = call_of("echo", word="a")
    lines = [line for line in modern("tools/call", "echo") if line != JSON]
    async with serving(workshop(seen)) as server, wire_to(server) as wire:
        await wire.send(MCP, *lines, f"Content-Type: {kind}", f"Content-Length: {len(body)}", body=body)
        assert (await wire.answer())[0] == status
    assert seen == (["echo a"] if status == 200 else [])


TWICE = [
    ("MCP-Protocol-Version: 2025-11-25", -32022),
    (f"MCP-Protocol-Version: {MODERN}", -32022),
    ("Mcp-Method: tools/list", -32020),
    ("Mcp-Name: work", -32020),
]


@pytest.mark.requirement("MCP-07")
@pytest.mark.parametrize("protocol", PROTOCOLS)
async def test_a_header_that_comes_twice_says_nothing(protocol: str):
    seen = Happenings()
    body = call_of("echo", word="a")
    async with serving(workshop(seen), http=protocol) as server:
        for line, code in TWICE:
            for lines in ([*modern("tools/call", "echo"), line], [line, *modern("tools/call", "echo")]):
                async with wire_to(server) as wire:
                    await wire.send(MCP, *lines, f"Content-Length: {len(body)}", body=body)
                    status, answer = await wire.answer()
                assert (status, json.loads(answer)["error"]["code"]) == (400, code), lines
    assert seen == []


@pytest.mark.requirement("HARD-01")
async def test_other_methods_run_nothing():
    seen = Happenings()
    async with serving(workshop(seen)) as server, client(server) as http:
        for method in ("GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"):
            answer = await http.request(method, "/agent/mcp", content=call_of("echo", word="a"), headers={})
            assert (answer.status_code, answer.headers["allow"]) == (405, "POST"), method
    assert seen == []


@pytest.mark.requirement("EXEC-02", "INJ-03", "HARD-02")
@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("reply", REPLIES)
async def test_a_client_that_vanishes_in_mid_call_cancels_it_and_rolls_back(protocol: str, reply: str):
    seen = Happenings()
    async with serving(workshop(seen), http=protocol) as server:
        async with wire_to(server) as wire:
            await call(wire, "work", progress=reply == "events")
            await reached(seen.begun)
            if reply == "events":
                assert (await wire.answer())[0] == 200
            wire.kill()
            await reached(seen.ended)
        assert await is_alive(server)
    assert seen == ["rolled back: CancelledError", "echo alive"]


@pytest.mark.requirement("INJ-05", "HARD-02")
@pytest.mark.parametrize("reply", REPLIES)
async def test_a_thread_whose_client_vanished_keeps_its_transaction_until_it_ends(reply: str):
    seen = Happenings()
    seen.is_given_up = True
    async with serving(workshop(seen)) as server:
        async with wire_to(server) as wire:
            await call(wire, "drill", progress=reply == "events")
            await reached(seen.begun)
            wire.kill()
        assert await is_alive(server)
        assert seen == ["echo alive"]
        seen.free.set()
        await reached(seen.ended)
    assert seen == ["echo alive", "rolled back: CancelledError"]


@pytest.mark.requirement("HARD-02")
@pytest.mark.parametrize("protocol", PROTOCOLS)
async def test_a_client_that_vanishes_while_it_sends_runs_nothing(protocol: str):
    seen = Happenings()
    async with serving(workshop(seen), http=protocol) as server:
        async with wire_to(server) as wire:
            body = call_of("work")
            await wire.send(MCP, *modern("tools/call", "work"), f"Content-Length: {len(body)}", body=body[:-1])
            wire.kill()
        assert await is_alive(server)
    assert seen == ["echo alive"]


@pytest.mark.requirement("EXEC-02", "HARD-02")
@pytest.mark.parametrize("protocol", PROTOCOLS)
async def test_a_reader_that_does_not_read_holds_up_no_transaction_and_nobody_else(protocol: str):
    seen = Happenings()
    async with serving(workshop(seen), http=protocol) as server:
        async with wire_to(server) as wire:
            # Far more than the buffers of both ends can hold is asked for, and none of it read.
            for _ in range(200):
                await call(wire, "much")
            await reached(seen.ended)
            assert seen[0] == "committed"
            assert await is_alive(server)
            wire.kill()
        assert await is_alive(server)


MISBEHAVING = {
    "prints": None,
    "endless": "timeout",
    "blocks": "timeout",
    "odd": "internal",
    "odd_in_thread": "internal",
    "leaves": "internal",
    "gives_up": "internal",
    "spawns": None,
}


@pytest.mark.requirement("CASE-K27", "HARD-02")
@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("reply", REPLIES)
async def test_a_handler_that_misbehaves_costs_its_own_call_only(protocol: str, reply: str):
    seen = Happenings()
    async with serving(workshop(seen), http=protocol) as server, client(server) as http:
        for name, code in MISBEHAVING.items():
            del seen[:]
            answer = await called(http, name, progress=reply == "events")
            assert answer.status_code == 200, name
            assert "hunter2" not in answer.text, name
            told = frames(answer.text) if reply == "events" else [answer.json()]
            assert [frame["params"]["progress"] for frame in told[:-1]] == ([1] if reply == "events" else []), name
            result = told[-1]["result"]
            error = json.loads(result["content"][0]["text"])["error"]["code"] if result["isError"] else None
            assert error == code, name
            if name == "blocks":
                seen.free.set()
                await reached(seen.ended)
        # What was spawned goes on, and has nobody to report to any more.
        seen.begun.clear()
        seen.release.set()
        await reached(seen.begun)
        assert await is_alive(server)


@pytest.mark.requirement("EXEC-02")
@pytest.mark.parametrize("reply", REPLIES)
async def test_a_handler_that_cancels_its_own_task_is_refused_and_rolled_back(reply: str):
    seen = Happenings()
    async with serving(workshop(seen)) as server, client(server) as http:
        answer = await called(http, "cancels", progress=reply == "events")
        if reply == "events":
            assert frames(answer.text)[-1]["error"]["code"] == -32603
        else:
            # To the server this is a request that it cancelled itself.
            assert answer.status_code == 500
        assert await is_alive(server)
    assert seen == ["rolled back: CancelledError", "echo alive"]


LIBRARY = """
from afford import App, anyone

app = App("library", access=anyone())

@app.query(description="Count.")
async def count() -> int:
    return 1
"""

LISTEN = {"notifications": {"toolsListChanged": True}}
OPENING = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}


@asynccontextmanager
async def served_for_real(folder: Path, *words: str) -> AsyncIterator[tuple[asyncio.subprocess.Process, str]]:
    """A server process, as a person starts it, and the URL of its MCP endpoint."""
    (folder / "library.py").write_text(LIBRARY, encoding="utf-8")
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "afford", "serve", "library.py", "--port", "0", *words),
        cwd=folder,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    assert process.stdout is not None
    try:
        async with asyncio.timeout(WAIT):
            while not (found := re.search(rb"http://\S+/mcp\s", await process.stdout.readline())):
                pass
        yield process, found.group().decode().strip()
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


@pytest.mark.requirement("LISTEN-04")
@pytest.mark.parametrize("workers", ["1", "2"])
async def test_a_server_process_that_is_told_to_stop_ends_its_streams_and_itself(tmp_path: Path, workers: str):
    headers = dict(line.split(": ", 1) for line in modern("subscriptions/listen")[1:])
    async with (
        served_for_real(tmp_path, "--workers", workers) as (process, url),
        httpx.AsyncClient(timeout=WAIT) as http,
        http.stream("POST", url, content=body_of("subscriptions/listen", LISTEN), headers=headers) as stream,
    ):
        lines = stream.aiter_lines()
        async for line in lines:
            if "acknowledged" in line:
                process.terminate()
                break
        last = [line async for line in lines if line.startswith("data: ")]
        assert json.loads(last[-1].removeprefix("data: "))["result"]["resultType"] == "complete"
        assert await asyncio.wait_for(process.wait(), WAIT) == 0


@pytest.mark.requirement("LISTEN-04")
async def test_a_server_process_that_is_told_to_stop_ends_the_streams_of_sessions_too(tmp_path: Path):
    async with served_for_real(tmp_path) as (process, url), httpx.AsyncClient(timeout=WAIT) as http:
        headers = {"accept": "application/json, text/event-stream"}
        hello = await http.post(
            url, json={"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": OPENING}, headers=headers
        )
        session = {"mcp-session-id": hello.headers["mcp-session-id"]}
        async with http.stream("GET", url, headers={**headers, **session}) as stream:
            assert stream.status_code == 200
            process.terminate()
            assert [line async for line in stream.aiter_lines() if line.startswith("data: ")] == []
        assert await asyncio.wait_for(process.wait(), WAIT) == 0
