"""The command line as people and programs meet it: words in; data, messages and an exit code out."""

from __future__ import annotations

import asyncio
import io
import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from afford import App, Principal
from afford.cli.main import COMMANDS, main, run_for
from afford.testing import client

SHOP = '''
"""A shop with everything that commands show."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel

from afford import Agent, ApiKeys, App, Choices, Feature, Page, PageRequest, Paging, Principal, anyone, claim, roles


class Thing(BaseModel):
    name: str
    size: int


async def load_areas() -> list[str]:
    return ["north", "south"]


@asynccontextmanager
async def lifespan(app: App) -> AsyncIterator[None]:
    print("opening")
    with Path("life.log").open("a") as log:
        log.write("start ")
    yield
    with Path("life.log").open("a") as log:
        log.write("stop ")


app = App(
    "shop",
    title="Shop",
    version="2.0.0",
    roles=("guest", "staff"),
    authenticate=ApiKeys({"shop-key-ada": Principal("ada", roles=["staff"])}),
    lifespan=lifespan,
)
app.entity("thing", Thing, description="A thing for sale.")
app.screen("things", type="list", path="/things", description="All things. And more.")
SoldOut = app.problem("SOLD_OUT", status=409, title="Sold out", fix="come back later")
desk = Feature("desk", access=roles("staff"))


@app.query(description="Lists things. Page by page.", access=anyone(), paging=Paging(default=2, max=3), entity="thing")
async def things(
    area: Annotated[str, Choices(load_areas)] = "north",
    sizes: list[int] | None = None,
    *,
    page: PageRequest[int],
) -> Page[Thing]:
    start = page.after or 0
    wanted = [size for size in sizes or range(7)]
    rows = [Thing(name=f"{area} {size}", size=size) for size in wanted[start : start + page.limit]]
    end = start + len(rows)
    return Page(rows, next=end if end < len(wanted) else None, total=len(wanted))


@app.action(description="Buys a thing.", access=roles("guest", "staff"), raises=[SoldOut])
async def buy(name: str, count: int = 1) -> str:
    print("buying")
    if name == "nothing":
        raise SoldOut("there is none left")
    if name == "lightning":
        raise RuntimeError("struck")
    return f"{count} of {name}"


@desk.query(description="Counts the till.")
async def till() -> list[int]:
    return [3]


@app.action(description="Closes the shop.", access=claim("tenant", "acme"), agent=Agent(expose=False))
def close() -> None: ...


app.include(desk)
'''

GAPS = """
from afford import App, anyone

app = App("gaps", access=anyone())
app.screen("start", type="custom", path="/")

@app.query()
def zulu() -> list[str]:
    return []

@app.action()
def alpha() -> None: ...
"""

BROKEN = """
from afford import App, anyone, roles

app = App("broken", roles=("guest",))

@app.query(description="Zulu.", access=roles("gest"))
def zulu(x) -> list[str]:
    return []

@app.query(description="Alpha.")
def alpha() -> list[str]:
    return []
"""

OPEN = """
from afford import App, anyone

app = App("open", access=anyone())

@app.action(description="Writes.")
def write() -> None: ...
"""

AWAY = """
from contextlib import asynccontextmanager
from afford import App, anyone

@asynccontextmanager
async def lifespan(app):
    raise ConnectionError("the database is away")
    yield

app = App("away", access=anyone(), lifespan=lifespan)

@app.query(description="Reads.")
def read() -> list[str]:
    return []
"""


@dataclass(frozen=True, slots=True)
class Answer:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Run = Callable[..., Answer]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The current folder with one app per file; what is imported from it is forgotten afterwards."""
    files = {"shop": SHOP, "gaps": GAPS, "broken": BROKEN, "open": OPEN, "away": AWAY}
    for name, text in files.items():
        (tmp_path / f"cli_{name}.py").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    yield tmp_path
    for name in files:
        sys.modules.pop(f"cli_{name}", None)


@pytest.fixture
def afford(folder: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the program in this process."""

    def run(*words: str) -> Answer:
        return ended(lambda: main(words), capsys)

    return run


@pytest.fixture
def shop(folder: Path, afford: Run) -> App:
    """The shop itself."""
    afford("check", "cli_shop.py")
    app = sys.modules["cli_shop"].app
    assert isinstance(app, App)
    return app


