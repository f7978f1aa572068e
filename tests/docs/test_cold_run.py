"""The page about the cold run: its tables are the code's, and the README's command does what it says."""

from __future__ import annotations

import dataclasses
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.docs.blocks import blocks
from tests.unit.cold.shop import Shop, tried

from afford.cold.ablation import KINDS
from afford.cold.goals import read_goals
from afford.cold.report import AblationReport, Check, Finding, OperationReport, PickReport
from afford.cold.reports.document import document

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "cold-run.md").read_text(encoding="utf-8")


def first_column(heading: str) -> list[str]:
    section = PAGE.split(f"## {heading}\n")[1].split("\n## ")[0]
    rows = [line for line in section.splitlines() if line.startswith("| `")]
    return [name for row in rows for name in re.findall(r"`([\w-]+)`", row.split("|")[1])]


def test_the_tables_name_every_check_and_every_ablation() -> None:
    assert first_column("What is checked") == [check.value for check in Check]
    assert first_column("Ablations") == list(KINDS)


@pytest.mark.requirement("COLD-10")
async def test_the_members_of_the_json_report_are_described() -> None:
    report = (await tried(Shop())).report()
    assert set(first_column("The report")) == document(report).keys()
    section = PAGE.split("## The report\n")[1]
    for kind in (OperationReport, Finding, AblationReport, PickReport):
        for field in dataclasses.fields(kind):
            assert f"`{field.name}`" in section, field.name


def test_the_goals_shown_can_be_read(tmp_path: Path) -> None:
    (tmp_path / "goals.toml").write_text(blocks("docs/cold-run.md", "toml")[0])
    assert [goal.call for goal in read_goals(tmp_path / "goals.toml")] == ["search_hotels"]


def test_the_command_of_the_readme_goes_through(tmp_path: Path) -> None:
    (command,) = re.findall(r"^afford (cold .*)$", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE)
    variables = {**os.environ, "HOTELING_DATABASE": f"sqlite+aiosqlite:///{tmp_path / 'hoteling.db'}"}
    words = [sys.executable, "-m", "afford", *command.split()]
    ended = subprocess.run(words, cwd=ROOT, env=variables, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "first call: 5 of 5 (100%)" in ended.stdout
    assert "bm25: hit@1" in ended.stdout
