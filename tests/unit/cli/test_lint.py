"""`lint` from words to exit code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from afford.cli.main import main

Output = pytest.CaptureFixture[str]

APP = """
from afford import App, anyone

app = App("shop", access=anyone())


@app.query(description="Find things for the person. Send min_size to leave out the small ones.")
def search(min_size: int) -> list[str]:
    return []


@app.query()
def silent() -> list[str]:
    return []
"""
BROKEN = APP.replace(", access=anyone()", "")
CATALOG = {
    "queries": [],
    "actions": [{"name": "go", "description": "Go.", "input_schema": {"type": "object", "properties": {}}}],
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cli_target_lint.py").write_text(APP)
    (tmp_path / "catalog.json").write_text(json.dumps(CATALOG))
    return tmp_path


def lint(*words: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(["lint", *words])
    return int(ended.value.code or 0)


def codes(output: Output) -> set[str]:
    return {item["code"] for item in json.loads(output.readouterr().out)["found"]}


def test_errors_fail_and_gaps_are_among_them(folder: Path, capsys: Output) -> None:
    assert lint("cli_target_lint.py", "--format", "json") == 1
    assert {"DSC101", "GAP101"} <= codes(capsys)


def test_build_errors_are_in_the_same_report(folder: Path, capsys: Output) -> None:
    (folder / "cli_target_broken.py").write_text(BROKEN)
    assert lint("cli_target_broken.py", "--format", "json") == 1
    assert codes(capsys) == {"ACC101"}


def test_a_catalog_file_is_linted(folder: Path, capsys: Output) -> None:
    lint("catalog.json", "--format", "json")
    assert codes(capsys)


def test_a_rule_is_switched_off_by_code_or_name(folder: Path, capsys: Output) -> None:
    lint("cli_target_lint.py", "--format", "json", "--off", "DSC101", "--off", "undescribed-operation")
    assert not {"DSC101", "GAP101"} & codes(capsys)


def test_a_baseline_leaves_only_what_is_new(folder: Path, capsys: Output) -> None:
    assert lint("cli_target_lint.py", "--baseline", "known.json", "--update-baseline") == 0
    capsys.readouterr()
    assert lint("cli_target_lint.py", "--baseline", "known.json", "--format", "json") == 0
    assert codes(capsys) == set()


def test_settings_of_the_project_hold(folder: Path, capsys: Output) -> None:
    (folder / "pyproject.toml").write_text('[tool.afford.lint]\noff = ["DSC101", "GAP101"]\n')
    lint("cli_target_lint.py", "--format", "json")
    assert not {"DSC101", "GAP101"} & codes(capsys)


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("nothing.json",),
        ("catalog.json", "--off", "DSC999"),
        ("catalog.json", "--profile", "nobody"),
        ("catalog.json", "--role", "staff"),
        ("cli_target_lint.py", "--role", "nobody"),
        ("catalog.json", "--update-baseline"),
        ("catalog.json", "--baseline", "missing.json"),
        ("catalog.json", "--format", "xml"),
    ],
)
def test_wrong_usage_is_said_so(folder: Path, words: tuple[str, ...]) -> None:
    assert lint(*words) == 2


def test_the_example_has_no_errors(capsys: Output) -> None:
    example = Path(__file__).parents[3] / "examples" / "hoteling" / "app.py"
    assert lint(str(example), "--format", "json") == 0


ROLES = """
from afford import App, anyone, roles, signed_in

app = App("shop", roles=["clerk", "boss", "guard"], access=anyone())


@app.query(description="Find things for the person, best first.")
def search() -> list[str]:
    return []


@app.query(description="What one account bought, newest first.", access=signed_in())
def bought() -> list[str]:
    return []


@app.query(description="What is in the till, to the cent.", access=roles("clerk", "boss"))
def till() -> list[str]:
    return []


@app.query(description="What only code decides about.", access=lambda caller: 1 / 0)
def decided() -> list[str]:
    return []
"""


@pytest.mark.requirement("LINT-27")
def test_the_cost_is_told_for_each_role_that_a_rule_names(folder: Path, capsys: Output) -> None:
    (folder / "cli_target_roles.py").write_text(ROLES)
    lint("cli_target_roles.py", "--cost", "--format", "json")
    cost = json.loads(capsys.readouterr().out)["cost"]
    assert {tool["name"] for tool in cost["tools"]} == {"search", "bought", "till", "decided"}
    assert {item["who"]: sorted(item["tools"]) for item in cost["audiences"]} == {
        "anonymous": ["search"],
        "signed in": ["bought", "search"],
        "role boss; role clerk; roles boss, clerk": ["bought", "search", "till"],
    }


def test_the_cost_of_a_document_has_no_audiences(folder: Path, capsys: Output) -> None:
    lint("catalog.json", "--cost", "--format", "json")
    cost = json.loads(capsys.readouterr().out)["cost"]
    assert [tool["name"] for tool in cost["tools"]] == ["go"]
    assert cost["audiences"] == []


@pytest.mark.parametrize("form", ["sarif", "github"])
def test_the_cost_is_refused_where_there_is_no_place_for_it(folder: Path, capsys: Output, form: str) -> None:
    assert lint("catalog.json", "--cost", "--format", form) == 2
    assert "--cost" in capsys.readouterr().err


@pytest.mark.requirement("LINT-29")
@pytest.mark.parametrize(
    "words",
    [
        ("catalog.json", "--header", "X-Key: sk-very-secret-42"),
        ("cli_target_lint.py", "--header", "X-Key: sk-very-secret-42"),
        ("--stdio", "true", "--header", "X-Key: sk-very-secret-42"),
        ("http://127.0.0.1:9/mcp", "--header", "sk-very-secret-42"),
        ("http://127.0.0.1:9/a.json", "--header", "X-Key: sk-very-secret-42"),
    ],
)
def test_headers_that_cannot_be_used_are_refused_without_being_said(
    folder: Path, capsys: Output, words: tuple[str, ...]
) -> None:
    assert lint(*words) == 2
    told = capsys.readouterr()
    assert "sk-very-secret-42" not in told.out + told.err


@pytest.mark.requirement("LINT-29")
def test_a_token_in_the_environment_is_for_addresses_alone(
    folder: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AFFORD_TOKEN", "sk-very-secret-42\x07")
    lint("catalog.json", "--format", "json")
    assert codes(capsys)
    assert lint("http://127.0.0.1:9/mcp") == 2
    told = capsys.readouterr()
    assert "token" in told.err
    assert "sk-very-secret-42" not in told.out + told.err


def test_a_document_in_yaml_is_linted(folder: Path, capsys: Output) -> None:
    (folder / "catalog.yaml").write_text("queries: []\nactions: [{name: go, description: Go.}]\n")
    lint("catalog.yaml", "--format", "json")
    assert codes(capsys)