def ended(program: Callable[[], None], capsys: pytest.CaptureFixture[str]) -> Answer:
    capsys.readouterr()
    with pytest.raises(SystemExit) as raised:
        program()
    captured = capsys.readouterr()
    assert isinstance(raised.value.code, int)
    return Answer(raised.value.code, captured.out, captured.err)


# Every command, and what they have in common


@pytest.mark.requirement("CLI-01", "FRAME-49")
@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_every_command_explains_itself_with_an_example(command: Any, afford: Run) -> None:
    answer = afford(command.name, "--help")
    assert (answer.code, answer.err) == (0, "")
    assert f"afford {command.name} " in answer.out.partition("Example")[2]


@pytest.mark.requirement("CLI-01")
@pytest.mark.parametrize(
    "words",
    [
        [],
        ["no-such-command"],
        ["check"],
        ["check", "cli_missing.py"],
        ["check", "cli_shop.py", "--no-such-option"],
        ["manifest", "cli_shop.py", "--door", "back"],
        ["manifest", "cli_shop.py", "--roles", "staff"],
        ["manifest", "cli_shop.py", "--as", "ada", "--roles", "stuff"],
        ["why", "cli_shop.py"],
        ["call", "cli_shop.py"],
        ["call", "cli_shop.py", "things", "area"],
        ["call", "cli_shop.py", "things", "--limit", "many"],
        ["call", "cli_shop.py", "things", "--json-args", "[1]"],
        ["call", "cli_shop.py", "things", "--json-args", "{"],
        ["call", "cli_shop.py", "things", "--json-args", "{}", "-"],
        ["call", "cli_shop.py", "things", "area=north", "--json-args", '{"area": "south"}'],
        ["explain", "no-such-code"],
        ["serve", "cli_shop.py", "--port", "99999"],
        ["serve", "cli_shop.py", "--workers", "0"],
        ["serve", "cli_shop.py", "--path", "/a b"],
        ["serve", "cli_shop.py", "--public-url", "shop.example"],
        ["serve", "cli_shop.py", "--host", "192.0.2.1"],
    ],
)
def test_wrong_usage_exits_2_with_a_message_and_no_data(words: list[str], afford: Run) -> None:
    answer = afford(*words)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err != ""
    assert "Traceback" not in answer.err


@pytest.mark.requirement("CLI-01")
@pytest.mark.parametrize("command", ["manifest", "schema", "openapi", "serve"])
def test_an_app_that_does_not_build_is_a_finding_of_every_command(command: str, afford: Run) -> None:
    answer = afford(command, "cli_broken.py")
    assert (answer.code, answer.out) == (1, "")
    assert {"ACC101", "ACC102", "DEC104"} <= set(answer.err.replace(":", " ").split())


def test_the_version_is_that_of_the_package(afford: Run) -> None:
    answer = afford("--version")
    assert (answer.code, answer.out) == (0, f"afford {sys.modules['afford'].__version__}\n")


