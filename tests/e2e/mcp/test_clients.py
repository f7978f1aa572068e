"""Other people's clients against a real server: all of them see, get and are refused the same thing."""

from __future__ import annotations

import json
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from tests.e2e.mcp.jobs import CALLERS, DRIVERS, LIBRARY, TRANSPORTS, VERSIONS, Driver, connections, done
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
}
ALL = [
    pytest.param((driver, era, transport), id=f"{driver.name}, {era}, {transport}")
    for driver in DRIVERS
    for era in driver.eras
    for transport in TRANSPORTS
]

Seen = dict[str, dict[str, Any]]
"""Outcomes by caller and step."""


@pytest.fixture(scope="module")
def url() -> Generator[str]:
    with served(LIBRARY) as endpoint:
        yield endpoint


@pytest.fixture(scope="module")
def outcomes(url: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """What every client made of the job, by its name."""

    def did(driver: Driver, command: list[str]) -> dict[str, Any]:
        return done(command, {"connections": connections(driver.eras, url, KEY), "steps": list(STEPS.values())})

    commands = [driver.command(tmp_path_factory.mktemp("driver")) for driver in DRIVERS]
    with ThreadPoolExecutor(max_workers=2) as pool:
        return dict(zip((driver.name for driver in DRIVERS), pool.map(did, DRIVERS, commands), strict=True))


@pytest.fixture(params=ALL)
def seen(outcomes: dict[str, dict[str, Any]], request: pytest.FixtureRequest) -> Seen:
    """What one client saw in one era over one transport."""
    driver, era, transport = request.param
    assert isinstance(driver, Driver)
    result: Seen = {}
    for caller in CALLERS:
        steps = outcomes[driver.name][f"{era} {transport} {caller}"]
        assert isinstance(steps, list), steps["failed"]
        result[caller] = dict(zip(STEPS, steps, strict=True))
    # The older TypeScript package does not say which revision it speaks on stdio.
    assert result["anonymous"]["server"]["result"].get("version", VERSIONS[era]) == VERSIONS[era]
    return result


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
    names = {caller: [tool["name"] for tool in seen[caller]["tools"]["result"]["tools"]] for caller in CALLERS}
    assert names == {
        "anonymous": ["book", "books", "branch", "count"],
        "staff": ["book", "books", "branch", "count", "discard"],
    }


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
