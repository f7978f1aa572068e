"""The commands of the README, by somebody who has nothing yet: an empty folder, a new home, an assistant to connect."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from tests.docs.blocks import ROOT, blocks

WAIT = 120.0
"""Seconds that one command may take; the third one fetches packages."""


def commands() -> list[str]:
    (block,) = [text for text in blocks("README.md", "sh") if "git clone" in text]
    return [line.partition("  #")[0].rstrip() for line in block.splitlines()]


def surroundings(folder: Path) -> dict[str, str]:
    """What a new account has, and where packages come from."""
    kept = {name: text for name, text in os.environ.items() if name.startswith(("PIP_", "SSL_", "REQUESTS_"))}
    path = os.pathsep.join([str(Path(sys.base_prefix) / "bin"), "/usr/local/bin", "/usr/bin", "/bin"])
    return {**kept, "HOME": str(folder / "home"), "PATH": path, "AFFORD": str(ROOT), "LANG": "C.UTF-8"}


async def built(entry: dict[str, Any], variables: dict[str, str], folder: Path) -> tuple[set[str], str]:
    """What the assistant is offered by the command in its configuration, and the id of the newest build."""
    server = StdioServerParameters(command=entry["command"], args=entry["args"], env=variables, cwd=folder)
    async with Client(server) as assistant:
        offered = {tool.name for tool in (await assistant.list_tools()).tools}
        answer = await assistant.call_tool("start_build", {})
    return offered, json.loads(answer.content[0].text)["build_id"]


@pytest.mark.requirement("INST-06")
@pytest.mark.timeout(300)
async def test_an_assistant_is_connected_from_nothing_by_the_commands_of_the_readme(tmp_path: Path) -> None:
    *first, last = commands()
    assert len(first) + 1 <= 5
    variables = surroundings(tmp_path)
    (tmp_path / "home").mkdir()
    (tmp_path / "empty").mkdir()
    script = "\n".join(["set -e", *first])
    subprocess.run(["bash", "-c", script], cwd=tmp_path / "empty", env=variables, check=True, timeout=2 * WAIT)  # noqa: ASYNC221 - nothing else goes on
    entry = json.loads((tmp_path / "home" / ".claude.json").read_text())["mcpServers"]["buildwatch"]

    alone, build = await built(entry, variables, tmp_path)
    assert {"list_builds", "start_build", "run_greet", "docs"} <= alone
    assert build == "build_0002"

    program = tmp_path / "empty" / "afford"
    words = ["bash", "-c", f". .venv/bin/activate && exec {last} --port 0"]
    with subprocess.Popen(words, cwd=program, env=variables, stdout=subprocess.PIPE, text=True) as process:  # noqa: ASYNC220 - nothing else goes on
        try:
            assert process.stdout is not None
            assert any(re.search(r"/agent/mcp", line) for line in process.stdout)
            builds = [(await built(entry, variables, tmp_path))[1] for _ in range(2)]
        finally:
            process.terminate()
    # One builder counts for both conversations: the assistant speaks for the instance that runs.
    assert builds == ["build_0002", "build_0003"]
