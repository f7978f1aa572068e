"""`diff` from words to exit code."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from afford.cli.main import main

Output = pytest.CaptureFixture[str]

APP = """
from afford import App, anyone, roles

app = App("shop", roles=("staff",), access=roles("staff"))


@app.query(description="Find things.")
def search(size: int = 1) -> list[str]:
    return []
"""
WIDER = APP.replace('access=roles("staff")', "access=anyone()")
GONE = APP.replace("def search", "def find")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in (("old", APP), ("wider", WIDER), ("gone", GONE)):
        (tmp_path / f"cli_target_{name}.py").write_text(text)
    return tmp_path


def diff(*words: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(["diff", *words])
    return int(ended.value.code or 0)


def grades(output: Output) -> set[str]:
    return {change["grade"] for change in json.loads(output.readouterr().out)["changes"]}


@pytest.mark.requirement("LOCK-01")
def test_wider_access_fails_until_it_is_only_breaking_that_counts(folder: Path, capsys: Output) -> None:
    assert diff("cli_target_old.py", "cli_target_wider.py", "--json") == 1
    assert grades(capsys) == {"needs-approval"}
    assert diff("cli_target_old.py", "cli_target_wider.py", "--fail-on", "breaking") == 0


@pytest.mark.requirement("LOCK-03")
def test_what_is_gone_fails_however_it_is_told(folder: Path, capsys: Output) -> None:
    for form in ("text", "json", "markdown", "github"):
        assert diff("cli_target_old.py", "cli_target_gone.py", "--format", form, "--fail-on", "breaking") == 1
        assert "`find` has the same schemas" in capsys.readouterr().out


def test_two_versions_of_one_app_are_compared(folder: Path) -> None:
    for name, text in (("a", APP), ("b", WIDER)):
        (folder / name).mkdir()
        (folder / name / "cli_target_same.py").write_text(text)
    assert diff("a/cli_target_same.py", "b/cli_target_same.py") == 1


def test_a_document_is_read_from_standard_input(folder: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SystemExit):
        main(["lock", "cli_target_old.py", "-o", "-"])
    content = capsys.readouterr().out.encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    assert diff("-", "cli_target_old.py") == 0


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["cli_target_old.py"], "name OLD and NEW"),
        (["nothing.lock", "cli_target_old.py"], "check the path"),
        (["broken.json", "cli_target_old.py"], "is not JSON"),
        (["list.json", "cli_target_old.py"], "schema catalog"),
        (["nothing.py", "cli_target_old.py"], "there is no file"),
        (["-", "-"], "name a file for the other side"),
    ],
)
def test_a_mistake_is_told_in_one_sentence(folder: Path, capsys: Output, words: list[str], told: str) -> None:
    (folder / "broken.json").write_text("{")
    (folder / "list.json").write_text("[1]")
    assert diff(*words) == 2
    assert told in capsys.readouterr().err