def test_a_shell_is_told_how_commands_go_on(afford: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_AFFORD_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", "afford ch")
    monkeypatch.setenv("COMP_CWORD", "1")
    assert afford().out.split() == ["check"]


@pytest.mark.requirement("CLI-02")
@pytest.mark.parametrize("target", ["cli_shop.py", "cli_shop.py:app", "cli_shop:app"])
def test_a_target_is_a_file_a_file_with_an_attribute_or_a_module(target: str, afford: Run) -> None:
    assert afford("check", target).code == 0


# check


@pytest.mark.requirement("CLI-03")
def test_a_described_app_has_nothing_to_report(afford: Run) -> None:
    assert afford("check", "cli_shop.py").code == 0
    answer = afford("check", "cli_shop.py", "--json")
    assert (answer.code, answer.json, answer.err) == (0, [], "")


@pytest.mark.requirement("CLI-03", "GAP-07")
def test_gaps_are_findings_sorted_by_what_they_are_about(afford: Run) -> None:
    answer = afford("check", "cli_gaps.py", "--json")
    assert answer.code == 1
    assert [(item["code"], item["subject"]) for item in answer.json] == [
        ("GAP101", "alpha"),
        ("GAP102", "gaps:screen:start"),
        ("GAP101", "zulu"),
    ]
    assert all(item["fix"] and item["message"] and item["location"] for item in answer.json)


@pytest.mark.requirement("CLI-03")
def test_build_errors_are_findings_with_place_code_and_fix(afford: Run) -> None:
    answer = afford("check", "cli_broken.py", "--json")
    assert answer.code == 1
    found = [(item["subject"], item["code"], item["location"]) for item in answer.json]
    assert found == [
        ("alpha", "ACC101", "cli_broken.py:10"),
        ("zulu", "ACC102", "cli_broken.py:6"),
        ("zulu", "DEC104", "cli_broken.py:6"),
    ]


def test_findings_as_text_are_grouped_under_their_operation(afford: Run) -> None:
    lines = afford("check", "cli_broken.py").out.splitlines()
    heads = [line.split()[0] for line in lines[:-1] if not line.startswith(" ")]
    assert heads == ["alpha", "zulu"]
    assert sum(line.startswith("    fix: ") for line in lines) == 3


# manifest, schema, openapi, why


CALLERS = [
    ([], None, "agent"),
    (["--as", "ada", "--roles", "staff"], Principal("ada", ["staff"]), "agent"),
    (
        ["--as", "bob", "--roles", "guest", "--claim", "tenant=acme"],
        Principal("bob", ["guest"], {"tenant": "acme"}),
        "agent",
    ),
    (["--as", "bob", "--claim", "tenant=acme", "--door", "app"], Principal("bob", [], {"tenant": "acme"}), "app"),
]


@pytest.mark.requirement("CLI-05")
@pytest.mark.parametrize(("words", "principal", "door"), CALLERS)
def test_the_printed_manifest_is_the_one_that_is_served(
    words: list[str], principal: Principal | None, door: Any, afford: Run, shop: App
) -> None:
    printed = afford("manifest", "cli_shop.py", "--json", *words).json

    async def served() -> object:
        async with client(shop, as_=principal, over="http", door=door) as caller:
            return await caller.manifest()

    assert printed == asyncio.run(served())
    assert printed["operations"] != []


@pytest.mark.requirement("CLI-05")
@pytest.mark.parametrize(("command", "path"), [("schema", "/agent/schema"), ("openapi", "/agent/openapi.json")])
def test_the_printed_documents_are_those_that_are_served(command: str, path: str, afford: Run, shop: App) -> None:
    indented = afford(command, "cli_shop.py", "--as", "ada", "--roles", "staff")
    compact = afford(command, "cli_shop.py", "--as", "ada", "--roles", "staff", "--json")
    assert len(compact.out.splitlines()) == 1 < len(indented.out.splitlines())

    async def served() -> object:
        headers = {"authorization": "Bearer shop-key-ada"}
        transport = httpx.ASGITransport(app=shop.site())
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1", headers=headers) as http:
            return (await http.get(path)).json()

    assert compact.json == indented.json == asyncio.run(served())


def test_closed_sets_are_loaded_before_a_document_is_printed(afford: Run) -> None:
    queries = afford("schema", "cli_shop.py").json["queries"]
    assert [query["name"] for query in queries] == ["things"]
    assert queries[0]["input_schema"]["properties"]["area"]["enum"] == ["north", "south"]


def test_a_public_catalog_has_every_exposed_operation(afford: Run) -> None:
    catalog = afford("schema", "cli_shop.py", "--public").json
    assert [item["name"] for item in catalog["queries"]] == ["desk_till", "things"]
    assert [item["name"] for item in catalog["actions"]] == ["buy"]


def test_an_app_that_cannot_start_still_shows_its_documents(afford: Run) -> None:
    assert [item["name"] for item in afford("schema", "cli_away.py").json["queries"]] == ["read"]


def test_the_manifest_as_text_has_one_line_per_operation_with_its_first_sentence(afford: Run) -> None:
    lines = afford("manifest", "cli_shop.py", "--as", "ada", "--roles", "staff").out.splitlines()
    words = [line.split(maxsplit=5) for line in lines]
    assert ["things", "query", "read", "low", "principal", "Lists things."] in words
    assert ["things", "list", "/things", "All", "things."] in [line.split() for line in lines]
    assert ["thing", "A", "thing", "for", "sale."] in [line.split() for line in lines]


@pytest.mark.requirement("CLI-07")
@pytest.mark.parametrize(
    ("words", "gate"),
    [
        (["things"], None),
        (["buy"], "access"),
        (["buy", "--as", "ada", "--roles", "guest"], None),
        (["desk:till", "--as", "ada", "--roles", "guest"], "access"),
        (["desk_till", "--as", "ada", "--roles", "staff"], None),
        (["close", "--as", "ada", "--claim", "tenant=acme"], "exposed"),
        (["close", "--as", "ada", "--claim", "tenant=acme", "--door", "app"], None),
        (["nothing"], "declared"),
    ],
)
def test_why_names_the_first_gate_that_closes(words: list[str], gate: str | None, afford: Run) -> None:
    answer = afford("why", "cli_shop.py", *words, "--json")
    assert answer.code == (0 if gate is None else 1)
    assert (answer.json["offered"], answer.json["gate"]) == (gate is None, gate)
    text = afford("why", "cli_shop.py", *words)
    assert text.code == answer.code
    assert gate is None or f"({gate})" in text.out


# call


STAFF = ("--as", "ada", "--roles", "staff")


@pytest.mark.requirement("CLI-06")
def test_a_call_prints_the_value_alone_and_runs_inside_the_lifespan(afford: Run, folder: Path) -> None:
    answer = afford("call", "cli_shop.py", "buy", "name=hat", "count=2", *STAFF, "--json")
    assert (answer.code, answer.out) == (0, '"2 of hat"\n')
    assert answer.err.split() == ["opening", "buying"]
    assert (folder / "life.log").read_text() == "start stop "


@pytest.mark.requirement("CLI-06")
def test_a_call_without_an_identity_is_anonymous(afford: Run) -> None:
    answer = afford("call", "cli_shop.py", "buy", "name=hat", "--json")
    assert (answer.code, answer.json["code"]) == (1, "unknown_operation")


def test_an_operation_is_called_by_its_id_as_well(afford: Run) -> None:
    assert afford("call", "cli_shop.py", "desk:till", *STAFF, "--json").json == [3]


def test_an_answer_is_indented_for_reading(afford: Run) -> None:
    assert afford("call", "cli_shop.py", "things", "--limit", "1").out.splitlines()[:2] == ["[", "  {"]


@pytest.mark.parametrize("words", [["sizes=4", "sizes=5"], ["sizes=[4,5]"], ["--json-args", '{"sizes": [4, 5]}']])
def test_arguments_are_words_or_json(words: list[str], afford: Run) -> None:
    answer = afford("call", "cli_shop.py", "things", "area=south", *words, "--json")
    assert [row["name"] for row in answer.json] == ["south 4", "south 5"]


@pytest.mark.parametrize("words", [["-"], ["--json-args", "-"]])
def test_json_arguments_come_from_standard_input(
    words: list[str], afford: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b'{"sizes": [4]}')))
    assert len(afford("call", "cli_shop.py", "things", *words, "--json").json) == 1


