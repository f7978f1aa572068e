"""One job that every client does: the same steps on several connections, and what came of each step.

A driver is a program that speaks through one client library. It reads `{"connections": {label: connection}, "steps":
[[verb, parameters]], "answers": {field: value}}`, where answers are what a person fills into forms, and writes `{label:
[{"result": ...} | {"error": {code, message, data}}]}`, or `{label: {"failed": text}}` where the connection could not be
used. A connection is `{"era", "url", "headers"}` or `{"era", "command", "env"}`; under `"cannot"` stand the verbs that
are left out.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tests.node_packages import installed, node

HERE: Final = Path(__file__).parent
LIBRARY: Final = HERE / "library.py"
ERAS: Final = ("modern", "handshake")
VERSIONS: Final = {"modern": "2026-07-28", "handshake": "2025-11-25"}
WITHOUT_SESSIONS: Final = "http without sessions"
"""Where older clients are served, and can neither be asked nor told anything, nor give up a call."""
TRANSPORTS: Final = {"modern": ("http", "stdio"), "handshake": ("http", WITHOUT_SESSIONS, "stdio")}
CALLERS: Final = ("anonymous", "staff")


@dataclass(frozen=True, slots=True)
class Driver:
    """One client library."""

    name: str
    eras: tuple[str, ...]
    command: Callable[[Path], list[str]]
    """The program, given a folder to prepare."""


def _python(script: str) -> Callable[[Path], list[str]]:
    return lambda _folder: [sys.executable, str(HERE / script)]


def _typescript(package: str) -> Callable[[Path], list[str]]:
    def prepared(folder: Path) -> list[str]:
        # Modules are looked for from where the script is, so it goes where the packages are.
        script = shutil.copy(HERE / "typescript" / "drive.mjs", folder)
        (folder / "node_modules").symlink_to(installed(HERE / "typescript"), target_is_directory=True)
        return [str(node()), str(script), package]

    return prepared


DRIVERS: Final = (
    Driver("official Python", ERAS, _python("drive_official.py")),
    Driver("FastMCP", ERAS, _python("drive_fastmcp.py")),
    Driver("official TypeScript", ERAS, _typescript("@modelcontextprotocol/client")),
    Driver("official TypeScript of the handshake", ("handshake",), _typescript("@modelcontextprotocol/sdk")),
)


def connections(eras: tuple[str, ...], urls: dict[str, str], key: str) -> dict[str, dict[str, object]]:
    """Every era over every transport for every caller, by `ERA TRANSPORT CALLER`; `urls` are by transport."""
    serve = [sys.executable, "-m", "afford", "mcp", str(LIBRARY)]
    # Clients start servers with few variables of their own choice; what Python needs to find the package is told them.
    env = {name: text for name, text in os.environ.items() if name == "PYTHONPATH"}
    headers = {"anonymous": {}, "staff": {"authorization": f"Bearer {key}"}}
    words = {"anonymous": [], "staff": ["--as", "ann", "--roles", "staff"]}
    found: dict[str, dict[str, object]] = {}
    for era in eras:
        for transport in TRANSPORTS[era]:
            for caller in CALLERS:
                over_http = {"url": urls.get(transport), "headers": headers[caller]}
                over_stdio = {"command": [*serve, *words[caller]], "env": env}
                own = over_http if transport in urls else over_stdio
                cannot = ["cancel"] if transport == WITHOUT_SESSIONS else []
                found[f"{era} {transport} {caller}"] = {"era": era, "cannot": cannot, **own}
    return found


def done(command: list[str], job: dict[str, object]) -> dict[str, Any]:
    """What a driver makes of a job."""
    program = subprocess.run(command, input=json.dumps(job), stdout=subprocess.PIPE, text=True, check=True, timeout=300)
    outcomes: dict[str, Any] = json.loads(program.stdout)
    return outcomes
