"""Other people's clients against a real server: all of them see, get and are refused the same thing."""

from __future__ import annotations

import json
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from tests.e2e.mcp.jobs import (
    CALLERS,
    DRIVERS,
    LIBRARY,
    TRANSPORTS,
    VERSIONS,
    WITHOUT_SESSIONS,
    Driver,
    connections,
    done,
)
from tests.served import served

KEY = "staff-key-1"
STEPS: dict[str, tuple[str, dict[str, object]]] = {
    "server": ("server", {}),
    "tools": ("list_tools", {}),
    "page": ("call", {"name": "books", "arguments": {}}),
    "pages": ("walk", {"name": "books", "arguments": {"limit": 4}}),
    "object": ("call", {"name": "book", "arguments": {"number": 3}}),
    "number": ("call", {"name": "count", "arguments": {}}),
    "mirrored": ("call", {"name": "branch", "arguments": {"city": "Beyoğlu ", "floor": 2}}),
    "misspelled": ("call", {"name": "book", "arguments": {"numbr": 3}}),
    "missing": ("call", {"name": "book", "arguments": {"number": 99}}),
    "destructive": ("call", {"name": "discard", "arguments": {"number": 3}}),
    "unknown": ("call", {"name": "nowhere", "arguments": {}}),
    "sorted": ("progress", {"name": "sort", "arguments": {}}),
    "cancelled": ("cancel", {"call": "wait", "then": "given_up"}),
    "picture": ("call", {"name": "cover", "arguments": {"number": 3}}),
    "resources": ("list_resources", {}),
    "templates": ("list_templates", {}),
    "rules": ("read", {"uri": "library://rules"}),
    "leaf": ("read", {"uri": "library://books/3/pages/k%C4%B1rk"}),
    "ledger": ("read", {"uri": "library://ledger"}),
    "nothing": ("read", {"uri": "library://nothing"}),
    "prompts": ("list_prompts", {}),
    "prompt": ("get_prompt", {"name": "recommend", "arguments": {"mood": "calm", "name": "Ece"}}),
    "moods": ("complete", {"prompt": "recommend", "argument": {"name": "mood", "value": "c"}}),
    "asked": ("call", {"name": "lend", "arguments": {"number": 3}}),
    "told": ("watch", {"uri": "afford://state/visitors", "call": {"name": "enter", "arguments": {}}}),
}
ANSWERS = {"name": "Ece", "weeks": 3}
ALL = [
    pytest.param((driver, era, transport), id=f"{driver.name}, {era}, {transport}")
    for driver in DRIVERS
    for era in driver.eras
    for transport in TRANSPORTS[era]
]

Seen = dict[str, dict[str, Any]]
"""Outcomes by caller and step."""


@pytest.fixture(scope="module")
def urls() -> Generator[dict[str, str]]:
    with served(LIBRARY) as url, served(LIBRARY, LIBRARY_SESSIONS="off") as other:
        yield {"http": url, WITHOUT_SESSIONS: other}