def test_pages_are_followed_with_the_cursor_that_is_told(afford: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AFFORD_SECRET", "stable")
    sizes: list[int] = []
    cursor: list[str] = []
    for _ in range(3):
        answer = afford("call", "cli_shop.py", "things", "--limit", "3", "--json", *cursor)
        sizes.extend(row["size"] for row in answer.json)
        _, found, rest = answer.err.partition("--cursor ")
        cursor = ["--cursor", rest.split()[0]] if found else []
    assert sizes == list(range(7))
    assert cursor == []


def test_a_refused_call_names_every_fault(afford: Run) -> None:
    words = ("call", "cli_shop.py", "buy", "nam=hat", "count=two", *STAFF)
    answer = afford(*words, "--json")
    assert answer.code == 1
    assert {(item["pointer"], item["code"]) for item in answer.json["errors"]} == {
        ("/nam", "unknown_argument"),
        ("/name", "missing"),
        ("/count", "wrong_type"),
    } or {item["pointer"] for item in answer.json["errors"]} == {"/nam", "/count"}
    text = afford(*words)
    assert (text.code, text.out) == (1, "")
    assert {"/nam", "/count", "bad_request:"} <= set(text.err.split())


@pytest.mark.parametrize(("name", "code"), [("nothing", "SOLD_OUT"), ("lightning", "internal")])
def test_a_failed_call_exits_1_with_its_problem(name: str, code: str, afford: Run) -> None:
    words = ("call", "cli_shop.py", "buy", f"name={name}", *STAFF)
    answer = afford(*words, "--json")
    assert (answer.code, answer.json["code"]) == (1, code)
    text = afford(*words)
    assert (text.code, text.out) == (1, "")
    assert f"{code}:" in text.err
    assert "struck" not in answer.out


def test_an_app_that_does_not_start_fails_the_call_with_its_own_frames(afford: Run) -> None:
    answer = afford("call", "cli_away.py", "read")
    assert (answer.code, answer.out) == (1, "")
    assert "the database is away" in answer.err
    assert "afford/runtime.py" not in answer.err


# explain


def test_a_code_is_explained_with_what_to_do(afford: Run) -> None:
    answer = afford("explain", "missing-access", "--json")
    assert (answer.code, answer.json["code"], answer.json["kind"]) == (0, "ACC101", "rule")
    assert "  fix: " in afford("explain", "ACC101").out


# an application's own program


def test_an_app_s_own_program_takes_no_target(shop: App, capsys: pytest.CaptureFixture[str]) -> None:
    def run(*words: str) -> Answer:
        return ended(lambda: run_for(shop, words), capsys)

    assert run("call", "things", "sizes=4", "--json").json == [{"name": "north 4", "size": 4}]
    assert run("check").code == 0
    assert run("explain", "ACC101").code == 0
    assert run("--version").out == "shop 2.0.0\n"
    assert "TARGET" not in run("call", "--help").out
    assert run("serve", "--workers", "2").code == 2


# serve, in a process of its own


def start(folder: Path, *words: str, **environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "afford", "serve", *words],
        cwd=folder,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def origin_of(process: subprocess.Popen[str]) -> str:
    """The origin that the server says it listens on; empty where it ended before."""
    assert process.stdout is not None
    found = re.search(r"http://[^/]+", process.stdout.readline())
    return found.group() if found else ""


def stop(process: subprocess.Popen[str], number: int = signal.SIGTERM) -> Answer:
    process.send_signal(number)
    out, err = process.communicate(timeout=30)
    return Answer(process.returncode, out, err)


@pytest.mark.requirement("CLI-04")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_served_app_answers_until_it_is_told_to_stop(folder: Path, number: int) -> None:
    process = start(folder, "cli_shop.py", "--port", "0")
    try:
        origin = origin_of(process)
        index = httpx.get(f"{origin}/").json()
        rows = httpx.get(f"{origin}/agent/things?limit=1").json()
        foreign = httpx.get(f"{origin}/agent/things", headers={"host": "evil.example"})
    finally:
        answer = stop(process, number)
    assert index["urls"]["schema"] == "/agent/schema"
    assert rows == [{"name": "north 0", "size": 0}]
    assert foreign.status_code == 421
    assert answer.code == 0
    assert (folder / "life.log").read_text() == "start stop "
    counts = {" ".join(words[:-1]): words[-1] for line in answer.err.splitlines() if (words := line.split())}
    assert (counts["anonymous"], counts["role guest"], counts["role staff"]) == ("1", "2", "3")


@pytest.mark.requirement("CLI-04")
def test_several_workers_serve_one_app_and_stop_together(folder: Path) -> None:
    process = start(folder, "cli_shop:app", "--port", "0", "--workers", "2", "--path", "/", "--door", "app")
    try:
        origin = origin_of(process)
        rows = httpx.get(f"{origin}/things?limit=1", timeout=30).json()
    finally:
        answer = stop(process)
    assert rows == [{"name": "north 0", "size": 0}]
    assert answer.code == 0
    assert "AFFORD_SECRET" in answer.err


@pytest.mark.requirement("CASE-K06")
def test_an_open_door_does_not_start_on_a_public_address(afford: Run) -> None:
    answer = afford("serve", "cli_open.py", "--host", "0.0.0.0", "--port", "0")  # noqa: S104 - the point of the test
    assert (answer.code, answer.out) == (2, "")
    assert {"authenticate", "public"} <= set(answer.err.replace("=", " ").replace("`", " ").split())


def test_a_taken_port_is_wrong_usage(afford: Run) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        answer = afford("serve", "cli_shop.py", "--port", str(taken.getsockname()[1]))
    assert (answer.code, answer.out) == (2, "")


def test_an_app_that_does_not_start_ends_the_server_with_1(folder: Path) -> None:
    process = start(folder, "cli_away.py", "--port", "0")
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out) == (1, "")
    assert "the database is away" in err


def test_serving_without_a_server_names_the_extra(afford: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "afford.cli.server", raising=False)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    answer = afford("serve", "cli_shop.py", "--port", "0")
    assert answer.code == 2
    assert "afford[serve]" in answer.err
