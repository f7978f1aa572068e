"""Operations as MCP tools: the same manifest, the same checks, in both eras, over HTTP and stdio."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from pydantic import BaseModel
from tests.contracts.mcp_wire import META, ask, ask_older, tool
from tests.contracts.wire import served

from afford import Agent, ApiKeys, App, Page, PageRequest, Paging, Principal, anyone, roles

STAFF = {"authorization": "Bearer staff-key-1"}


class Lamp(BaseModel):
    number: int


class Tree(BaseModel):
    name: str
    children: list[Tree] = []


def shop(**options: object) -> App:
    keys = ApiKeys({"staff-key-1": Principal("ann", ["staff"])})
    app = App("shop", roles=("staff",), access=anyone(), authenticate=keys, version="1.0.0", **options)  # type: ignore[arg-type]

    @app.query(description="List lamps.", paging=Paging(default=2, max=5))
    async def lamps(page: PageRequest[int]) -> Page[Lamp]:
        start = page.after or 0
        rows = [Lamp(number=number) for number in range(start, min(start + page.limit, 7))]
        return Page(rows, next=start + page.limit if start + page.limit < 7 else None, total=7)

    @app.query(description="Read one lamp.")
    async def lamp(number: int) -> Lamp | None:
        return Lamp(number=number) if number < 7 else None

    @app.query(description="Count lamps.")
    async def count() -> int:
        return 7

    @app.query(description="Read the tree.")
    async def tree() -> Tree:
        return Tree(name="root", children=[Tree(name="leaf")])

    @app.action(description="Throw lamps away.", access=roles("staff"), safety="destructive")
    async def discard(number: int) -> None:
        return None

    @app.action(description="Fail.")
    async def fail() -> int:
        raise RuntimeError("password=hunter2")

    @app.query(description="Only HTTP.", agent=Agent(surfaces=["http"]))
    async def elsewhere() -> int:
        return 1

    @app.query(description="Many rows.")
    async def many() -> list[Lamp]:
        return [Lamp(number=number) for number in range(50_000)]

    return app


@pytest.mark.requirement("MCP-02")
async def test_tools_are_the_callers_manifest_in_both_eras():
    async with served(shop().asgi()) as http:
        anonymous = (await ask(http, "tools/list")).json()["result"]
        older = (await ask_older(http, "tools/list")).json()["result"]
        staff = (await ask(http, "tools/list", **STAFF)).json()["result"]
    names = [item["name"] for item in anonymous["tools"]]
    assert names == ["count", "fail", "lamp", "lamps", "many", "tree"]
    assert older["tools"] == anonymous["tools"]
    assert [item["name"] for item in staff["tools"]] == sorted([*names, "discard"])
    assert (anonymous["cacheScope"], anonymous["resultType"]) == ("private", "complete")


@pytest.mark.requirement("MCP-03", "FRAME-06", "FRAME-08")
async def test_every_tool_says_title_and_all_four_hints():
    async with served(shop().asgi(), **STAFF) as http:
        tools = {item["name"]: item for item in (await ask(http, "tools/list")).json()["result"]["tools"]}
    assert tools["discard"]["annotations"] == {
        "title": "Discard",
        "readOnlyHint": False,
        "destructiveHint": True,
        "idempotentHint": False,
        "openWorldHint": False,
    }
    assert tools["lamps"]["annotations"]["readOnlyHint"] is True
    assert tools["discard"]["_meta"] == {"afford/risk": "high", "afford/reach": "principal", "afford/kind": "action"}


async def test_pages_travel_in_arguments_and_structured_content():
    async with served(shop().asgi()) as http:
        numbers: list[int] = []
        arguments: dict[str, object] = {"limit": 3}
        while True:
            structured = (await tool(http, "lamps", **arguments))["structuredContent"]
            numbers += [row["number"] for row in structured["rows"]]
            assert structured["total"] == 7
            if "next_cursor" not in structured:
                break
            arguments["cursor"] = structured["next_cursor"]
        refused = await tool(http, "lamps", cursor="garbage")
        wrong = await tool(http, "lamps", limit="two")
    assert numbers == list(range(7))
    assert json.loads(refused["content"][0]["text"])["error"]["errors"][0]["code"] == "cursor"
    assert json.loads(wrong["content"][0]["text"])["error"]["errors"][0]["pointer"] == "/limit"


async def test_the_static_type_decides_the_shape_and_the_text_is_the_same_json():
    async with served(shop().asgi()) as http:
        one, number, nested = await tool(http, "lamp", number=3), await tool(http, "count"), await tool(http, "tree")
        tools = {item["name"]: item for item in (await ask(http, "tools/list")).json()["result"]["tools"]}
    assert one["structuredContent"] == {"number": 3}
    assert number["structuredContent"] == {"result": 7}
    assert nested["structuredContent"]["children"][0]["name"] == "leaf"
    for result in (one, number, nested):
        assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
    assert all(item["outputSchema"]["type"] == "object" for item in tools.values())
    assert "$ref" not in json.dumps(tools["lamps"])
    assert "$defs" in tools["tree"]["outputSchema"]


@pytest.mark.requirement("MCP-04")
async def test_a_failure_is_a_result_whose_text_is_one_json_object():
    async with served(shop().asgi()) as http:
        wrong = await tool(http, "lamp", numbr=3)
        missing = await tool(http, "lamp", number=9)
        crashed = await tool(http, "fail")
    error = json.loads(wrong["content"][0]["text"])["error"]
    assert wrong["isError"] is True
    assert "structuredContent" not in wrong
    assert {item["pointer"]: item["code"] for item in error["errors"]} == {
        "/numbr": "unknown_argument",
        "/number": "missing",
    }
    assert json.loads(missing["content"][0]["text"])["error"]["code"] == "not_found"
    told = json.loads(crashed["content"][0]["text"])["error"]
    assert told["code"] == "internal"
    assert told["trace"]
    assert "hunter2" not in json.dumps(crashed)


async def test_a_hidden_tool_answers_like_one_that_never_was():
    async with served(shop().asgi()) as http:
        answers = [await ask(http, "tools/call", {"name": name}) for name in ("discard", "elsewhere", "nothing")]
    assert {answer.status_code for answer in answers} == {400}
    errors = [answer.json()["error"] for answer in answers]
    assert {error["code"] for error in errors} == {-32602}
    assert (
        len(
            {
                error["message"].replace(name, "")
                for error, name in zip(errors, ("discard", "elsewhere", "nothing"), strict=True)
            }
        )
        == 1
    )


@pytest.mark.requirement("CASE-K30")
async def test_too_many_rows_are_cut_at_a_row_and_say_so():
    async with served(shop().asgi()) as http:
        result = await tool(http, "many")
    structured = result["structuredContent"]
    assert structured["truncated"]["of"] == 50_000
    assert structured["truncated"]["returned"] == len(structured["rows"]) < 50_000
    assert len(result["content"][0]["text"]) < 25_000 * 3.5


@pytest.mark.parametrize(
    ("change", "status", "code"),
    [
        ({"mcp-method": "tools/call"}, 400, -32020),
        ({"mcp-protocol-version": "2099-01-01"}, 400, -32022),
        ({"content-type": "text/plain"}, 400, -32700),
    ],
)
async def test_headers_that_contradict_the_body_are_refused(change: dict[str, str], status: int, code: int):
    async with served(shop().asgi()) as http:
        answer = await ask(http, "tools/list", **change)
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)


@pytest.mark.parametrize(
    ("body", "code"),
    [(b"{", -32700), (b"[]", -32600), (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600), (b'{"id":1}', -32600)],
)
async def test_malformed_envelopes_are_protocol_errors(body: bytes, code: int):
    async with served(shop().asgi()) as http:
        answer = await http.post("/mcp", content=body, headers={"content-type": "application/json"})
    assert answer.json()["error"]["code"] == code


async def test_an_older_client_initialises_without_a_session():
    async with served(shop().asgi()) as http:
        hello = (await ask_older(http, "initialize", {"protocolVersion": "2025-06-18", "capabilities": {}})).json()
        ready = await http.post("/mcp", json={"jsonrpc": "2.0", "method": "notifications/initialized"})
        unknown = await ask_older(http, "server/discover")
        stream = await http.get("/mcp")
    assert hello["result"]["protocolVersion"] == "2025-06-18"
    assert hello["result"]["serverInfo"] == {"name": "shop", "title": "shop", "version": "1.0.0"}
    assert (ready.status_code, ready.content) == (202, b"")
    assert (unknown.status_code, unknown.json()["error"]["code"]) == (200, -32601)
    assert (stream.status_code, stream.headers["allow"]) == (405, "POST")


async def test_bad_credentials_are_401_before_anything_is_read():
    async with served(shop().asgi()) as http:
        answer = await ask(http, "tools/list", authorization="Bearer nobody-1")
    assert answer.status_code == 401
    assert "www-authenticate" in answer.headers


async def test_the_app_door_has_no_mcp():
    async with served(shop().asgi(door="app")) as http:
        assert (await ask(http, "tools/list")).status_code == 404


STDIO = """
import sys
from afford import App, roles, anyone
print("hello from an import")
app = App("desk", roles=("admin",), access=anyone())