@pytest.fixture(scope="module")
def outcomes(urls: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """What every client made of the job, by its name."""

    def did(driver: Driver, command: list[str]) -> dict[str, Any]:
        here = connections(driver.eras, urls, KEY)
        return done(command, {"connections": here, "steps": list(STEPS.values()), "answers": ANSWERS})

    commands = [driver.command(tmp_path_factory.mktemp("driver")) for driver in DRIVERS]
    with ThreadPoolExecutor(max_workers=2) as pool:
        return dict(zip((driver.name for driver in DRIVERS), pool.map(did, DRIVERS, commands), strict=True))


@pytest.fixture(params=ALL)
def way(request: pytest.FixtureRequest) -> tuple[Driver, str, str]:
    """A client, an era and a transport."""
    chosen: tuple[Driver, str, str] = request.param
    return chosen


@pytest.fixture
def seen(outcomes: dict[str, dict[str, Any]], way: tuple[Driver, str, str]) -> Seen:
    """What that client saw that way."""
    driver, era, transport = way
    result: Seen = {}
    for caller in CALLERS:
        steps = outcomes[driver.name][f"{era} {transport} {caller}"]
        assert isinstance(steps, list), steps["failed"]
        result[caller] = dict(zip(STEPS, steps, strict=True))
    # The older TypeScript package does not say which revision it speaks on stdio.
    assert result["anonymous"]["server"]["result"].get("version", VERSIONS[era]) == VERSIONS[era]
    return result


def contents(outcome: dict[str, Any]) -> tuple[str, str, str]:
    """URI, type and text of the one document that was read."""
    (found,) = outcome["result"]["contents"]
    return found["uri"], found["mimeType"], found["text"]


def lasts(way: tuple[Driver, str, str]) -> bool:
    """Whether the server can reach the client between its requests, or knows that two of them belong together."""
    return way[2] != WITHOUT_SESSIONS


def refusal(outcome: dict[str, Any]) -> dict[str, Any]:
    """The coded error inside a tool result."""
    result = outcome["result"]
    assert result["isError"] is True
    assert "structuredContent" not in result
    error: dict[str, Any] = json.loads(result["content"][0]["text"])["error"]
    return error


pytestmark = [pytest.mark.timeout(600), pytest.mark.requirement("MCP-06")]


def test_a_client_learns_who_answers(seen: Seen) -> None:
    server = seen["anonymous"]["server"]["result"]
    assert (server["info"]["name"], server["info"]["version"]) == ("library", "3.1.4")
    assert "tools" in server["capabilities"]
    assert server["instructions"].startswith("City library")


def test_a_client_sees_the_tools_of_its_credential(seen: Seen) -> None:
    names = {caller: {tool["name"] for tool in seen[caller]["tools"]["result"]["tools"]} for caller in CALLERS}
    assert {"book", "books", "enter", "afford_state_read"} <= names["anonymous"]
    assert names["staff"] - names["anonymous"] == {"discard"}


def test_a_client_gets_rows_an_object_and_a_number(seen: Seen) -> None:
    steps = seen["anonymous"]
    page = steps["page"]["result"]["structuredContent"]
    assert [row["number"] for row in page["rows"]] == [0, 1, 2]
    assert page["total"] == 7
    assert steps["object"]["result"]["structuredContent"] == {"number": 3, "title": "Kitap 3"}
    assert steps["number"]["result"]["structuredContent"] == {"result": 7}
    for step in ("page", "object", "number"):
        result = steps[step]["result"]
        assert json.loads(result["content"][0]["text"]) == result["structuredContent"]


def test_a_client_walks_to_the_last_page(seen: Seen) -> None:
    pages = [page["structuredContent"] for page in seen["anonymous"]["pages"]["result"]]
    assert [[row["number"] for row in page["rows"]] for page in pages] == [[0, 1, 2, 3], [4, 5, 6]]


def test_a_client_repeats_arguments_in_headers_and_is_served(seen: Seen) -> None:
    assert seen["anonymous"]["mirrored"]["result"]["structuredContent"] == {"result": "Beyoğlu , floor 2"}


def test_a_client_is_told_what_is_wrong_with_a_call(seen: Seen) -> None:
    misspelled = refusal(seen["anonymous"]["misspelled"])
    assert misspelled["code"] == "bad_request"
    assert {item["pointer"]: item["code"] for item in misspelled["errors"]} == {
        "/numbr": "unknown_argument",
        "/number": "missing",
    }
    assert refusal(seen["anonymous"]["missing"])["code"] == "not_found"


def test_a_tool_of_others_is_unknown_to_a_client(seen: Seen) -> None:
    hidden, unknown = (seen["anonymous"][step]["error"] for step in ("destructive", "unknown"))
    assert (hidden["code"], unknown["code"]) == (-32602, -32602)
    assert hidden["message"].replace("discard", "") == unknown["message"].replace("nowhere", "")
    assert seen["staff"]["destructive"]["result"]["isError"] is False
    assert seen["staff"]["unknown"]["error"]["code"] == -32602


def test_a_client_is_shown_a_picture(seen: Seen) -> None:
    result = seen["anonymous"]["picture"]["result"]
    pictures = [(block["mimeType"], block["data"]) for block in result["content"] if block["type"] == "image"]
    assert pictures == [("image/png", "iVBORw0KGgo=")]


def test_a_client_reads_the_resources_of_its_credential(seen: Seen) -> None:
    listed = {caller: {item["uri"] for item in seen[caller]["resources"]["result"]["resources"]} for caller in CALLERS}
    assert listed["staff"] - listed["anonymous"] == {"library://ledger"}
    assert {"library://rules", "afford://state/visitors"} <= listed["anonymous"]
    templates = [item["uriTemplate"] for item in seen["anonymous"]["templates"]["result"]["resourceTemplates"]]
    assert templates == ["library://books/{number}/pages/{page}"]
    assert contents(seen["anonymous"]["rules"]) == ("library://rules", "text/markdown", "# Be quiet")
    assert contents(seen["anonymous"]["leaf"])[2] == "page k\u0131rk of 3"
    _, mime_type, ledger = contents(seen["staff"]["ledger"])
    assert (mime_type, json.loads(ledger)) == ("application/json", {"ann": 3})


def test_a_resource_of_others_is_unknown_to_a_client(seen: Seen) -> None:
    hidden, unknown = (seen["anonymous"][step]["error"] for step in ("ledger", "nothing"))
    assert hidden["code"] == unknown["code"]
    assert (hidden["data"]["uri"], unknown["data"]["uri"]) == ("library://ledger", "library://nothing")
    assert hidden["message"].replace("ledger", "") == unknown["message"].replace("nothing", "")


def test_a_client_fills_in_a_prompt(seen: Seen) -> None:
    steps = seen["anonymous"]
    (prompt,) = steps["prompts"]["result"]["prompts"]
    assert [(item["name"], item["required"]) for item in prompt["arguments"]] == [("mood", True), ("name", True)]
    text, picture = steps["prompt"]["result"]["messages"]
    assert text == {"role": "user", "content": {"type": "text", "text": "Recommend a calm book to Ece."}}
    assert (picture["role"], picture["content"]["type"]) == ("assistant", "image")
    assert steps["moods"]["result"]["completion"]["values"] == ["calm", "curious", "cheerful"]


def test_a_client_asks_its_person_what_a_call_needs(seen: Seen, way: tuple[Driver, str, str]) -> None:
    asked = seen["anonymous"]["asked"]
    if lasts(way):
        assert asked["result"]["structuredContent"] == {"result": "Ece keeps 3 for 3 weeks"}
    else:
        assert refusal(asked)["code"] == "input_required"


def test_a_client_is_told_what_it_follows(seen: Seen, way: tuple[Driver, str, str]) -> None:
    told = seen["anonymous"]["told"]
    if lasts(way):
        assert told["result"] == "afford://state/visitors"
    else:
        assert "error" in told


def test_a_client_hears_how_far_a_call_is(seen: Seen) -> None:
    reports = seen["anonymous"]["sorted"]["result"]
    assert [report[0] for report in reports] == list(range(1, 8))
    assert reports[-1][1:] == [7, "Kitap 6"]


def test_a_client_gives_up_a_call(seen: Seen, way: tuple[Driver, str, str]) -> None:
    if lasts(way):
        assert seen["anonymous"]["cancelled"]["result"]["structuredContent"] == {"result": True}
