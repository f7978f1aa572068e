"""`afford mcp` where the app runs already: the assistant and the developer's browser are on the same instance."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any, Final

import pytest
from tests.e2e.connect.machine import Machine, RpcError, machine

pytestmark = pytest.mark.timeout(120)

ERAS: Final = ("modern", "handshake")
FORM: Final[dict[str, object]] = {"elicitation": {"form": {}}}
APP: Final = """
from afford import App, anyone

app = App("hotel", access=anyone(), roles=("staff",))


@app.query(description="Say that this is another process.")
async def fresh() -> bool:
    return True
"""


@pytest.fixture
async def here(tmp_path: Path) -> AsyncGenerator[Machine]:
    async with machine(tmp_path) as made:
        yield made


@pytest.fixture
def file(tmp_path: Path) -> str:
    place = tmp_path / "hotel.py"
    place.write_text(APP)
    return str(place)


@pytest.mark.requirement("CONN-12")
@pytest.mark.parametrize("era", ERAS)
async def test_the_running_instance_is_passed_on_whole(here: Machine, file: str, era: str) -> None:
    hotel = await here.start("hotel", "--target", f"{file}:app")
    async with here.client("mcp", file, era=era) as talk:
        server: dict[str, Any] = (
            talk.greeting.get("serverInfo") or talk.greeting["_meta"]["io.modelcontextprotocol/serverInfo"]
        )
        assert (server["title"], talk.greeting["capabilities"]["resources"]) == (
            "Hotel",
            {"listChanged": True, "subscribe": True},
        )
        assert {"whoami", "book"} <= set(await talk.tools())
        answer = (await talk.call("whoami"))["structuredContent"]
        assert (answer["id"], answer["pid"]) == ("dev", hotel.process.pid)
        (listed,) = (await talk.request("resources/list"))["resources"]
        read = await talk.request("resources/read", {"uri": listed["uri"]})
        assert read["contents"][0]["text"] == "notes of hotel"
        with pytest.raises(RpcError) as caught:
            await talk.call("nothing")
        assert caught.value.error["code"] == -32602


@pytest.mark.requirement("CONN-12")
async def test_changes_and_questions_come_through_in_the_older_era(here: Machine, file: str) -> None:
    hotel = await here.start("hotel", "--target", file)
    answer = {"action": "accept", "content": {"name": "Ada"}}
    options: dict[str, Any] = {"era": "handshake", "capabilities": FORM, "person": lambda _params: answer}
    async with here.client("mcp", file, **options) as talk:
        assert (await talk.call("greet"))["structuredContent"] == {"result": "Hello Ada from hotel"}
        await talk.request("resources/subscribe", {"uri": "notes://hotel/today"})
        await hotel.say("note")
        await talk.news("notifications/resources/updated")
        await hotel.say("more")
        await talk.until(lambda tools: "sometimes" in tools)


@pytest.mark.requirement("CONN-12")
@pytest.mark.parametrize("words", [["--fresh"], ["--as", "ann"], ["--as", "ann", "--roles", "staff"]])
async def test_who_wants_a_fresh_one_or_an_identity_of_its_own_gets_it(
    here: Machine, file: str, words: list[str]
) -> None:
    await here.start("hotel", "--target", file)
    async with here.client("mcp", file, *words) as talk:
        assert set(await talk.tools()) == {"fresh"}


@pytest.mark.requirement("CONN-12")
async def test_another_app_is_no_instance_of_this_one(here: Machine, file: str) -> None:
    await here.start("hotel", "--target", f"{file}x")
    await here.start("hotel", "--target", file, "--no-mcp")
    async with here.client("mcp", file) as talk:
        assert set(await talk.tools()) == {"fresh"}


@pytest.mark.requirement("CONN-12")
async def test_an_instance_that_comes_back_elsewhere_is_found_again(here: Machine, file: str) -> None:
    first = await here.start("hotel", "--target", file)
    async with here.client("mcp", file) as talk:
        await talk.tools()
        _, waiting = await talk.begin("tools/call", {"name": "wait", "_meta": {"progressToken": 1}})
        await talk.news("notifications/progress")
        await first.kill()
        told = json.loads((await waiting)["result"]["content"][0]["text"])["error"]
        assert told["code"] == "unavailable"
        second = await here.start("hotel", "--target", file)
        await talk.news("notifications/tools/list_changed")
        assert (await talk.call("whoami"))["structuredContent"]["pid"] == second.process.pid
