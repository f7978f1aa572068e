"""The command line over what only agents are offered: tools, resources, state, prompts, and questions to a person."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Self

import pytest
from tests.e2e.test_cli import Answer, Run, ended

from afford.cli.main import main

HOUSE = '''
"""A house with everything that agents are offered."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field, SecretStr, field_validator

from afford import Agent, App, Ask, Image, Result, Tool, anyone, roles


class Pickup(BaseModel):
    place: Annotated[str, Field(description="Where the car waits.", min_length=3)]
    people: Annotated[int, Field(ge=1, le=4)] = 1
    kind: Literal["car", "van"]
    extras: list[Literal["seat", "pet"]] = []
    now: bool
    note: str | None = None

    @field_validator("place")
    @classmethod
    def is_on_earth(cls, place: str) -> str:
        if place == "moon":
            raise ValueError("no car gets there")
        return place


class Consent(BaseModel):
    agreed: bool


class Pin(BaseModel):
    pin: SecretStr


app = App("house", access=anyone(), roles=("staff",), expose_shared_state=lambda key: key in ("mood", "guests/ada"))


@app.query(description="Counts.")
def counted() -> list[int]:
    return [1]


@app.action(description="Orders a car.")
def order(
    room: int,
    pickup: Annotated[Pickup, Ask("Where shall the car for room {room} wait?")],
    consent: Annotated[Consent, Ask("Do you agree?")],
) -> str:
    told = room, pickup.place, pickup.people, pickup.kind, pickup.extras, pickup.now, pickup.note, consent.agreed
    return " ".join(map(str, told))


@app.action(description="Unlocks.")
def unlock(proof: Annotated[Pin, Ask("Which pin?")]) -> int:
    return len(proof.pin.get_secret_value())


def sweep(room: int, *, wet: bool = False) -> str:
    return f"swept {room}{' wet' if wet else ''}"


def add(left: int, right: int) -> int:
    return left + right


def photograph() -> Result[str]:
    return Result("a wall", [Image(b"...")])


