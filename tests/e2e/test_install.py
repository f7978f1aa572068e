"""`afford install`, and then what an assistant does: read the file, start the command in it, list the tools."""

from __future__ import annotations

import json
import os
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from afford.cli.main import main
from afford.clients.table import CLIENTS, ClientName, Syntax

APP = '''
"""A library."""
from afford import App, anyone, roles

app = App("library", access=anyone(), roles=("librarian",))


@app.query(description="List books.")
async def list_books() -> list[str]:
    return ["Middlemarch"]


@app.action(description="Add a book.", access=roles("librarian"))
async def add_book(title: str) -> str:
    return title
'''


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with an app, a home of its own, and nothing configured."""
    for name in ("XDG_CONFIG_HOME", "CODEX_HOME", "APPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("AFFORD_INSTANCES_DIR", str(tmp_path / "instances"))
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "path", [*sys.path])
    (folder / "library.py").write_text(APP)
    return folder


def run(*words: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(["install", *words])
    # Each run is a process of its own in life.
    sys.modules.pop("library", None)
    return int(ended.value.code or 0)


def servers_in(client: ClientName, file: Path) -> dict[str, Any]:
    known = CLIENTS[client]
    document = tomllib.loads(file.read_text()) if known.syntax is Syntax.TOML else json.loads(file.read_text())
    servers: dict[str, Any] = document[known.servers]
    return servers


async def tools_of(entry: dict[str, Any], folder: Path) -> set[str]:
    """What the command of an entry offers when it is started somewhere else, as clients start it."""
    # Where the package is found is part of the test's surroundings, not of the configuration.
    own = {name: text for name, text in os.environ.items() if name in ("PYTHONPATH", "AFFORD_INSTANCES_DIR")}
    server = StdioServerParameters(
        command=entry["command"], args=entry["args"], env={**own, **entry.get("env", {})}, cwd=folder
    )
    async with Client(server) as client:
        return {tool.name for tool in (await client.list_tools()).tools}


@pytest.mark.requirement("INST-01")
@pytest.mark.parametrize("client", ClientName)
async def test_what_is_written_starts_the_app_as_the_account_that_was_given(
    place: Path, tmp_path: Path, client: ClientName, capsys: pytest.CaptureFixture[str]
) -> None:
    project = CLIENTS[client].project_file
    words = ["--project"] if project else []
    assert run(client, "library.py", "--as", "ann", "--roles", "librarian", *words) == 0
    file = Path(capsys.readouterr().out.splitlines()[0].rpartition(" is in ")[2])
    entry = servers_in(client, file)["library"]
    assert Path(entry["command"]).is_absolute()
    assert await tools_of(entry, tmp_path) >= {"list_books", "add_book"}
    assert file.is_relative_to(place if project else tmp_path / "home")


@pytest.mark.requirement("INST-01")
async def test_a_module_is_found_from_wherever_the_client_starts_it(place: Path, tmp_path: Path) -> None:
    assert run("cursor", "library:app") == 0
    entry = servers_in(ClientName.CURSOR, tmp_path / "home" / ".cursor" / "mcp.json")["library"]
    assert await tools_of(entry, tmp_path) >= {"list_books"}
    assert place.name == "project"


@pytest.mark.requirement("INST-01")
async def test_without_an_app_it_is_the_connector(place: Path, tmp_path: Path) -> None:
    assert run("claude-code") == 0
    entry = servers_in(ClientName.CLAUDE_CODE, tmp_path / "home" / ".claude.json")["afford"]
    assert await tools_of(entry, place) == {"afford_instances"}


@pytest.mark.requirement("INST-03")
def test_again_changes_nothing_and_remove_takes_it_out(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = place / ".mcp.json"
    file.write_text('{\n  "mcpServers": {\n    "other": {"command": "x"}\n  }\n}\n')
    before = file.read_text()
    assert run("claude-code", "library.py", "--project") == 0
    after = file.read_text()
    assert run("claude-code", "library.py", "--project") == 0
    assert file.read_text() == after
    assert "already" in capsys.readouterr().err
    assert run("claude-code", "library.py", "--project", "--remove") == 0
    assert file.read_text() == before
    assert sum(path.name.endswith(".bak") for path in place.iterdir()) == 2


@pytest.mark.requirement("INST-05")
@pytest.mark.parametrize("client", [ClientName.VSCODE, ClientName.CODEX])
def test_looking_first_changes_nothing(place: Path, client: ClientName, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(client, "library.py", "--project", "--dry-run") == 0
    shown = capsys.readouterr().out
    assert "+" in shown
    assert "library" in shown
    assert run(client, "library.py", "--print") == 0
    printed = capsys.readouterr().out
    document = tomllib.loads(printed) if client is ClientName.CODEX else json.loads(printed)
    assert document[CLIENTS[client].servers]["library"]["args"][-1] == str(place / "library.py")
    assert [path.name for path in place.iterdir() if path.name != "__pycache__"] == ["library.py"]


@pytest.mark.requirement("INST-05")
@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["notepad", "library.py"], 2),
        (["claude-desktop", "library.py", "--project"], 2),
        (["cursor", "nothing.py"], 2),
        (["cursor", "library.py", "--as", "ann", "--roles", "nobody"], 2),
        (["cursor", "library.py", "--name", "two words"], 2),
        (["cursor", "--as", "ann"], 2),
        (["cursor", "library.py", "--project"], 1),
    ],
)
def test_what_cannot_be_done_is_refused_and_nothing_is_written(place: Path, words: list[str], code: int) -> None:
    file = place / ".cursor" / "mcp.json"
    file.parent.mkdir()
    file.write_text("{ no")
    assert run(*words) == code
    assert file.read_text() == "{ no"
    assert list(file.parent.iterdir()) == [file]
