"""TARGET finds the app that was meant, or says what to write instead."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from afford.cli.failures import CommandError
from afford.cli.target import load_target

ONE = "from afford import App\napp = App('one')\n"
TWO = "from afford import App\nshop = App('shop')\nadmin = App('admin')\nagain = shop\n"

pytestmark = pytest.mark.requirement("CLI-02")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with nothing in it."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def refusal(address: str) -> CommandError:
    with pytest.raises(CommandError) as raised:
        load_target(address)
    assert raised.value.exit_code == 2
    return raised.value


def test_a_file_with_one_app_needs_no_attribute(folder: Path) -> None:
    path = write(folder, "cli_target_one.py", ONE)
    target = load_target(str(path))
    assert (target.app.name, target.address) == ("one", str(path))


def test_a_file_finds_the_modules_beside_it(folder: Path) -> None:
    write(folder, "part/cli_target_sibling.py", ONE)
    write(folder, "part/cli_target_entry.py", "from cli_target_sibling import app\n")
    assert load_target("part/cli_target_entry.py").app.name == "one"


def test_a_module_is_known_by_the_stem_of_its_file(folder: Path) -> None:
    path = write(folder, "cli_target_stem.py", ONE)
    target = load_target(str(path))
    assert sys.modules["cli_target_stem"].__dict__["app"] is target.app
    assert load_target(str(path)).app is target.app


def test_a_file_and_an_attribute_choose_one_of_several(folder: Path) -> None:
    write(folder, "cli_target_two.py", TWO)
    assert load_target("cli_target_two.py:admin").app.name == "admin"


def test_several_apps_without_an_attribute_are_listed_each_once(folder: Path) -> None:
    write(folder, "cli_target_two.py", TWO)
    message = refusal("cli_target_two.py").message
    assert "`admin`, `shop`" in message
    assert "again" not in message


def test_a_module_and_an_attribute_are_found_from_the_current_folder(folder: Path) -> None:
    write(folder, "cli_target_package/__init__.py", "")
    write(folder, "cli_target_package/web.py", "from afford import App\nclass held:\n    app = App('dotted')\n")
    assert load_target("cli_target_package.web:held.app").app.name == "dotted"


@pytest.mark.parametrize(
    "address",
    [
        "cli_target_missing.py",
        "cli_target_missing",
        "cli_target_missing:app",
        "cli_target_package.missing:app",
        "no module:app",
        ":app",
        "",
        ".",
    ],
)
def test_what_names_nothing_is_refused_without_a_traceback(folder: Path, address: str) -> None:
    write(folder, "cli_target_package/__init__.py", "")
    assert refusal(address).detail == ""


@pytest.mark.parametrize("attribute", ["missing", "number", "app.name", "app.missing"])
def test_an_attribute_that_is_no_app_names_those_that_are(folder: Path, attribute: str) -> None:
    write(folder, "cli_target_mixed.py", f"{ONE}number = 1\n")
    assert "`app`" in refusal(f"cli_target_mixed.py:{attribute}").message


def test_a_file_without_an_app_is_refused(folder: Path) -> None:
    write(folder, "cli_target_empty.py", "number = 1\n")
    assert refusal("cli_target_empty.py").detail == ""


def test_a_folder_is_refused(folder: Path) -> None:
    (folder / "part").mkdir()
    assert "part" in refusal("part").message


def test_a_file_that_shadows_a_loaded_module_is_refused(folder: Path) -> None:
    write(folder, "logging.py", ONE)
    assert refusal("logging.py").detail == ""
    assert sys.modules["logging"].__file__ != str(folder / "logging.py")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("import cli_target_gone\n", "import cli_target_gone"),
        ("from afford import App\napp = App('a', titel='b')\n", "titel"),
        ("def broken(:\n", "def broken(:"),
        ("from pydantic import TypeAdapter\nTypeAdapter(int).validate_python('x')\n", "validate_python"),
    ],
)
def test_a_failing_import_shows_the_author_s_own_frames(folder: Path, text: str, line: str) -> None:
    path = write(folder, "cli_target_failing.py", text)
    detail = refusal("cli_target_failing.py").detail
    assert str(path) in detail
    assert line in detail
    assert "afford/cli" not in detail
    assert "importlib" not in detail
    assert "cli_target_failing" not in sys.modules


def test_the_cause_of_a_failing_import_is_trimmed_as_well(folder: Path) -> None:
    write(
        folder,
        "cli_target_chained.py",
        "from afford import App\ntry:\n    App('a', titel='b')\nexcept Exception as error:\n"
        "    raise ValueError('second') from error\n",
    )
    detail = refusal("cli_target_chained.py").detail
    assert "titel" in detail
    assert "second" in detail
    assert "afford/app.py" not in detail


def test_a_missing_module_inside_the_named_one_shows_where_it_is_imported(folder: Path) -> None:
    write(folder, "cli_target_outer.py", "import cli_target_gone\n")
    assert "cli_target_outer.py" in refusal("cli_target_outer:app").detail


def test_a_file_that_ends_the_program_is_refused(folder: Path) -> None:
    write(folder, "cli_target_ends.py", f"{ONE}raise SystemExit(0)\n")
    assert "__main__" in refusal("cli_target_ends.py").message


def test_a_file_of_a_package_is_pointed_to_its_module_name(folder: Path) -> None:
    write(folder, "cli_target_pack/__init__.py", "")
    write(folder, "cli_target_pack/cli_target_relative.py", "from .missing import app\n")
    assert "package.module:attribute" in refusal("cli_target_pack/cli_target_relative.py").message


def test_what_an_import_prints_goes_to_stderr(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(folder, "cli_target_prints.py", f"{ONE}print('hello')\n")
    load_target("cli_target_prints.py")
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", "hello\n")
