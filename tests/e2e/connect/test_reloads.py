"""A developer's day: `afford dev` reads each edit, and an assistant behind the connector goes on calling."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import pytest
from tests.e2e.connect.machine import Machine, machine

pytestmark = pytest.mark.timeout(180)

EDITS: Final = 8
APP: Final = """
from afford import App, anyone

app = App("library", access=anyone(), roles=("staff",))


@app.query(description="Say which edit this is.")
async def edit_{number}() -> int:
    return {number}
"""


@asynccontextmanager
async def developed(here: Machine, file: Path) -> AsyncGenerator[None]:
    # Two edits of one size within a second look alike to the cache of compiled files, which is on here for that.
    environment = {name: value for name, value in here.environment.items() if name != "PYTHONDONTWRITEBYTECODE"}
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "afford", "dev", str(file), "--port", "0",
        env=environment, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    try:
        yield
    finally:
        process.terminate()
        await process.wait()


@pytest.mark.requirement("CONN-05")
@pytest.mark.skipif(sys.platform == "win32", reason="`afford dev` does not run there")
async def test_every_edit_can_be_called_as_soon_as_it_is_listed(tmp_path: Path) -> None:
    file = tmp_path / "library.py"
    file.write_text(APP.format(number=0))
    async with machine(tmp_path) as here, developed(here, file), here.client("connect") as talk:
        for number in range(EDITS):
            file.write_text(APP.format(number=number))
            name = f"library__edit_{number}"
            await talk.until(lambda tools, wanted=name: wanted in tools)  # type: ignore[misc] # bound now
            assert (await talk.call(name))["structuredContent"] == {"result": number}
        told = sum(item["method"] == "notifications/tools/list_changed" for item in talk.heard)
    assert told == EDITS, "one notification for each edit, the first for the instance itself"