@app.action(description="Drop one.", access=roles("admin"))
def drop(number: int) -> int:
    print("dropping", number)
    return number

@app.query(description="Ping.")
def ping() -> str:
    print("ponging")
    return "pong"
"""


def on_stdio(folder: Path, *words: str, frames: list[dict[str, object]]) -> list[dict[str, object]]:
    """What a process answers to frames, every line of its output read as JSON."""
    (folder / "desk.py").write_text(STDIO, encoding="utf-8")
    program = subprocess.run(
        [sys.executable, "-m", "afford", "mcp", str(folder / "desk.py"), *words],
        input="".join(json.dumps(frame) + "\n" for frame in frames),
        capture_output=True,
        text=True,
        check=True,
    )
    assert "ponging" not in program.stdout
    return sorted((json.loads(line) for line in program.stdout.splitlines()), key=lambda item: item["id"])


@pytest.mark.requirement("CASE-K03", "MCP-01")
def test_on_stdio_nobody_is_trusted_for_being_local(tmp_path: Path):
    frames = [
        {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": META}},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "ping", "_meta": META}},
        {"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": "drop", "_meta": META}},
    ]
    listed, pong, dropped = on_stdio(tmp_path, frames=frames)
    assert [item["name"] for item in listed["result"]["tools"]] == ["ping"]
    assert pong["result"]["structuredContent"] == {"result": "pong"}
    assert dropped["error"]["code"] == -32602
    listed, *_ = on_stdio(tmp_path, "--as", "ann", "--roles", "admin", frames=frames[:1])
    assert [item["name"] for item in listed["result"]["tools"]] == ["drop", "ping"]


def test_on_stdio_an_older_client_is_served_too_and_stays_in_its_era(tmp_path: Path):
    frames = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25"}},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "ping", "arguments": {}}},
        {"jsonrpc": "2.0", "id": 3, "method": "tools/list", "params": {"_meta": META}},
    ]
    hello, pong, crossed = on_stdio(tmp_path, frames=frames)
    assert hello["result"]["protocolVersion"] == "2025-11-25"
    assert pong["result"]["structuredContent"] == {"result": "pong"}
    assert crossed["error"]["code"] == -32602
