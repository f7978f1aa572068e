"""Whole files of clients before and after: what a person wrote stays, letter by letter."""

from __future__ import annotations

from pathlib import Path

import pytest

from afford.clients.change import added, removed
from afford.clients.jsonc import DocumentError
from afford.clients.table import CLIENTS, ClientName, Surroundings, Syntax

FILES = Path(__file__).parent / "files"
COMMAND = ["/usr/bin/python", "-m", "afford", "mcp", "/srv/library.py"]
GOLDEN = [ClientName.CLAUDE_CODE, ClientName.VSCODE, ClientName.ZED, ClientName.CODEX]


def golden(client: ClientName, when: str) -> str:
    return (FILES / f"{client}.{when}.{CLIENTS[client].syntax}").read_text(encoding="utf-8")


@pytest.mark.requirement("INST-02")
@pytest.mark.parametrize("client", GOLDEN)
def test_a_server_is_put_into_a_file_that_is_full_already(client: ClientName) -> None:
    known = CLIENTS[client]
    after = added(known, golden(client, "before"), "library", known.entry(COMMAND, {}))
    assert after == golden(client, "after")


@pytest.mark.requirement("INST-03")
@pytest.mark.parametrize("client", ClientName)
def test_putting_it_in_again_changes_nothing(client: ClientName) -> None:
    known = CLIENTS[client]
    entry = known.entry(COMMAND, {"PYTHONPATH": "/srv"})
    once = added(known, "", "library", entry)
    assert added(known, once, "library", entry) == once


@pytest.mark.requirement("INST-02")
@pytest.mark.parametrize("client", [ClientName.CLAUDE_CODE, ClientName.ZED, ClientName.CODEX])
def test_taking_it_out_again_leaves_every_other_server(client: ClientName) -> None:
    left = removed(CLIENTS[client], golden(client, "after"), "library")
    # An object or table that is left empty may keep its brackets on lines of their own.
    assert "".join(left.split()) == "".join(golden(client, "before").split())


def test_taking_out_what_is_not_there_changes_nothing() -> None:
    for client in GOLDEN:
        assert removed(CLIENTS[client], golden(client, "before"), "nothing") == golden(client, "before")


@pytest.mark.parametrize("client", ClientName)
def test_a_file_that_cannot_be_read_is_not_changed(client: ClientName) -> None:
    broken = "{" if CLIENTS[client].syntax is Syntax.JSON else "= 1"
    with pytest.raises(DocumentError):
        added(CLIENTS[client], broken, "library", {})


def test_an_entry_of_another_kind_is_replaced() -> None:
    known = CLIENTS[ClientName.CURSOR]
    entry = known.entry(COMMAND, {})
    after = added(known, '{"mcpServers": {"library": {"url": "http://127.0.0.1:8000/agent/mcp"}}}', "library", entry)
    assert after == added(known, '{"mcpServers": {"library": 1}}', "library", entry)


@pytest.mark.parametrize(
    ("platform", "variables", "files"),
    [
        (
            "linux",
            {},
            {
                ClientName.CLAUDE_CODE: ".claude.json",
                ClientName.CLAUDE_DESKTOP: ".config/Claude/claude_desktop_config.json",
                ClientName.CURSOR: ".cursor/mcp.json",
                ClientName.VSCODE: ".config/Code/User/mcp.json",
                ClientName.ZED: ".config/zed/settings.json",
                ClientName.CODEX: ".codex/config.toml",
            },
        ),
        (
            "darwin",
            {},
            {
                ClientName.CLAUDE_DESKTOP: "Library/Application Support/Claude/claude_desktop_config.json",
                ClientName.VSCODE: "Library/Application Support/Code/User/mcp.json",
                ClientName.ZED: ".config/zed/settings.json",
            },
        ),
        (
            "win32",
            {"APPDATA": "/h/AppData/Roaming"},
            {
                ClientName.CLAUDE_DESKTOP: "AppData/Roaming/Claude/claude_desktop_config.json",
                ClientName.VSCODE: "AppData/Roaming/Code/User/mcp.json",
                ClientName.ZED: "AppData/Roaming/Zed/settings.json",
            },
        ),
        (
            "linux",
            {"XDG_CONFIG_HOME": "/h/own", "CODEX_HOME": "/h/codex"},
            {ClientName.ZED: "own/zed/settings.json", ClientName.CODEX: "codex/config.toml"},
        ),
    ],
)
def test_every_client_has_its_file_on_every_system(
    platform: str, variables: dict[str, str], files: dict[ClientName, str]
) -> None:
    around = Surroundings(platform, Path("/h"), variables)
    assert {client: CLIENTS[client].user_file(around) for client in files} == {
        client: Path("/h") / file for client, file in files.items()
    }
