"""All measurements, each recorded under `results`: `python benchmarks/run.py [--quick]`.

A quick run is printed and not recorded.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path[0] = str(Path(__file__).parent / "measure")

import growth  # noqa: E402 - found through the line above
import http_calls  # noqa: E402 - found through the line above
import mcp_rows  # noqa: E402 - found through the line above
import stdio_calls  # noqa: E402 - found through the line above
from figures import VERDICT_HEAD, Verdict, print_table, record  # noqa: E402 - found through the line above
from load import FULL, QUICK, missing  # noqa: E402 - found through the line above


def main() -> int:
    """Run from the command line; 2 where the machine lacks something."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="short rounds, printed and not recorded")
    quick = parser.parse_args().quick
    lacking = missing()
    if lacking is not None:
        print(lacking, file=sys.stderr)
        return 2
    verdicts: list[Verdict] = []
    for name, measure in {
        "manifest": lambda: growth.run(quick=quick),
        "http": lambda: http_calls.run(QUICK if quick else FULL),
        "mcp": lambda: mcp_rows.run(quick=quick, start=not quick),
        "stdio": lambda: stdio_calls.run(quick=quick),
    }.items():
        figures, found = measure()
        verdicts += found
        if not quick:
            record(name, figures, found)
    print_table(VERDICT_HEAD, [verdict.row() for verdict in verdicts])
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
