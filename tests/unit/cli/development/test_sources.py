"""Which files an app was read from, and how it is named."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from afford.cli.development.messages import Leave, Loaded, Plan, Ready, Serve, line_of, message_of
from afford.cli.development.sources import authored_files, forget_compiled
from afford.cli.target import load_target, place_of


def test_the_files_of_an_app_are_its_own_and_no_library_s(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sources_shelf.py").write_text("goods = []\n")
    (tmp_path / "sources_app.py").write_text("import sources_shelf\nfrom afford import App\n\napp = App('a')\n")
    monkeypatch.setattr(sys, "path", list(sys.path))
    load_target(str(tmp_path / "sources_app.py"))
    files = authored_files()
    assert {str(tmp_path / "sources_app.py"), str(tmp_path / "sources_shelf.py")} <= set(files)
    assert not [file for file in files if "site-packages" in file or "/afford/" in file or "lib/python" in file]


def test_an_edit_of_equal_size_in_the_same_second_is_read_all_the_same(tmp_path: Path) -> None:
    file = tmp_path / "edited.py"
    times = (1_800_000_000, 1_800_000_000)
    command = [sys.executable, "-c", "import edited; print(edited.answer)"]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}

    def answer(text: str) -> str:
        file.write_text(f"answer = {text}\n")
        os.utime(file, times)
        forget_compiled([file])
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    assert (answer("1"), answer("2")) == ("1", "2")


def test_an_address_is_told_so_that_it_means_the_same_everywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["shop.py", "dev"])
    file = tmp_path / "shop.py"
    assert place_of("shop.py") == (file, str(file))
    assert place_of("shop.py:app") == (file, f"{file}:app")
    assert place_of("shop:app") == (None, "shop:app")
    assert place_of(None) == (file, str(file))


PLAN = Plan(
    id="a" * 12,
    token="not-to-be-seen",
    listener=7,
    host="127.0.0.1",
    url="http://127.0.0.1:8000",
    mount="/agent",
    mcp=True,
    identity=None,
    roles="",
    log_level="warning",
    epoch=1,
)


@pytest.mark.parametrize(
    "message",
    [
        PLAN,
        Serve(is_first=True),
        Leave(grace=0.5, is_replaced=True),
        Loaded(files=["a\nb.py", "ü.py"]),
        Ready(name="a", title="A\n", version="1", mcp=None, console=None, offered=["a"]),
    ],
)
def test_a_message_is_one_line_and_arrives_as_it_was_sent(message: Plan | Serve | Leave | Loaded | Ready) -> None:
    line = line_of(message)
    assert line.count(b"\n") == 1
    assert message_of(line) == message


def test_the_token_is_in_no_repr() -> None:
    assert PLAN.token not in repr(PLAN)
