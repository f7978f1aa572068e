"""The README's own words: its first app is run, its commands exist."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType

import pytest

from afford import App, Principal, find_agent_doc_gaps
from afford.testing import client

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.fixture
def first_app() -> App:
    """The app of the README's Python block."""
    block = re.search(r"```python\n(.*?)```", README, re.DOTALL)
    assert block is not None
    module = ModuleType("library")
    exec(compile(block.group(1), "library.py", "exec"), module.__dict__)  # noqa: S102 - the README is ours
    app: object = module.__dict__["app"]
    assert isinstance(app, App)
    return app


def test_the_first_app_has_at_most_twenty_lines_of_code() -> None:
    block = re.search(r"```python\n(.*?)```", README, re.DOTALL)
    assert block is not None
    assert len([line for line in block.group(1).splitlines() if line.strip()]) <= 20


@pytest.mark.parametrize("over", ["executor", "http"])
async def test_the_first_app_lists_books_for_everybody_and_adds_one_for_a_librarian(first_app: App, over: str) -> None:
    async with client(first_app, over=over) as anybody:  # type: ignore[arg-type]
        assert await anybody.names() == ["list_books"]
        assert (await anybody.call("add_book", title="Emma")).code == "unknown_operation"
    async with client(first_app, as_=Principal("ann", ["librarian"]), over=over) as librarian:  # type: ignore[arg-type]
        assert (await librarian.call("add_book", title="Emma")).value == {"book_id": 2, "title": "Emma"}
        assert [row["title"] for row in (await librarian.call("list_books")).rows] == ["Middlemarch", "Emma"]


def test_the_first_app_has_no_documentation_gaps(first_app: App) -> None:
    assert find_agent_doc_gaps(first_app) == ()


def test_every_make_target_that_the_readme_names_exists() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    named = set(re.findall(r"`?make ([a-z]+)", README))
    assert named
    assert {name for name in named if not re.search(rf"^{name}:", makefile, re.MULTILINE)} == set()


def test_every_file_that_the_readme_names_exists() -> None:
    named = re.findall(r"`([\w./-]+/|[\w./-]+\.md)`", README)
    assert named
    assert [path for path in named if not (ROOT / path).exists()] == []
