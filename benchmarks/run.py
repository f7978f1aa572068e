"""All measurements, and their record under `results`: `python benchmarks/run.py [--quick]`.

A quick run is printed and not recorded.
"""

from __future__ import annotations

import argparse
import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

sys.path[0] = str(Path(__file__).parent / "measure")

import growth  # noqa: E402 - found through the line above
import http_calls  # noqa: E402 - found through the line above
from figures import VERDICT_HEAD, Verdict, machine, print_table  # noqa: E402 - found through the line above
from load import missing  # noqa: E402 - found through the line above

RESULTS: Final = Path(__file__).parent / "results"


def main() -> int:
    """Run from the command line; 2 where the machine lacks something."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="short rounds, printed and not recorded")
    quick = parser.parse_args().quick
    lacking = missing()
    if lacking is not None:
        print(lacking, file=sys.stderr)
        return 2
    grown, growth_verdicts = growth.run(quick=quick)
    calls, call_verdicts = http_calls.run(http_calls.QUICK if quick else http_calls.FULL)
    verdicts = [*call_verdicts, *growth_verdicts]
    print_table(VERDICT_HEAD, [verdict.row() for verdict in verdicts])
    if not quick:
        _record(verdicts, {"http": calls, "growth": grown})
    return 0


def _record(verdicts: list[Verdict], figures: dict[str, object]) -> None:
    today = f"{datetime.now(UTC):%Y-%m-%d}"
    document = {"date": today, "machine": machine(), "verdicts": [item.document() for item in verdicts], **figures}
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{today}.json"
    path.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    print(f"recorded in benchmarks/results/{path.name}")


if __name__ == "__main__":
    raise SystemExit(main())
