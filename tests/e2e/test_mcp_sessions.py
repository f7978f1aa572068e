"""Older MCP clients that keep a session: the official client and plain HTTP against a real server."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, cast

import httpx
import httpx2
import mcp_types as types
import pytest
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from pydantic import BaseModel
from tests.e2e.test_server import WAIT, Listening, serving

from afford import ApiKeys, App, Ask, Call, Principal, anyone, roles
from afford.declare.changes import Change, ChangeKind
from afford.errors import JsonObject
from afford.surfaces.mcp.protocol import INVALID_PARAMS

ANN = {"authorization": "Bearer ann-key-1"}
BOB = {"authorization": "Bearer bob-key-1"}
BOTH = {"accept": "application/json, text/event-stream"}
OPENING = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}


class Person(BaseModel):
    """Who a person is."""

    name: str


class Shop:
    """An app, and what its handlers went through."""

    def __init__(self, **options: object) -> None:
        keys = ApiKeys({"ann-key-1": Principal("ann", ["staff"]), "bob-key-1": Principal("bob")})
        app = self.app = App(
            "shop",
            **cast("dict[str, str]", {"roles": ("staff",), "access": anyone(), "authenticate": keys, **options}),
        )
        self.begun = asyncio.Event()
        self.ended = asyncio.Event()
        self._there: set[ChangeKind] = set()
        self._declare_guests()

        @app.query(description="Count.")
        async def count() -> int:
            return 7

        @app.query(description="Who calls?", access=roles("staff"))
        async def whoami(call: Call) -> str:
            return str(call.caller.id)

        @app.action(description="Work in steps.")
        def work(call: Call) -> int:
            for done in (0, 50, 100):
                call.progress(done, 100)
            return 1

        @app.action(description="Greet.")
        async def greet(person: Annotated[Person, Ask("Who?")]) -> str:
            return f"Hello {person.name}"

        self.watched = app.resource(
            "watched",
            name="Watched",
            description="What staff may watch.",
            uri="test://watched",
            read=lambda: "now",
            access=roles("staff"),
        )

        @app.action(description="Fail.")
        async def fail() -> int:
            raise RuntimeError("password=hunter2")

        @app.action(description="Wait for ever.")
        async def wait() -> int:
            self.begun.set()
            try:
                await asyncio.Event().wait()
            finally:
                # What a handler awaits while it is cancelled must not be cancelled again.
                await asyncio.sleep(0)
                await asyncio.sleep(0)
                self.ended.set()
            return 1

    def _declare_guests(self) -> None:
        """One tool, prompt and resource that are there for everybody, or for nobody."""

        @self.app.action(description="Come and go.", access=lambda _caller: ChangeKind.TOOLS in self._there)
        async def guest() -> None:
            return None

        self.app.prompt("guest", handler=lambda: "Here.", access=lambda _caller: ChangeKind.PROMPTS in self._there)
        self.app.resource(
            "guest", name="Guest", read=lambda: "Here.", access=lambda _caller: ChangeKind.RESOURCES in self._there
        )

    def change(self, kind: ChangeKind) -> None:
        """Let what is in a list come or go, and say so."""
        self._there.symmetric_difference_update({kind})
        self.app.changes.announce(Change(kind))


class Heard(list[str]):
    """What a client was told, in order."""

    def __init__(self) -> None:
        super().__init__()
        self._more = asyncio.Condition()

    async def __call__(self, message: object) -> None:
        async with self._more:
            uri = getattr(getattr(message, "params", None), "uri", None)
            self.append(
                str(getattr(message, "method", message)).removeprefix("notifications/") + (f" {uri}" if uri else "")
            )
            self._more.notify_all()

    async def until(self, count: int) -> list[str]:
        async with asyncio.timeout(WAIT), self._more:
            await self._more.wait_for(lambda: len(self) >= count)
        return list(self)


@asynccontextmanager
async def client_of(server: Listening, key: dict[str, str] | None = None, **options: object) -> AsyncIterator[Client]:
    async with httpx2.AsyncClient(headers=key, timeout=WAIT) as http:
        transport = streamable_http_client(f"{server.url}/agent/mcp", http_client=http)
        async with Client(transport, mode="legacy", **cast("dict[str, str]", options)) as client:
            yield client


@asynccontextmanager
async def wire_of(server: Listening, **headers: str) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=f"{server.url}/agent", headers={**BOTH, **headers}, timeout=WAIT) as http:
        yield http


def message(method: str, params: JsonObject | None = None, identity: int | None = 1) -> dict[str, object]:
    body: dict[str, object] = {"jsonrpc": "2.0", "method": method, "params": params or {}}
    return body if identity is None else {**body, "id": identity}


async def opened(http: httpx.AsyncClient, key: dict[str, str] | None = None) -> str:
    answer = await http.post("/mcp", json=message("initialize", OPENING), headers=key)
    assert answer.status_code == 200, answer.text
    return answer.headers["mcp-session-id"]


async def pinged(http: httpx.AsyncClient, session: str, key: dict[str, str] | None = None) -> httpx.Response:
    return await http.post("/mcp", json=message("ping"), headers={"mcp-session-id": session, **(key or {})})


def result_of(answer: httpx.Response) -> JsonObject:
    """The JSON-RPC message of an event stream with one message."""
    (line,) = [line for line in answer.text.splitlines() if line.startswith("data: ")]
    return json.loads(line.removeprefix("data: "))


@pytest.mark.requirement("MCP-02", "SESS-02", "FRAME-40")
async def test_the_official_client_lists_and_calls_what_its_caller_is_offered():
    shop = Shop()
    async with serving(shop.app) as server, client_of(server) as nobody, client_of(server, ANN) as ann:
        assert [tool.name for tool in (await nobody.list_tools()).tools] == ["count", "fail", "greet", "wait", "work"]
        assert [tool.name for tool in (await ann.list_tools()).tools] == [
            "count",
            "fail",
            "greet",
            "wait",
            "whoami",
            "work",
        ]
        assert (await ann.call_tool("whoami", {})).structured_content == {"result": "ann"}
        with pytest.raises(MCPError) as hidden:
            await nobody.call_tool("whoami", {})
        with pytest.raises(MCPError) as unknown:
            await nobody.call_tool("nothing", {})
        refused = await nobody.call_tool("count", {"x": 1})
    assert hidden.value.code == unknown.value.code == INVALID_PARAMS
    assert refused.is_error
    assert json.loads(refused.content[0].text)["error"]["code"] == "bad_request"


async def test_an_exception_s_text_stays_in_the_log(caplog: pytest.LogCaptureFixture):
    async with serving(Shop().app) as server, client_of(server) as client:
        failed = await client.call_tool("fail", {})
    assert failed.is_error
    assert "hunter2" not in failed.content[0].text
    assert "hunter2" in caplog.text


@pytest.mark.requirement("SESS-01")
async def test_progress_arrives_in_order_before_the_result():
    seen: list[float] = []

    async def report(done: float, _total: float | None, _message: str | None) -> None:
        seen.append(done)

    async with serving(Shop().app) as server, client_of(server) as client:
        result = await client.call_tool("work", {}, progress_callback=report)
        assert result.structured_content == {"result": 1}
    assert seen == [0, 50, 100]


@pytest.mark.requirement("SESS-01")
async def test_a_call_that_the_client_cancels_is_cancelled_once():
    shop = Shop()
    async with serving(shop.app) as server, client_of(server) as client:
        call = asyncio.create_task(client.call_tool("wait", {}))
        await asyncio.wait_for(shop.begun.wait(), WAIT)
        call.cancel()
        await asyncio.wait_for(shop.ended.wait(), WAIT)
        assert (await client.call_tool("count", {})).structured_content == {"result": 7}
        await asyncio.wait({call})
    assert call.cancelled()


@pytest.mark.requirement("SESS-01")
async def test_changes_are_pushed_and_equal_ones_are_one():
    shop, heard = Shop(), Heard()
    async with serving(shop.app) as server, client_of(server, message_handler=heard) as client:
        assert client.server_capabilities.tools.list_changed
        for kind in (ChangeKind.TOOLS, ChangeKind.TOOLS, ChangeKind.PROMPTS, ChangeKind.RESOURCES, ChangeKind.TOOLS):
            shop.change(kind)
        shop.app.changes.announce(Change(ChangeKind.RESOURCE, "test://nobody-asked"))
        told = await heard.until(3)
        await asyncio.to_thread(shop.change, ChangeKind.TOOLS)
        assert (await heard.until(4))[3] == "tools/list_changed"
    assert told == ["tools/list_changed", "prompts/list_changed", "resources/list_changed"]


async def test_what_changes_while_nobody_listens_is_told_when_the_client_does():
    shop = Shop()
    async with serving(shop.app) as server, wire_of(server) as http:
        session = {"mcp-session-id": await opened(http)}
        shop.change(ChangeKind.TOOLS)
        shop.app.changes.announce(Change(ChangeKind.TOOLS))
        async with http.stream("GET", "/mcp", headers=session) as stream:
            assert stream.headers["content-type"].startswith("text/event-stream")
            shop.change(ChangeKind.PROMPTS)
            told: list[str] = []
            async for line in stream.aiter_lines():
                if line.startswith("data: "):
                    told.append(json.loads(line.removeprefix("data: "))["method"])
                if len(told) == 2:
                    break
    assert told == ["notifications/tools/list_changed", "notifications/prompts/list_changed"]


async def watch(client: Client, uri: str) -> None:
    """As a client of the older revisions does; the method of that name warns that they are old."""
    request = types.SubscribeRequest(params=types.SubscribeRequestParams(uri=uri))
    await client.session.send_request(request, types.EmptyResult)


async def test_a_watched_resource_that_changes_is_told_of_until_it_is_unwatched():
    shop, heard = Shop(), Heard()
    async with serving(shop.app) as server, client_of(server, ANN, message_handler=heard) as client:
        with pytest.raises(MCPError):
            await watch(client, "test://hidden")
        await watch(client, "test://watched")
        shop.watched.notify_updated()
        assert await heard.until(1) == ["resources/updated test://watched"]
        request = types.UnsubscribeRequest(params=types.UnsubscribeRequestParams(uri="test://watched"))
        await client.session.send_request(request, types.EmptyResult)
        shop.watched.notify_updated()
        shop.change(ChangeKind.TOOLS)
        assert (await heard.until(2))[1:] == ["tools/list_changed"]


@pytest.mark.requirement("SESS-02")
async def test_who_may_no_longer_read_a_resource_is_not_told_that_it_changes():
    """The same person, whose next request comes with fewer roles."""
    granted = {"ann": ["staff"]}
    shop = Shop(authenticate=lambda _request: Principal("ann", granted["ann"]))
    async with serving(shop.app) as server, wire_of(server) as http:
        session = {"mcp-session-id": await opened(http)}
        answer = await http.post(
            "/mcp", json=message("resources/subscribe", {"uri": "test://watched"}), headers=session
        )
        assert result_of(answer)["result"] == {}
        granted["ann"] = []
        async with http.stream("GET", "/mcp", headers=session) as stream:
            shop.watched.notify_updated()
            shop.change(ChangeKind.TOOLS)
            lines = (line async for line in stream.aiter_lines() if line.startswith("data: "))
            first = json.loads((await anext(lines)).removeprefix("data: "))
    assert first["method"] == "notifications/tools/list_changed"


@pytest.mark.requirement("SESS-01")
async def test_a_question_reaches_the_person_behind_the_client_and_the_answer_the_call():
    async def answer(_context: object, params: types.ElicitRequestParams) -> types.ElicitResult:
        assert params.message == "Who?"
        return types.ElicitResult(action="accept", content={"name": "Ann"})

    async with serving(Shop().app) as server:
        async with client_of(server, elicitation_callback=answer) as client:
            assert (await client.call_tool("greet", {})).structured_content == {"result": "Hello Ann"}
        async with client_of(server) as client:
            nobody = await client.call_tool("greet", {})
    assert json.loads(nobody.content[0].text)["error"]["code"] == "input_required"


@pytest.mark.requirement("SESS-02")
async def test_a_session_is_used_by_nobody_but_who_opened_it():
    async with serving(Shop().app) as server, wire_of(server) as http:
        call = message("tools/call", {"name": "count", "arguments": {}})
        for owner, thief in ((ANN, BOB), (ANN, {}), ({}, ANN)):
            session = {
                "mcp-session-id": (await http.post("/mcp", json=message("initialize", OPENING), headers=owner)).headers[
                    "mcp-session-id"
                ]
            }
            stolen = await http.post("/mcp", json=call, headers={**session, **thief})
            invented = await http.post("/mcp", json=call, headers={"mcp-session-id": "0" * 32, **thief})
            assert (stolen.status_code, stolen.json()) == (404, invented.json())
            for method in ("GET", "DELETE"):
                assert (await http.request(method, "/mcp", headers={**session, **thief})).status_code == 404
            assert (
                result_of(await http.post("/mcp", json=call, headers={**session, **owner}))["result"]["isError"]
                is False
            )
            bad = await http.post("/mcp", json=call, headers={**session, "authorization": "Bearer wrong"})
            assert bad.status_code == 401


@pytest.mark.requirement("SESS-02")
async def test_what_a_caller_may_do_is_decided_at_every_request():
    granted = {"ann": ["staff"]}
    shop = Shop(authenticate=lambda _request: Principal("ann", granted["ann"]))
    async with serving(shop.app) as server, client_of(server) as client:
        assert (await client.call_tool("whoami", {})).structured_content == {"result": "ann"}
        granted["ann"] = []
        with pytest.raises(MCPError) as refused:
            await client.call_tool("whoami", {})
    assert refused.value.code == INVALID_PARAMS


@pytest.mark.requirement("FRAME-41")
async def test_a_session_that_is_deleted_is_gone_and_its_calls_with_it():
    shop = Shop()
    async with serving(shop.app) as server, wire_of(server) as http:
        session = {"mcp-session-id": await opened(http)}
        call = asyncio.create_task(http.post("/mcp", json=message("tools/call", {"name": "wait"}), headers=session))
        await asyncio.wait_for(shop.begun.wait(), WAIT)
        assert (await http.delete("/mcp", headers=session)).status_code == 200
        await asyncio.wait_for(shop.ended.wait(), WAIT)
        for method in ("POST", "GET", "DELETE"):
            gone = await http.request(method, "/mcp", json=message("ping"), headers=session)
            assert gone.status_code == 404
        await asyncio.wait({call})
        assert await opened(http) != session["mcp-session-id"]


@pytest.mark.requirement("SESS-03")
async def test_where_all_sessions_are_in_use_one_more_is_refused_until_one_ends():
    shop = Shop(mcp_sessions=1)
    async with serving(shop.app) as server, wire_of(server) as http:
        session = {"mcp-session-id": await opened(http)}
        call = asyncio.create_task(http.post("/mcp", json=message("tools/call", {"name": "wait"}), headers=session))
        await asyncio.wait_for(shop.begun.wait(), WAIT)
        refused = await http.post("/mcp", json=message("initialize", OPENING))
        assert refused.status_code == 503
        await http.delete("/mcp", headers=session)
        await asyncio.wait({call})
        assert await opened(http) != session["mcp-session-id"]


@pytest.mark.requirement("SESS-03")
async def test_nobody_keeps_others_out_by_opening_sessions():
    async with serving(Shop(mcp_sessions=4).app) as server, wire_of(server) as http:
        anns = await opened(http, ANN)
        eldest, used, youngest = await opened(http), await opened(http), await opened(http)
        assert (await pinged(http, used)).status_code == 200
        await opened(http, BOB)
        await opened(http, BOB)
        # Of whoever holds most, the sessions that were silent longest; Ann's own is the eldest of all, and stays.
        alive = [(await pinged(http, session)).status_code for session in (eldest, youngest, used)]
        assert alive == [404, 404, 200]
        assert (await pinged(http, anns, ANN)).status_code == 200


async def test_an_opening_that_is_refused_leaves_no_session_behind():
    async with serving(Shop(mcp_sessions=1).app) as server, wire_of(server) as http:
        broken = await http.post("/mcp", json=message("initialize", OPENING), headers={"content-type": "text/plain"})
        assert broken.status_code == 400
        await opened(http)


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"{", 400, -32700),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping","method":"ping"}', 400, -32700),
        (
            b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"count","arguments":{"x":NaN}}}',
            400,
            -32700,
        ),
        (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', 400, -32600),
        (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', 400, -32600),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', 400, -32602),
        (b" " * (5 << 20), 413, -32700),
    ],
)
async def test_a_broken_message_is_refused_in_a_session_as_without_one(body: bytes, status: int, code: int):
    async with serving(Shop().app) as server, wire_of(server) as http:
        kind = {"content-type": "application/json"}
        session = {"mcp-session-id": await opened(http)}
        inside = await http.post("/mcp", content=body, headers={**kind, **session})
        outside = await http.post("/mcp", content=body, headers=kind)
        assert (inside.status_code, inside.json()["error"]["code"]) == (status, code)
        assert (outside.status_code, outside.content) == (status, inside.content)
        assert result_of(await http.post("/mcp", json=message("ping"), headers=session))["result"] == {}


async def test_a_second_initialize_and_an_unknown_method_are_refused():
    async with serving(Shop().app) as server, wire_of(server) as http:
        session = {"mcp-session-id": await opened(http)}
        again = result_of(await http.post("/mcp", json=message("initialize", OPENING), headers=session))
        unknown = result_of(await http.post("/mcp", json=message("nothing"), headers=session))
    assert (again["error"]["code"], unknown["error"]["code"]) == (-32600, -32601)


async def test_clients_that_need_no_session_get_none():
    async with serving(Shop().app) as server, wire_of(server) as http:
        plain = await http.post("/mcp", json=message("initialize", OPENING), headers={"accept": "application/json"})
        alone = await http.post("/mcp", json=message("tools/list"))
        stream = await http.get("/mcp")
    assert plain.json()["result"]["protocolVersion"] == "2025-11-25"
    assert "mcp-session-id" not in plain.headers
    assert len(alone.json()["result"]["tools"]) == 5
    assert stream.status_code == 405


@pytest.mark.parametrize("options", [{"mcp_sessions": False}, {"mcp_sessions": 0}])
async def test_sessions_can_be_switched_off(options: dict[str, object]):
    async with serving(Shop(**options).app) as server, wire_of(server) as http:
        answer = await http.post("/mcp", json=message("initialize", OPENING))
        stale = await http.post("/mcp", json=message("ping"), headers={"mcp-session-id": "0" * 32})
    assert "mcp-session-id" not in answer.headers
    assert "listChanged" not in answer.json()["result"]["capabilities"]["tools"]
    assert stale.json()["result"] == {}


@pytest.mark.parametrize("headers", [{"host": "evil.example"}, {"origin": "http://evil.example"}])
async def test_a_hostile_host_or_origin_reaches_no_session(headers: dict[str, str]):
    async with serving(Shop().app) as server, wire_of(server) as http:
        session = {"mcp-session-id": await opened(http)}
        for method in ("POST", "GET", "DELETE"):
            answer = await http.request(method, "/mcp", json=message("ping"), headers={**session, **headers})
            assert answer.status_code in (403, 421)
        assert result_of(await http.post("/mcp", json=message("ping"), headers=session))["result"] == {}
