"""Many calls on one server, and what it remembers of them: `python benchmarks/soak.py [--calls N]`.

Clients call, page, read, listen, ask, are refused, fail and vanish, over MCP and HTTP, most under texts and names that
never come again. The memory of the server process may grow by one hundredth over the second half. Exits with 1 where it
grows by more, or where an answer is not what it should be.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent
sys.path[:1] = [str(HERE / "soak")]

from visits import SHARES, Visitor  # noqa: E402 - found through the line above

CLIENTS: Final = 16
MOST_GROWTH: Final = 0.01
WINDOW: Final = 0.05
"""Part of the run over which a size is the median."""
FILLING: Final = 500
"""Lists that are asked for at the beginning, each with tools that are in no other."""
MEGABYTE: Final = 1 << 20


@contextmanager
def served() -> Iterator[tuple[int, int]]:
    """Process id and port of the server."""
    command = [sys.executable, "-m", "afford", "serve", str(HERE / "soak" / "served.py"), "--port", "0"]
    quiet = ["--log-level", "critical"]
    with subprocess.Popen([*command, *quiet], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            found = next((match for line in process.stdout if (match := re.search(r"http://[^/]+:(\d+)", line))), None)
            assert found is not None, "the server did not start"
            yield process.pid, int(found.group(1))
        finally:
            process.terminate()


def resident(pid: int) -> int:
    """Bytes of memory that a process has."""
    pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


class Soak:
    """One run, and the sizes that were seen on the way."""

    def __init__(self, pid: int, calls: int) -> None:
        """Take the process that is watched, and how many requests it gets."""
        self._pid = pid
        self._calls = calls
        self._started = time.monotonic()
        self._told = 0
        self.sizes: list[tuple[int, int]] = []
        """Requests so far, and bytes."""

    async def run(self, port: int) -> None:
        """Let all clients visit until there were enough requests."""
        visitors = [Visitor(port, seed) for seed in range(CLIENTS)]
        # What is remembered up to a bound is filled first, so that growing up to there is not taken for a leak.
        for _ in range(FILLING):
            await visitors[0].ask("tools/list", as_staff=True)
        async with asyncio.TaskGroup() as group:
            for visitor in visitors:
                group.create_task(self._visit(visitor, visitors))

    async def _visit(self, visitor: Visitor, visitors: list[Visitor]) -> None:
        kinds, weights = list(SHARES), list(SHARES.values())
        while (done := sum(item.requests for item in visitors)) < self._calls:
            if done - (self.sizes[-1][0] if self.sizes else 0) >= self._calls // 400:
                self.sizes.append((done, resident(self._pid)))
                self._tell(done)
            (visit,) = visitor.chance.choices(kinds, weights)
            await visit(visitor)
        visitor.wire.vanish()

    def _tell(self, done: int) -> None:
        if done * 10 // self._calls > self._told:
            self._told = done * 10 // self._calls
            rate = done / (time.monotonic() - self._started)
            print(f"{done:>9,} calls  {rate:>7,.0f}/s  {self.sizes[-1][1] / MEGABYTE:>7.1f} MiB", flush=True)

    def size_at(self, part: float) -> float:
        """The median size about that part of the run, in bytes."""
        first, last = (part - WINDOW) * self._calls, part * self._calls
        return statistics.median(size for done, size in self.sizes if first <= done <= last)


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=100_000, help="requests to make (default: 100,000)")
    calls = parser.parse_args().calls
    with served() as (pid, port):
        soak = Soak(pid, calls)
        try:
            asyncio.run(soak.run(port))
        except ExceptionGroup as wrong:
            print(f"an answer was not what it should be: {wrong.exceptions[0]!r}"[:2000], file=sys.stderr)
            return 1
    half, end = soak.size_at(0.5 + WINDOW), soak.size_at(1.0)
    growth = end / half - 1
    verdict = "bounded" if growth < MOST_GROWTH else "GROWS"
    print(f"{verdict}: {half / MEGABYTE:.1f} MiB at half, {end / MEGABYTE:.1f} MiB at the end, {growth:+.2%}")
    return 0 if growth < MOST_GROWTH else 1


if __name__ == "__main__":
    raise SystemExit(main())
