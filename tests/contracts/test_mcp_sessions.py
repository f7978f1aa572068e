"""When MCP sessions are on, what they load, and how they end with the application."""

from __future__ import annotations

import asyncio
import logging
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from starlette.applications import Starlette
from starlette.routing import Mount
from tests.contracts.wire import Exchange, connected, running, served

from afford import App, Call, anyone
from afford.caller import Door
from afford.cli.worker import Hosting, hosted
from afford.errors import DeclarationError
from afford.surfaces.asgi import Scope
from afford.surfaces.http.surface import HttpSurface
from afford.surfaces.mcp.http import McpHttp
from afford.surfaces.mcp.stateful import SessionLimits, StatefulMcp

WAIT = 10.0
HEADERS = {"accept": "application/json, text/event-stream"}
OPENING = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}


def shop(**options: object) -> App:
    app = App("shop", access=anyone(), **options)  # type: ignore[arg-type]

    @app.query(description="Count.")
    async def count() -> int:
        return 7

    return app


async def opened(http: httpx.AsyncClient, path: str = "/mcp") -> str | None:
    answer = await http.post(path, json=OPENING, headers=HEADERS)
    assert answer.status_code == 200, answer.text
    assert '"protocolVersion":"2025-06-18"' in answer.text
    return answer.headers.get("mcp-session-id")


async def status_of(http: httpx.AsyncClient, identity: str, path: str = "/mcp") -> int:
    ping = {"jsonrpc": "2.0", "id": 2, "method": "ping"}
    return (await http.post(path, json=ping, headers={**HEADERS, "mcp-session-id": identity})).status_code


@pytest.mark.requirement("FRAME-43")
async def test_a_mounted_application_needs_no_lifespan_for_sessions() -> None:
    surface = shop().asgi()
    async with connected(Starlette(routes=[Mount("/agent", surface)])) as http:
        identity = await opened(http, "/agent/mcp")
        assert identity is not None
        assert await status_of(http, identity, "/agent/mcp") == 200
    await surface.stop()


async def test_several_workers_keep_no_sessions_unless_the_author_insists() -> None:
    def make(workers: int, **options: object) -> object:
        hosting = Hosting(target="", mount="/agent", door=Door.AGENT, public_url=None, workers=workers)
        return hosted(shop(**options), hosting, lambda: None)

    for site, keeps in ((make(1), True), (make(2), False), (make(2, mcp_sessions=True), True)):
        async with running(site), connected(site) as http:
            assert (await opened(http, "/agent/mcp") is not None) is keeps


