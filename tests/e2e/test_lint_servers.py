"""Linting what runs: MCP servers over HTTP and standard streams, and documents that a server answers."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest
from tests.served import served

from afford.lint.target import Origin
from afford.lint.targets.reading import TargetError, read_server, read_target

EXAMPLE = Path(__file__).parents[2] / "examples" / "hoteling" / "app.py"
OTHER = {
    "fastmcp": "from fastmcp import FastMCP as Server",
    "sdk": "from mcp.server import MCPServer as Server",
}
BODY = '''

server = Server("hotel", instructions="Rooms of one hotel.")


@server.tool()
def rooms(floor: int) -> list[str]:
    """Find the rooms of a floor."""
    return []


@server.prompt()
def plan() -> str:
    """Plan a stay."""
    return "Plan it."


server.run()
'''


def test_a_served_app_is_read_over_http_and_its_catalog_as_a_document() -> None:
    with served(EXAMPLE) as url:
        live = read_target(url)
        catalog = read_target(url.removesuffix("/mcp") + "/schema")
    assert (live.origin, catalog.origin) == (Origin.MCP, Origin.CATALOG)
    assert {"search_hotels", "hotel_detail"} <= {item.name for item in live.operations}
    assert {"search_hotels", "hotel_detail"} <= {item.name for item in catalog.operations}
    assert live.instructions


def test_an_app_is_read_over_standard_streams() -> None:
    target = read_server(shlex.join([sys.executable, "-m", "afford", "mcp", str(EXAMPLE)]), is_command=True)
    names = {item.name for item in target.operations}
    assert "search_hotels" in names
    assert not {name for name in names if name.startswith("afford_")}


@pytest.mark.parametrize("kind", OTHER)
def test_other_people_s_servers_are_read_over_standard_streams(tmp_path: Path, kind: str) -> None:
    file = tmp_path / "hotel.py"
    file.write_text(OTHER[kind] + BODY)
    target = read_server(shlex.join([sys.executable, str(file)]), is_command=True)
    assert [item.name for item in target.operations] == ["rooms"]
    assert target.instructions == "Rooms of one hotel."
    assert [(item.subject, item.text) for item in target.prose] == [("prompt:plan", "Plan a stay.")]


@pytest.mark.parametrize("address", ["http://127.0.0.1:9/mcp", "http://127.0.0.1:9/schema", "http://["])
def test_what_does_not_answer_is_refused(address: str) -> None:
    with pytest.raises(TargetError):
        read_target(address)


@pytest.mark.parametrize("command", ["no-such-program-anywhere", "'", f"{sys.executable} -c pass"])
def test_a_command_that_is_no_server_is_refused(command: str) -> None:
    with pytest.raises(TargetError):
        read_server(command, is_command=True)
