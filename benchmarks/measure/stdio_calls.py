"""One client on stdio, as an assistant starts its servers: start until the first list, then calls one by one; imports.

All sides declare the same two operations and have to answer the same value before anything is measured. Ours declares
a third one besides, and checks everything. Run alone: `python benchmarks/stdio.py [--quick]`.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from time import perf_counter
from typing import Any, Final

from afford_server import ACCOUNT, ROLES
from environment import environment
from figures import VERDICT_HEAD, Verdict, print_table, ratios, record, spread
from hotels import ECHO_ARGUMENTS, SEARCH_ARGUMENTS
from importing import Importing, import_samples
from mcp_calls import FASTMCP, LOW, OURS
from mcp_wire import McpRequest, call, listing, result_of, value_of
from peers import peers_python, peers_versions

HERE: Final = Path(__file__).parent
CALLS: Final = {"echo": call("echo", ECHO_ARGUMENTS), "20 rows": call("search_hotels", SEARCH_ARGUMENTS)}
START_TARGET: Final = 4.0
"""Process start to the first list, against FastMCP."""
IMPORT_TARGET: Final = 5.0
IMPORT: Final = "import"


class Client:
    """The client's end of the pipes of one server process."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        """Take a process that was just started."""
        assert process.stdin is not None
        assert process.stdout is not None
        self._input, self._output = process.stdin, process.stdout
        self._number = 0

    def ask(self, request: McpRequest) -> bytes:
        """The response to one request."""
        self._number += 1
        self._input.write(request.body(self._number) + b"\n")
        self._input.flush()
        return self._output.readline()

    def rate(self, request: McpRequest, seconds: float) -> float:
        """Requests per second, each sent when the one before is answered."""
        answered = 0
        started = now = perf_counter()
        while now - started < seconds:
            self.ask(request)
            answered += 1
            now = perf_counter()
        return answered / (now - started)


def run(*, quick: bool) -> tuple[dict[str, object], list[Verdict]]:
    """Measure, print, and answer the figures and what they say about the targets."""
    python = peers_python()
    commands = _commands(python)
    _must_agree(commands)
    starts = _starts(commands, times=3 if quick else 10)
    rates = _rates(commands, rounds=2 if quick else 5, seconds=1.0 if quick else 3.0)
    imports = import_samples(
        {OURS: Importing("from afford import App"), FASTMCP: Importing("from fastmcp import FastMCP", python)},
        times=3 if quick else 10,
    )
    rows = [(f"{side}: start to the first list", f"{spread(taken)} ms") for side, taken in starts.items()]
    rows += [(f"{side}: {name}", f"{spread(taken)} calls/s") for (side, name), taken in rates.items()]
    rows += [(f"{side}: whole process that imports it", f"{spread(taken)} ms") for side, taken in imports.items()]
    print_table(("on stdio", "median (lowest to highest)"), rows)
    verdicts = [
        Verdict(
            f"stdio, start to the first list, over {FASTMCP}",
            ratios(starts[FASTMCP], starts[OURS]),
            "x",
            "at least",
            START_TARGET,
        ),
        Verdict(f"import, over {FASTMCP}", ratios(imports[FASTMCP], imports[OURS]), "x", "at least", IMPORT_TARGET),
    ]
    print_table(VERDICT_HEAD, [verdict.row() for verdict in verdicts])
    figures: dict[str, object] = {
        "peers": peers_versions(python),
        "start_ms": {side: asdict(spread(taken)) for side, taken in starts.items()},
        "calls_per_second": {f"{side}: {name}": asdict(spread(taken)) for (side, name), taken in rates.items()},
        "import_ms": {side: asdict(spread(taken)) for side, taken in imports.items()},
    }
    return figures, verdicts


def _commands(python: str) -> dict[str, list[str]]:
    """How each side is started, and by whom."""
    identity = ["--as", ACCOUNT, "--roles", ",".join(ROLES)]
    return {
        OURS: [sys.executable, "-m", "afford", "mcp", str(HERE / "afford_stdio.py"), *identity],
        LOW: [python, str(HERE / "sdk_server.py")],
        FASTMCP: [python, str(HERE / "fastmcp_server.py")],
    }


@contextmanager
def _running(command: list[str]) -> Iterator[Client]:
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment()
    )
    try:
        yield Client(process)
    finally:
        process.kill()
        process.communicate()


def _must_agree(commands: dict[str, list[str]]) -> None:
    """Also fills the caches of compiled files."""
    answers: dict[str, Any] = {}
    for side, command in commands.items():
        with _running(command) as client:
            tools = result_of(client.ask(listing()))["tools"]
            assert {"echo", "search_hotels"} <= {tool["name"] for tool in tools}, f"{side}: {tools}"
            values = [value_of(result_of(client.ask(request))) for request in CALLS.values()]
        # Our cursor is signed with a secret of the process.
        values[1].pop("next_cursor")
        answers[side] = values
    assert all(value == answers[OURS] for value in answers.values()), f"the sides answer differently: {answers}"
    print("all sides answer the same values")


def _starts(commands: dict[str, list[str]], times: int) -> dict[str, list[float]]:
    """Milliseconds from starting the process to the answer to the first request, which asks for the list, in turns."""
    taken: dict[str, list[float]] = {side: [] for side in commands}
    for _ in range(times):
        for side, command in commands.items():
            started = perf_counter()
            with _running(command) as client:
                answer = client.ask(listing())
                taken[side].append((perf_counter() - started) * 1e3)
            assert b'"tools"' in answer, f"{side}: {answer[:500]!r}"
    return taken


def _rates(commands: dict[str, list[str]], rounds: int, seconds: float) -> dict[tuple[str, str], list[float]]:
    """Calls per second, in turns."""
    taken: dict[tuple[str, str], list[float]] = {(side, name): [] for name in CALLS for side in commands}
    for _ in range(rounds):
        for (side, name), rates in taken.items():
            with _running(commands[side]) as client:
                client.rate(CALLS[name], seconds / 4)
                rates.append(client.rate(CALLS[name], seconds))
    return taken


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer and shorter rounds, printed and not recorded")
    quick = parser.parse_args().quick
    figures, verdicts = run(quick=quick)
    if not quick:
        record("stdio", figures, verdicts)
    return 0