app.tool("sweep", handler=sweep, description="Sweep a room. Any room.")
app.tool("add", handler=add, description="Add.", args=[int, int], safety="read")
app.tool("photograph", handler=photograph, description="Take a picture.")
app.tool("lock", handler=sweep, description="Lock a room.", access=roles("staff"))
app.tool("hidden", handler=sweep, description="For nobody.", agent=Agent(expose=False))
app.tool_provider(lambda caller: [Tool(id="dust", handler=sweep, description="Dust a room.")])
app.resource("rules", name="House rules", description="Read them first. Please.", read=lambda: "No shoes.")
app.resource("safe", name="Safe", read=lambda: "1234", access=roles("staff"))
app.resource("room", name="Room", uri_template="house://room/{number}", read=lambda number: number)
app.shared_state("mood", "fine")
app.shared_state("secrets", "many")
app.shared_state("guests/{name}", 0)
app.prompt("greet", description="Greets.", handler=lambda name: f"Hello {name}.")
'''

STAFF = ("--as", "ada", "--roles", "staff")
ANSWERED = {
    "pickup.place": "Pier",
    "pickup.kind": "van",
    "pickup.now": "false",
    "consent.agreed": "true",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    (tmp_path / "cli_house.py").write_text(HOUSE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    yield tmp_path
    sys.modules.pop("cli_house", None)


@pytest.fixture
def afford(folder: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    def run(command: str, *words: str) -> Answer:
        return ended(lambda: main([command, "cli_house.py", *words]), capsys)

    return run


def answers(**changes: str | None) -> list[str]:
    """The options that answer both questions; a changed one in place of the usual, None leaves it out."""
    given = {**ANSWERED, **{name.replace("__", "."): text for name, text in changes.items()}}
    return [word for name, text in given.items() if text is not None for word in ("--answer", f"{name}={text}")]


# manifest, why, check


@pytest.mark.requirement("CLI-08")
def test_the_manifest_as_text_has_a_table_for_everything_that_agents_are_offered(afford: Run) -> None:
    lines = [" ".join(line.split()) for line in afford("manifest").out.splitlines()]
    for expected in (
        "counted query read low principal Counts.",
        "sweep action mid Sweep a room.",
        "dust action mid Dust a room.",
        "afford://resource/rules House rules Read them first.",
        "house://room/{number} Room",
        "afford://state/mood mood application/json",
        "greet name Greets.",
    ):
        assert expected in lines
    assert not [line for line in lines if line.startswith(("lock", "hidden", "afford://resource/safe"))]


@pytest.mark.requirement("CLI-08", "MAN-05")
def test_the_manifest_as_json_keeps_operations_and_tools_apart_on_every_surface(afford: Run) -> None:
    for surface in ("http", "mcp", "cli"):
        told = afford("manifest", "--json", "--surface", surface, *STAFF).json
        assert [item["name"] for item in told["operations"]] == ["counted", "order", "unlock"]
        names = [item["name"] for item in told["tools"]]
        assert names == ["add", "afford_state_read", "dust", "lock", "photograph", "sweep"]
        assert len(told["resources"]) == 5
        assert "prompts" not in told


@pytest.mark.requirement("CLI-08")
@pytest.mark.parametrize(
    ("words", "gate"),
    [
        (["sweep"], None),
        (["dust"], None),
        (["afford_state_read"], None),
        (["lock"], "access"),
        (["lock", *STAFF], None),
        (["hidden"], "exposed"),
        (["hidden", "--door", "app"], None),
        (["sweep", "--surface", "http"], "surface"),
        (["resource:rules"], None),
        (["resource:room"], None),
        (["resource:safe"], "access"),
        (["resource:safe", *STAFF], None),
        (["resource:nothing"], "declared"),
        (["state:mood"], None),
        (["state:guests/{name}"], None),
        (["state:guests/ada"], None),
        (["state:guests/bob"], "exposed"),
        (["state:secrets"], "exposed"),
        (["state:secrets", "--door", "app"], None),
        (["state:nothing"], "declared"),
        (["prompt:greet"], None),
        (["prompt:nothing"], "declared"),
        (["nothing"], "declared"),
    ],
)
def test_why_names_the_first_gate_of_anything_that_agents_are_offered(
    words: list[str], gate: str | None, afford: Run
) -> None:
    answer = afford("why", *words, "--json")
    assert answer.code == (0 if gate is None else 1)
    assert (answer.json["offered"], answer.json["gate"]) == (gate is None, gate)
    assert answer.json["message"]
    assert (answer.json["fix"] is None) is (gate is None)


def test_why_proposes_ids_of_every_kind(afford: Run) -> None:
    assert "`prompt:greet`" in afford("why", "prompt:great").out
    assert "`state:mood`" in afford("why", "state:moods").out


@pytest.mark.requirement("CLI-03")
def test_check_counts_operations_and_tools_apart(afford: Run) -> None:
    answer = afford("check")
    assert answer.code == 0
    counts = answer.out.partition(";")[0].split(", ")
    assert counts == ["3 operations", "5 tools", "6 resources", "1 prompt"]


@pytest.mark.requirement("CLI-04")
def test_serve_counts_operations_and_tools_apart_for_everybody(folder: Path) -> None:
    command = [sys.executable, "-m", "afford", "serve", "cli_house.py", "--port", "0"]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.terminate()
        told = process.communicate(timeout=30)[1]
    words = [line.split() for line in told.splitlines()]
    assert ["operations", "tools"] in words
    assert ["anonymous", "3", "3"] in words
    assert "providers" in told


# call


@pytest.mark.requirement("CLI-06", "TOOL-01")
@pytest.mark.parametrize(
    ("words", "value"),
    [
        (["sweep", "room=7", "wet=true"], "swept 7 wet"),
        (["dust", "room=7"], "swept 7"),
        (["add", "arg0=2", "arg1=3"], 5),
        (["photograph"], "a wall"),
        (["afford_state_read", "key=mood"], {"key": "mood", "version": 1, "value": "fine"}),
        (["lock", "room=1", *STAFF], "swept 1"),
    ],
)
def test_a_tool_is_called_like_an_operation(words: list[str], value: object, afford: Run) -> None:
    answer = afford("call", *words, "--json")
    assert (answer.code, answer.json) == (0, value)


@pytest.mark.parametrize("name", ["lock", "hidden", "nothing", "resource:rules", "prompt:greet"])
def test_what_a_caller_is_not_offered_to_call_is_unknown(name: str, afford: Run) -> None:
    answer = afford("call", name, "--json")
    assert (answer.code, answer.json["code"]) == (1, "unknown_operation")


@pytest.mark.requirement("CLI-09", "ASK-01")
def test_a_question_is_answered_by_options(afford: Run) -> None:
    answer = afford("call", "order", "room=7", *answers(), "--answer", "pickup.extras=pet", "--json")
    assert (answer.code, answer.json) == (0, "7 Pier 1 van ['pet'] False None True")


@pytest.mark.requirement("CLI-09")
def test_without_a_terminal_an_open_question_is_a_coded_refusal_that_says_how_to_answer(afford: Run) -> None:
    answer = afford("call", "order", "room=7", "--answer", "consent.agreed=true", "--json")
    assert (answer.code, answer.json["code"], answer.json["status"]) == (1, "input_required", 428)
    assert "--answer pickup.place=" in answer.json["fix"]
    assert "room 7" in answer.json["detail"]


@pytest.mark.requirement("CLI-09")
@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"pickup__people": "five"}, {"/pickup/people": "wrong_type"}),
        ({"pickup__kind": "bus"}, {"/pickup/kind": "not_a_choice"}),
        ({"pickup__place": None}, {"/pickup/place": "missing"}),
        ({"pickup__place": "moon"}, {"/pickup/place": "rule"}),
        ({"pickup__colour": "red"}, {"/pickup/colour": "unknown_argument"}),
    ],
)
def test_an_answer_outside_its_form_is_refused_at_its_field(
    changes: dict[str, str | None], fault: dict[str, str], afford: Run
) -> None:
    answer = afford("call", "order", "room=7", *answers(**changes), "--json")
    assert answer.code == 1
    assert {item["pointer"]: item["code"] for item in answer.json["errors"]} == fault


@pytest.mark.requirement("CLI-09")
def test_arguments_are_judged_before_anything_is_asked(afford: Run) -> None:
    answer = afford("call", "order", "room=seven", "--json")
    assert (answer.code, answer.json["code"]) == (1, "bad_request")


@pytest.mark.requirement("CLI-01")
@pytest.mark.parametrize(
    "words",
    [
        ["order", "--answer", "pickup"],
        ["order", "--answer", "pickup.place"],
        ["order", "--answer", "place=Pier"],
        ["order", "--answer", "nothing.place=Pier"],
        ["counted", "--answer", "pickup.place=Pier"],
    ],
)
def test_an_answer_to_no_question_is_wrong_usage(words: list[str], afford: Run) -> None:
    answer = afford("call", *words)
    assert (answer.code, answer.out) == (2, "")


def test_a_name_that_is_not_offered_is_unknown_whatever_is_answered(afford: Run) -> None:
    answer = afford("call", "hidden", "--answer", "pickup.place=Pier", "--json")
    assert (answer.code, answer.json["code"]) == (1, "unknown_operation")


# on a terminal


class Terminal:
    """`afford call` with somebody at the keyboard: stdin and stderr are a terminal, stdout is a pipe."""

    def __init__(self, folder: Path, *words: str) -> None:
        self._here, there = pty.openpty()
        command = [sys.executable, "-m", "afford", "call", "cli_house.py", *words, "--json"]
        self._process = subprocess.Popen(command, cwd=folder, stdin=there, stderr=there, stdout=subprocess.PIPE)
        os.close(there)
        self.shown = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_raised: object) -> None:
        self._process.kill()
        self._process.communicate()
        os.close(self._here)

    def interrupt(self) -> None:
        """What a terminal does for Ctrl-C, once a prompt is shown; again where it came just before the waiting."""
        self.read(until=": ")
        self._process.send_signal(signal.SIGINT)
        while not select.select([self._here], [], [], 5)[0]:
            self._process.send_signal(signal.SIGINT)

    def type(self, *lines: str) -> Self:
        """Wait for each prompt, and type the next line."""
        for line in lines:
            self.read(until=": ")
            os.write(self._here, line.encode())
        return self

    def read(self, until: str = "") -> str:
        """What is shown until it ends with a prompt, or (empty) until the program ends."""
        part = ""
        while not (until and part.endswith(until)):
            assert select.select([self._here], [], [], 60)[0], f"nothing more is shown after: {self.shown}"
            try:
                data = os.read(self._here, 4096)
            except OSError:  # the other end is closed
                break
            part += data.decode()
            self.shown += data.decode()
        return part

    def end(self) -> tuple[int, bytes]:
        """The exit code and what was written as data."""
        self.read()
        assert self._process.stdout is not None
        return self._process.wait(), self._process.stdout.read()


@pytest.mark.requirement("CLI-09")
def test_a_secret_is_not_shown_while_it_is_typed(folder: Path) -> None:
    with Terminal(folder, "unlock") as terminal:
        assert terminal.type("hunter2\n").end() == (0, b"7\n")
    assert "hunter2" not in terminal.shown


@pytest.mark.requirement("CLI-09", "ASK-01")
def test_on_a_terminal_the_person_is_asked_field_by_field_until_the_answers_fit(folder: Path) -> None:
    with Terminal(folder, "order", "room=7") as terminal:
        terminal.type("x\n", "\n", "moon\n", "9\n", "2\n", "bus\n", "van\n", "seat, pet\n", "maybe\n", "y\n", "\n")
        terminal.type("Pier\n", "\n", "car\n", "\n", "no\n", "two bags\n", "yes\n")
        assert terminal.end() == (0, b'"7 Pier 1 car [] False two bags True"\n')
    assert "room 7" in terminal.shown
    assert "no car gets there" in terminal.shown


@pytest.mark.requirement("CLI-09")
def test_what_is_answered_by_options_is_not_asked(folder: Path) -> None:
    with Terminal(folder, "order", "room=7", *answers(consent__agreed=None)) as terminal:
        assert terminal.type("n\n").end() == (0, b'"7 Pier 1 van [] False None False"\n')
    assert "place" not in terminal.shown


@pytest.mark.requirement("CLI-09")
@pytest.mark.parametrize("way", ["end of input", "interrupt"])
def test_a_person_who_closes_the_question_ends_the_call_before_anything_runs(way: str, folder: Path) -> None:
    with Terminal(folder, "order", "room=7") as terminal:
        terminal.type("Pier\n")
        if way == "interrupt":
            terminal.interrupt()
        else:
            terminal.type("\x04")
        code, out = terminal.end()
    assert code == 1
    assert b'"cancelled"' in out
