"""The example of a developer tool: real files, real builds, and clients that hear of both."""

from __future__ import annotations

import asyncio
import json
import runpy
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.e2e.test_mcp_sessions import WAIT, Heard, client_of
from tests.e2e.test_server import serving

from afford import App
from afford.errors import JsonObject
from afford.testing import Client, client

EXAMPLE = Path(__file__).parents[2] / "examples" / "buildwatch"


@dataclass
class Tool:
    """The application over a folder of its own."""

    app: App
    state: Any
    folder: Path

    def save(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text, encoding="utf-8")

    async def until(self, status: str) -> None:
        """Wait until a build has ended so."""
        loop, reached = asyncio.get_running_loop(), asyncio.Event()

        def hear(_key: str, value: Any, _version: int) -> None:
            if value is not None and value["status"] == status:
                loop.call_soon_threadsafe(reached.set)

        stop = self.state.subscribe(hear)
        try:
            if self.state.get()["status"] != status:
                await asyncio.wait_for(reached.wait(), WAIT)
        finally:
            stop()


@pytest.fixture
def tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Tool]:
    folder = tmp_path / "sources"
    shutil.copytree(EXAMPLE / "sample", folder, ignore=shutil.ignore_patterns("dist"))
    monkeypatch.setenv("BUILDWATCH_FOLDER", str(folder))
    monkeypatch.syspath_prepend(str(EXAMPLE))
    found = runpy.run_path(str(EXAMPLE / "app.py"))
    yield Tool(found["app"], found["watch"], folder)
    sys.modules.pop("builder", None)


async def last_build(caller: Client) -> JsonObject:
    newest = (await caller.call("list_builds", limit=1)).rows[0]
    (report,) = (await caller.call("build_report", build_id=newest["build_id"])).rows
    return report


@pytest.mark.requirement("EXM-01")
async def test_a_saved_mistake_is_reported_with_its_place_and_its_fix_and_mending_it_passes(tool: Tool) -> None:
    async with client(tool.app, over="mcp") as caller:
        assert (await last_build(caller))["status"] == "passed"
        tool.save("greeting.py", "def greet(name:\n    return name\n")
        await tool.until("failed")
        report: Any = await last_build(caller)
        (wrong,) = report["diagnostics"]
        assert (wrong["code"], wrong["file"], wrong["line"] > 0, bool(wrong["fix"])) == (
            "BW001",
            "greeting.py",
            True,
            True,
        )
        assert report["trigger"] == "greeting.py"
        tool.save("greeting.py", "def greet(name: str = 'you') -> str:\n    return f'Ahoy, {name}!'\n")
        await tool.until("passed")
        assert (await caller.call("run_greet")).value == {"exit_code": 0, "output": "Ahoy, Ada!\n"}


@pytest.mark.requirement("EXM-01")
async def test_a_command_that_is_saved_is_a_tool_at_once_and_clients_hear_of_it(tool: Tool) -> None:
    heard = Heard()
    async with serving(tool.app) as server, client_of(server, message_handler=heard) as assistant:
        before = {item.name for item in (await assistant.list_tools()).tools}
        tool.save("palette.toml", '[hello]\ndescription = "Say hello."\ncommand = ["python", "-c", "print(1)"]\n')
        async with asyncio.timeout(WAIT):
            while "tools/list_changed" not in heard:
                await heard.until(len(heard) + 1)
        after = {item.name for item in (await assistant.list_tools()).tools}
        done = await assistant.call_tool("run_hello", {})
    assert (before - after, after - before) == ({"run_greet", "run_count"}, {"run_hello"})
    assert done.structured_content == {"exit_code": 0, "output": "1\n"}


@pytest.mark.requirement("EXM-01")
async def test_a_second_build_at_the_same_time_is_refused_with_a_code_and_a_fix(tool: Tool) -> None:
    async with client(tool.app) as caller:
        both = await asyncio.gather(caller.call("start_build"), caller.call("start_build"))
    (refused,) = [answer.error for answer in both if answer.error is not None]
    assert (refused["code"], bool(refused["fix"])) == ("BUILD_RUNNING", True)


@pytest.mark.requirement("EXM-01")
async def test_while_watching_is_paused_nothing_is_built_until_somebody_asks(tool: Tool) -> None:
    async with client(tool.app) as caller:
        await caller.call("set_watching", watching=False)
        tool.save("greeting.py", "def greet(:\n")
        assert (await caller.call("start_build")).value["status"] == "failed"
        assert (await caller.call("list_builds")).total == 2


@pytest.mark.requirement("EXM-01")
async def test_an_assistant_finds_the_manual_the_summary_and_a_source_by_their_places(tool: Tool) -> None:
    async with serving(tool.app) as server, client_of(server) as assistant:
        docs = await assistant.call_tool("docs", {"topic": "palette"})
        summary = await assistant.read_resource("afford://resource/summary")
        source = await assistant.read_resource("buildwatch://sources/greeting.py")
        state = await assistant.call_tool("afford_state_read", {"key": "watch"})
    place = Path(json.loads(docs.content[0].text)["place"])
    assert (await asyncio.to_thread(place.read_text)).startswith("# The command palette")
    assert summary.contents[0].text.startswith("# build_0001: passed")
    assert "def greet" in source.contents[0].text
    assert "build_0001" in state.content[0].text
