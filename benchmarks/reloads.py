"""Edits in a row under connected clients: `python benchmarks/reloads.py [--edits N]`.

A client calls all the time, and another one listens for changes of the tools and lists them again when it hears of
one. Each edit adds a tool. Exits with 1 where a call is refused, where a list comes without the newest tool, or where
the parent has more processes, open files or memory at the end than it had after a few edits.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Final

# A script beside this one has the name of a module of the standard library.
sys.path[:1] = []

import httpx  # noqa: E402 - found through the line above
import psutil  # noqa: E402 - the same

from afford.instances import FOLDER_VARIABLE, Instance, read_all  # noqa: E402 - the same

APP: Final = """
from afford import App, anyone

app = App("reloads", access=anyone())


@app.query(description="Say a word back. Call this at any time.")
async def echo(word: str) -> str:
    return word
"""
TOOL: Final = """

@app.query(description="Tool number {number}. Call this at any time.")
async def tool_{number}() -> str:
    return "{number}"
"""
MODERN: Final = "2026-07-28"
WARM: Final = 5
"""Edits after which the parent has everything that it keeps."""
MOST_GROWTH: Final = 0.05
MEGABYTE: Final = 1 << 20


def request(method: str, **params: Any) -> dict[str, Any]:
    """An MCP request, as keyword arguments for httpx."""
    prefix = "io.modelcontextprotocol/"
    meta = {
        f"{prefix}protocolVersion": MODERN,
        f"{prefix}clientCapabilities": {},
        f"{prefix}clientInfo": {"name": "reloads", "version": "1"},
    }
    headers = {
        "accept": "application/json, text/event-stream",
        "mcp-protocol-version": MODERN,
        "mcp-method": method,
    }
    return {
        "json": {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": meta}},
        "headers": headers,
    }


class Clients:
    """Those who are connected while the app is edited."""

    def __init__(self, http: httpx.AsyncClient) -> None:
        """Take the client that both share."""
        self._http = http
        self.calls = 0
        self.newest = asyncio.Queue[int]()
        """The highest number among the tools of each list that was asked for."""

    async def call(self) -> None:
        """Call again and again; whatever goes wrong ends the run."""
        while True:
            answer = await self._http.get("/agent/echo", params={"word": "a"})
            assert answer.status_code == 200, answer.text
            self.calls += 1
            await asyncio.sleep(0.005)

    async def listen(self) -> None:
        """Listen, and list the tools when they changed; listen again when the stream ends."""
        opening = request("subscriptions/listen", notifications={"toolsListChanged": True})
        while True:
            async with self._http.stream("POST", "/agent/mcp", **opening) as stream:
                async for line in stream.aiter_lines():
                    if "acknowledged" in line or "tools/list_changed" in line:
                        await self._list()

    async def _list(self) -> None:
        answer = (await self._http.post("/agent/mcp", **request("tools/list"))).json()
        names = [tool["name"] for tool in answer["result"]["tools"]]
        self.newest.put_nowait(max((int(name.removeprefix("tool_")) for name in names if name != "echo"), default=0))


async def ready(folder: Path) -> Instance:
    """The record of the server, once it is there."""
    while not (found := read_all(folder)):  # noqa: ASYNC110 - nobody sets an event
        await asyncio.sleep(0.05)
    return found[0]


def size_of(parent: psutil.Process) -> tuple[int, int, int]:
    """Children, open files and bytes of memory."""
    return len(parent.children()), parent.num_fds(), parent.memory_info().rss


def write(file: Path, tools: int) -> None:
    """Write the app with so many tools, beside the file and then in its place, as editors do."""
    draft = file.with_suffix(".draft")
    draft.write_text(APP + "".join(TOOL.format(number=number) for number in range(1, tools + 1)))
    draft.replace(file)


async def edit(file: Path, number: int, clients: Clients) -> float:
    """Add a tool; answers the seconds until the listening client has it in its list."""
    write(file, number)
    started = time.monotonic()
    while await clients.newest.get() < number:
        pass
    return time.monotonic() - started


async def run(edits: int, folder: Path) -> bool:
    """Edit under both clients; answers whether all is well."""
    file, records = folder / "reloads_app.py", folder / "instances"
    write(file, 0)
    os.environ[FOLDER_VARIABLE] = str(records)
    command = [sys.executable, "-m", "afford", "dev", str(file), "--port", "0"]
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.DEVNULL)
    try:
        instance = await ready(records)
        parent, took = psutil.Process(process.pid), list[float]()
        async with httpx.AsyncClient(base_url=instance.url, timeout=60) as http, asyncio.TaskGroup() as group:
            clients = Clients(http)
            working = [group.create_task(clients.call()), group.create_task(clients.listen())]
            before = size_of(parent)
            for number in range(1, edits + 1):
                took.append(await edit(file, number, clients))
                if number == min(WARM, edits):
                    before = size_of(parent)
            connection = await http.get("/agent/connection.json", headers={"authorization": f"Bearer {instance.token}"})
            assert json.loads(connection.text)["epoch"] > edits, connection.text
            for task in working:
                task.cancel()
        # The last child that left has its grace.
        while len(parent.children()) > 1:  # noqa: ASYNC110 - nobody sets an event
            await asyncio.sleep(0.1)
        after = size_of(parent)
        print(f"{edits} edits under {clients.calls:,} calls, none of them refused")
        print(f"edit to the client's new list: {statistics.median(took):.2f} s median, {max(took):.2f} s at most")
        for name, first, last in zip(("children", "files", "MiB"), before, after, strict=True):
            scale = MEGABYTE if name == "MiB" else 1
            print(f"{name}: {first / scale:.1f} after {WARM} edits, {last / scale:.1f} at the end")
        assert read_all(records) == [instance]
        return after[0] <= 1 and after[1] <= before[1] and after[2] <= before[2] * (1 + MOST_GROWTH)
    finally:
        process.send_signal(signal.SIGINT)
        await process.wait()


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edits", type=int, default=50, help="edits to make (default: 50)")
    edits = parser.parse_args().edits
    with tempfile.TemporaryDirectory() as folder:
        is_well = asyncio.run(run(edits, Path(folder)))
    print("well" if is_well else "GROWS")
    return 0 if is_well else 1


if __name__ == "__main__":
    raise SystemExit(main())
