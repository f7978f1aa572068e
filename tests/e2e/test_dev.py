"""`afford dev` as a developer and their clients meet it: real processes, edits, crashes and interrupts."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import signal
import socket
import stat
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest

from afford.cli.main import main
from afford.instances import Instance, read_all

WAIT = 40.0
"""Seconds after which a test gives up; none of them takes that long."""
MODERN = "2026-07-28"
SSE = {"accept": "application/json, text/event-stream", "content-type": "application/json"}

SHOP = """
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated

import anyio
from afford import ApiKeys, App, Principal, Secret, anyone, roles


@asynccontextmanager
async def lifespan(app: App) -> AsyncIterator[None]:
    with Path("life.log").open("a") as log:
        log.write("start ")
    yield
    with Path("life.log").open("a") as log:
        log.write("stop ")


app = App(
    "shop",
    title="Shop",
    version="1.2.0",
    roles=("staff",),
    authenticate=ApiKeys({"shop-key-bob": Principal("bob", roles=["staff"])}),
    lifespan=lifespan,
)


@app.query(description="Say a word back.", access=anyone())
async def echo(word: str, secret: Annotated[str, Secret()] = "") -> str:
    return word


@app.action(description="Wait until a file is there.", access=anyone())
async def wait(name: str) -> str:
    Path(f"{name}.begun").touch()
    while not Path(name).exists():
        await anyio.sleep(0.01)
    return "waited"


@app.action(description="Close the shop.", access=roles("staff"))
def close() -> str:
    print("closing")
    return "closed"
"""

MORE = """

@app.query(description="Count what is left. Call this before an order.", access=anyone())
async def count() -> list[int]:
    return [1]
"""


class Dev:
    """A development server, and what it said."""

    def __init__(self, process: asyncio.subprocess.Process, folder: Path) -> None:
        self.process = process
        self.folder = folder
        self.said: list[str] = []

    async def until(self, words: str) -> str:
        """The next line that has the words in it."""
        assert self.process.stdout is not None
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(WAIT):
                while line := (await self.process.stdout.readline()).decode():
                    self.said.append(line)
                    if words in line:
                        return line
        raise AssertionError(f"it never said {words!r}, but:\n{''.join(self.said)}")

    async def ended(self) -> int:
        """Its exit code, once it is gone."""
        assert self.process.stdout is not None
        async with asyncio.timeout(WAIT):
            self.said.append((await self.process.stdout.read()).decode())
            return await self.process.wait()

    @property
    def record(self) -> Instance:
        (found,) = read_all(self.folder / "instances")
        return found

    @property
    def bearer(self) -> dict[str, str]:
        return {"authorization": f"Bearer {self.record.token}"}

    @property
    def child(self) -> psutil.Process:
        """The process that serves."""
        (child,) = psutil.Process(self.process.pid).children()
        return child

    def edit(self, change: Callable[[str], str], name: str = "shop.py") -> None:
        """Write a file anew, as editors do: beside it, and then in its place."""
        file = self.folder / name
        draft = self.folder / f"{name}~"
        draft.write_text(change(file.read_text()))
        draft.replace(file)

    async def connection(self, http: httpx.AsyncClient) -> dict[str, Any]:
        return (await http.get("/agent/connection.json", headers=self.bearer)).json()


@asynccontextmanager
async def developing(
    folder: Path, *words: str, program: tuple[str, ...] = ("-m", "afford", "dev", "shop.py")
) -> AsyncIterator[Dev]:
    """A development server in a folder, with its record beside it, until the end of the block."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, *program, *(words or ("--port", "0"))),
        cwd=folder,
        env={**os.environ, "AFFORD_INSTANCES_DIR": str(folder / "instances"), "PYTHONUNBUFFERED": "1"},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        limit=1 << 20,
    )
    dev = Dev(process, folder)
    try:
        yield dev
    finally:
        if process.returncode is None:
            process.send_signal(signal.SIGINT)
            await dev.ended()


@asynccontextmanager
async def client_of(dev: Dev) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=dev.record.url, timeout=WAIT) as http:
        yield http


