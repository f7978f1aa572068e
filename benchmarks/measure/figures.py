"""Figures and how they are shown and kept: medians with their spread, targets, the machine they come from.

Knows nothing of what was measured.
"""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from statistics import median
from typing import Final, Literal

PACKAGES: Final = ("afford", "pydantic", "jsonschema-rs", "orjson", "starlette", "uvicorn", "uvloop", "httptools")
RESULTS: Final = Path(__file__).parents[1] / "results"


@dataclass(frozen=True, slots=True)
class Spread:
    """Several measurements of one thing."""

    median: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{_short(self.median)} ({_short(self.low)} to {_short(self.high)})"


@dataclass(frozen=True, slots=True)
class Verdict:
    """One figure beside its target."""

    subject: str
    measured: Spread
    unit: str
    bound: Literal["at least", "at most"]
    target: float

    @property
    def passes(self) -> bool:
        """Whether the median meets the target."""
        value = self.measured.median
        return value >= self.target if self.bound == "at least" else value <= self.target

    def row(self) -> tuple[str, ...]:
        """The figure as a table row: see `VERDICT_HEAD`."""
        target = f"{self.bound} {_short(self.target)} {self.unit}"
        return self.subject, f"{self.measured} {self.unit}", target, "PASS" if self.passes else "MISS"

    def document(self) -> dict[str, object]:
        """The figure as JSON."""
        return {**asdict(self), "passes": self.passes}


VERDICT_HEAD: Final = ("what", "median (lowest to highest)", "target", "")


def spread(values: Sequence[float]) -> Spread:
    """Median, lowest and highest."""
    return Spread(median(values), min(values), max(values))


def ratios(measured: Sequence[float], baseline: Sequence[float]) -> Spread:
    """Ratios round by round, so that what slowed both sides of a round cancels out."""
    return spread([one / other for one, other in zip(measured, baseline, strict=True)])


def print_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print aligned columns, and a blank line."""
    widths = [max(len(cell) for cell in column) for column in zip(head, *rows, strict=True)]
    for cells in (head, ["-" * width for width in widths], *rows):
        print("  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip())
    print(flush=True)


def record(name: str, figures: dict[str, object], verdicts: Sequence[Verdict]) -> None:
    """Keep the figures of a full run under `benchmarks/results`, in the place of the ones before."""
    document = {
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "machine": machine(),
        "verdicts": [verdict.document() for verdict in verdicts],
        **figures,
    }
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{name}.json"
    path.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    print(f"recorded in benchmarks/results/{path.name}")


def machine() -> dict[str, object]:
    """What the figures depend on, without anything that names the machine."""
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "versions": {package: _version(package) for package in PACKAGES},
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "unknown")


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def _short(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
