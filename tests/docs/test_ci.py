"""The page about CI: its commands run, and do what they are there for."""

from __future__ import annotations

import re
import shlex
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.docs.blocks import ROOT, blocks

from afford.cli.main import main

HOTELS = ROOT / "examples" / "hoteling"
MODULES = [path.stem for path in HOTELS.glob("*.py")]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A checkout of the example, whose modules are forgotten afterwards."""
    folder = tmp_path / "work"
    folder.mkdir()
    for name in MODULES:
        shutil.copy(HOTELS / f"{name}.py", folder)
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "path", [*sys.path])
    yield folder
    for name in MODULES:
        sys.modules.pop(name, None)


def run(line: str) -> int:
    """One command of the page; where its output goes does not matter."""
    program, *words = shlex.split(re.split(r" >| \|\|", line)[0])
    assert program == "afford"
    with pytest.raises(SystemExit) as ended:
        main(words)
    return int(ended.value.code or 0)


def lines() -> list[str]:
    (workflow,) = blocks("docs/ci.md", "yaml")
    return re.findall(r"- run: (afford .*)", workflow)


@pytest.mark.requirement("LOCK-02")
def test_the_commands_pass_where_nothing_changed(project: Path) -> None:
    run("afford lock app.py")
    shutil.copy("afford.lock", "base.lock")
    assert {line: run(line) for line in lines()} == dict.fromkeys(lines(), 0)


def test_they_fail_where_something_is_gone(project: Path) -> None:
    run("afford lock app.py")
    lock = project / "afford.lock"
    lock.write_text(lock.read_text(encoding="utf-8").replace('"occupancy": {', '"planning": {'), encoding="utf-8")
    shutil.copy("afford.lock", "base.lock")
    failed = {line: run(line) for line in lines() if "lint" not in line}
    assert failed == dict.fromkeys(failed, 1)
