"""What a caller may not see does not show through MCP: in no text, no suggestion, no completion, no log line."""

from __future__ import annotations

import json
import logging
from typing import Annotated

import pytest
from pydantic import Field, SecretStr
from tests.contracts.mcp_wire import ask, ask_older, listed, result, told, tool
from tests.contracts.wire import served

from afford import ApiKeys, App, Feature, Principal, anyone, roles
from afford.execute.outcome import CallRecord

STAFF = {"authorization": "Bearer staff-key-1"}


class Office:
    """An app with a public part, a hidden one, and what its handlers did."""

    def __init__(self, **options: object) -> None:
        keys = ApiKeys({"staff-key-1": Principal("ann", ["staff"])})
        defaults: dict[str, object] = {"roles": ("staff",), "access": anyone(), "authenticate": keys}
        self.app = app = App("office", **{**defaults, **options})  # type: ignore[arg-type]
        self.done: list[object] = []
        vault = Feature("vault", description="Where the gold is kept.", access=roles("staff"))
        lobby = Feature("lobby", description="Where visitors wait.")

        @vault.query(description="Count the gold.")
        async def gold() -> int:
            return 1

        @lobby.query(description="Count the visitors.")
        async def visitors() -> int:
            return 1

        app.include(vault, lobby)

        @app.action(description="Log in.")
        async def log_in(name: str, password: SecretStr) -> int:
            raise RuntimeError("the database is down")

        self.declare_documents()

    def declare_documents(self) -> None:
        app = self.app
        app.resource("page", name="Page", uri_template="page://{name}", read=self.page)
        app.resource("file", name="File", uri_template="file:///{folder}/{name}", read=self.file)
        app.resource("range", name="Range", uri_template="range://{name}", read=self.range)
        app.resource("secret", name="Secret", uri="secret://plan", read=lambda: "gold", access=roles("staff"))
        app.resource("note", name="Note", uri_template="note://{id}", read=self.page_of, access=roles("staff"))
        app.prompt("greet", handler=lambda name: name, complete={"name": lambda _typed: ["ann"]})
        app.prompt("rob", handler=lambda name: name, complete={"name": lambda _typed: ["x"]}, access=roles("staff"))
        self.open_state = app.shared_state("open/{id}", "")
        self.staff_state = app.shared_state("staff/{id}", "", access=roles("staff"))

    async def page(self, name: str) -> str:
        self.done.append(name)
        return name

    async def page_of(self, id: str) -> str:
        return id

    async def file(self, folder: str, name: str) -> str:
        self.done.append((folder, name))
        return name

    async def range(self, name: Annotated[str, Field(pattern=r"^[a-z./]+$")]) -> str:
        self.done.append(name)
        return name


@pytest.mark.requirement("SECRET-01")
async def test_instructions_name_no_feature_whose_every_part_is_hidden():
    async with served(Office().app.asgi()) as http:
        texts = [(await result(http, "server/discover", **key))["instructions"] for key in ({}, STAFF)]
        opening = {"protocolVersion": "2025-11-25", "capabilities": {}}
        older = (await ask_older(http, "initialize", opening)).json()["result"]["instructions"]
    assert ["gold" in text for text in texts] == [False, True]
    assert ["visitors" in text for text in texts] == [True, True]
    assert older == texts[0]


TRICKS = [
    "..",
    "%2e%2e",
    "..%2F..%2Fetc%2Fpasswd",
    "a%2F..%2F..%2Fb",
    "a%2F..",
    "..%5C..%5Cwindows",
    "%2Fetc%2Fpasswd",
    "%5C%5Cserver%5Cshare",
    "C%3A%5Cwindows",
    "c:%2Fwindows",
    "a%00.txt",
    "%00",
    "a%0Ab",
    "a%0D%0ASet-Cookie",
    "a%1Bb",
    "a%7Fb",
    "%ff",
    "%c0%ae%c0%ae",
    "%zz",
    "%",
    "",
]
FINE = ["a", "a.b", "..a", "a..b", "a%2Fb", "%C3%A9", "a b", "C%3A", "%2e%2e%2e", "a%252F..", "%252e%252e"]


