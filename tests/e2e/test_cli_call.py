"""`afford call` as people use it: over an address as in the process, with pages, tables, consent and completion."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from tests.e2e.test_cli import Answer, Run, ended
from tests.served import served

from afford import instances
from afford.cli.main import main
from afford.cli.tables import table_of

STORE = '''
"""A store with pages, a closed set, and things that a person should be asked about."""

from typing import Annotated, Literal

from pydantic import Field

from afford import Agent, ApiKeys, App, Page, PageRequest, Paging, Principal, anyone, roles
from afford import UnavailableError

app = App("store", roles=("staff",), authenticate=ApiKeys({"key-of-ada": Principal("ada", roles=["staff"])}))
done = []


@app.query(description="Lists crates.", access=anyone(), paging=Paging(default=2, max=3))
async def crates(
    area: Annotated[Literal["north", "south east"], Field(description="Where they stand.")] = "north",
    heaviest: int = 7,
    fails_after: int | None = None,
    *,
    page: PageRequest[int],
) -> Page[dict[Literal["name", "weight"], str | int]]:
    start = page.after or 0
    if fails_after is not None and start >= fails_after:
        raise UnavailableError("the scales are away")
    rows = [{"name": f"{area} {number}", "weight": number} for number in range(start, heaviest)][: page.limit]
    end = start + len(rows)
    return Page(rows, next=end if end < heaviest else None, total=heaviest)


@app.query(description="Says who calls.", access=anyone())
def whoami(tags: list[str] | None = None) -> list[dict[str, str]]:
    return [{"name": "\\x1b[31mred", "tags": "/".join(tags or [])}]


@app.action(description="Burns it all down.", access=roles("staff"), agent=Agent(safety="destructive"))
def burn(crate: str) -> str:
    return f"{crate} burnt"


@app.action(description="Moves money.", access=roles("staff"), agent=Agent(risk="high"))
def pay(amount: int) -> str:
    return f"{amount} paid"


@app.action(description="Sweeps.", access=roles("staff"))
def sweep(times: int = 1) -> str:
    return f"swept {times}"
'''
STAFF = ("--as", "ada", "--roles", "staff")
KEY = ("--token", "key-of-ada")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The current folder with the app, which is forgotten afterwards."""
    (tmp_path / "cli_store.py").write_text(STORE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delenv("AFFORD_TOKEN", raising=False)
    yield tmp_path
    sys.modules.pop("cli_store", None)


@pytest.fixture
def afford(folder: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*words: str) -> Answer:
        return ended(lambda: main(words), capsys)

    return run


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the same app is served, by another process."""
    file = tmp_path_factory.mktemp("served") / "store.py"
    file.write_text(STORE, encoding="utf-8")
    with served(file) as endpoint:
        yield endpoint.removesuffix("/mcp")


def pointers(answer: Answer) -> set[str]:
    return {fault["pointer"] for fault in answer.json.get("errors", [])}


# consent


@pytest.mark.requirement("CLI-10")
@pytest.mark.parametrize("words", [("burn", "crate=a"), ("pay", "amount=3")])
def test_what_is_destructive_or_of_high_risk_is_refused_where_nobody_can_be_asked(words: Any, afford: Run) -> None:
    assert afford("call", "cli_store.py", *words, *STAFF).code == 2
    assert afford("call", "cli_store.py", *words, *STAFF, "--yes", "--json").code == 0


@pytest.mark.requirement("CLI-10")
def test_what_is_neither_runs_without_a_question(afford: Run) -> None:
    assert afford("call", "cli_store.py", "sweep", *STAFF, "--json").json == "swept 1"


@pytest.mark.requirement("CLI-10")
@pytest.mark.parametrize(("typed", "code", "out"), [("y\n", 0, b'"a burnt"\n'), ("n\n", 1, b""), ("\n", 1, b"")])
def test_on_a_terminal_the_person_decides(typed: str, code: int, out: bytes, folder: Path) -> None:
    here, there = pty.openpty()
    command = [sys.executable, "-m", "afford", "call", "cli_store.py", "burn", "crate=a", *STAFF]
    with subprocess.Popen(command, cwd=folder, stdin=there, stderr=there, stdout=subprocess.PIPE) as process:
        os.close(there)
        shown = b""
        while not shown.endswith(b": "):
            shown += os.read(here, 4096)
        os.write(here, typed.encode())
        assert process.stdout is not None
        assert (process.wait(), process.stdout.read()) == (code, out)
    os.close(here)
    assert b'"crate":"a"' in shown


# over an address


@pytest.mark.requirement("CLI-11")
@pytest.mark.parametrize(
    "words",
    [
        ("crates", "area=south east", "heaviest=1"),
        ("crates", "--limit", "3"),
        ("crates", "area=west", "heaviest=much", "wait=1"),
        ("whoami", "tags=a b", "tags=c&d"),
        ("sweep", "times=3"),
        ("sweep", "times=x"),
        ("burn", "crate=a", "--yes"),
        ("nothing",),
        ("pay", "--json-args", '{"amount": 1}', "--yes"),
    ],
)
def test_an_address_answers_as_the_app_in_this_process_does(words: Any, afford: Run, address: str) -> None:
    here, there = (
        afford("call", "cli_store.py", *words, *STAFF, "--json"),
        afford("call", address, *words, *KEY, "--json"),
    )
    assert here.code == there.code
    if here.code:
        assert here.json["code"] == there.json["code"]
        assert pointers(here) == pointers(there)
    else:
        assert here.json == there.json


@pytest.mark.requirement("CLI-11")
def test_credentials_come_from_the_environment_or_from_a_header(
    afford: Run, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert afford("call", address, "sweep").code == 1
    assert afford("call", address, "sweep", "--header", "Authorization: Bearer key-of-ada").code == 0
    monkeypatch.setenv("AFFORD_TOKEN", "key-of-ada")
    assert afford("call", address, "sweep").code == 0


@pytest.mark.requirement("CLI-11")
@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("--as", "ada"), 2),
        (("--header", "no colon"), 2),
        (("--header", "X: a\nb"), 2),
        (("--token", "é"), 2),
        (("--token", "wrong"), 1),
        ((*KEY, "--answer", "a.b=c"), 2),
    ],
)
def test_what_an_address_cannot_be_sent_is_refused(words: Any, code: int, afford: Run, address: str) -> None:
    answer = afford("call", address, "sweep", *words)
    assert (answer.code, answer.out) == (code, "")
    assert "wrong" not in answer.err


@pytest.mark.requirement("CLI-11")
def test_where_nobody_answers_or_no_catalog_is_one_sentence_says_so(afford: Run, address: str) -> None:
    for nowhere in ("http://127.0.0.1:1/agent", address.removesuffix("/agent"), f"{address}/nothing"):
        answer = afford("call", nowhere, "sweep")
        assert (answer.code, answer.out, answer.err.count("\n")) == (1, "", 1)


@pytest.mark.requirement("CLI-11")
def test_credentials_follow_no_redirect(afford: Run) -> None:
    seen: list[str | None] = []

    class Elsewhere(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            seen.append(self.path)
            self.send_response(302)
            self.send_header("Location", "/stolen")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_told: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        answer = afford("call", f"http://127.0.0.1:{server.server_port}/agent", "sweep", *KEY)
        server.shutdown()
    assert (answer.code, seen) == (1, ["/agent/schema"])


# pages


@pytest.mark.requirement("CLI-12")
@pytest.mark.parametrize("place", ["cli_store.py", "address"])
def test_all_pages_are_one_answer(place: str, afford: Run, address: str) -> None:
    target = address if place == "address" else place
    answer = afford("call", target, "crates", "--all", "--limit", "3", "--json")
    assert [row["weight"] for row in answer.json] == list(range(7))
    assert answer.err.count("more rows") == 0
    assert len(afford("call", target, "crates", "--json").json) == 2


@pytest.mark.requirement("CLI-12")
def test_what_was_read_stays_where_a_later_page_fails(afford: Run) -> None:
    answer = afford("call", "cli_store.py", "crates", "fails_after=4", "--all", "--json")
    assert (answer.code, [row["weight"] for row in answer.json]) == (1, [0, 1, 2, 3])
    assert "unavailable" in answer.err
    assert "--cursor" in answer.err


# tables


@pytest.mark.requirement("CLI-13")
def test_rows_are_a_table_on_a_terminal_and_json_in_a_pipe(folder: Path) -> None:
    here, there = pty.openpty()
    command = [sys.executable, "-m", "afford", "call", "cli_store.py", "whoami", "tags=x"]
    variables = {**os.environ, "TERM": "dumb", "COLUMNS": "80"}
    with subprocess.Popen(command, cwd=folder, stdout=there, stderr=subprocess.DEVNULL, env=variables) as process:
        os.close(there)
        shown = b""
        while True:
            try:
                part = os.read(here, 4096)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            shown += part
        assert process.wait() == 0
    os.close(here)
    assert b"{" not in shown.replace(b"\\u{1b}", b"")
    assert b"\x1b[31m" not in shown
    assert b"\\u{1b}[31mred" in shown


@pytest.mark.requirement("CLI-13")
def test_columns_are_those_of_the_schema_then_what_else_is_there() -> None:
    rows = [{"extra": 1, "name": "a"}, {"name": "b", "tags": ["x", "y"], "deep": {"k": None}, "gone": None}]
    columns, cells = table_of(rows, ("name", "missing")) or ((), [])
    assert list(columns) == ["name", "extra", "tags", "deep", "gone"]
    assert [list(row) for row in cells] == [["a", "1", "", "", ""], ["b", "", "x, y", "k: null", ""]]
    assert table_of({"a": 1}, ()) == (("", ""), [("a", "1")])
    assert [table_of(value, ()) for value in ([], [1], "text", {}, [{"a": 1}, 1])] == [None] * 5
    assert table_of([{"rooms": [{"id": 1, "beds": 2}, {"id": 3}]}], ()) == (
        ("", ""),
        [("rooms", "id: 1, beds: 2\nid: 3")],
    )


# completion


def completed(folder: Path, *words: str, dialect: str = "zsh") -> list[str]:
    """What a shell proposes for a line that ends with the last word."""
    line = ["afford", *words]
    variables = {"_AFFORD_COMPLETE": f"complete_{dialect}", "COMP_WORDS": " ".join(line), "COMP_CWORD": str(len(words))}
    variables |= {"_TYPER_COMPLETE_ARGS": " ".join(line), "_TYPER_COMPLETE_FISH_ACTION": "get-args"}
    command = [sys.executable, "-c", "from afford.cli.main import main; main()"]
    answer = subprocess.run(
        command, cwd=folder, env={**os.environ, **variables}, capture_output=True, text=True, check=False
    )
    assert answer.stderr == ""
    return answer.stdout.split("\n")


@pytest.mark.requirement("CLI-14")
def test_a_shell_completes_what_may_stand_next(folder: Path) -> None:
    def bash(*words: str) -> list[str]:
        return [line for line in completed(folder, *words, dialect="bash") if line]

    assert bash("call", "cli_st") == ["cli_store.py"]
    assert bash("call", "cli_store.py", "") == ["crates", "whoami"]
    assert bash("call", "cli_store.py", *STAFF, "s") == ["sweep"]
    assert bash("call", "cli_store.py", "crates", "h") == ["heaviest="]
    assert bash("call", "cli_store.py", "crates", "area=s") == ["area=south east"]
    assert bash("call", "cli_store.py", "crates", "area", "=", "n") == ["north"]
    assert bash("call", "cli_store.py", "crates", "area", "=") == ["north", "south east"]
    assert "area=" not in bash("call", "cli_store.py", "crates", "area=north", "")


@pytest.mark.requirement("CLI-14")
def test_zsh_and_fish_are_told_what_a_proposal_is(folder: Path) -> None:
    assert any("crates" in line and "Lists crates" in line for line in completed(folder, "call", "cli_store.py", "cr"))
    fish = completed(folder, "call", "cli_store.py", "cr", dialect="fish")
    assert any("crates" in line and "Lists crates" in line for line in fish)


@pytest.mark.requirement("CLI-14")
def test_where_nothing_can_be_proposed_nothing_is_said(folder: Path) -> None:
    (folder / "broken.py").write_text("App(\nraise SystemExit('loud')", encoding="utf-8")
    for words in (
        ("broken.py", "x"),
        ("missing.py", "x"),
        ("http://127.0.0.1:1/agent", "x"),
        ("cli_store.py", "no", "x"),
    ):
        assert [line for line in completed(folder, "call", *words, dialect="bash") if line] == []


# a running instance


@pytest.fixture
def instance(address: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[instances.Instance]:
    """The served app as an instance of this process's, with a token that it takes for Ada's."""
    monkeypatch.setenv(instances.FOLDER_VARIABLE, str(folder / "instances"))
    left = instances.Instance(
        id=instances.new_id(),
        name="store",
        title="Store",
        pid=os.getpid(),
        started=instances.started(),
        url=address.removesuffix("/agent"),
        mount="/agent",
        mcp=None,
        console=None,
        token=KEY[1],
        target="store.py",
        cwd=str(folder),
        version="1",
        started_at="2026-01-05T09:00:00Z",
    )
    instances.write(left)
    yield left
    instances.remove(left.id)


@pytest.mark.requirement("CLI-11")
def test_a_running_instance_is_called_by_its_name_or_id_as_whoever_it_was_started_for(
    instance: instances.Instance, afford: Run
) -> None:
    for name in ("@store", f"@{instance.id}"):
        assert afford("call", name, "sweep", "--json").json == "swept 1"
    unknown = afford("call", "@nothing", "sweep")
    assert (unknown.code, "@store" in unknown.err, instance.token in unknown.err) == (2, True, False)
    instances.write(replace(instance, id=instances.new_id()))
    assert afford("call", "@store", "sweep").code == 2


@pytest.mark.requirement("CLI-14")
def test_running_instances_are_proposed_by_name(instance: instances.Instance, folder: Path) -> None:
    assert [line for line in completed(folder, "call", "@st", dialect="bash") if line] == ["@store"]
