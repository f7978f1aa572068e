"""Records of running servers: who may read them, whom they are believed, and when they go."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
from collections.abc import Generator
from dataclasses import replace
from pathlib import Path

import pytest

from afford import instances
from afford.instances import Instance


@pytest.fixture
def sleeper() -> Generator[subprocess.Popen[bytes]]:
    """A process that does nothing until it is killed."""
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        yield process
        process.kill()


def instance(pid: int | None = None, **changed: object) -> Instance:
    pid = os.getpid() if pid is None else pid
    made = Instance(
        id=instances.new_id(),
        name="hoteling",
        title="Hoteling",
        pid=pid,
        started=instances.started(pid),
        url="http://127.0.0.1:8000",
        mount="/agent",
        mcp="/agent/mcp",
        console=None,
        token="a secret of this instance",
        target="hoteling.app:app",
        cwd=str(Path.cwd()),
        version="1.0.0",
        started_at="2026-01-01T00:00:00Z",
    )
    return replace(made, **changed)  # type: ignore[arg-type] # fields by name


@pytest.mark.requirement("CONN-01")
def test_a_record_comes_back_as_it_was_written(tmp_path: Path) -> None:
    written = instance()
    file = instances.write(written, tmp_path / "new" / "folder")
    assert file.name == f"{written.id}.json"
    assert instances.read_all(tmp_path / "new" / "folder") == [written]


@pytest.mark.requirement("CONN-01")
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes")
def test_nobody_else_may_read_a_record_or_its_folder(tmp_path: Path) -> None:
    place = tmp_path / "instances"
    place.mkdir(mode=0o755)
    file = instances.write(instance(), place)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(place.stat().st_mode) == 0o700


def test_writing_again_replaces_a_record_and_leaves_no_draft(tmp_path: Path) -> None:
    first = instance()
    instances.write(first, tmp_path)
    second = replace(first, url="http://127.0.0.1:8001")
    instances.write(second, tmp_path)
    assert instances.read_all(tmp_path) == [second]
    assert [path.name for path in tmp_path.iterdir()] == [f"{first.id}.json"]


def test_a_token_is_not_shown_where_a_record_is_printed() -> None:
    assert "secret" not in repr(instance())


def test_the_oldest_instance_comes_first(tmp_path: Path) -> None:
    late, early = instance(started_at="2026-01-02T00:00:00Z"), instance()
    instances.write(late, tmp_path)
    instances.write(early, tmp_path)
    assert instances.read_all(tmp_path) == [early, late]


def test_a_folder_that_does_not_exist_holds_no_instance(tmp_path: Path) -> None:
    assert instances.read_all(tmp_path / "none") == []


@pytest.mark.requirement("CONN-02")
def test_the_record_of_a_dead_process_is_not_read_and_goes(tmp_path: Path, sleeper: subprocess.Popen[bytes]) -> None:
    file = instances.write(instance(sleeper.pid), tmp_path)
    assert len(instances.read_all(tmp_path)) == 1
    sleeper.kill()
    sleeper.wait()
    assert instances.read_all(tmp_path) == []
    assert not file.exists()


@pytest.mark.requirement("CONN-02")
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signal")
def test_the_record_of_a_paused_process_stays(tmp_path: Path, sleeper: subprocess.Popen[bytes]) -> None:
    paused = instance(sleeper.pid)
    instances.write(paused, tmp_path)
    sleeper.send_signal(signal.SIGSTOP)
    assert instances.read_all(tmp_path) == [paused]
    assert instances.is_alive(paused)


@pytest.mark.requirement("CONN-02")
def test_a_process_that_has_the_number_of_another_is_not_taken_for_it(tmp_path: Path) -> None:
    begun = instances.started()
    file = instances.write(instance(started=begun - 2), tmp_path)
    assert instances.read_all(tmp_path) == []
    assert file.exists(), "a clock that was set makes a live process look like another one"
    near = instance(started=begun + 0.5)
    instances.write(near, tmp_path)
    assert instances.read_all(tmp_path) == [near]


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("format", 2),
        ("id", "../../x"),
        ("pid", "7"),
        ("pid", True),
        ("pid", 0),
        ("started", None),
        ("mcp", "mcp"),
        ("mcp", "//evil.example/mcp"),
        ("console", 7),
        ("token", ""),
        ("token", None),
        ("url", "http://192.168.1.7:8000"),
        ("url", "http://127.0.0.1.evil.example:8000"),
        ("url", "http://user@127.0.0.1:8000"),
        ("url", "http://127.0.0.1:8000/path"),
        ("url", "http://127.0.0.1:99999"),
        ("url", "file://localhost"),
    ],
)
def test_a_record_that_cannot_be_believed_is_left_alone(tmp_path: Path, member: str, value: object) -> None:
    file = instances.write(instance(), tmp_path)
    file.write_text(json.dumps({**json.loads(file.read_text()), member: value}))
    assert instances.read_all(tmp_path) == []
    assert file.exists()


@pytest.mark.parametrize("content", ["", "{", "[]", "null", '{"format": 1}', "\ufffd"])
def test_a_file_that_is_no_record_hides_no_other(tmp_path: Path, content: str) -> None:
    kept = instance()
    instances.write(kept, tmp_path)
    (tmp_path / "other.json").write_text(content)
    (tmp_path / "folder.json").mkdir()
    assert instances.read_all(tmp_path) == [kept]


@pytest.mark.parametrize("origin", ["http://localhost:8000", "http://127.9.9.9:1", "http://[::1]:8000"])
def test_every_spelling_of_this_machine_is_loopback(origin: str) -> None:
    assert instances.is_loopback(origin)


def test_taking_a_record_back_twice_is_no_mistake(tmp_path: Path) -> None:
    written = instance()
    instances.write(written, tmp_path)
    instances.remove(written.id, tmp_path)
    instances.remove(written.id, tmp_path)
    assert instances.read_all(tmp_path) == []


def test_the_folder_follows_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("AFFORD_INSTANCES_DIR", str(tmp_path / "stated"))
    assert instances.folder() == tmp_path / "stated"
    monkeypatch.delenv("AFFORD_INSTANCES_DIR")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert instances.folder() == tmp_path / "afford" / "instances"
    monkeypatch.delenv("XDG_STATE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert instances.folder() == tmp_path / ".local" / "state" / "afford" / "instances"
