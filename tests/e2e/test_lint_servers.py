"""Linting what runs: MCP servers over HTTP and standard streams, and documents that a server answers."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest
from tests.served import served

from afford.lint.target import Origin
from afford.lint.targets.credentials import Credentials
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


SECRET = "sk-very-secret-42"
KEYED = """
from afford import ApiKeys, App, Principal, anyone, signed_in

app = App("shop", authenticate=ApiKeys({"KEY": Principal("somebody")}), access=anyone())


@app.query(description="Find things for the person, best first.")
def search() -> list[str]:
    return []


@app.query(description="What one account bought, newest first.", access=signed_in())
def bought() -> list[str]:
    return []
"""


@pytest.mark.requirement("LINT-29")
def test_credentials_show_what_one_account_is_offered(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text(KEYED.replace("KEY", SECRET))
    credentials = Credentials({"Authorization": f"Bearer {SECRET}"})
    with served(tmp_path / "shop.py") as url:
        targets = [read_target(url), read_target(url, credentials)]
        catalog = read_target(url.removesuffix("/mcp") + "/schema", credentials)
    assert [[item.name for item in found.operations] for found in targets] == [["search"], ["bought", "search"]]
    assert [item.name for item in catalog.operations] == ["bought", "search"]
    assert SECRET not in repr(targets)


class Answering(BaseHTTPRequestHandler):
    """Sends on what asks for `/there` and `/away`, repeats to the others what it was sent, and notes both."""

    seen: list[tuple[str, str | None]]
    other: str

    def do_GET(self) -> None:
        self.seen.append((self.path, self.headers.get("X-Key")))
        if self.path in {"/there", "/away"}:
            self.send_response(302)
            self.send_header("Location", "/catalog" if self.path == "/there" else f"{self.other}/catalog")
            self.end_headers()
            return
        refused = self.path == "/refused"
        text = f"You sent {self.headers.get('X-Key')}"
        body = json.dumps({"queries": [{"name": "echo", "description": text}], "actions": []}).encode()
        self.send_response_only(401 if refused else 200, text if refused else None)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name in the base class
        """Say nothing."""


@contextmanager
def answering(other: str = "") -> Generator[tuple[str, list[tuple[str, str | None]]]]:
    """The address of a server, and what it is asked."""
    kind = type("Kind", (Answering,), {"seen": [], "other": other})
    server = HTTPServer(("127.0.0.1", 0), kind)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", kind.seen
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.mark.requirement("LINT-29")
def test_a_redirect_takes_credentials_along_to_the_same_server_alone() -> None:
    credentials = Credentials({"X-Key": SECRET})
    with answering() as (away, asked_away), answering(away) as (here, asked_here):
        read_target(f"{here}/there", credentials)
        read_target(f"{here}/away", credentials)
    assert asked_here == [("/there", SECRET), ("/catalog", SECRET), ("/away", SECRET)]
    assert asked_away == [("/catalog", None)]


@pytest.mark.requirement("LINT-29")
def test_what_a_server_repeats_of_credentials_is_hidden() -> None:
    credentials = Credentials({"X-Key": SECRET})
    with answering() as (here, _):
        found = read_target(f"{here}/catalog", credentials)
        with pytest.raises(TargetError) as refused:
            read_target(f"{here}/refused", credentials)
    assert found.operations[0].description == "You sent ***"
    assert SECRET not in repr(found) + str(refused.value)
    assert "--header" in str(refused.value)
