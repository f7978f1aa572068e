"""A person's file is replaced whole, keeps its mode, and what it was lies beside it."""

from __future__ import annotations

import stat
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from afford.clients.files import ChangedError, replace, text_of

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


@pytest.mark.requirement("INST-04")
def test_what_a_file_was_is_kept_each_time(tmp_path: Path) -> None:
    file = tmp_path / "settings.json"
    assert replace(file, None, "1\r\n") is None
    first, second = replace(file, "1\r\n", "2", NOW), replace(file, "2", "3", NOW)
    assert (first, second) == (
        tmp_path / "settings.json.20260102T030405Z.bak",
        tmp_path / "settings.json.20260102T030405Z-2.bak",
    )
    assert [path.read_bytes() for path in (first, second, file)] == [b"1\r\n", b"2", b"3"]
    assert len(list(tmp_path.iterdir())) == 3


@pytest.mark.requirement("INST-04")
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes")
def test_a_file_and_its_copy_stay_as_private_as_it_was(tmp_path: Path) -> None:
    file = tmp_path / "settings.json"
    file.write_text("1")
    file.chmod(0o600)
    copy = replace(file, "1", "2")
    assert copy is not None
    assert {stat.S_IMODE(path.stat().st_mode) for path in (file, copy)} == {0o600}


@pytest.mark.requirement("INST-04")
def test_a_link_stays_a_link(tmp_path: Path) -> None:
    real, link = tmp_path / "real.json", tmp_path / "link.json"
    real.write_text("1")
    link.symlink_to(real)
    replace(link, "1", "2")
    assert link.is_symlink()
    assert real.read_text() == "2"


@pytest.mark.requirement("INST-04")
def test_what_somebody_else_wrote_meanwhile_is_not_lost(tmp_path: Path) -> None:
    file = tmp_path / "settings.json"
    file.write_text("theirs")
    with pytest.raises(ChangedError):
        replace(file, "before", "ours")
    assert [path.read_text() for path in tmp_path.iterdir()] == ["theirs"]


def test_folders_are_made_and_a_file_that_is_not_there_has_no_text(tmp_path: Path) -> None:
    file = tmp_path / "a" / "b" / "settings.json"
    assert text_of(file) is None
    replace(file, None, "1")
    assert text_of(file) == "1"
