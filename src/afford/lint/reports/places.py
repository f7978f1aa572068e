"""Where a finding stands in files, as tools that annotate them want to know it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from afford.lint.engine import Diagnosed
from afford.lint.target import Origin, Target


@dataclass(frozen=True, slots=True)
class Place:
    """A file or an address, and a line of it."""

    path: str
    """With forward slashes, relative to the current folder where it is below; empty where nothing is known."""
    line: int | None


def place_of(item: Diagnosed, target: Target) -> Place:
    """The declaration of an app's operation; of anything else, the document that was read."""
    if item.location is not None:
        path, _, line = item.location.rpartition(":")
        if path and line.isdigit() and int(line):
            return Place(_relative(path), int(line))
        return Place(_relative(item.location), None)
    return Place("" if target.origin is Origin.APP else _relative(target.name), None)


def _relative(path: str) -> str:
    if "://" in path:
        return path
    found = Path(path)
    here = Path.cwd()
    return (found.relative_to(here) if found.is_absolute() and found.is_relative_to(here) else found).as_posix()
