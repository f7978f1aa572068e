"""The project's text speaks of the project: no trackers, no machines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from tests.architecture.source import ROOT

PLACES = (".ci", "benchmarks", "changelog.d", "docs", "examples", "src", "tests", "tools")
SUFFIXES = frozenset({"", ".cfg", ".json", ".md", ".py", ".sh", ".toml", ".txt", ".yaml", ".yml"})

# Written so that this file does not match itself.
TRACKER = re.compile(r"\b(issue|ticket|milestone)s? [#]?[0-9]+|\b(seed) 00[0-9]", flags=re.IGNORECASE)
MACHINE_PATH = re.compile(r"(?<![\w.}])/(work|root|home|Users)/\w")


def test_no_text_names_a_tracker_entry() -> None:
    assert list(places_that_match(TRACKER)) == []


def test_no_text_holds_a_path_of_somebody_s_machine() -> None:
    assert list(places_that_match(MACHINE_PATH)) == []


def places_that_match(pattern: re.Pattern[str]) -> Iterator[str]:
    for path in text_files():
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            if pattern.search(line):
                yield f"{path.relative_to(ROOT)}:{number}: {line.strip()[:80]}"


def text_files() -> Iterator[Path]:
    yield from (path for path in sorted(ROOT.iterdir()) if path.is_file() and path.suffix in SUFFIXES)
    for place in PLACES:
        for path in sorted((ROOT / place).rglob("*")):
            if path.is_file() and path.suffix in SUFFIXES and "__pycache__" not in path.parts:
                yield path
