"""The console's page: small modules that load nothing from outside, and write no markup from texts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.architecture.source import PACKAGE, ROOT

PAGE = PACKAGE / "console" / "page"
MODULE_LINES = 400
MARKUP = re.compile(
    r"innerHTML|outerHTML|dangerouslySetInnerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|srcdoc"
)
ADDRESS = re.compile(r"(?:https?:)?//[a-z0-9.-]+\.[a-z]{2,}", re.IGNORECASE)


def own_files(*suffixes: str) -> list[Path]:
    return [path for path in sorted(PAGE.rglob("*")) if path.suffix in suffixes and path.parent.name != "vendor"]


def vendored() -> list[Path]:
    return sorted((PAGE / "vendor").glob("*.js"))


def test_no_file_is_longer_than_the_budget() -> None:
    lengths = {path.name: len(path.read_text(encoding="utf-8").splitlines()) for path in own_files(".js")}
    assert {name: length for name, length in lengths.items() if length > MODULE_LINES} == {}


def test_every_module_says_what_it_is_for() -> None:
    assert [path.name for path in own_files(".js") if not path.read_text(encoding="utf-8").startswith("// ")] == []


@pytest.mark.requirement("CONS-09")
def test_no_module_writes_markup_or_makes_code_of_texts() -> None:
    assert [path.name for path in own_files(".js", ".html") if MARKUP.search(path.read_text(encoding="utf-8"))] == []


@pytest.mark.requirement("CONS-05")
def test_nothing_is_loaded_from_another_address() -> None:
    namespace = "http://www.w3.org/2000/svg"
    texts = {
        path.name: path.read_text(encoding="utf-8").replace(namespace, "")
        for path in own_files(".js", ".css", ".html", ".svg")
    }
    assert {name: found.group() for name, text in texts.items() if (found := ADDRESS.search(text))} == {}


def test_no_style_stands_in_the_markup() -> None:
    """The policy would drop it."""
    assert [path.name for path in own_files(".js", ".html") if "style=" in path.read_text(encoding="utf-8")] == []


def test_modules_import_each_other_by_file_and_load_whole() -> None:
    named = re.compile(r"""(?:from|import)\s*["']([^"']+)["']""")
    for path in (*own_files(".js"), *vendored()):
        for name in named.findall(path.read_text(encoding="utf-8")):
            assert name.startswith("./"), f"{path.name} imports {name}"
            assert (path.parent / name).is_file(), f"{path.name} imports {name}"


def test_every_vendored_library_has_its_licence_and_its_row() -> None:
    rows = (ROOT / "docs" / "design" / "dependencies.md").read_text(encoding="utf-8")
    tool = (ROOT / "tools" / "vendor.py").read_text(encoding="utf-8")
    packages = dict(re.findall(r'Package\("([^"]+)", "([^"]+)"', tool))
    assert {path.name for path in vendored()} == set(re.findall(r': "([a-z-]+\.js)"', tool))
    for name, version in packages.items():
        assert (PAGE / "vendor" / f"LICENSE-{name.removeprefix('@').replace('/', '-')}.txt").is_file(), name
        assert f"{name} {version}" in rows, name