@pytest.mark.requirement("SECRET-03")
async def test_a_uri_cannot_walk_out_of_a_place():
    office = Office()
    async with served(office.app.asgi()) as http:
        for trick in TRICKS:
            for uri in (f"page://{trick}", f"file:///a/{trick}", f"file:///{trick}/a"):
                unknown = await ask(http, "resources/read", {"uri": uri})
                assert (unknown.status_code, unknown.json()["error"]["code"]) == (400, -32602), uri
        assert office.done == []
        for name in FINE:
            answer = await ask(http, "resources/read", {"uri": f"page://{name}"})
            assert answer.status_code == 200, name
        assert office.done == ["a", "a.b", "..a", "a..b", "a/b", "é", "a b", "C:", "...", "a%2F..", "%2e%2e"]


@pytest.mark.requirement("SECRET-03")
async def test_an_author_s_own_pattern_says_which_values_a_place_takes():
    office = Office()
    async with served(office.app.asgi()) as http:
        taken = await ask(http, "resources/read", {"uri": "range://a%2F..%2Fb"})
        refused = await ask(http, "resources/read", {"uri": "range://A"})
    assert taken.status_code == 200
    assert refused.json()["error"]["code"] == -32602
    assert office.done == ["a/../b"]


@pytest.mark.requirement("SECRET-03")
async def test_a_uri_that_is_longer_than_any_is_not_even_compared():
    async with served(Office().app.asgi()) as http:
        answer = await ask(http, "resources/read", {"uri": f"page://{'a' * 100_000}"}, **{"mcp-name": "x"})
        older = await ask_older(http, "resources/read", {"uri": f"page://{'a' * 100_000}"})
    assert answer.json()["error"]["code"] == -32020
    assert older.json()["error"]["code"] == -32002
    assert len(older.content) < 10_000


HIDDEN_AND_UNKNOWN = [
    ("tools/call", {"name": "vault_gold"}, {"name": "vault_nope"}),
    ("tools/call", {"name": "resource:page"}, {"name": "resource:nope"}),
    ("tools/call", {"name": "state:open/{id}"}, {"name": "state:nope/{id}"}),
    ("tools/call", {"name": "prompt:greet"}, {"name": "prompt:nope"}),
    ("tools/call", {"name": "vault:gold"}, {"name": "vault:nope"}),
    ("tools/call", {"name": "VAULT_GOLD"}, {"name": "VAULT_NOPE"}),
    ("resources/read", {"uri": "secret://plan"}, {"uri": "secret://nope"}),
    ("resources/read", {"uri": "note://7"}, {"uri": "nope://7"}),
    ("resources/read", {"uri": "afford://state/staff%2F1"}, {"uri": "afford://state/nope%2F1"}),
    ("resources/read", {"uri": "afford://state/open%2Fhidden"}, {"uri": "afford://state/open%2Fnope"}),
    ("prompts/get", {"name": "rob", "arguments": {"name": "x"}}, {"name": "nope", "arguments": {"name": "x"}}),
    ("resources/subscribe", {"uri": "secret://plan"}, {"uri": "secret://nope"}),
    (
        "completion/complete",
        {"ref": {"type": "ref/prompt", "name": "rob"}, "argument": {"name": "name", "value": ""}},
        {"ref": {"type": "ref/prompt", "name": "nope"}, "argument": {"name": "name", "value": ""}},
    ),
    (
        "completion/complete",
        {"ref": {"type": "ref/resource", "uri": "note://{id}"}, "argument": {"name": "id", "value": ""}},
        {"ref": {"type": "ref/resource", "uri": "nope://{id}"}, "argument": {"name": "id", "value": ""}},
    ),
]


def without(text: str, params: dict[str, object]) -> str:
    """An answer without the words that the question brought along."""
    words = [params.get("name"), params.get("uri"), *(params.get("ref", {}) or {}).values()]
    for word in words:
        if isinstance(word, str):
            text = text.replace(json.dumps(word)[1:-1], "")
    return text