async def until(holds: Callable[[], bool]) -> None:
    """Wait for something that nobody tells of."""
    async with asyncio.timeout(WAIT):
        while not holds():  # noqa: ASYNC110 - nobody sets an event
            await asyncio.sleep(0.01)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "shop.py").write_text(SHOP)
    return tmp_path


def modern(method: str, **params: Any) -> dict[str, Any]:
    """A request of the modern era, as keyword arguments for httpx."""
    meta = {
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    }
    return {
        "json": {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": meta}},
        "headers": {**SSE, "mcp-protocol-version": MODERN, "mcp-method": method},
    }


async def tools(http: httpx.AsyncClient) -> set[str]:
    answer = await http.post("/agent/mcp", **modern("tools/list"))
    return {tool["name"] for tool in answer.json()["result"]["tools"]}


def data_of(line: str) -> dict[str, Any] | None:
    return json.loads(line.removeprefix("data: ")) if line.startswith("data: ") else None


@pytest.mark.requirement("DEV-03", "DEV-04", "FRAME-48", "FRAME-44")
async def test_a_developer_is_told_where_the_app_is_and_the_token_stands_for_who_they_say(folder: Path) -> None:
    async with developing(folder, "--port", "0", "--as", "ada", "--roles", "staff") as dev:
        await dev.until("lint")
        panel = dict(re.split(r"\s{2,}", line.strip(), maxsplit=1) for line in dev.said[1:])
        record = dev.record
        file = folder / "instances" / f"{record.id}.json"
        assert (stat.S_IMODE(file.stat().st_mode), stat.S_IMODE(file.parent.stat().st_mode)) == (0o600, 0o700)
        assert (record.name, record.title, record.version) == ("shop", "Shop", "1.2.0")
        assert (record.target, record.cwd) == (str(folder / "shop.py"), str(folder))
        assert (record.pid, record.mount, record.mcp) == (dev.process.pid, "/agent", "/agent/mcp")
        assert panel["MCP"] == f"{record.url}/agent/mcp"
        assert (panel["token"], panel["stands for"]) == (record.token, "ada (staff)")
        assert (panel["gaps"], panel["offers"]) == ("none", "3 operations")
        # What everybody on the machine may read of a process does not hold it.
        assert record.token not in str([dev.child.cmdline(), dev.child.environ(), psutil.Process(record.pid).cmdline()])
        async with client_of(dev) as http:
            assert await dev.connection(http) == {
                "format": 1,
                "id": record.id,
                "name": "shop",
                "url": record.url,
                "mount": "/agent",
                "mcp": "/agent/mcp",
                "console": record.console,
                "epoch": 1,
            }
            for headers, status in (
                (dev.bearer, 200),
                ({"authorization": f"bearer {record.token}"}, 200),
                ({"authorization": "Bearer shop-key-bob"}, 200),
                ({"authorization": "Bearer nobody-s-key"}, 401),
                ({}, 404),
            ):
                assert (await http.post("/agent/close", json={}, headers=headers)).status_code == status
            for headers, status in (
                ({}, 401),
                ({"authorization": "Bearer shop-key-bob"}, 401),
                ({**dev.bearer, "host": "evil.example"}, 421),
                ({**dev.bearer, "origin": "http://evil.example"}, 403),
            ):
                assert (await http.get("/agent/connection.json", headers=headers)).status_code == status
            assert (await http.post("/agent/connection.json", headers=dev.bearer)).status_code == 405
        dev.process.send_signal(signal.SIGINT)
        assert await dev.ended() == 0
        assert not file.exists()
    assert (folder / "life.log").read_text() == "start stop "


@pytest.mark.requirement("DEV-05")
async def test_every_call_is_logged_with_its_outcome_and_without_its_secrets(folder: Path) -> None:
    async with developing(folder) as dev:
        await dev.until("lint")
        async with client_of(dev) as http:
            await http.get("/agent/echo", params={"word": "hi", "secret": "hunter2"})
            assert {"ok", "echo", "anonymous over http", '"word":"hi"'} <= set(
                re.split(r"  +|[{},](?=[\"}])", await dev.until("echo"))
            )
            await http.get("/agent/echo")
            assert "bad_request" in await dev.until("echo")
            await http.post("/agent/close", headers={"authorization": "Bearer shop-key-bob"}, json={})
            assert "bob over http" in await dev.until("close ")
            await http.get("/agent/nothing")
        assert "hunter2" not in "".join(dev.said)
        assert "closing\n" in dev.said


@pytest.mark.requirement("DEV-06", "MCP-02")
async def test_an_edit_is_served_anew_to_clients_that_hear_of_it(folder: Path) -> None:
    async with developing(folder) as dev:
        await dev.until("lint")
        before = dev.record
        async with client_of(dev) as http:
            assert await tools(http) == {"echo", "wait"}
            opening = modern("subscriptions/listen", notifications={"toolsListChanged": True})
            async with http.stream("POST", "/agent/mcp", **opening) as stream:
                lines = stream.aiter_lines()
                async for line in lines:
                    if "acknowledged" in line:
                        dev.edit(lambda text: text + MORE)
                        break
                messages = [message async for line in lines if (message := data_of(line))]
            # Asked for at once, and nothing in between: who hears of a new list finds it.
            assert await tools(http) == {"echo", "wait", "count"}
            assert [message.get("method") for message in messages] == ["notifications/tools/list_changed", None]
            assert messages[-1]["result"]["resultType"] == "complete"
            assert "+count" in await dev.until("served anew")
            assert (await dev.connection(http))["epoch"] == 2
        assert dev.record == before


OPENING = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}