async def test_without_the_package_older_clients_are_served_without_sessions(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setitem(sys.modules, "mcp", None)
    with caplog.at_level(logging.INFO, "afford.mcp"):
        surface = shop().asgi()
    assert "afford[sessions]" in caplog.text
    async with served(surface) as http:
        assert await opened(http) is None
    with pytest.raises(DeclarationError):
        shop(mcp_sessions=True).asgi()


async def test_a_package_that_cannot_be_loaded_costs_the_sessions_and_nothing_else(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def load() -> None:
        raise ImportError("an older mcp is installed")

    surface = shop().asgi()
    with_sessions(surface, StatefulMcp(McpHttp(max_body=1000), load, SessionLimits()))  # type: ignore[arg-type]
    async with served(surface) as http:
        assert await opened(http) is None
        assert await opened(http) is None
        assert await status_of(http, "0" * 32) == 404
    assert caplog.text.count("an older mcp is installed") == 1


def with_sessions(surface: HttpSurface, endpoint: StatefulMcp) -> None:
    """Serve MCP by an endpoint of the test's own."""
    surface._settings.endpoints["mcp"] = endpoint  # type: ignore[index]


PROGRAM = """
import asyncio, sys
from afford import App, anyone
app = App("shop", access=anyone(), mcp_sessions={option})

@app.query(description="Count.")
async def count() -> int:
    return 7

async def post(surface, body, *headers):
    sent, waiting = [], [{{"type": "http.request", "body": body}}]
    async def receive():
        return waiting.pop() if waiting else {{"type": "http.disconnect"}}
    async def send(message):
        sent.append(message)
    own = [(b"host", b"127.0.0.1"), (b"content-type", b"application/json"), *headers]
    await surface({{"type": "http", "method": "POST", "path": "/mcp", "headers": own, "query_string": b"",
                   "server": ("127.0.0.1", 80), "client": ("127.0.0.1", 5000), "http_version": "1.1"}}, receive, send)
    return sent[0]["status"]

async def main():
    surface = app.asgi()
    accept = (b"accept", b"application/json, text/event-stream")
    assert await post(surface, b'{{"jsonrpc":"2.0","id":1,"method":"tools/list"}}', accept) == 200
    ping, stale = b'{{"jsonrpc":"2.0","id":1,"method":"ping"}}', (b"mcp-session-id", b"x")
    assert await post(surface, ping, stale, accept) == {stale}
    print("before", sorted({{"mcp", "mcp_types", "starlette"}} & set(sys.modules)))
    opening = (b'{{"jsonrpc":"2.0","id":1,"method":"initialize","params":{{"protocolVersion":"2025-11-25",'
               b'"capabilities":{{}},"clientInfo":{{"name":"n","version":"1"}}}}}}')
    assert await post(surface, opening, accept) == 200
    print("after", "mcp" in sys.modules)
    await surface.stop()

asyncio.run(main())
"""


@pytest.mark.requirement("SESS-04")
@pytest.mark.parametrize(
    ("option", "stale", "loaded"), [(None, 404, "after True"), (False, 200, "after False")], ids=["on", "off"]
)
def test_the_package_is_loaded_when_the_first_session_opens_and_not_before(
    option: object, stale: int, loaded: str
) -> None:
    program = PROGRAM.format(option=option, stale=stale)
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert ran.stdout.splitlines() == ["before []", loaded], ran.stderr


@pytest.mark.requirement("SESS-04")
def test_a_server_on_stdio_never_loads_the_package(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text('from afford import App\n\napp = App("shop")\n')
    command = [sys.executable, "-X", "importtime", "-m", "afford", "mcp", "shop.py"]
    ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n'
    ran = subprocess.run(command, input=ping, capture_output=True, text=True, check=False, cwd=tmp_path)
    loaded = {line.rpartition("|")[2].strip().partition(".")[0] for line in ran.stderr.splitlines()}
    assert ran.stdout == '{"jsonrpc":"2.0","id":1,"result":{}}\n', ran.stderr
    assert "afford" in loaded
    assert not loaded & {"mcp", "mcp_types", "starlette"}


@pytest.mark.requirement("SESS-03")
async def test_a_session_that_falls_silent_ends() -> None:
    surface = shop().asgi()
    limits = SessionLimits(sessions=1, idle=0.01)
    with_sessions(surface, endpoint := StatefulMcp(McpHttp(max_body=1000), load_sessions, limits))
    async with served(surface) as http:
        identity = await opened(http)
        assert identity is not None
        sessions = await endpoint._sessions(await surface.runtime())
        session = sessions._sessions.get(identity)  # type: ignore[union-attr]
        if session is not None:
            await asyncio.wait_for(session.ended(), WAIT)
        assert await status_of(http, identity) == 404
        assert await opened(http) not in (None, identity)


def load_sessions() -> object:
    from afford.surfaces.mcp import sessions

    return sessions


@pytest.mark.requirement("SESS-03")
async def test_a_client_that_listens_and_a_call_that_runs_end_with_the_application() -> None:
    begun, ended = asyncio.Event(), asyncio.Event()
    log: list[str] = []
    app = shop()

    @app.action(description="Wait for ever.")
    async def wait(call: Call) -> int:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            log.append("handler")
            ended.set()
        return 1

    surface = app.asgi()
    async with connected(surface) as http:
        identity = await opened(http)
    headers = [(b"host", b"127.0.0.1"), *((name.encode(), value.encode()) for name, value in HEADERS.items())]
    headers += [(b"mcp-session-id", str(identity).encode()), (b"content-type", b"application/json")]
    listening, calling = (
        Staying(surface, method="GET", headers=headers),
        Staying(surface, method="POST", headers=headers),
    )
    body = b'{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"wait"}}'
    tasks = [asyncio.create_task(listening.stay()), asyncio.create_task(calling.stay(body))]
    await asyncio.wait_for(asyncio.gather(begun.wait(), listening.answered.wait()), WAIT)
    await surface.stop()
    assert ended.is_set()
    await asyncio.wait_for(asyncio.gather(*tasks), WAIT)
    assert (listening.status, calling.status) == (200, 200)
    assert listening.whole


class Staying(Exchange):
    """A client that never leaves by itself."""

    def __init__(self, app: object, **scope: object) -> None:
        super().__init__(app, path="/mcp", **scope)
        self.answered = asyncio.Event()
        self.whole = False

    async def stay(self, body: bytes = b"") -> None:
        waiting: list[Scope] = [{"type": "http.request", "body": body}]

        async def receive() -> Scope:
            if not waiting:
                await asyncio.Event().wait()
            return waiting.pop()

        async def send(message: Scope) -> None:
            if message["type"] == "http.response.start":
                self.status = message["status"]
                self.answered.set()
            else:
                self.whole = not message.get("more_body")

        await self._app(self._scope, receive, send)  # type: ignore[operator]
