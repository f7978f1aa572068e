"""Baselines: the findings that a project lives with, by fingerprint, so that only new ones are reported."""

from __future__ import annotations

from pathlib import Path

import orjson

from afford.errors import JsonValue
from afford.lint.engine import Report
from afford.lint.settings import SettingsError


def read_baseline(path: Path) -> frozenset[str]:
    """The known fingerprints.

    Raises:
        SettingsError: the file cannot be read, or is no baseline.
    """
    try:
        document: JsonValue = orjson.loads(path.read_bytes())
    except OSError as error:
        raise SettingsError(f"the baseline `{path}` cannot be read; write it with `--update-baseline`") from error
    except orjson.JSONDecodeError as error:
        raise SettingsError(f"the baseline `{path}` is no JSON; write it anew with `--update-baseline`") from error
    known = document.get("known") if isinstance(document, dict) else None
    if not isinstance(known, dict):
        raise SettingsError(f"`{path}` is no baseline; write it with `--update-baseline`")
    return frozenset(known)


def baseline_text(report: Report) -> str:
    """The baseline that holds everything a report found: fingerprint to what it is, for reviews."""
    items = sorted((*report.found, *report.known), key=lambda item: (item.subject, item.code, item.fingerprint))
    known = {item.fingerprint: f"{item.code} {item.subject}: {item.message}" for item in items}
    return orjson.dumps({"known": known}, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE).decode()
