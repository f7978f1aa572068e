"""`afford connect` as a whole process, between a client that speaks raw lines and instances in their own processes."""

from __future__ import annotations

import asyncio
import json
import random
import signal
import sys
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
from tests.e2e.connect.machine import HERE, MODERN, Machine, RpcError, Running, machine

pytestmark = pytest.mark.timeout(120)

ERAS: Final = ("modern", "handshake")
FORM: Final[dict[str, object]] = {"elicitation": {"form": {}}}
ACCEPT: Final = {"action": "accept", "content": {"name": "Ada"}}


@pytest.fixture
async def here(tmp_path: Path) -> AsyncGenerator[Machine]:
    async with machine(tmp_path) as made:
        yield made


async def asked_directly(instance: Running, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
    """What an instance answers to whoever holds its token."""
    meta = {
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    }
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**(params or {}), "_meta": meta}}
    headers = {
        "accept": "application/json, text/event-stream",
        "authorization": f"Bearer {instance.token}",
        "mcp-protocol-version": MODERN,
        "mcp-method": method,
        **({"mcp-name": params["name"]} if params and "name" in params else {}),
    }
    async with httpx.AsyncClient() as http:
        answer = await http.post(f"{instance.url}/agent/mcp", json=body, headers=headers)
    message: dict[str, Any] = answer.json()
    return message


@pytest.mark.requirement("CONN-03")
async def test_tools_pass_whole_but_for_the_name(here: Machine) -> None:
    hotel = await here.start("hotel")
    own = (await asked_directly(hotel, "tools/list"))["result"]["tools"]
    async with here.client("connect") as talk:
        tools = await talk.tools()
    assert {name: tool for name, tool in tools.items() if name != "afford_instances"} == {
        f"hotel__{tool['name']}": {**tool, "name": f"hotel__{tool['name']}"} for tool in own
    }
    assert "hotel__book" in tools, "only whoever has the token is offered it"


@pytest.mark.requirement("CONN-03")
@pytest.mark.parametrize("era", ERAS)
async def test_results_pass_as_they_are(here: Machine, era: str) -> None:
    hotel = await here.start("hotel")
    async with here.client("connect", era=era) as talk:
        await talk.tools()
        for name, arguments in (("book", {"room": 3}), ("book", {"room": "x"}), ("whoami", {"loud": True})):
            own = (await asked_directly(hotel, "tools/call", {"name": name, "arguments": arguments}))["result"]
            if era == "handshake":
                own.pop("resultType")
            assert await talk.call(f"hotel__{name}", arguments) == own


@pytest.mark.requirement("CONN-03")
async def test_errors_of_the_protocol_stay_what_they_are(here: Machine) -> None:
    hotel = await here.start("hotel")
    own = (await asked_directly(hotel, "tools/call", {"name": "greet", "arguments": {}}))["error"]
    async with here.client("connect") as talk:
        await talk.tools()
        with pytest.raises(RpcError) as caught:
            await talk.call("hotel__greet")
        assert caught.value.error == own
        for unknown in ("hotel__nothing", "nothing", "whoami"):
            with pytest.raises(RpcError) as caught:
                await talk.call(unknown)
            assert caught.value.error["code"] == -32602


@pytest.mark.requirement("CONN-03")
@pytest.mark.parametrize("era", ERAS)
async def test_progress_comes_before_the_result_under_the_client_s_own_token(here: Machine, era: str) -> None:
    await here.start("hotel")
    async with here.client("connect", era=era) as talk:
        await talk.tools()
        await talk.call("hotel__work", {"steps": 2}, _meta={"progressToken": "mine"})
        said = [item["params"] for item in talk.heard if item["method"] == "notifications/progress"]
    assert said == [{"progressToken": "mine", "progress": step, "total": 2, "message": "working"} for step in (1, 2)]


@pytest.mark.requirement("CONN-03")
@pytest.mark.parametrize("era", ERAS)
async def test_a_cancelled_call_is_given_up_where_it_runs(here: Machine, era: str) -> None:
    await here.start("hotel")
    async with here.client("connect", era=era) as talk:
        await talk.tools()
        identity, future = await talk.begin("tools/call", {"name": "hotel__wait", "_meta": {"progressToken": 1}})
        await talk.news("notifications/progress")
        await talk.write({"method": "notifications/cancelled", "params": {"requestId": identity}})
        assert (await talk.call("hotel__given_up"))["structuredContent"] == {"result": True}
        assert not future.done()


