"""Requirements and tests name each other."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from tests import requirements
from tests.architecture.source import ROOT
from tests.requirements import REQUIREMENTS

ID = re.compile(r"[A-Z]+-K?\d\d")


def test_ids_have_one_form_and_occur_once() -> None:
    written = re.findall(r'^ +"([A-Z]+-\w+)":', Path(requirements.__file__).read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(written) == sorted(REQUIREMENTS)
    assert [key for key in REQUIREMENTS if not ID.fullmatch(key)] == []


def test_every_requirement_that_a_test_names_exists() -> None:
    unknown = {key: sorted(tests) for key, tests in named_by_tests().items() if key not in REQUIREMENTS}
    assert unknown == {}


def test_every_requirement_that_is_due_is_named_by_a_test() -> None:
    named = named_by_tests()
    missing = [key for key, requirement in REQUIREMENTS.items() if not requirement.covered_later and key not in named]
    assert missing == []


def named_by_tests() -> dict[str, set[str]]:
    """Ids in `requirement` marks, each with the test functions, classes and modules that carry it."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for key in marked(ast.parse(path.read_text(encoding="utf-8"), filename=str(path))):
            found[key].add(str(path.relative_to(ROOT)))
    return found


def marked(tree: ast.Module) -> Iterator[str]:
    """Ids that the module's calls of `requirement(...)` state."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "requirement":
            for argument in node.args:
                assert isinstance(argument, ast.Constant), f"line {node.lineno}: write the requirement's id as text"
                yield str(argument.value)
