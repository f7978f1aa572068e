"""Everything that is measured of MCP over HTTP: calls, lists and, where it is asked for, starting with thousands.

Run alone: `python benchmarks/mcp.py [--quick] [--start]`.
"""

from __future__ import annotations

import argparse
import sys

from figures import VERDICT_HEAD, Verdict, print_table, record
from load import FULL, QUICK, missing
from mcp_calls import run_calls
from mcp_lists import run_lists
from mcp_start import run_start
from peers import peers_python, peers_versions


def run(*, quick: bool, start: bool = False) -> tuple[dict[str, object], list[Verdict]]:
    """Measure, print, and answer the figures and what they say about the targets."""
    pace = QUICK if quick else FULL
    calls, verdicts = run_calls(pace)
    lists, list_verdicts = run_lists(pace)
    figures: dict[str, object] = {"peers": peers_versions(peers_python()), "calls": calls, "lists": lists}
    verdicts = [*verdicts, *list_verdicts]
    if start:
        figures["start"], start_verdicts = run_start(times=1 if quick else 3)
        verdicts += start_verdicts
    print_table(VERDICT_HEAD, [verdict.row() for verdict in verdicts])
    return figures, verdicts


def main() -> int:
    """Run from the command line; 2 where the machine lacks something."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="two short rounds, printed and not recorded")
    parser.add_argument("--start", action="store_true", help="also start with 10,000 operations: minutes per side")
    arguments = parser.parse_args()
    lacking = missing()
    if lacking is not None:
        print(lacking, file=sys.stderr)
        return 2
    figures, verdicts = run(quick=arguments.quick, start=arguments.start)
    if not arguments.quick:
        record("mcp", figures, verdicts)
    return 0