@pytest.mark.requirement("CONN-04")
async def test_a_client_of_the_modern_era_is_asked_by_a_result(here: Machine) -> None:
    await here.start("hotel")
    async with here.client("connect", capabilities=FORM) as talk:
        await talk.tools()
        first = await talk.call("hotel__greet")
        assert first["resultType"] == "input_required"
        answers = dict.fromkeys(first["inputRequests"], ACCEPT)
        second = await talk.call("hotel__greet", inputResponses=answers, requestState=first["requestState"])
    assert second["structuredContent"] == {"result": "Hello Ada from hotel"}


@pytest.mark.requirement("CONN-04")
async def test_a_client_of_the_older_era_is_asked_while_the_call_waits(here: Machine) -> None:
    await here.start("hotel")
    asked: list[dict[str, Any]] = []

    def person(params: dict[str, Any]) -> dict[str, Any]:
        asked.append(params)
        return ACCEPT

    async with here.client("connect", era="handshake", capabilities=FORM, person=person) as talk:
        await talk.tools()
        answer = await talk.call("hotel__greet")
    assert answer["structuredContent"] == {"result": "Hello Ada from hotel"}
    assert [item["message"] for item in asked] == ["Who is it?"]


@pytest.mark.requirement("CONN-04")
@pytest.mark.parametrize("era", ERAS)
async def test_who_cannot_ask_a_person_gets_the_refusal_of_the_instance(here: Machine, era: str) -> None:
    await here.start("hotel")
    async with here.client("connect", era=era) as talk:
        await talk.tools()
        with pytest.raises(RpcError) as caught:
            await talk.call("hotel__greet")
    assert caught.value.error["data"]["error"]["code"] == "input_required"


@pytest.mark.requirement("CONN-05")
@pytest.mark.parametrize("era", ERAS)
async def test_the_client_is_told_when_an_instance_comes_changes_and_goes(here: Machine, era: str) -> None:
    async with here.client("connect", era=era) as talk:
        assert list(await talk.tools()) == ["afford_instances"]
        hotel = await here.start("hotel")
        await talk.until(lambda tools: "hotel__whoami" in tools)
        assert "hotel__sometimes" not in await talk.tools()
        await hotel.say("more")
        await talk.until(lambda tools: "hotel__sometimes" in tools)
        await hotel.say("less")
        await talk.until(lambda tools: "hotel__sometimes" not in tools)
        await hotel.kill()
        await talk.until(lambda tools: list(tools) == ["afford_instances"])
        gone = json.loads((await talk.call("hotel__whoami"))["content"][0]["text"])
        assert gone["error"]["code"] == "unavailable"
        again = await here.start("hotel")
        await talk.until(lambda tools: "hotel__whoami" in tools)
        assert (await talk.call("hotel__whoami"))["structuredContent"]["pid"] == again.process.pid


@pytest.mark.requirement("CONN-05")
async def test_a_server_that_is_back_at_its_address_keeps_its_tools_and_answers(here: Machine) -> None:
    first = await here.start("hotel")
    port = first.url.rpartition(":")[2]
    async with here.client("connect") as talk:
        await talk.tools()
        await first.kill()
        await here.start("hotel", "--port", port, "--id", first.id, "--tools", "1")
        await talk.until(lambda tools: "hotel__tool_000" in tools)
        assert (await talk.call("hotel__tool_000"))["structuredContent"] == {"result": 0}


@pytest.mark.requirement("CONN-06")
async def test_a_call_that_a_crash_ends_is_refused_as_one_whose_outcome_nobody_knows(here: Machine) -> None:
    hotel = await here.start("hotel")
    async with here.client("connect") as talk:
        await talk.tools()
        _, future = await talk.begin("tools/call", {"name": "hotel__wait", "_meta": {"progressToken": 1}})
        await talk.news("notifications/progress")
        await hotel.kill()
        result = (await future)["result"]
    told = json.loads(result["content"][0]["text"])["error"]
    assert (result["isError"], told["code"], told.get("retryable")) == (True, "unavailable", None)


