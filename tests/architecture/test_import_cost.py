"""What an import loads: an agent's host starts the program anew for each conversation, and pays for every package."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

VALIDATION = frozenset(
    {
        "annotated_types",
        "jsonschema_rs",
        "orjson",
        "pydantic",
        "pydantic_core",
        "typing_extensions",
        "typing_inspection",
    }
)
COMMAND_LINE = frozenset({"annotated_doc", "click", "markdown_it", "mdurl", "pygments", "rich", "shellingham", "typer"})

REPORT = """
import json, sys
before = set(sys.modules)
{statement}
loaded = {{name.partition(".")[0] for name in set(sys.modules) - before}}
own = {{"afford", *(name for name in loaded if name.startswith("_sysconfigdata"))}}
print(json.dumps(sorted(loaded - set(sys.stdlib_module_names) - own)))
"""


@pytest.mark.requirement("LIB-03")
@pytest.mark.parametrize(
    ("statement", "allowed"),
    [
        ("import afford", frozenset[str]()),
        ("from afford import App", VALIDATION),
        ("import afford.serving", VALIDATION),
        ("import afford.cli.main", VALIDATION | COMMAND_LINE),
    ],
)
def test_an_import_loads_no_package_beyond_its_allowance(statement: str, allowed: frozenset[str]) -> None:
    assert third_party_loaded_by(statement) - allowed == set()


def third_party_loaded_by(statement: str) -> set[str]:
    """Top-level packages outside the standard library that a fresh interpreter loads for the statement."""
    program = REPORT.format(statement=statement)
    answer = subprocess.run([sys.executable, "-I", "-c", program], capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stderr
    return set(json.loads(answer.stdout))
