"""The assistants that can be configured: where each keeps its servers, and what an entry looks like. Pure.

Formats and places as their makers document them, looked up on 2026-11-30; the page is named at each.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path, PurePath
from types import MappingProxyType
from typing import Final, TypeAlias

from afford.errors import JsonObject


class ClientName(StrEnum):
    """An assistant."""

    CLAUDE_CODE = "claude-code"
    CLAUDE_DESKTOP = "claude-desktop"
    CURSOR = "cursor"
    VSCODE = "vscode"
    ZED = "zed"
    CODEX = "codex"


class Syntax(StrEnum):
    """How a file is written."""

    JSON = "json"
    """With comments, where the client allows them."""
    TOML = "toml"


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What decides where files are."""

    platform: str
    """As `sys.platform` says it."""
    home: Path
    variables: Mapping[str, str]

    def configuration(self, *, on_mac: str = "Library/Application Support") -> Path:
        """The folder in which programs keep what a person configured."""
        if self.platform == "win32":
            return Path(self.variables.get("APPDATA") or self.home / "AppData" / "Roaming")
        if self.platform == "darwin":
            return self.home / on_mac
        return Path(self.variables.get("XDG_CONFIG_HOME") or self.home / ".config")


Locate: TypeAlias = Callable[[Surroundings], Path]


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """One assistant."""

    title: str
    syntax: Syntax = Syntax.JSON
    servers: str
    """The member of the file that holds the servers by name."""
    user_file: Locate
    """The file that counts everywhere."""
    project_file: PurePath | None
    """The file that counts in the project that holds it; None: there is none."""
    typed: bool = False
    """Whether an entry says that it is of the kind `stdio`."""
    hint: str
    """What the person does next."""

    def entry(self, command: list[str], variables: Mapping[str, str]) -> JsonObject:
        """What the file says about a server that is a command."""
        entry: JsonObject = {"type": "stdio"} if self.typed else {}
        entry |= {"command": command[0], "args": [*command[1:]]}
        return {**entry, "env": {**variables}} if variables else entry


def _of(*parts: str) -> Locate:
    return lambda around: around.home.joinpath(*parts)


def _codex(around: Surroundings) -> Path:
    stated = around.variables.get("CODEX_HOME")
    return (Path(stated) if stated else around.home / ".codex") / "config.toml"


def _zed(around: Surroundings) -> Path:
    folder = "Zed" if around.platform == "win32" else "zed"
    return around.configuration(on_mac=".config") / folder / "settings.json"


CLIENTS: Final[Mapping[ClientName, Client]] = MappingProxyType(
    {
        # https://code.claude.com/docs/en/mcp: user scope is the top of ~/.claude.json, project scope .mcp.json.
        ClientName.CLAUDE_CODE: Client(
            title="Claude Code",
            servers="mcpServers",
            user_file=_of(".claude.json"),
            project_file=PurePath(".mcp.json"),
            typed=True,
            hint="start a new session; `/mcp` shows the server",
        ),
        # https://modelcontextprotocol.io/docs/develop/connect-local-servers. There is no official build for Linux;
        # those that exist follow the folder of every other program there.
        ClientName.CLAUDE_DESKTOP: Client(
            title="Claude Desktop",
            servers="mcpServers",
            user_file=lambda around: around.configuration() / "Claude" / "claude_desktop_config.json",
            project_file=None,
            hint="quit Claude Desktop and start it again",
        ),
        # https://cursor.com/docs/mcp: ~/.cursor/mcp.json, and .cursor/mcp.json in a project.
        ClientName.CURSOR: Client(
            title="Cursor",
            servers="mcpServers",
            user_file=_of(".cursor", "mcp.json"),
            project_file=PurePath(".cursor", "mcp.json"),
            hint="restart Cursor, and switch the server on under MCP in its settings",
        ),
        # https://code.visualstudio.com/docs/agents/reference/mcp-configuration: `servers`, each with its `type`, in
        # .vscode/mcp.json or in mcp.json of the user profile.
        ClientName.VSCODE: Client(
            title="VS Code",
            servers="servers",
            user_file=lambda around: around.configuration() / "Code" / "User" / "mcp.json",
            project_file=PurePath(".vscode", "mcp.json"),
            typed=True,
            hint="run `MCP: List Servers` and start the server",
        ),
        # https://zed.dev/docs/ai/mcp and https://zed.dev/docs/configuring-zed: `context_servers` of settings.json.
        ClientName.ZED: Client(
            title="Zed",
            servers="context_servers",
            user_file=_zed,
            project_file=PurePath(".zed", "settings.json"),
            hint="look at the agent panel's settings; Zed starts the server by itself",
        ),
        # https://developers.openai.com/codex/mcp: [mcp_servers.<name>] of config.toml in CODEX_HOME, and of
        # .codex/config.toml in projects that are trusted.
        ClientName.CODEX: Client(
            title="Codex",
            syntax=Syntax.TOML,
            servers="mcp_servers",
            user_file=_codex,
            project_file=PurePath(".codex", "config.toml"),
            hint="start Codex again; `/mcp` shows the server, in a project once it is trusted",
        ),
    }
)
