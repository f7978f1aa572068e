"""Leave a console open while one server answers ten thousand calls, and watch the memory of both.

    python benchmarks/soak_console.py [CALLS]

Needs Playwright and Chromium. Writes one line per thousand calls: the page's heap after a collection, its nodes, and
what the server's process holds.
"""

from __future__ import annotations

import asyncio
import re
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
# In place of this folder, where a module is named like one of the standard library.
sys.path[0] = str(ROOT)

import httpx  # noqa: E402 - after the path was put right
from playwright.async_api import CDPSession, Page, async_playwright  # noqa: E402 - the same
from tests.e2e.console.conftest import FLAGS, TOKEN, WORKSHOP, Served, console  # noqa: E402 - the same

ROUND: Final = 1000
TOGETHER: Final = 16


async def main(calls: int) -> None:
    """Open the page, call, and measure after each round."""
    with tempfile.TemporaryDirectory() as folder, console(WORKSHOP, folder=Path(folder)) as served:
        async with (
            async_playwright() as playwright,
            httpx.AsyncClient(headers={"Authorization": f"Bearer {TOKEN}"}) as http,
        ):
            browser = await playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
            page = await browser.new_page()
            await page.goto(served.page)
            await page.get_by_role("link", name="Calls").click()
            inspector = await page.context.new_cdp_session(page)
            await inspector.send("Performance.enable")
            print(f"{'calls':>7} {'page heap MiB':>14} {'nodes':>7} {'server MiB':>11}")
            for done in range(ROUND, calls + 1, ROUND):
                await one_round(http, served)
                await page.get_by_text(f"{done:,}", exact=True).first.wait_for(timeout=60_000)
                print(f"{done:>7,} {await measured(page, inspector)} {resident(served):>11.1f}", flush=True)
            await browser.close()


async def one_round(http: httpx.AsyncClient, served: Served) -> None:
    """A thousand calls, a few at a time: refused ones, ones that fail, and ones that change the shared state."""
    kinds = [
        ("GET", "shelf", None),
        ("POST", "heat", {"by": 1}),
        ("POST", "heat", {"by": "much"}),
        ("GET", "breaks", None),
    ]
    gate = asyncio.Semaphore(TOGETHER)

    async def one(number: int) -> None:
        method, name, body = kinds[number % len(kinds)]
        async with gate:
            await http.request(method, f"{served.base}/{name}", json=body)

    await asyncio.gather(*(one(number) for number in range(ROUND)))


async def measured(page: Page, inspector: CDPSession) -> str:
    """The page's heap and nodes, once what nobody holds is collected."""
    await page.wait_for_timeout(300)
    await inspector.send("HeapProfiler.collectGarbage")
    told = await inspector.send("Performance.getMetrics")
    metrics = {item["name"]: item["value"] for item in told["metrics"]}
    return f"{metrics['JSHeapUsedSize'] / (1 << 20):>14.2f} {metrics['Nodes']:>7.0f}"


def resident(served: Served) -> float:
    """MiB that the server's process holds."""
    status = Path(f"/proc/{served.pid}/status").read_text(encoding="ascii")
    found = re.search(r"VmRSS:\s+(\d+)", status)
    return int(found.group(1)) / 1024 if found else 0.0


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000))
