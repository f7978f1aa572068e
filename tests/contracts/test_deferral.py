"""Large catalogs over MCP: a short list, a search, and calls through it that answer like direct ones."""

from __future__ import annotations

import json

import httpx
import pytest
from tests.contracts.mcp_wire import ask, ask_older
from tests.contracts.test_mcp import STAFF, shop
from tests.contracts.wire import served

from afford.execute.outcome import CallRecord

SEARCH, CALL = "afford_search_tools", "afford_call_tool"
DEFERRED = {"tool_budget": 1}


async def called(http: httpx.AsyncClient, name: str, arguments: dict[str, object], **headers: str):
    answer = await ask(http, "tools/call", {"name": name, "arguments": arguments}, **headers)
    assert answer.status_code == 200, answer.text
    return answer.json()["result"]


async def searched(http: httpx.AsyncClient, query: str, **headers: str) -> list[str]:
    result = await called(http, SEARCH, {"query": query, "limit": 20}, **headers)
    return [row["name"] for row in result["structuredContent"]["rows"]]


def error(result: dict[str, object]) -> dict[str, object]:
    assert result["isError"] is True
    return json.loads(result["content"][0]["text"])["error"]


@pytest.mark.requirement("DEFER-01")
async def test_over_the_budget_the_list_holds_two_tools_in_both_eras():
    async with served(shop(**DEFERRED).asgi()) as http:
        modern = (await ask(http, "tools/list")).json()["result"]
        older = (await ask_older(http, "tools/list")).json()["result"]
    assert [item["name"] for item in modern["tools"]] == [CALL, SEARCH]
    assert older["tools"] == modern["tools"]
    assert "nextCursor" not in modern


@pytest.mark.parametrize("options", [{"tool_budget": 0}, {"tool_budget": None}, {}])
async def test_without_a_budget_or_within_it_everything_is_listed_and_neither_tool_exists(options: dict[str, object]):
    async with served(shop(**options).asgi()) as http:
        tools = (await ask(http, "tools/list")).json()["result"]["tools"]
        refused = [await ask(http, "tools/call", {"name": name, "arguments": {}}) for name in (SEARCH, CALL)]
    assert {"lamps", "tree"} <= {item["name"] for item in tools}
    assert not {SEARCH, CALL} & {item["name"] for item in tools}
    assert {answer.json()["error"]["code"] for answer in refused} == {-32602}


async def test_instructions_say_what_the_list_leaves_out():
    async with served(shop(**DEFERRED).asgi()) as short, served(shop().asgi()) as whole:
        texts = [(await ask(http, "server/discover")).json()["result"]["instructions"] for http in (short, whole)]
        hello = (await ask_older(short, "initialize", {"protocolVersion": "2025-11-25", "capabilities": {}})).json()
    assert [SEARCH in text for text in texts] == [True, False]
    assert hello["result"]["instructions"] == texts[0]


@pytest.mark.requirement("DEFER-01")
async def test_a_tool_that_is_left_out_is_found_and_stays_callable_by_name():
    async with served(shop(**DEFERRED).asgi()) as http:
        assert (await searched(http, "how many lamps are there? count them"))[0] == "count"
        assert (await called(http, "count", {}))["structuredContent"] == {"result": 7}


@pytest.mark.requirement("DEFER-02")
@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("count", {}),
        ("lamp", {"number": 3}),
        ("lamp", {"number": 9}),
        ("lamp", {"numbr": 3}),
        ("lamps", {"limit": 3}),
        ("lamps", {"cursor": "garbage"}),
        ("lamps", {"limit": "two"}),
        ("many", {}),
        ("tree", {}),
    ],
)
async def test_a_call_through_answers_like_a_direct_one(name: str, arguments: dict[str, object]):
    async with served(shop(**DEFERRED).asgi()) as http:
        direct = await called(http, name, arguments)
        through = await called(http, CALL, {"name": name, "arguments": arguments})
    assert through == direct


async def test_pages_are_followed_through_the_call_tool():
    async with served(shop(**DEFERRED).asgi()) as http:
        first = await called(http, CALL, {"name": "lamps", "arguments": {"limit": 5}})
        cursor = first["structuredContent"]["next_cursor"]
        second = await called(http, CALL, {"name": "lamps", "arguments": {"limit": 5, "cursor": cursor}})
    assert [row["number"] for row in second["structuredContent"]["rows"]] == [5, 6]


@pytest.mark.requirement("DEFER-02")
async def test_a_search_finds_only_what_its_caller_may_call():
    async with served(shop(**DEFERRED).asgi()) as http:
        for _ in range(2):
            assert "discard" in await searched(http, "throw lamps away", **STAFF)
            assert "discard" not in await searched(http, "throw lamps away")
            assert "elsewhere" not in await searched(http, "elsewhere only http", **STAFF)


@pytest.mark.requirement("DEFER-02")
async def test_a_hidden_name_and_an_unknown_one_are_refused_alike_with_suggestions_from_the_manifest():
    async with served(shop(**DEFERRED).asgi()) as http:
        hidden, unknown, misspelt, itself = [
            error(await called(http, CALL, {"name": name}))
            for name in ("discard", "nothing_at_all", "lampz", "afford_call_tool")
        ]
        allowed = await called(http, CALL, {"name": "discard", "arguments": {"number": 1}}, **STAFF)
    assert hidden == unknown == itself
    assert hidden["code"] == misspelt["code"] == "unknown_operation"
    assert SEARCH in hidden["fix"]
    assert "`lamps`" in misspelt["fix"]
    assert allowed["isError"] is False


@pytest.mark.parametrize("arguments", [{}, {"name": "count", "arguments": 5}, {"tool": "count"}])
async def test_a_call_that_names_no_tool_is_refused_by_the_call_tools_own_schema(arguments: dict[str, object]):
    async with served(shop(**DEFERRED).asgi()) as http:
        assert error(await called(http, CALL, arguments))["code"] == "bad_request"


async def test_a_call_through_is_recorded_as_the_tool_that_ran():
    records: list[CallRecord] = []
    async with served(shop(**DEFERRED, record=records.append).asgi()) as http:
        await called(http, CALL, {"name": "lamp", "arguments": {"number": 3}})
    assert [(item.operation, item.arguments, item.code) for item in records] == [("lamp", {"number": 3}, "ok")]


async def test_a_list_defers_for_those_who_are_offered_too_much_and_for_nobody_else():
    async with served(shop().asgi()) as http:
        size = len(json.dumps((await ask(http, "tools/list")).json()["result"]["tools"], separators=(",", ":")))
    async with served(shop(tool_budget=int(size / 3.5) + 20).asgi()) as http:
        anonymous = (await ask(http, "tools/list")).json()["result"]["tools"]
        staff = (await ask(http, "tools/list", **STAFF)).json()["result"]["tools"]
    assert len(anonymous) > 2
    assert len(staff) == 2