@pytest.mark.requirement("CONN-06")
async def test_a_paused_instance_keeps_its_record_and_tools_and_holds_up_no_other(here: Machine) -> None:
    paused, other = await here.start("paused"), await here.start("other")
    async with here.client("connect") as talk:
        await talk.until(lambda tools: "paused__whoami" in tools and "other__whoami" in tools)
        paused.send(signal.SIGSTOP)
        _, waiting = await talk.begin("tools/call", {"name": "paused__whoami"})
        assert (await talk.call("other__whoami"))["structuredContent"]["name"] == "other"
        async with here.client("connect", era="handshake") as late:
            assert "other__whoami" in await late.tools(), "whoever comes later waits for it only for a moment"
        await other.kill()
        await talk.until(lambda tools: "other__whoami" not in tools and "paused__whoami" in tools)
        assert (here.folder / f"{paused.id}.json").exists()
        paused.send(signal.SIGCONT)
        assert (await waiting)["result"]["structuredContent"]["name"] == "paused"


@pytest.mark.requirement("CONN-07")
async def test_instances_of_one_name_are_told_apart_and_keep_their_prefixes(here: Machine) -> None:
    first = await here.start("hotel", "--target", "first:app")
    async with here.client("connect") as talk:
        await talk.tools()
        second = await here.start("hotel", "--target", "second:app")
        tools = await talk.until(lambda tools: sum(name.endswith("__whoami") for name in tools) == 2)
        (other,) = {name.partition("__")[0] for name in tools if name.endswith("__whoami")} - {"hotel"}
        pids = [(await talk.call(f"{prefix}__whoami"))["structuredContent"]["pid"] for prefix in ("hotel", other)]
        assert pids == [first.process.pid, second.process.pid]
        await first.kill()
        await talk.until(lambda tools: "hotel__whoami" not in tools and f"{other}__whoami" in tools)
        await second.kill()
        again = await here.start("hotel", "--target", "second:app")
        await talk.until(lambda tools: f"{other}__whoami" in tools)
        assert (await talk.call(f"{other}__whoami"))["structuredContent"]["pid"] == again.process.pid


@pytest.mark.requirement("CONN-08")
async def test_the_instances_are_listed_with_what_keeps_one_from_being_called(here: Machine) -> None:
    hotel = await here.start("hotel")
    await here.start("closed", "--no-mcp")
    async with here.client("connect", "nowhere=http://127.0.0.1:9/mcp") as talk:
        tools = await talk.tools()
        answer = await talk.call("afford_instances")
    listed = {item["prefix"]: item for item in answer["structuredContent"]["instances"]}
    assert json.loads(answer["content"][0]["text"]) == answer["structuredContent"]
    assert (listed["hotel"]["state"], listed["hotel"]["tools"]) == ("ready", len(tools) - 1)
    assert (listed["hotel"]["url"], listed["hotel"]["title"]) == (f"{hotel.url}/agent/mcp", "Hotel")
    assert (listed["closed"]["state"], listed["closed"]["tools"]) == ("without-mcp", 0)
    assert (listed["nowhere"]["state"], listed["nowhere"]["tools"]) == ("unreachable", 0)
    assert talk.process.returncode == 0


@pytest.mark.requirement("CONN-09")
async def test_a_token_appears_nowhere(here: Machine) -> None:
    hotel = await here.start("hotel")
    async with here.client("connect", era="handshake") as talk:
        said = [await talk.tools(), await talk.call("afford_instances"), await talk.call("hotel__whoami")]
        await hotel.kill()
        await talk.until(lambda tools: "hotel__whoami" not in tools)
        said.append(await talk.call("hotel__whoami"))
    assert hotel.token not in json.dumps([said, talk.heard])
    assert talk.noise == b""


