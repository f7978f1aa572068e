"""Samples of several sides that are asked the same, taken in turns; and how they are printed.

Knows rounds, cases and sides; nothing of what is asked.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Final, TypeAlias

from figures import Spread, print_table, ratios, spread
from load import Pace, Sample

Case: TypeAlias = tuple[str, str]
"""What is asked, and who answers."""
Samples: TypeAlias = dict[Case, list[Sample]]
"""One per round."""

SAMPLE_HEAD: Final = ("operation", "side", "requests/s", "CPU us", "p50 ms", "p99 ms")


def in_turns(pace: Pace, cases: Mapping[Case, Callable[[], Sample]]) -> Samples:
    """Every case once a round, so that whatever slows the machine for a while slows all sides."""
    samples: Samples = {case: [] for case in cases}
    for number in range(pace.rounds):
        print(f"round {number + 1} of {pace.rounds}", file=sys.stderr, flush=True)
        for case, take in cases.items():
            samples[case].append(take())
    return samples


def rate_ratios(taken: Sequence[Sample], base: Sequence[Sample]) -> Spread:
    """Requests per second over the other's."""
    return ratios([item.rate for item in taken], [item.rate for item in base])


def cpu_ratios(taken: Sequence[Sample], base: Sequence[Sample]) -> Spread:
    """The other's processor time per request over ours: above 1, we need less."""
    return ratios([item.cpu for item in base], [item.cpu for item in taken])


def p99_ratios(taken: Sequence[Sample], base: Sequence[Sample]) -> Spread:
    """The other's 99th percentile over ours: above 1, we are quicker."""
    return ratios([item.p99 for item in base], [item.p99 for item in taken])


def print_samples(
    samples: Samples, head: Sequence[str], more: Callable[[Case, list[Sample]], Iterable[Spread | str]]
) -> None:
    """A line per case, with the columns that `more` adds."""
    rows: list[tuple[str, ...]] = []
    for case, taken in samples.items():
        columns = [spread([getattr(sample, name) for sample in taken]) for name in ("rate", "cpu", "p50", "p99")]
        rows.append((*case, *map(str, columns), *map(str, more(case, taken))))
    print()
    print_table((*SAMPLE_HEAD, *head), rows)


def document(samples: Samples) -> dict[str, object]:
    """The samples as JSON."""
    return {f"{asked}: {side}": [asdict(sample) for sample in taken] for (asked, side), taken in samples.items()}
