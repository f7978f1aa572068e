"""What the README says of assistants over MCP, done with its own code and its own client configuration."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.contracts.mcp_wire import CAN_ASK, META, ask, error, listed, listening, result
from tests.contracts.wire import connected, served
from tests.docs.blocks import app_of, blocks

from afford import App, Principal, find_agent_doc_gaps
from afford.testing import Client, client

BAKER = Principal("ann", ["baker"])
CODE = blocks("README.md", "python")[1]
CONFIGURATION = json.loads(blocks("README.md", "json")[0])["mcpServers"]


@pytest.fixture
def bakery(tmp_path: Path) -> App:
    return app_of(CODE, tmp_path / "bakery.py")


def test_the_code_is_short_and_leaves_nothing_undescribed(bakery: App) -> None:
    assert len([line for line in CODE.splitlines() if line.strip()]) <= 40
    assert find_agent_doc_gaps(bakery) == ()


@pytest.mark.parametrize("over", ["mcp", "stdio"])
async def test_everybody_is_offered_what_they_may_call_and_no_tool_over_http(bakery: App, over: str) -> None:
    everybody = ["afford_state_read", "bake_rolls", "bake_rye", "order"]
    async with client(bakery, over=over) as visitor:  # type: ignore[arg-type]
        assert await offered(visitor) == everybody
    async with client(bakery, as_=BAKER, over=over) as baker:  # type: ignore[arg-type]
        assert set(await offered(baker)) == {*everybody, "heat_oven", "learn"}
    async with client(bakery, as_=BAKER, over="http") as program:
        assert await program.names() == ["order"]
        assert (await program.call("heat_oven", degrees=200)).code == "unknown_operation"


async def offered(caller: Client) -> list[str]:
    """Wire names of operations and tools."""
    manifest = await caller.manifest()
    return sorted(str(item["name"]) for part in ("operations", "tools") for item in manifest[part])


async def test_a_tool_changes_the_state_that_everybody_may_read(bakery: App) -> None:
    async with client(bakery, as_=BAKER, over="mcp") as baker:
        assert (await baker.call("heat_oven", degrees=230)).value == {"degrees": 230}
        assert (await baker.call("heat_oven", degrees=500)).fault_codes() == {"/degrees": "out_of_range"}
        read = (await baker.call("afford_state_read", key="oven")).value
    assert read == {"key": "oven", "version": 2, "value": {"degrees": 230}}


async def test_who_follows_the_oven_is_told(bakery: App) -> None:
    async with listening(bakery, as_=BAKER, resourceSubscriptions=["afford://state/oven"]) as listener:
        async with client(bakery, as_=BAKER, over="mcp") as baker:
            await baker.call("heat_oven", degrees=230)
        assert await listener.next() == ("notifications/resources/updated", "afford://state/oven")


async def test_a_recipe_that_is_learnt_can_be_baked_at_once_and_clients_are_told(bakery: App) -> None:
    async with listening(bakery, as_=BAKER, toolsListChanged=True) as listener:
        async with client(bakery, as_=BAKER, over="mcp") as baker:
            assert (await baker.call("bake_bagels")).code == "unknown_operation"
            assert (await baker.call("learn", name="bagels", recipe="Boil, then bake.")).ok
            assert (await baker.call("bake_bagels")).ok
        assert await listener.next() == ("notifications/tools/list_changed", None)


async def test_resources_and_prompts_are_read(bakery: App) -> None:
    async with served(bakery.asgi()) as http:
        assert list(await listed(http, "resourceTemplates")) == ["bakery://recipes/{name}"]
        read = await result(http, "resources/read", {"uri": "bakery://recipes/rye"})
        assert read["contents"][0]["text"] == "Flour, water, salt; two days."
        assert list(await listed(http, "prompts")) == ["breakfast"]
        filled = await result(http, "prompts/get", {"name": "breakfast", "arguments": {"guests": "4"}})
        assert "4" in filled["messages"][0]["content"]["text"]
        for unknown in ("bakery://recipes/brick", "bakery://bricks/rye"):
            assert (await error(http, "resources/read", {"uri": unknown}))["code"] == -32602
        reference = {"type": "ref/resource", "uri": "bakery://recipes/{name}"}
        typed = {"ref": reference, "argument": {"name": "name", "value": "ry"}}
        assert (await result(http, "completion/complete", typed))["completion"]["values"] == ["rye"]


@pytest.mark.requirement("ASK-01")
async def test_the_person_is_asked_before_anything_is_ordered(bakery: App) -> None:
    order = {"name": "order", "arguments": {"loaves": 3}}
    async with served(bakery.asgi()) as http:
        asked = (await ask(http, "tools/call", order, capabilities=CAN_ASK)).json()["result"]
        question = asked["inputRequests"]["pickup"]["params"]
        answers = {"pickup": {"action": "accept", "content": {"name": "Bo"}}}
        again = {**order, "inputResponses": answers, "requestState": asked["requestState"]}
        done = (await ask(http, "tools/call", again, capabilities=CAN_ASK)).json()["result"]
    assert question["message"] == "Who picks up the 3 loaves?"
    assert set(question["requestedSchema"]["properties"]) == {"name", "gift"}
    assert done["structuredContent"] == {"result": "3 loaves for Bo"}


def test_the_configured_command_serves_the_configured_caller(bakery: App, tmp_path: Path) -> None:
    configured = CONFIGURATION["bakery"]
    assert configured["command"] == "afford"
    frame = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": META}})
    command = [sys.executable, "-m", "afford", *configured["args"]]
    ran = subprocess.run(command, cwd=tmp_path, input=f"{frame}\n", capture_output=True, text=True, check=True)
    names = [item["name"] for item in json.loads(ran.stdout)["result"]["tools"]]
    assert "heat_oven" in names


async def test_the_configured_address_is_where_a_served_app_has_mcp(bakery: App) -> None:
    path = "/" + CONFIGURATION["bakery-online"]["url"].split("/", 3)[3]
    async with connected(bakery.site()) as http:
        urls = (await http.get("/.well-known/afford.json")).json()["urls"]
    assert urls["mcp"] == path