@pytest.mark.requirement("CONN-09")
async def test_a_redirect_to_another_address_is_not_followed(here: Machine) -> None:
    visits: list[str] = []

    async def elsewhere(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        visits.append((await reader.readline()).decode())
        writer.close()

    async with await asyncio.start_server(elsewhere, "127.0.0.1", 0) as target:
        where = target.sockets[0].getsockname()[1]

        async def redirect(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            location = f"Location: http://127.0.0.1:{where}/mcp\r\n"
            writer.write(f"HTTP/1.1 307 Moved\r\n{location}Content-Length: 0\r\nConnection: close\r\n\r\n".encode())
            await writer.drain()
            writer.close()

        async with await asyncio.start_server(redirect, "127.0.0.1", 0) as moved:
            url = f"http://127.0.0.1:{moved.sockets[0].getsockname()[1]}/mcp"
            async with here.client("connect", f"moved={url}") as talk:
                await talk.tools()
                (told,) = (await talk.call("afford_instances"))["structuredContent"]["instances"]
    assert told["state"] == "unreachable"
    assert visits == []


@pytest.mark.requirement("CONN-07")
async def test_a_name_that_is_too_long_is_cut_and_resolves_to_its_own_tool(here: Machine) -> None:
    await here.start("a-very-long-name-of-a-hotel", "--tools", "2", "--long")
    async with here.client("connect") as talk:
        tools = await talk.tools()
        assert all(len(name) <= 64 for name in tools)
        answers = {name: await talk.call(name) for name in tools if "tool_" in name}
    assert sorted(item["structuredContent"]["result"] for item in answers.values()) == [0, 1]


@pytest.mark.requirement("CONN-10")
async def test_instances_that_start_and_die_at_random_leave_no_trace(here: Machine) -> None:
    chance = random.Random(1)
    alive: dict[str, Running] = {}
    async with here.client("connect", era="handshake") as talk:
        await talk.tools()
        for _ in range(12):
            name = chance.choice(("red", "green", "blue"))
            if name in alive:
                await alive.pop(name).kill()
            else:
                alive[name] = await here.start(name, "--tools", str(chance.randrange(3)))
            if chance.random() < 0.5:
                await talk.until(exactly(alive))
                for one, running in alive.items():
                    answer = await talk.call(f"{one}__whoami")
                    assert answer["structuredContent"]["pid"] == running.process.pid
        await talk.until(exactly(alive))
        listed = (await talk.call("afford_instances"))["structuredContent"]["instances"]
        assert {item["prefix"] for item in listed} == set(alive)
        assert {path.stem for path in here.folder.iterdir()} == {running.id for running in alive.values()}
    assert talk.noise == b""


def exactly(alive: dict[str, Running]) -> Callable[[dict[str, Any]], bool]:
    wanted = {f"{one}__whoami" for one in alive}
    return lambda tools: {name for name in tools if name.endswith("__whoami")} == wanted


@asynccontextmanager
async def foreign() -> AsyncGenerator[str]:
    """The origin of a server of other people's making."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, str(HERE / "foreign.py"), stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    try:
        yield (await process.stdout.readline()).decode().strip()
    finally:
        process.kill()
        await process.wait()


@pytest.mark.requirement("CONN-11")
async def test_a_server_with_sessions_of_the_older_era_is_passed_on_as_well(here: Machine) -> None:
    size = {"action": "accept", "content": {"size": 7}}
    async with foreign() as url:
        options: dict[str, Any] = {"era": "handshake", "capabilities": FORM, "person": lambda _params: size}
        async with here.client("connect", f"things={url}/mcp", **options) as talk:
            tools = await talk.tools()
            (measure,) = (name for name in tools if "measure" in name)
            assert measure != "things__shop.measure", "a point is in no name that every client takes"
            assert (await talk.call(measure))["content"][0]["text"] == "accept 7"
            await talk.call("things__grow")
            await talk.until(lambda tools: "things__grown" in tools)
            async with httpx.AsyncClient() as http:
                await http.post(f"{url}/forget")
            answers = await asyncio.gather(*(talk.call("things__grown") for _ in range(3)))
            assert [item["structuredContent"] for item in answers] == [{"result": 1}] * 3


@pytest.mark.requirement("CONN-11")
async def test_a_server_that_asks_in_the_middle_is_told_that_a_modern_client_cannot_be_asked(here: Machine) -> None:
    async with foreign() as url, here.client("connect", f"things={url}/mcp", capabilities=FORM) as talk:
        (measure,) = (name for name in await talk.tools() if "measure" in name)
        with pytest.raises(RpcError) as caught:
            await talk.call(measure)
    assert "cannot put a question" in caught.value.error["message"]
