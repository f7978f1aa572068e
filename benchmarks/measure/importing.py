"""Whole processes that import one thing and end.

Knows interpreters and statements; nothing of what is compared.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from time import perf_counter

from environment import environment
from figures import Spread, print_table, spread


@dataclass(frozen=True, slots=True)
class Importing:
    """A statement, and the interpreter that runs it."""

    statement: str
    python: str = sys.executable


def import_times(cases: Mapping[str, Importing], times: int) -> dict[str, object]:
    """Milliseconds per process, printed, as medians with their spread."""
    parts: dict[str, Spread] = {name: spread(taken) for name, taken in import_samples(cases, times).items()}
    print_table(("process that imports", "ms"), [(name, str(part)) for name, part in parts.items()])
    return {name: asdict(part) for name, part in parts.items()}


def import_samples(cases: Mapping[str, Importing], times: int) -> dict[str, list[float]]:
    """Milliseconds per process, in turns."""
    taken: dict[str, list[float]] = {name: [] for name in cases}
    for turn in range(times + 1):
        for name, case in cases.items():
            started = perf_counter()
            subprocess.run([case.python, "-c", case.statement], check=True, capture_output=True, env=environment())
            # The first turn only fills the caches of compiled files.
            if turn:
                taken[name].append((perf_counter() - started) * 1e3)
    return taken