@pytest.mark.requirement("SECRET-01")
@pytest.mark.parametrize(("method", "hidden", "unknown"), HIDDEN_AND_UNKNOWN)
async def test_what_is_hidden_answers_like_what_never_was(
    method: str, hidden: dict[str, object], unknown: dict[str, object]
):
    office = Office(expose_shared_state=lambda key: key != "open/hidden")
    office.open_state.set("x", id="hidden")
    office.staff_state.set("x", id="1")
    async with served(office.app.asgi()) as http:
        for request in (ask, ask_older):
            one, other = await request(http, method, hidden), await request(http, method, unknown)
            assert one.status_code == other.status_code
            assert without(one.text, hidden) == without(other.text, unknown)
            assert "error" in one.json()
    assert office.done == []


@pytest.mark.requirement("SECRET-01")
async def test_completion_proposes_only_keys_that_the_caller_may_read():
    office = Office(expose_shared_state=lambda key: key != "open/hidden")
    for name in ("shown", "hidden"):
        office.open_state.set("x", id=name)
    async with served(office.app.asgi()) as http:
        (template,) = [uri for uri in await listed(http, "resourceTemplates") if "open" in uri]
        params = {"ref": {"type": "ref/resource", "uri": template}, "argument": {"name": "id", "value": ""}}
        found = (await result(http, "completion/complete", params))["completion"]
    assert found["values"] == ["shown"]
    assert found["total"] == 1


@pytest.mark.requirement("SECRET-01", "DEFER-02")
@pytest.mark.parametrize(
    "name",
    ["vault_gold", "resource:page", "prompt:greet", "state:open/{id}", "afford_call_tool", "afford_search_tools"],
)
async def test_the_call_tool_reaches_tools_alone_and_only_the_caller_s(name: str):
    office = Office(tool_budget=1)
    async with served(office.app.asgi()) as http:
        refused = told(await tool(http, "afford_call_tool", name=name, arguments={"name": "x", "id": "1"}))
        found = (await tool(http, "afford_search_tools", query="count the gold vault", limit=20))["structuredContent"]
    assert refused["code"] == "unknown_operation"
    assert "vault" not in json.dumps(refused)
    assert "vault_gold" not in json.dumps(found)
    assert office.done == []


@pytest.mark.requirement("SECRET-04")
@pytest.mark.parametrize("method", ["tools/call", "prompts/get", "resources/read", "no/such", "completion/complete"])
async def test_what_a_client_makes_up_is_not_sent_back_at_length(method: str):
    made_up = "x" * 100_000
    params = {"name": made_up, "uri": f"page://{made_up}", "ref": {"type": "ref/prompt", "name": made_up}}
    params["argument"] = {"name": "name", "value": ""}
    async with served(Office().app.asgi()) as http:
        answer = await ask_older(http, made_up if method == "no/such" else method, params)
    assert "error" in answer.json()
    assert len(answer.content) < 10_000


@pytest.mark.requirement("SECRET-04")
async def test_logs_and_records_hold_no_secret_and_no_line_that_a_client_wrote(caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.DEBUG)
    records: list[CallRecord] = []
    office = Office(record=records.append)
    line = "x\nCRITICAL root: all is lost"
    async with served(office.app.asgi()) as http:
        for arguments in (
            {"name": "ann", "password": "hunter2"},
            {"name": "ann", "password": ["hunter2"]},
            {"name": "ann", "pasword": "hunter2"},
            {"name": line, "password": "hunter2"},
        ):
            assert (await tool(http, "log_in", **arguments))["isError"]
        for request in (ask, ask_older):
            await request(http, "tools/call", {"name": line})
            await request(http, "tools/call", {"name": "log_in", "arguments": {line: 1}})
            await request(http, "resources/read", {"uri": f"page://{line}"})
            await request(http, "resources/read", {"uri": f"note://{line}"})
            await request(http, "prompts/get", {"name": line})
            await request(http, line)
        await http.post("/mcp", content=b"{", headers={"authorization": "Bearer hunter2-key", "x": "y"})
    assert "the database is down" in caplog.text
    assert "hunter2" not in caplog.text
    assert "all is lost" not in caplog.text
    assert "hunter2" not in repr(records)
    assert {record.operation for record in records} == {"log_in"}
