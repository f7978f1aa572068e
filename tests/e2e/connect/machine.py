"""What tests of the connector are made of: instances in processes of their own, and a client of a stdio server.

The client speaks raw lines, so that a test sees what was really sent.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import signal
import sys
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final, Self

HERE: Final = Path(__file__).parent
WAIT: Final = 30.0
"""Seconds after which a test gives up; none of them takes that long."""
MODERN: Final = "2026-07-28"

Document = dict[str, Any]


class Running:
    """One instance."""

    def __init__(self, process: asyncio.subprocess.Process, said: Document) -> None:
        self.process = process
        self.id: str = said["id"]
        self.url: str = said["url"]
        self.token: str = said["token"]

    def send(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    async def say(self, word: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(word.encode() + b"\n")
        await self.process.stdin.drain()

    async def kill(self) -> None:
        """End it as a crash would: it takes back no record."""
        if self.process.returncode is None:
            self.process.kill()
        await self.process.wait()


class Machine:
    """A machine with its own folder of instance records."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.running: list[Running] = []

    @property
    def environment(self) -> dict[str, str]:
        return {**os.environ, "AFFORD_INSTANCES_DIR": str(self.folder)}

    async def start(self, name: str, *words: str) -> Running:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            str(HERE / "instance.py"),
            name,
            *words,
            env=self.environment,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        assert process.stdout is not None
        async with asyncio.timeout(WAIT):
            line = await process.stdout.readline()
        assert line, f"{name} did not start"
        running = Running(process, json.loads(line))
        self.running.append(running)
        return running

    @asynccontextmanager
    async def client(self, *words: str, command: Sequence[str] = (), **options: Any) -> AsyncGenerator[Talk]:
        """A client of `afford WORDS`, or of another command."""
        started = command or (sys.executable, "-m", "afford", *words)
        process = await asyncio.create_subprocess_exec(
            *started,
            env=self.environment,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            limit=1 << 24,
        )
        talk = Talk(process, **options)
        try:
            async with asyncio.timeout(WAIT * 2), talk:
                yield talk
        finally:
            if process.returncode is None:
                process.kill()
            await process.wait()


@asynccontextmanager
async def machine(folder: Path) -> AsyncGenerator[Machine]:
    made = Machine(folder / "instances")
    try:
        yield made
    finally:
        for running in made.running:
            await running.kill()


class RpcError(Exception):
    """A JSON-RPC error, as it came."""

    def __init__(self, error: Document) -> None:
        super().__init__(error)
        self.error = error


class Talk:
    """One conversation, in either era."""

    def __init__(
        self,
        process: asyncio.subprocess.Process,
        *,
        era: str = "modern",
        capabilities: Mapping[str, object] | None = None,
        person: Callable[[Document], Document] | None = None,
    ) -> None:
        self.process = process
        self.era = era
        self.capabilities = dict(capabilities or {})
        self.person = person
        self.heard: list[Document] = []
        """Notifications, as they came."""
        self.noise = b""
        self._news = asyncio.Condition()
        self._ids = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[Document]] = {}
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Self:
        self._tasks = [asyncio.create_task(self._read()), asyncio.create_task(self._hear())]
        if self.era == "modern":
            self.greeting = await self.request("server/discover")
            await self.begin("subscriptions/listen", {"notifications": {"toolsListChanged": True}})
            await self.news("notifications/subscriptions/acknowledged")
        else:
            opening = {
                "protocolVersion": "2025-11-25",
                "capabilities": self.capabilities,
                "clientInfo": {"name": "test", "version": "1"},
            }
            self.greeting = await self.request("initialize", opening)
            await self.write({"method": "notifications/initialized"})
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        await self.process.wait()
        for task in self._tasks:
            await task

    async def request(self, method: str, params: Document | None = None) -> Document:
        message = await (await self.begin(method, params))[1]
        if "error" in message:
            raise RpcError(message["error"])
        result: Document = message["result"]
        return result

    async def begin(self, method: str, params: Document | None = None) -> tuple[int, asyncio.Future[Document]]:
        """Send a request; answers its id and what becomes of it."""
        identity = next(self._ids)
        whole = dict(params or {})
        if self.era == "modern":
            meta = {
                "io.modelcontextprotocol/protocolVersion": MODERN,
                "io.modelcontextprotocol/clientCapabilities": self.capabilities,
                "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
            }
            whole["_meta"] = {**meta, **whole.get("_meta", {})}
        future = self._waiting[identity] = asyncio.get_running_loop().create_future()
        await self.write({"id": identity, "method": method, "params": whole})
        return identity, future

    async def write(self, message: Document) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        await self.process.stdin.drain()

    async def call(self, name: str, arguments: Document | None = None, **params: Any) -> Document:
        return await self.request("tools/call", {"name": name, "arguments": arguments or {}, **params})

    async def tools(self) -> dict[str, Document]:
        found: list[Document] = []
        params: Document = {}
        while True:
            page = await self.request("tools/list", params)
            found += page["tools"]
            if "nextCursor" not in page:
                break
            params = {"cursor": page["nextCursor"]}
        names = [tool["name"] for tool in found]
        assert names == sorted(set(names))
        return {tool["name"]: tool for tool in found}

    async def news(self, method: str, count: int = 1) -> None:
        """Wait until a notification came this often."""
        async with self._news:
            await self._news.wait_for(lambda: sum(item["method"] == method for item in self.heard) >= count)

    async def until(self, holds: Callable[[dict[str, Document]], bool]) -> dict[str, Document]:
        """The tools, looked at again whenever they changed, as soon as they are as wanted."""
        while True:
            seen = len(self.heard)
            tools = await self.tools()
            if holds(tools):
                return tools
            async with self._news:
                while len(self.heard) == seen:
                    await self._news.wait()

    async def _read(self) -> None:
        assert self.process.stdout is not None
        while line := await self.process.stdout.readline():
            message = json.loads(line)
            if "method" in message and "id" in message:
                await self._asked(message)
            elif "method" in message:
                async with self._news:
                    self.heard.append(message)
                    self._news.notify_all()
            else:
                self._waiting.pop(message["id"]).set_result(message)
        for future in self._waiting.values():
            future.cancel()

    async def _asked(self, message: Document) -> None:
        assert self.person is not None, message
        await self.write({"id": message["id"], "result": self.person(message["params"])})

    async def _hear(self) -> None:
        assert self.process.stderr is not None
        self.noise = await self.process.stderr.read()
