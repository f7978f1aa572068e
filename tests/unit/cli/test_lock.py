"""`lock` from words to exit code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from afford.cli.main import main, run_for
from afford.cli.target import load_target

Output = pytest.CaptureFixture[str]

APP = """
from afford import App, anyone

app = App("shop", access=anyone())


@app.query(description="Find things.")
def search(size: int = 1) -> list[str]:
    return []
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cli_target_lock.py").write_text(APP)
    return tmp_path


def afford(*words: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(words)
    return int(ended.value.code or 0)


@pytest.mark.requirement("LOCK-01")
def test_a_lock_is_written_and_then_up_to_date(folder: Path, capsys: Output) -> None:
    assert afford("lock", "cli_target_lock.py") == 0
    assert "search" in json.loads((folder / "afford.lock").read_text())["operations"]
    assert afford("lock", "cli_target_lock.py", "--check") == 0
    assert capsys.readouterr().out == ""


@pytest.mark.requirement("LOCK-02")
def test_a_stale_lock_fails_and_says_what_changed(folder: Path, capsys: Output) -> None:
    afford("lock", "cli_target_lock.py")
    path = folder / "afford.lock"
    path.write_text(path.read_text().replace("Find things.", "Find something."))
    assert afford("lock", "cli_target_lock.py", "--check") == 1
    printed = capsys.readouterr()
    assert "search /description" in printed.out
    assert "afford lock cli_target_lock.py" in printed.err
    assert "Find something." in path.read_text()


def test_line_ends_of_a_checkout_do_not_make_a_lock_stale(folder: Path) -> None:
    afford("lock", "cli_target_lock.py")
    path = folder / "afford.lock"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert afford("lock", "cli_target_lock.py", "--check") == 0


def test_a_lock_is_printed_where_a_dash_is_named(folder: Path, capsys: Output) -> None:
    assert afford("lock", "cli_target_lock.py", "-o", "-") == 0
    printed = capsys.readouterr().out
    afford("lock", "cli_target_lock.py")
    assert printed == (folder / "afford.lock").read_text()


def test_a_lock_that_is_missing_is_a_mistake_of_usage(folder: Path, capsys: Output) -> None:
    assert afford("lock", "cli_target_lock.py", "--check") == 2
    assert "write it with" in capsys.readouterr().err


def test_a_lock_of_a_later_format_is_refused(folder: Path, capsys: Output) -> None:
    (folder / "afford.lock").write_text('{"afford_lock": 99}')
    assert afford("lock", "cli_target_lock.py", "--check") == 2
    assert "upgrade afford" in capsys.readouterr().err
    assert afford("diff", "afford.lock", "cli_target_lock.py") == 2
    assert "upgrade afford" in capsys.readouterr().err


def test_a_lock_that_a_merge_damaged_is_written_again(folder: Path) -> None:
    (folder / "afford.lock").write_text('<<<<<<< ours\n{"afford_lock": 1}\n')
    assert afford("lock", "cli_target_lock.py", "--check") == 2
    assert afford("lock", "cli_target_lock.py") == 0


@pytest.mark.parametrize("content", ["print('hello')\n", '{"afford_lock": 99}'])
def test_what_is_no_lock_of_ours_is_not_written_over(folder: Path, content: str) -> None:
    (folder / "notes.txt").write_text(content)
    assert afford("lock", "cli_target_lock.py", "-o", "notes.txt") == 2
    assert (folder / "notes.txt").read_text() == content


def test_writing_a_lock_again_counts_what_changed(folder: Path, capsys: Output) -> None:
    afford("lock", "cli_target_lock.py")
    path = folder / "afford.lock"
    path.write_text(path.read_text().replace("Find things.", "Find something."))
    capsys.readouterr()
    assert afford("lock", "cli_target_lock.py") == 0
    assert "1 compatible" in capsys.readouterr().err


def test_what_somebody_else_serves_is_pinned(folder: Path) -> None:
    tool = {"name": "go", "description": "Go.", "inputSchema": {"type": "object", "properties": {}}}
    (folder / "tools.json").write_text(json.dumps({"tools": [tool]}))
    assert afford("lock", "tools.json", "-o", "theirs.lock") == 0
    assert afford("diff", "theirs.lock", "tools.json", "--fail-on", "compatible") == 0
    (folder / "tools.json").write_text(json.dumps({"tools": [{**tool, "description": "Go, and tell nobody."}]}))
    assert afford("lock", "tools.json", "-o", "theirs.lock", "--check") == 1
    assert afford("diff", "theirs.lock", "tools.json") == 0
    assert afford("diff", "theirs.lock", "tools.json", "--fail-on", "compatible") == 1


def test_an_application_s_own_program_locks_itself(folder: Path) -> None:
    app = load_target("cli_target_lock.py").app
    for words in (["lock"], ["lock", "--check"], ["diff", "afford.lock"]):
        with pytest.raises(SystemExit) as ended:
            run_for(app, words)
        assert not ended.value.code
