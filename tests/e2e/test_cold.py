"""The cold run against what runs: the example over each wire, and a server that is not ours."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.served import served

EXAMPLE = Path(__file__).parents[2] / "examples" / "hoteling"
APP = EXAMPLE / "app.py"
READS = {"check_availability", "hotel_detail", "hotel_reviews", "my_bookings", "search_hotels"}
WRITES = {"book_room", "cancel_booking"}
OTHER = '''
from typing import Annotated

from fastmcp import FastMCP
from pydantic import BaseModel, Field

server = FastMCP("shop")


class Item(BaseModel):
    item_id: int
    name: str


@server.tool(annotations={"readOnlyHint": True})
def list_items(most: Annotated[int, Field(ge=1, le=50, description="How many.")] = 10) -> list[Item]:
    """List what is sold."""
    return [Item(item_id=number, name=f"thing {number}") for number in range(1, 8)][:most]


@server.tool(annotations={"readOnlyHint": True})
def get_item(item_id: Annotated[int, Field(description="From list_items.")]) -> Item:
    """Read one thing."""
    if not 0 < item_id < 8:
        raise ValueError("there is no such item")
    return Item(item_id=item_id, name=f"thing {item_id}")


@server.tool
def wipe() -> str:
    """Forget everything."""
    raise AssertionError


server.run(show_banner=False)
'''
SLOW = """
import asyncio
import sys

from afford import App, anyone

app = App("slow", access=anyone())


@app.query(description="Answers at once.")
def first() -> list[str]:
    return []


@app.query(description="Never answers.")
async def second() -> list[str]:
    print("waiting", file=sys.stderr, flush=True)
    await asyncio.Event().wait()
    return []
"""


def environment(folder: Path) -> dict[str, str]:
    return {**os.environ, "HOTELING_DATABASE": f"sqlite+aiosqlite:///{folder / 'hoteling.db'}"}


def cold(folder: Path, *words: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "afford", "cold", *words, "--format", "json"]
    ended = subprocess.run(command, env=environment(folder), capture_output=True, text=True, check=False)
    assert ended.stdout, ended.stderr
    report: dict[str, Any] = json.loads(ended.stdout)
    assert ended.returncode == int(report["failed"]), ended.stdout
    return report


def called(report: dict[str, Any]) -> set[str]:
    return {item["name"] for item in report["operations"] if not item["not_called"]}


@pytest.fixture
def addresses(tmp_path: Path) -> Iterator[tuple[str, str]]:
    """Of the example's catalog, and of its MCP endpoint."""
    with served(APP, HOTELING_DATABASE=environment(tmp_path)["HOTELING_DATABASE"]) as url:
        yield url.removesuffix("/mcp") + "/schema", url


@pytest.mark.requirement("COLD-11")
def test_the_example_is_green_from_the_import_with_everything_allowed(tmp_path: Path) -> None:
    who = ("--as", "guest-1", "--roles", "guest", "--goals", str(EXAMPLE / "goals.toml"))
    report = cold(tmp_path, str(APP), *who, "--allow", "destructive", "--ablate")
    assert not report["failed"]
    assert called(report) == READS | WRITES
    assert report["first_call"] == {"succeeded": 7, "tried": 7}
    assert report["first_retry"]["succeeded"] == report["first_retry"]["tried"] > 40
    assert all(item["red"] for item in report["ablations"])
    assert (report["picks"][0]["goals"], report["picks"][0]["hit3"]) == (12, 12)


@pytest.mark.requirement("COLD-11")
def test_the_example_is_green_by_its_addresses_and_only_read(addresses: tuple[str, str], tmp_path: Path) -> None:
    for address in (addresses[0], addresses[0].removesuffix("/agent/schema"), addresses[1]):
        report = cold(tmp_path, address, "--header", "Authorization: Bearer demo-guest-1", "--ablate")
        assert not report["failed"], address
        assert called(report) == READS
        assert len(report["ablations"]) > 8


@pytest.mark.requirement("COLD-11")
def test_the_example_is_green_over_standard_streams(tmp_path: Path) -> None:
    command = shlex.join([sys.executable, "-m", "afford", "mcp", str(APP), "--as", "guest-1", "--roles", "guest"])
    report = cold(tmp_path, "--stdio", command)
    assert not report["failed"]
    assert called(report) == READS


@pytest.mark.requirement("COLD-11")
def test_a_server_that_is_not_ours_is_tried_and_its_unmarked_tool_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "shop.py"
    file.write_text(OTHER)
    report = cold(tmp_path, "--stdio", shlex.join([sys.executable, str(file)]), "--ablate")
    assert not report["failed"]
    assert called(report) == {"list_items", "get_item"}
    assert report["first_retry"]["succeeded"] == report["first_retry"]["tried"] > 4


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGINT to send to a process")
def test_an_interrupt_prints_what_is_known_by_then(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(SLOW)
    # Where the tests run in the background, a shell has told them and their children to ignore the signal.
    heeding = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    program = f"{heeding}; from afford.cli.main import main; main()"
    command = [sys.executable, "-c", program, "cold", str(tmp_path / "slow.py"), "--wait", "600"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, cwd=tmp_path) as process:
        assert process.stderr is not None
        assert any("waiting" in line for line in process.stderr)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate()
    assert process.returncode == 1
    assert "ended early: it was interrupted" in out
    assert "first" in out
