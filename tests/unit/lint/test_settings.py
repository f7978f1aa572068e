"""Settings of a project, and its baseline."""

from __future__ import annotations

from pathlib import Path

import pytest

from afford.lint.baselines import baseline_text, read_baseline
from afford.lint.engine import run
from afford.lint.rule import Severity
from afford.lint.rules import all_rules
from afford.lint.samples import with_change
from afford.lint.settings import ProjectSettings, SettingsError, read_settings


def project(folder: Path, table: str) -> Path:
    (folder / "pyproject.toml").write_text(table)
    return folder


def test_settings_are_found_in_a_folder_above(tmp_path: Path) -> None:
    lines = ["[tool.afford.lint]", 'off = ["DSC101"]', 'baseline = "known.json"', 'severities = {DSC105 = "info"}', ""]
    project(tmp_path, "\n".join(lines))
    inner = tmp_path / "src" / "shop"
    inner.mkdir(parents=True)
    found = read_settings(inner)
    assert found.off == ("DSC101",)
    assert found.baseline == tmp_path / "known.json"
    assert found.severities == {"DSC105": Severity.INFO}


def test_without_the_table_nothing_is_set(tmp_path: Path) -> None:
    assert read_settings(project(tmp_path, "[project]\nname = 'shop'\n")) == ProjectSettings()


@pytest.mark.parametrize(
    "line",
    [
        "of = []",
        "off = 'DSC101'",
        "off = [1]",
        "baseline = 1",
        "severities = {DSC101 = 'fatal'}",
        "severities = 1",
        "=",
        "profiles = {}",
    ],
)
def test_what_is_not_understood_is_refused(tmp_path: Path, line: str) -> None:
    with pytest.raises(SettingsError):
        read_settings(project(tmp_path, f"[tool.afford.lint]\n{line}\n"))


def test_a_baseline_is_read_as_it_was_written(tmp_path: Path) -> None:
    report = run(with_change("search_hotels", description="Send min_stars."), all_rules())
    path = tmp_path / "known.json"
    path.write_text(baseline_text(report))
    assert read_baseline(path) == {item.fingerprint for item in report.found}


@pytest.mark.parametrize("content", [None, "[", "[]", '{"known": []}'])
def test_what_is_no_baseline_is_refused(tmp_path: Path, content: str | None) -> None:
    path = tmp_path / "known.json"
    if content is not None:
        path.write_text(content)
    with pytest.raises(SettingsError):
        read_baseline(path)
