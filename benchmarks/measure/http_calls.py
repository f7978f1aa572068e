"""Queries over HTTP against the same answers from bare Starlette routes.

Both sides run under the same server with the same options and must answer the same bytes before anything is measured.
Run alone: `python benchmarks/http.py [--quick]`.
"""

from __future__ import annotations

import argparse
import sys
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from typing import Final

from afford_server import KEY
from figures import VERDICT_HEAD, Verdict, print_table, ratios, spread
from hotels import ECHO_QUERY, SEARCH_QUERY
from load import Sample, Server, measure, missing, serving

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


@dataclass(frozen=True, slots=True)
class Pace:
    """How long is measured."""

    rounds: int
    warm_up: int
    """Seconds."""
    seconds: int


FULL: Final = Pace(rounds=5, warm_up=2, seconds=5)
QUICK: Final = Pace(rounds=2, warm_up=1, seconds=2)

Samples = dict[tuple[str, str], list[Sample]]
"""By operation and side, one per round."""


def run(pace: Pace) -> tuple[dict[str, object], list[Verdict]]:
    """Measure, print, and answer the figures and what they say about the targets."""
    samples: Samples = {(operation, side): [] for operation in OPERATIONS for side in FACTORIES}
    with ExitStack() as stack:
        servers = {side: stack.enter_context(serving(factory)) for side, factory in FACTORIES.items()}
        for operation, target in OPERATIONS.items():
            _must_agree(servers, operation, target)
        for number in range(pace.rounds):
            print(f"round {number + 1} of {pace.rounds}", file=sys.stderr, flush=True)
            for operation, side in samples:
                headers = HEADERS.get(side, {})
                sample = measure(
                    servers[side], OPERATIONS[operation], headers, warm_up=pace.warm_up, seconds=pace.seconds
                )
                samples[operation, side].append(sample)
    verdicts = _verdicts(samples)
    _print(samples, verdicts)
    lines = {
        f"{operation}: {side}": [asdict(sample) for sample in taken] for (operation, side), taken in samples.items()
    }
    return {"pace": asdict(pace), "samples": lines, "ratios": _ratios(samples)}, verdicts


def _must_agree(servers: dict[str, Server], operation: str, target: str) -> None:
    bodies = {side: server.get(target, HEADERS.get(side, {})) for side, server in servers.items()}
    assert len(set(bodies.values())) == 1, f"{operation}: the sides answer differently: {bodies}"
    print(f"{operation}: all sides answer the same {len(bodies[BASELINE])} bytes")


def _rates(samples: Samples, operation: str, side: str) -> list[float]:
    return [sample.rate for sample in samples[operation, side]]


def _verdicts(samples: Samples) -> list[Verdict]:
    return [
        Verdict(
            f"HTTP query, {operation}, over Starlette",
            ratios(_rates(samples, operation, KEYED), _rates(samples, operation, BASELINE)),
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
                "rate": asdict(ratios([item.rate for item in taken], [item.rate for item in base])),
                "cpu": asdict(ratios([item.cpu for item in base], [item.cpu for item in taken])),
            }
    return found


def _print(samples: Samples, verdicts: list[Verdict]) -> None:
    head = ("operation", "side", "requests/s", "CPU us", "p50 ms", "p99 ms", "rate ratio", "CPU ratio")
    rows: list[tuple[str, ...]] = []
    for (operation, side), taken in samples.items():
        columns = [spread([getattr(sample, name) for sample in taken]) for name in ("rate", "cpu", "p50", "p99")]
        base = samples[operation, BASELINE]
        rate = ratios([item.rate for item in taken], [item.rate for item in base])
        cpu = ratios([item.cpu for item in base], [item.cpu for item in taken])
        rows.append((operation, side, *(str(column) for column in columns), str(rate), str(cpu)))
    print()
    print_table(head, rows)
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
    run(QUICK if parser.parse_args().quick else FULL)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
