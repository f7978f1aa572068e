"""Queries over HTTP against the same answers from bare Starlette routes.

Both sides run under the same server with the same options and must answer the same bytes before anything is measured.
Run alone: `python benchmarks/http.py [--quick]`.
"""

from __future__ import annotations

import argparse
import sys
from contextlib import ExitStack
from dataclasses import asdict
from functools import partial
from typing import Final

from afford_server import KEY
from comparison import Case, Samples, cpu_ratios, document, in_turns, print_samples, rate_ratios
from figures import VERDICT_HEAD, Spread, Verdict, print_table, record
from hotels import ECHO_QUERY, SEARCH_QUERY
from load import FULL, QUICK, Pace, Sample, Server, measure, missing, serving

BASELINE: Final = "starlette"
KEYED: Final = "afford, API key"
OPEN: Final = "afford, no credentials"
FACTORIES: Final = {
    BASELINE: "starlette_server:baseline",
    KEYED: "afford_server:with_keys",
    OPEN: "afford_server:open_to_all",
}
HEADERS: Final = {KEYED: {"Authorization": f"Bearer {KEY}"}}
OPERATIONS: Final = {
    "echo": f"/echo?{ECHO_QUERY}",
    "20 rows, dicts": f"/search_hotels?{SEARCH_QUERY}",
    "20 rows, models": f"/search_hotel_models?{SEARCH_QUERY}",
}
TARGETS: Final = {"echo": 1.1, "20 rows, dicts": 1.2}
"""Requests per second over the baseline's, with an API key: the baseline has no such thing to check."""


def run(pace: Pace) -> tuple[dict[str, object], list[Verdict]]:
    """Measure, print, and answer the figures and what they say about the targets."""
    with ExitStack() as stack:
        servers = {side: stack.enter_context(serving(factory)) for side, factory in FACTORIES.items()}
        for operation, target in OPERATIONS.items():
            _must_agree(servers, operation, target)
        samples = in_turns(
            pace,
            {
                (operation, side): partial(measure, server, target, HEADERS.get(side, {}), pace)
                for operation, target in OPERATIONS.items()
                for side, server in servers.items()
            },
        )
    verdicts = _verdicts(samples)
    _print(samples, verdicts)
    return {"pace": asdict(pace), "samples": document(samples), "ratios": _ratios(samples)}, verdicts


def _must_agree(servers: dict[str, Server], operation: str, target: str) -> None:
    bodies = {side: server.get(target, HEADERS.get(side, {})) for side, server in servers.items()}
    assert len(set(bodies.values())) == 1, f"{operation}: the sides answer differently: {bodies}"
    print(f"{operation}: all sides answer the same {len(bodies[BASELINE])} bytes")


def _verdicts(samples: Samples) -> list[Verdict]:
    return [
        Verdict(
            f"HTTP query, {operation}, over Starlette",
            rate_ratios(samples[operation, KEYED], samples[operation, BASELINE]),
            "x",
            "at least",
            target,
        )
        for operation, target in TARGETS.items()
    ]


def _ratios(samples: Samples) -> dict[str, object]:
    """Of requests per second, and of processor time per request, over the baseline."""
    found: dict[str, object] = {}
    for operation in OPERATIONS:
        base = samples[operation, BASELINE]
        for side in (KEYED, OPEN):
            taken = samples[operation, side]
            found[f"{operation}: {side}"] = {
                "rate": asdict(rate_ratios(taken, base)),
                "cpu": asdict(cpu_ratios(taken, base)),
            }
    return found


def _print(samples: Samples, verdicts: list[Verdict]) -> None:
    def over_baseline(case: Case, taken: list[Sample]) -> tuple[Spread, Spread]:
        base = samples[case[0], BASELINE]
        return rate_ratios(taken, base), cpu_ratios(taken, base)

    print_samples(samples, ("rate ratio", "CPU ratio"), over_baseline)
    print("Judged on requests per second with an API key, though the baseline asks nobody who they are.")
    print_table(VERDICT_HEAD, [verdict.row() for verdict in verdicts])


def main() -> int:
    """Run from the command line; 2 where the machine lacks something."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="two short rounds, for a first impression")
    lacking = missing()
    if lacking is not None:
        print(lacking, file=sys.stderr)
        return 2
    quick = parser.parse_args().quick
    figures, verdicts = run(QUICK if quick else FULL)
    if not quick:
        record("http", figures, verdicts)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
