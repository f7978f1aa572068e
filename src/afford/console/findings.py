"""What the linter finds in an epoch of the catalog, with the documentation gaps; found out once per epoch.

The settings are those of the project that the process was started in, as for `afford lint`.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from pathlib import Path
from typing import Final

from afford.catalog.model import Catalog
from afford.errors import JsonObject
from afford.gaps import find_gaps
from afford.lint.engine import Settings, as_finding, run
from afford.lint.grades import grades, overall
from afford.lint.reports.document import finding
from afford.lint.rules import all_rules
from afford.lint.settings import SettingsError, read_settings
from afford.lint.targets.app import from_catalog

_log: Final = logging.getLogger("afford.console")


class Findings:
    """Reports by catalog; one is kept."""

    def __init__(self) -> None:
        """Start with none."""
        self._known: tuple[Catalog, JsonObject] | None = None
        self._finding = asyncio.Lock()

    async def of(self, catalog: Catalog) -> JsonObject:
        """The report on a catalog, as the page reads it. Rules take a while, so a thread of their own runs them."""
        async with self._finding:
            if self._known is None or self._known[0] is not catalog:
                self._known = (catalog, await asyncio.to_thread(report_on, catalog))
            return self._known[1]


def report_on(catalog: Catalog) -> JsonObject:
    """Grades and findings by wire name; what is about no operation stands under the name of what it is about."""
    names = {item.id: item.wire_name for item in catalog.everything}
    report = run(from_catalog(catalog), all_rules(), _settings())
    gaps = [as_finding(item, "gap", names.get(item.subject, item.subject)) for item in find_gaps(catalog)]
    whole = replace(report, found=(*report.found, *gaps))
    return {"grade": overall(whole), "grades": dict(grades(whole)), "found": [finding(item) for item in whole.found]}


def _settings() -> Settings:
    try:
        project = read_settings(Path.cwd())
    except SettingsError as error:
        _log.warning("the console lints without the project's settings: %s", error)
        return Settings()
    return Settings(off=project.off, profiles=project.profiles, severities=project.severities)
