"""What grows with the number of operations: calls, manifests, starting; and what importing costs.

Calls are made in process, straight through the ASGI application, so that no server hides a difference. Every size has
a process of its own and the sizes take turns. Run alone: `python benchmarks/manifest.py [--quick]`.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from itertools import combinations, islice
from time import perf_counter
from typing import Final

from environment import environment
from figures import VERDICT_HEAD, Verdict, print_table, ratios, record, spread
from importing import Importing, import_times
from thousands_text import CALLED, ROLES

SMALL: Final = 10
HALF: Final = 5_000
LARGE: Final = 10_000
CALLS: Final = 10_000
"""Calls per turn."""
MANIFESTS: Final = 40
"""New role sets per turn."""
IMPORTS: Final = {
    "bare Python": Importing("pass"),
    "pydantic alone": Importing("from pydantic import BaseModel, Field, TypeAdapter"),
    "afford": Importing("from afford import App"),
}


def run(*, quick: bool) -> tuple[dict[str, object], list[Verdict]]:
    """Measure, print, and answer the figures and what they say about the targets."""
    found, verdicts = _growth(turns=3 if quick else 9)
    found["start"] = _starts(times=1 if quick else 5)
    found["import"] = import_times(IMPORTS, times=3 if quick else 10)
    print_table(VERDICT_HEAD, [verdict.row() for verdict in verdicts])
    return found, verdicts


def _growth(turns: int) -> tuple[dict[str, object], list[Verdict]]:
    with ExitStack() as stack:
        workers = {size: stack.enter_context(_working(size)) for size in (SMALL, HALF, LARGE)}
        calls: dict[int, list[float]] = {size: [] for size in (SMALL, LARGE)}
        manifests: dict[int, list[float]] = {size: [] for size in (HALF, LARGE)}
        for turn in range(turns):
            print(f"turn {turn + 1} of {turns}", file=sys.stderr, flush=True)
            for size, taken in calls.items():
                taken.append(_asked(workers[size], "calls"))
            for size, taken in manifests.items():
                taken.append(_asked(workers[size], "manifests"))
    rows = [(f"a call among {size:,}", f"{spread(taken)} us") for size, taken in calls.items()]
    rows += [(f"manifest for a new role set at {size:,}", f"{spread(taken)} ms") for size, taken in manifests.items()]
    print_table(("in process", "median (lowest to highest)"), rows)
    found: dict[str, object] = {"call_us": _by_size(calls), "manifest_ms": _by_size(manifests)}
    throughput = ratios(calls[SMALL], calls[LARGE])
    growth = ratios(manifests[LARGE], manifests[HALF])
    return found, [
        Verdict(f"throughput among {LARGE:,} over {SMALL}", throughput, "x", "at least", 0.95),
        Verdict(f"manifest for a new role set at {LARGE:,}", spread(manifests[LARGE]), "ms", "at most", 5),
        Verdict(f"the same over {HALF:,}", growth, "x", "at most", 2.6),
    ]


def _starts(times: int) -> dict[str, object]:
    """From the first import to the first answered call, in fresh processes."""
    taken = [json.loads(_output([__file__, "--start", str(LARGE)])) for _ in range(times)]
    phases = {phase: spread([run[phase] for run in taken]) for phase in taken[0]}
    print_table(
        (f"start with {LARGE:,} operations", "seconds", "share"),
        [(phase, str(part), f"{part.median / phases['total'].median:.0%}") for phase, part in phases.items()],
    )
    return {phase: asdict(part) for phase, part in phases.items()}


@contextmanager
def _working(size: int) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, __file__, "--worker", str(size)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n", f"the process with {size} operations did not start"
        yield process
    finally:
        process.terminate()
        process.wait()


def _asked(worker: subprocess.Popen[str], what: str) -> float:
    assert worker.stdin is not None
    assert worker.stdout is not None
    worker.stdin.write(f"{what}\n")
    worker.stdin.flush()
    return float(worker.stdout.readline())


def _output(arguments: Sequence[str]) -> str:
    command = [sys.executable, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True, env=environment()).stdout


def _by_size(taken: dict[int, list[float]]) -> dict[str, object]:
    return {str(size): asdict(spread(values)) for size, values in taken.items()}


async def work(size: int) -> None:
    """Answer the parent's questions: a line with a question in, a line with a figure out."""
    import thousands
    from asgi import Requests

    from afford import Caller, Principal

    _pin()
    app = thousands.declared(thousands.compiled_features(size))
    requests = Requests(app.asgi(), f"/{CALLED}?{thousands.QUERY}", {"Authorization": f"Bearer {thousands.KEY}"})
    await requests.send_one()
    role_sets = (roles for length in range(2, 12) for roles in combinations(ROLES, length))
    print("ready", flush=True)
    for question in sys.stdin:
        if question == "calls\n":
            print(await requests.microseconds(CALLS), flush=True)
            continue
        callers = [Caller(Principal("somebody", roles=roles)) for roles in islice(role_sets, MANIFESTS)]
        started = perf_counter()
        for caller in callers:
            app.manifest(caller)
        print((perf_counter() - started) / len(callers) * 1e3, flush=True)


async def start(size: int) -> None:
    """Print how long each phase took until the first answered call, in seconds, as JSON."""
    started = perf_counter()
    import thousands

    imported = perf_counter()
    codes = thousands.compiled_features(size)
    from asgi import Requests

    # Compiling the source is left out: an author's modules are compiled once and cached.
    begun = perf_counter()
    app = thousands.declared(codes)
    declared = perf_counter()
    surface = app.asgi()
    built = perf_counter()
    headers = {"Authorization": f"Bearer {thousands.KEY}"}
    await Requests(surface, f"/{CALLED}?{thousands.QUERY}", headers).send_one()
    answered = perf_counter()
    phases = {
        "importing afford": imported - started,
        "declaring": declared - begun,
        "building": built - declared,
        "first call": answered - built,
    }
    print(json.dumps({**phases, "total": sum(phases.values())}))


def _pin() -> None:
    """Stay on one core, where the system can do that."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {0})


def main() -> int:
    """Run from the command line, or as one of the processes that are measured."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer turns, for a first impression")
    parser.add_argument("--worker", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--start", type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.worker is not None:
        asyncio.run(work(arguments.worker))
    elif arguments.start is not None:
        asyncio.run(start(arguments.start))
    else:
        figures, verdicts = run(quick=arguments.quick)
        if not arguments.quick:
            record("manifest", figures, verdicts)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