@pytest.mark.requirement("DEV-06")
async def test_an_older_client_hears_of_an_edit_and_starts_over(folder: Path) -> None:
    async with developing(folder) as dev:
        await dev.until("lint")
        async with client_of(dev) as http:
            hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": OPENING}
            first = await http.post("/agent/mcp", json=hello, headers=SSE)
            session = {**SSE, "mcp-session-id": first.headers["mcp-session-id"], "mcp-protocol-version": "2025-11-25"}
            begun = {"jsonrpc": "2.0", "method": "notifications/initialized"}
            await http.post("/agent/mcp", json=begun, headers=session)
            async with http.stream("GET", "/agent/mcp", headers=session) as stream:
                dev.edit(lambda text: text + MORE)
                told = [message["method"] async for line in stream.aiter_lines() if (message := data_of(line))]
            assert "notifications/tools/list_changed" in told
            ask = {"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {}}
            assert (await http.post("/agent/mcp", json=ask, headers=session)).status_code == 404
            again = await http.post("/agent/mcp", json=hello, headers=SSE)
            assert again.status_code == 200
            assert again.headers["mcp-session-id"] != first.headers["mcp-session-id"]


BROKEN = {
    "a syntax error": (lambda text: text + "\nx = (\n", "SyntaxError"),
    "a build error": (lambda text: text.replace("access=roles", "acess=roles"), "acess"),
    "a missing rule": (lambda text: text.replace("anyone())\nasync def wait", "None)\nasync def wait"), "fix:"),
    "a start that fails": (
        lambda text: text.replace("    yield\n", "    raise OSError('away')\n    yield\n", 1),
        "away",
    ),
}


@pytest.mark.requirement("DEV-07")
async def test_an_edit_that_breaks_the_app_is_reported_and_the_last_good_one_goes_on(folder: Path) -> None:
    async with developing(folder) as dev:
        await dev.until("lint")
        async with client_of(dev) as http:
            for change, words in BROKEN.values():
                dev.edit(lambda _text, change=change: change(SHOP))
                await dev.until(words)
                await dev.until("the last good app goes on")
                assert (await http.get("/agent/echo", params={"word": "still"})).json() == ["still"]
            dev.edit(lambda _text: SHOP)
            await dev.until("served anew")
            assert (await http.get("/agent/echo", params={"word": "again"})).json() == ["again"]
        assert not [line for line in dev.said if "/afford/cli/" in line]


@pytest.mark.requirement("DEV-07")
async def test_an_app_that_is_broken_from_the_start_is_served_once_it_is_mended(folder: Path) -> None:
    (folder / "shop.py").write_text("from shelf.stock import goods\n" + SHOP)
    async with developing(folder) as dev:
        await dev.until("waiting for an edit")
        assert not (folder / "instances").exists()
        # What was missing is a folder that nobody could watch before it was there.
        (folder / "shelf").mkdir()
        (folder / "shelf" / "stock.py").write_text("goods = []\n")
        await dev.until("lint")
        assert dev.record.name == "shop"


@pytest.mark.requirement("DEV-08")
async def test_a_running_call_is_finished_by_the_app_that_began_it(folder: Path) -> None:
    async with developing(folder) as dev:
        await dev.until("lint")
        async with client_of(dev) as http:
            call = asyncio.create_task(http.post("/agent/wait", json={"name": "go"}))
            await until((folder / "go.begun").exists)
            dev.edit(lambda text: text.replace('"waited"', '"waited anew"'))
            await dev.until("served anew")
            (folder / "go").touch()
            assert (await call).json() == "waited"
            assert (await http.post("/agent/wait", json={"name": "go"})).json() == "waited anew"


@pytest.mark.requirement("DEV-09")
async def test_a_child_that_is_killed_is_started_again(folder: Path) -> None:
    async with developing(folder) as dev:
        await dev.until("lint")
        record, child = dev.record, dev.child
        child.kill()
        await dev.until("starting it again")
        await dev.until("served anew")
        assert dev.child.pid != child.pid
        assert dev.record == record
        async with client_of(dev) as http:
            assert (await http.get("/agent/echo", params={"word": "back"})).json() == ["back"]


@pytest.mark.requirement("DEV-09")
async def test_a_parent_that_is_killed_leaves_no_child_behind(folder: Path) -> None:
    async with developing(folder) as dev:
        await dev.until("lint")
        url, child = dev.record.url, dev.child
        dev.process.kill()
        # The child holds the other end of this pipe, so reading to the end waits for it.
        await dev.ended()
        await until(lambda: not child.is_running() or child.status() == psutil.STATUS_ZOMBIE)
        with pytest.raises(httpx.ConnectError):
            async with httpx.AsyncClient() as http:
                await http.get(f"{url}/agent/health")
        assert read_all(folder / "instances") == []


async def test_a_handler_that_holds_everything_up_does_not_hold_up_the_end(folder: Path) -> None:
    (folder / "shop.py").write_text(
        SHOP + "\n\n@app.action(description='Block.', access=anyone())\nasync def block() -> None:\n"
        "    Path('blocks').touch()\n    import time\n    time.sleep(1000)\n"
    )
    async with developing(folder) as dev:
        await dev.until("lint")
        child = dev.child
        async with client_of(dev) as http:
            call = asyncio.create_task(http.post("/agent/block", json={}))
            await until((folder / "blocks").exists)
            dev.process.send_signal(signal.SIGINT)
            assert await dev.ended() == 0
            with pytest.raises(httpx.TransportError):
                await call
        assert not child.is_running()


@pytest.mark.requirement("DEV-06", "DEV-10")
async def test_nobody_is_refused_while_the_app_is_replaced_again_and_again(folder: Path) -> None:
    async with developing(folder) as dev:
        await dev.until("lint")
        done = asyncio.Event()
        statuses: list[int] = []

        async def call(http: httpx.AsyncClient) -> None:
            while not done.is_set():
                statuses.append((await http.get("/agent/echo", params={"word": "a"})).status_code)

        async with client_of(dev) as http:
            calling = asyncio.create_task(call(http))
            for number in range(2, 5):
                dev.edit(lambda text, number=number: f"{text}\nnumber = {number}\n")
                await dev.until("served anew")
                assert (await dev.connection(http))["epoch"] == number
            done.set()
            await calling
        assert set(statuses) == {200}


async def test_of_edits_in_a_row_the_last_one_is_served(folder: Path) -> None:
    async with developing(folder) as dev:
        await dev.until("lint")
        for word in ("one", "two", "three"):
            dev.edit(lambda _text, word=word: SHOP.replace("return word", f"return {word!r}"))
            await dev.until("reading the app again")
        async with client_of(dev) as http:
            word = ""
            while word != "three":
                await dev.until("served anew")
                (word,) = (await http.get("/agent/echo", params={"word": "a"})).json()


@pytest.mark.requirement("DEV-12")
async def test_an_app_s_own_program_develops_it_without_mcp_and_with_other_files(folder: Path) -> None:
    (folder / "words").mkdir()
    (folder / "words" / "hello.txt").write_text("hello")
    (folder / "shop.py").write_text(
        SHOP.replace('title="Shop"', 'title="Shop", public_url="https://shop.example/agent"')
        + "\n\nword = Path('words/hello.txt').read_text()\n"
        "if __name__ == '__main__':\n    app.cli()\n"
    )
    words = ("--port", "0", "--no-mcp", "--watch", "words", "--path", "/tools/shop")
    async with developing(folder, *words, program=("shop.py", "dev")) as dev:
        await dev.until("lint")
        record = dev.record
        assert (record.mcp, record.mount, record.target) == (None, "/tools/shop", str(folder / "shop.py"))
        async with client_of(dev) as http:
            assert (await http.get("/tools/shop/echo?word=a")).json() == ["a"]
            assert (await http.post("/tools/shop/mcp", **modern("tools/list"))).status_code == 404
            urls = (await http.get("/.well-known/afford.json")).json()["urls"]
            assert "mcp" not in urls
            assert urls["schema"] == f"{record.url}/tools/shop/schema"
            (folder / "words" / "hello.txt").write_text("good evening")
            await dev.until("hello.txt changed")
            await dev.until("served anew")


WRONG = [
    (["--roles", "staff"], "--as"),
    (["--watch", "nowhere"], "nowhere"),
    (["--path", "/a b"], "--path"),
    (["--host", "192.0.2.1", "--port", "0"], "--host"),
]


@pytest.mark.requirement("DEV-12")
@pytest.mark.parametrize(("words", "named"), WRONG)
def test_wrong_usage_is_refused_before_anything_starts(
    words: list[str], named: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["dev", "shop.py", *words])
    assert ended.value.code == 2
    assert named in capsys.readouterr().err


@pytest.mark.parametrize("package", ["uvicorn", "watchfiles", "psutil"])
def test_what_is_not_installed_is_named_with_its_extra(
    package: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("afford.cli.dev.find_spec", lambda name: None if name == package else name)
    with pytest.raises(SystemExit) as ended:
        main(["dev", "shop.py"])
    assert ended.value.code == 2
    told = capsys.readouterr().err
    assert package in told
    assert "afford[devserver]" in told


MISTAKEN = [(["shop.py", "--as", "ada", "--roles", "stuff"], "staff"), (["nothing.py"], "nothing.py")]


@pytest.mark.requirement("DEV-12")
@pytest.mark.parametrize(("words", "named"), MISTAKEN)
async def test_a_mistake_that_no_edit_mends_ends_it(words: list[str], named: str, folder: Path) -> None:
    async with developing(folder, *words, "--port", "0", program=DEV) as dev:
        assert await dev.ended() == 2
        assert named in "".join(dev.said)
        assert not (folder / "instances").exists()


DEV = ("-m", "afford", "dev")


@pytest.mark.requirement("DEV-11", "CASE-K06")
async def test_an_open_door_is_not_developed_on_a_public_address(folder: Path) -> None:
    (folder / "shop.py").write_text(
        "from afford import App, anyone\n\napp = App('open', access=anyone())\n\n\n"
        "@app.action(description='Write.')\nasync def write() -> None: ...\n"
    )
    async with developing(folder, "--host", "0.0.0.0", "--port", "0") as dev:  # noqa: S104 - the point of the test
        assert await dev.ended() == 2
        assert "public=True" in "".join(dev.said)


async def test_a_port_that_was_asked_for_is_not_replaced_by_another_one(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        async with developing(folder, "--port", str(taken.getsockname()[1])) as dev:
            assert await dev.ended() == 2
            assert "--port" in "".join(dev.said)


async def test_without_a_port_the_first_free_one_is_taken(folder: Path) -> None:
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):
            stack.enter_context(socket.create_server(("127.0.0.1", 8000)))
        async with developing(folder, "--log-level", "error") as dev:
            await dev.until("lint")
            assert 8000 < int(dev.record.url.rpartition(":")[2]) < 8100
