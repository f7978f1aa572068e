"""How often a search finds the operation that a person's request needs: `python benchmarks/retrieval.py`.

Searches as `afford_search_tools` does, over the labelled set in `retrieval/`; then the same among ten thousand
operations, timed.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent
sys.path[:1] = [str(HERE / "retrieval"), str(HERE / "measure")]

from catalog import Request, app, requests  # noqa: E402 - found through the line above
from figures import print_table  # noqa: E402 - found through the line above

from afford.caller import Caller, Door, Surface  # noqa: E402 - the path comes first
from afford.manifest import Operation  # noqa: E402 - the path comes first
from afford.surfaces.mcp.deferral import Deferral  # noqa: E402 - the path comes first
from afford.surfaces.mcp.project import Fragments  # noqa: E402 - the path comes first

DEPTHS: Final = (1, 3, 5)
MANY: Final = 10_000


@dataclass(frozen=True, slots=True)
class Found:
    request: Request
    names: list[str]
    """Wire names, the best match first."""

    @property
    def rank(self) -> int | None:
        return self.names.index(self.request.expected) + 1 if self.request.expected in self.names else None


def main() -> int:
    """Print the figures, then what is not found."""
    found = search_all()
    domains = sorted({item.request.domain for item in found})
    rows = [_row(domain, [item for item in found if item.request.domain == domain]) for domain in domains]
    rows.append(_row("all", found))
    rows.append(
        _row("of these, half the ranking was made with", [item for item in found if not item.request.is_held_out])
    )
    rows.append(_row("of these, half it never saw", [item for item in found if item.request.is_held_out]))
    print_table(("requests", "", *(f"recall@{depth}" for depth in DEPTHS), "MRR"), rows)
    _print_misses([item for item in found if item.rank is None or item.rank > DEPTHS[-1]])
    _print_times()
    return 0


def offered() -> tuple[Operation, ...]:
    """What an anonymous agent is offered: everything."""
    return app().manifest(Caller(None, Door.AGENT, Surface.MCP)).operations


def search_all() -> list[Found]:
    """Every labelled request, searched for over all operations."""
    operations = offered()
    deferral = Deferral(1, Fragments())
    return [
        Found(request, [item.wire_name for item in deferral.found(operations, request.text, len(operations))])
        for request in requests()
    ]


def recall(found: Sequence[Found], depth: int) -> float:
    """Share of the requests whose operation is among the first `depth`."""
    return sum(item.rank is not None and item.rank <= depth for item in found) / len(found)


def mean_reciprocal_rank(found: Sequence[Found]) -> float:
    return sum(1 / item.rank for item in found if item.rank is not None) / len(found)


def _row(label: str, found: Sequence[Found]) -> list[str]:
    figures = (f"{recall(found, depth):.2f}" for depth in DEPTHS)
    return [label, str(len(found)), *figures, f"{mean_reciprocal_rank(found):.2f}"]


def _print_misses(missed: Sequence[Found]) -> None:
    print(f"\nNot among the first {DEPTHS[-1]} ({len(missed)}):\n")
    for item in missed:
        place = "nowhere" if item.rank is None else f"place {item.rank}"
        instead = f"; first is {item.names[0]}" if item.names else ""
        print(f"- {item.request.text!r} needs {item.request.expected}: {place}{instead}")


def _print_times() -> None:
    """Processor time, which the machine's other work disturbs less than the clock."""
    few = offered()
    many = tuple(
        replace(few[number % len(few)], wire_name=f"{few[number % len(few)].wire_name}_{number:05}")
        for number in range(MANY)
    )
    deferral = Deferral(1, Fragments())
    started = time.process_time()
    deferral.found(many, "warm", 1)
    built = time.process_time() - started
    times: list[float] = []
    for request in requests():
        started = time.process_time()
        deferral.found(many, request.text, 5)
        times.append(time.process_time() - started)
    print(
        f"\nAmong {MANY:,} operations: {built:.1f} s to index once, {statistics.median(times) * 1000:.1f} ms to search "
        f"(slowest {max(times) * 1000:.1f})"
    )


if __name__ == "__main__":
    raise SystemExit(main())
