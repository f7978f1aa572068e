"""Tool calls over HTTP against FastMCP, the official SDK and a bare Starlette route.

All sides run under the same server with the same options and must answer the same value before anything is measured.
Ours checks everything and asks for an API key; the others ask for none.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Final

from afford_server import KEY
from comparison import Case, Samples, cpu_ratios, document, in_turns, p99_ratios, print_samples, rate_ratios
from figures import VERDICT_HEAD, Spread, Verdict, print_table
from hotel_tools import CURSOR_VARIABLE
from hotels import ECHO_ARGUMENTS, SEARCH_ARGUMENTS
from load import Pace, Sample, Server, measure, serving
from mcp_wire import OLDER, TARGET, McpRequest, call, result_of, value_of
from peers import peers_python

OURS: Final = "afford"
BARE: Final = "Starlette"
LOW: Final = "SDK, low-level"
HIGH: Final = "SDK, high-level"
FASTMCP: Final = "FastMCP"
PEERS: Final = {LOW: "sdk_server:low_level", HIGH: "sdk_server:high_level", FASTMCP: "fastmcp_server:calls"}

ECHO: Final = "echo"
ROWS: Final = "20 rows"
OLD_ECHO: Final = "echo, older era"
OLD_ROWS: Final = "20 rows, older era"
REQUESTS: Final = {
    ECHO: call("echo", ECHO_ARGUMENTS),
    ROWS: call("search_hotels", SEARCH_ARGUMENTS),
    OLD_ECHO: call("echo", ECHO_ARGUMENTS, OLDER),
    OLD_ROWS: call("search_hotels", SEARCH_ARGUMENTS, OLDER),
}
"""The older era is 2025-11-25, without a session."""
TARGETS: Final = {
    (ECHO, FASTMCP): 13.0,
    (ECHO, LOW): 4.5,
    (ECHO, BARE): 1.05,
    (ROWS, FASTMCP): 12.0,
    (ROWS, LOW): 4.5,
    (ROWS, BARE): 1.5,
    (OLD_ECHO, LOW): 7.0,
    (OLD_ROWS, LOW): 7.0,
}
"""Our requests per second over theirs."""
P99_TARGET: Final = 30.0
"""FastMCP's 99th percentile over ours, of the echo."""

CREDENTIALS: Final = {"Authorization": f"Bearer {KEY}"}


def run_calls(pace: Pace) -> tuple[dict[str, object], list[Verdict]]:
    """Measure, print, and answer the figures and what they say about the targets."""
    with ExitStack() as stack:
        servers = stack.enter_context(_all_sides())
        scripts = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        for operation, request in REQUESTS.items():
            _must_agree(operation, request, servers)
        samples = in_turns(
            pace,
            {
                (operation, side): partial(
                    measure, server, TARGET, headers_of(request, side), pace, request.script(scripts)
                )
                for operation, request in REQUESTS.items()
                for side, server in servers.items()
                if is_asked(operation, side)
            },
        )
    _print(samples)
    verdicts = _verdicts(samples)
    print_table(VERDICT_HEAD, [verdict.row() for verdict in verdicts])
    return {"pace": asdict(pace), "samples": document(samples), "ratios": _ratios(samples)}, verdicts


@contextmanager
def _all_sides() -> Iterator[dict[str, Server]]:
    """A server per side; the others are told which cursor ours signs, so that all answer the same."""
    python = peers_python()
    with ExitStack() as stack:
        ours = stack.enter_context(serving("afford_server:with_keys"))
        variables = {CURSOR_VARIABLE: str(value_of(_ask(ours, OURS, REQUESTS[ROWS]))["next_cursor"])}
        servers = {OURS: ours, BARE: stack.enter_context(serving("starlette_server:baseline", **variables))}
        for side, factory in PEERS.items():
            servers[side] = stack.enter_context(serving(factory, python=python, **variables))
        yield servers


def is_asked(operation: str, side: str) -> bool:
    """The baseline speaks no protocol, and so has no eras."""
    return side != BARE or operation in (ECHO, ROWS)


def headers_of(request: McpRequest, side: str) -> dict[str, str]:
    """The header fields of a request, with our side's credentials."""
    return {**request.headers, **CREDENTIALS} if side == OURS else request.headers


def _ask(server: Server, side: str, request: McpRequest) -> dict[str, object]:
    return result_of(server.post(TARGET, headers_of(request, side), request.body(1)))


def _must_agree(operation: str, request: McpRequest, servers: dict[str, Server]) -> None:
    asked = {side: server for side, server in servers.items() if is_asked(operation, side)}
    results = {side: _ask(server, side, request) for side, server in asked.items()}
    values = {side: value_of(result) for side, result in results.items()}
    assert all(value == values[OURS] for value in values.values()), f"the sides answer differently: {values}"
    sizes = ", ".join(f"{side} {len(json.dumps(result, separators=(',', ':')))}" for side, result in results.items())
    print(f"{operation}: all sides answer the same value, as text and structured (bytes of the result: {sizes})")


def _verdicts(samples: Samples) -> list[Verdict]:
    verdicts = [
        Verdict(
            f"tools/call, {operation}, over {side}",
            rate_ratios(samples[operation, OURS], samples[operation, side]),
            "x",
            "at least",
            target,
        )
        for (operation, side), target in TARGETS.items()
    ]
    p99 = p99_ratios(samples[ECHO, OURS], samples[ECHO, FASTMCP])
    return [*verdicts, Verdict(f"p99 of {FASTMCP} over ours, echo", p99, "x", "at least", P99_TARGET)]


def _ratios(samples: Samples) -> dict[str, object]:
    """Ours over each other side: requests per second, processor time per request, 99th percentile."""
    found: dict[str, object] = {}
    for (operation, side), base in samples.items():
        if side != OURS:
            taken = samples[operation, OURS]
            found[f"{operation}: {side}"] = {
                "rate": asdict(rate_ratios(taken, base)),
                "cpu": asdict(cpu_ratios(taken, base)),
                "p99": asdict(p99_ratios(taken, base)),
            }
    return found


def _print(samples: Samples) -> None:
    def ours_over(case: Case, taken: list[Sample]) -> tuple[Spread | str, Spread | str]:
        ours = samples[case[0], OURS]
        return ("", "") if case[1] == OURS else (rate_ratios(ours, taken), cpu_ratios(ours, taken))

    print_samples(samples, ("our rate over it", "its CPU over ours"), ours_over)
