"""Starting with ten thousand typed operations: from the process's start to the first answered call.

Both sides declare the same operations, with types of their own each. Compiling their source is left out: an author's
modules are compiled once and cached.
"""

from __future__ import annotations

import sys
import tempfile
from dataclasses import asdict
from pathlib import Path
from time import perf_counter
from typing import Final

import fastmcp_thousands
import thousands
from figures import VERDICT_HEAD, Verdict, print_table, ratios, spread
from load import serving
from mcp_calls import FASTMCP, OURS
from mcp_wire import TARGET, call, result_of, value_of
from peers import peers_python
from thousands_text import ARGUMENTS, CALLED, CODE_VARIABLE, keep_code

COUNT: Final = 10_000
START_TARGET: Final = 4.0
"""How many times faster than FastMCP."""
_PATIENCE: Final = 600.0


def run_start(times: int, count: int = COUNT) -> tuple[dict[str, object], list[Verdict]]:
    """Measure, print, and answer the figures and what they say about the target."""
    taken: dict[str, list[float]] = {OURS: [], FASTMCP: []}
    with tempfile.TemporaryDirectory() as folder:
        our_code = keep_code(thousands.compiled_features(count), Path(folder) / "ours")
        their_code = keep_code(fastmcp_thousands.compiled_tools(count), Path(folder) / "theirs")
        python = peers_python()
        for turn in range(times):
            print(f"start {turn + 1} of {times}", file=sys.stderr, flush=True)
            credentials = {"Authorization": f"Bearer {thousands.KEY}"}
            taken[OURS].append(_until_answered("thousands:started", sys.executable, our_code, credentials))
            taken[FASTMCP].append(_until_answered("fastmcp_thousands:started", python, their_code, {}))
    rows = [(side, f"{spread(seconds)} s") for side, seconds in taken.items()]
    print_table((f"start with {count:,} operations until the first answered call", ""), rows)
    faster = ratios(taken[FASTMCP], taken[OURS])
    verdict = Verdict(f"start with {count:,} operations, over {FASTMCP}", faster, "x", "at least", START_TARGET)
    print_table(VERDICT_HEAD, [verdict.row()])
    return {side: asdict(spread(seconds)) for side, seconds in taken.items()}, [verdict]


def _until_answered(factory: str, python: str, code: Path, headers: dict[str, str]) -> float:
    """Seconds."""
    request = call(CALLED, ARGUMENTS)
    started = perf_counter()
    with serving(factory, python=python, patience=_PATIENCE, **{CODE_VARIABLE: str(code)}) as server:
        answer = server.post(TARGET, {**request.headers, **headers}, request.body(1))
        seconds = perf_counter() - started
    assert len(value_of(result_of(answer))["rows"]) == 20, answer[:500]
    return seconds
