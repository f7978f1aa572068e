"""`cold` from words to exit code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.unit.cold.scripted import Script, answering

from afford.cli.main import main

Output = pytest.CaptureFixture[str]

APP = """
from typing import Annotated

from pydantic import BaseModel, Field

from afford import App, Example, NotFoundError, anyone, roles

app = App("shop", access=anyone(), roles=["clerk"])
ItemId = Annotated[int, Field(ge=1, description="The item, as in the rows of search.")]


class Item(BaseModel):
    item_id: ItemId
    name: Annotated[str, Field(description="What it is called.")]


ITEMS = [Item(item_id=number, name=f"thing {number}") for number in range(1, 6)]


@app.query(description="Find things to buy.", example=Example({"least": 1}))
def search(least: Annotated[int, Field(ge=1, le=9, description="First number.")] = 1) -> list[Item]:
    print("the app prints")
    return [item for item in ITEMS if item.item_id >= least]


@app.query(description="Read one thing.", example=Example({"item_id": 2}))
def detail(item_id: ItemId) -> Item | None:
    return next((item for item in ITEMS if item.item_id == item_id), None)


@app.action(description="Order one thing; search has it.", access=roles("clerk"), example=Example({"item_id": 2}))
def order(item_id: ItemId) -> Item:
    ITEMS.append(Item(item_id=len(ITEMS) + 1, name="ordered"))
    return ITEMS[item_id - 1]
"""
WRONG = APP.replace('Example({"item_id": 2}))\ndef detail', 'Example({"item_id": 99}))\ndef detail')
LOCKED = """
from afford import ApiKeys, App, Principal, roles

KEYS = ApiKeys({"vault-key-1": Principal("ann", ["clerk"])})
app = App("vault", access=roles("clerk"), roles=["clerk"], authenticate=KEYS)


@app.query(description="Read everything.")
def everything() -> list[str]:
    return []
"""
BROKEN = """
from contextlib import asynccontextmanager

from afford import App, anyone


@asynccontextmanager
async def lifespan(_app):
    raise OSError("no database")
    yield


app = App("broken", access=anyone(), lifespan=lifespan)


@app.query(description="Read everything.")
def everything() -> list[str]:
    return []
"""
GOALS = '[{"goal": "Find something to buy", "call": "search"}, {"goal": "Read thing two", "call": "detail"}]'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cli_target_cold.py").write_text(APP)
    (tmp_path / "cli_target_wrong.py").write_text(WRONG)
    (tmp_path / "cli_target_locked.py").write_text(LOCKED)
    (tmp_path / "cli_target_broken_lifespan.py").write_text(BROKEN)
    (tmp_path / "goals.json").write_text(GOALS)
    return tmp_path


def cold(*words: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(["cold", *words])
    return int(ended.value.code or 0)


def document(output: Output) -> dict[str, object]:
    found: dict[str, object] = json.loads(output.readouterr().out)
    return found


@pytest.mark.requirement("COLD-01")
@pytest.mark.parametrize("over", ["http", "mcp"])
def test_an_app_is_tried_over_both_surfaces_and_its_prints_stay_off_stdout(
    folder: Path, capsys: Output, over: str
) -> None:
    assert cold("cli_target_cold.py", "--over", over, "--ablate", "--format", "json") == 0
    report = document(capsys)
    assert report["first_call"] == {"succeeded": 2, "tried": 2}
    assert report["failed"] is False


def test_a_stated_caller_is_offered_more_and_calls_it_when_allowed(folder: Path, capsys: Output) -> None:
    who = ("--as", "ann", "--roles", "clerk", "--format", "json")
    assert cold("cli_target_cold.py", *who) == 0
    assert "--allow actions" in json.dumps(document(capsys))
    assert cold("cli_target_cold.py", *who, "--allow", "actions") == 0
    assert document(capsys)["first_call"] == {"succeeded": 3, "tried": 3}


def test_an_example_that_leads_nowhere_fails(folder: Path, capsys: Output) -> None:
    assert cold("cli_target_wrong.py") == 1
    assert "failed first_call" in capsys.readouterr().out


def test_goals_are_measured_and_a_floor_fails(folder: Path, capsys: Output) -> None:
    assert cold("cli_target_cold.py", "--goals", "goals.json", "--floor", "1") == 0
    assert "bm25: hit@1 2 of 2" in capsys.readouterr().out


@pytest.mark.requirement("COLD-09")
def test_a_model_plays_and_its_key_is_in_no_output(
    folder: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AFFORD_MODEL_KEY", "secret-key")
    script = Script()
    script.calls("search", "{}")
    script.calls("search", "{}")
    with answering(script) as address:
        words = ("--goals", "goals.json", "--model", address, "--model-name", "small", "--format", "json")
        assert cold("cli_target_cold.py", *words) == 0
    written = capsys.readouterr()
    (_, pick) = json.loads(written.out)["picks"]
    assert (pick["by"], pick["hit1"], pick["first_calls"], pick["retries"]) == ("small", 1, 1, 0)
    assert script.keys[0] == "Bearer secret-key"
    assert "secret-key" not in written.out + written.err


def test_a_run_that_is_out_of_calls_says_so(folder: Path, capsys: Output) -> None:
    cold("cli_target_cold.py", "--max-calls", "3")
    assert "ended early" in capsys.readouterr().out


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("cli_target_cold.py", "--stdio", "server"),
        ("--stdio", " "),
        ("--stdio", "server", "--header", "A: b"),
        ("--stdio", "server", "--as", "ann"),
        ("cli_target_cold.py", "--header", "A: b"),
        ("cli_target_cold.py", "--over", "mcp", "--door", "app"),
        ("http://127.0.0.1:9/schema", "--as", "ann"),
        ("http://127.0.0.1:9/schema", "--header", "no-colon"),
        ("http://127.0.0.1:9/schema",),
        ("http://127.0.0.1:9/mcp",),
        ("cli_target_cold.py", "--embeddings"),
        ("cli_target_cold.py", "--goals", "none.json"),
        ("cli_target_cold.py", "--goals", "goals.json", "--model", "gpt"),
        ("cli_target_none.py",),
    ],
    ids=" ".join,
)
def test_a_wrong_use_is_one_error_that_says_what_to_do(folder: Path, capsys: Output, words: tuple[str, ...]) -> None:
    assert cold(*words) == 2
    written = capsys.readouterr()
    assert written.out == ""
    assert written.err.startswith("error: ")


@pytest.mark.parametrize("over", ["http", "mcp"])
def test_an_app_that_offers_this_caller_nothing_asks_who_calls(folder: Path, capsys: Output, over: str) -> None:
    assert cold("cli_target_locked.py", "--over", over) == 2
    assert "--as" in capsys.readouterr().err
    assert cold("cli_target_locked.py", "--over", over, "--as", "ann", "--roles", "clerk") == 0


def test_an_app_that_does_not_start_is_told_with_its_own_traceback(folder: Path, capsys: Output) -> None:
    assert cold("cli_target_broken_lifespan.py") == 1
    assert "no database" in capsys.readouterr().err


def test_a_credential_that_is_no_header_value_is_never_printed(folder: Path, capsys: Output) -> None:
    assert cold("http://127.0.0.1:9/schema", "--token", "se\ncret") == 2
    assert "cret" not in capsys.readouterr().err


def test_a_token_in_the_environment_is_for_addresses_and_keeps_no_app_from_being_tried(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AFFORD_TOKEN", "t")
    assert cold("cli_target_cold.py") == 0
