"""Names and introductions of modules."""

from __future__ import annotations

import ast
import sys

from tests.architecture.source import PACKAGE, modules

# A name that says nothing about its content collects whatever has no place.
NAMES_WITHOUT_A_SUBJECT = frozenset({"base", "common", "helper", "helpers", "misc", "types", "util", "utils"})


def test_every_module_has_a_name_that_says_what_it_holds() -> None:
    named = {
        module.name for module in modules() if module.name.rpartition(".")[2].strip("_") in NAMES_WITHOUT_A_SUBJECT
    }
    assert named == set()


def test_no_module_of_a_package_shadows_the_standard_library_for_scripts_beside_it() -> None:
    at_the_top = {path.stem for path in PACKAGE.glob("*.py")} - {"__init__", "__main__"}
    assert at_the_top & sys.stdlib_module_names == set()


def test_every_module_says_in_its_docstring_what_it_is_for() -> None:
    silent = {module.name for module in modules() if not ast.get_docstring(module.tree)}
    assert silent == set()


def test_every_folder_with_modules_is_a_package() -> None:
    folders = {path.parent for path in PACKAGE.rglob("*.py")}
    assert {str(folder) for folder in folders if not (folder / "__init__.py").is_file()} == set()


def test_the_package_says_that_it_is_typed() -> None:
    assert (PACKAGE / "py.typed").is_file()
