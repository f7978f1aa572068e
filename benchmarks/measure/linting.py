"""What linting costs beside building: the same thousand operations in one process, one after the other.

Every turn is a process of its own, so that nothing is warm but what Python has compiled. Needs neither two cores nor
`wrk`. Run alone: `python benchmarks/lint.py [--quick]`.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict
from time import perf_counter
from typing import Final, TypeVar

from environment import environment
from figures import VERDICT_HEAD, Verdict, print_table, ratios, record, spread

OPERATIONS: Final = 1_000
MOST: Final = 3.0
"""How many times the time of building."""

T = TypeVar("T")


def run(*, quick: bool) -> tuple[dict[str, object], list[Verdict]]:
    """Measure, print, and answer the figures and what they say about the target."""
    turns = 3 if quick else 9
    taken = [_turn(number, turns) for number in range(turns)]
    phases = {phase: [turn[phase] for turn in taken] for phase in taken[0]}
    print_table(
        (f"{OPERATIONS:,} operations", "seconds"), [(phase, str(spread(values))) for phase, values in phases.items()]
    )
    verdicts = [
        Verdict("all rules over building", ratios(phases["all rules"], phases["building"]), "x", "at most", MOST),
        Verdict(
            "all rules and profiles over building",
            ratios(phases["with profiles"], phases["building"]),
            "x",
            "at most",
            MOST,
        ),
    ]
    print_table(VERDICT_HEAD, [verdict.row() for verdict in verdicts])
    return {phase: asdict(spread(values)) for phase, values in phases.items()}, verdicts


def _turn(number: int, turns: int) -> dict[str, float]:
    print(f"turn {number + 1} of {turns}", file=sys.stderr, flush=True)
    command = [sys.executable, __file__, "--worker"]
    output = subprocess.run(command, check=True, capture_output=True, text=True, env=environment()).stdout
    phases: dict[str, float] = json.loads(output)
    return phases


def work() -> None:
    """Print how long each phase took, in seconds, as JSON."""
    import thousands

    from afford.lint.engine import Settings
    from afford.lint.engine import run as lint
    from afford.lint.rules import all_rules
    from afford.lint.targets.app import from_catalog

    app = thousands.declared(thousands.compiled_features(OPERATIONS))
    rules = all_rules()
    profiles = {rule.profile for rule in rules if rule.profile is not None}
    building, catalog = _timed(app.build)
    linting, report = _timed(lambda: lint(from_catalog(catalog), rules))
    assert len(report.target.operations) == OPERATIONS
    everything, _ = _timed(lambda: lint(from_catalog(catalog), rules, Settings(profiles=profiles)))
    print(json.dumps({"building": building, "all rules": linting, "with profiles": everything}))


def _timed(call: Callable[[], T]) -> tuple[float, T]:
    started = perf_counter()
    found = call()
    return perf_counter() - started, found


def main() -> int:
    """Run from the command line, or as one of the processes that are measured."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer turns, printed and not recorded")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.worker:
        work()
        return 0
    figures, verdicts = run(quick=arguments.quick)
    if not arguments.quick:
        record("lint", figures, verdicts)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
