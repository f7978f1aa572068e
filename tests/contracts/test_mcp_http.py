"""The MCP endpoint's HTTP: headers that repeat the body, ids that come back, statuses."""

from __future__ import annotations

import base64
from typing import Annotated

import httpx
import pytest
from pydantic import BaseModel, Field
from tests.contracts.mcp_wire import META, MODERN, ask
from tests.contracts.wire import served

from afford import App, anyone


class Shelf(BaseModel):
    row: Annotated[int, Field(json_schema_extra={"x-mcp-header": "Row"})]


def archive() -> App:
    app = App("archive", access=anyone())

    @app.query(description="Find boxes.")
    async def find(
        region: Annotated[str | None, Field(json_schema_extra={"x-mcp-header": "Region"})] = None,
        depth: Annotated[int | None, Field(json_schema_extra={"x-mcp-header": "Depth"})] = None,
        sealed: Annotated[bool | None, Field(json_schema_extra={"x-mcp-header": "Sealed"})] = None,
        shelf: Shelf | None = None,
    ) -> int:
        return 1

    @app.query(
        description="Find by a schema of one's own.",
        input_schema={
            "type": "object",
            "properties": {"a": {"$ref": "#/$defs/part/properties/inner"}},
            "additionalProperties": False,
            "$defs": {
                "part": {
                    "type": "object",
                    "properties": {"inner": {"type": "string", "x-mcp-header": "Inner"}},
                    "additionalProperties": False,
                }
            },
        },
    )
    async def raw(arguments: dict[str, object]) -> int:
        return 1

    return app


async def find(http: httpx.AsyncClient, arguments: dict[str, object], *fields: tuple[str, str]) -> httpx.Response:
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "find", "arguments": arguments}}
    body["params"]["_meta"] = META
    headers = [("mcp-protocol-version", MODERN), ("mcp-method", "tools/call"), ("mcp-name", "find")]
    headers += [(f"mcp-param-{name}", text) for name, text in fields]
    return await http.post("/mcp", json=body, headers=[(key.encode(), text.encode("latin-1")) for key, text in headers])


def encoded(text: str) -> str:
    return f"=?base64?{base64.b64encode(text.encode()).decode()}?="


@pytest.mark.requirement("MCP-07")
@pytest.mark.parametrize(
    ("arguments", "fields"),
    [
        ({}, []),
        ({"region": None}, []),
        ({"region": "north"}, [("region", "north")]),
        ({"region": "north"}, [("Region", "  north ")]),
        ({"region": "kuzey doğu"}, [("region", encoded("kuzey doğu"))]),
        ({"region": "=?base64?x"}, [("region", "=?base64?x")]),
        ({"depth": -42}, [("depth", "-42")]),
        ({"depth": 42}, [("depth", "42.0")]),
        ({"sealed": False}, [("sealed", "false")]),
        ({"shelf": {"row": 3}}, [("row", "3")]),
    ],
)
async def test_a_header_may_repeat_an_argument(arguments: dict[str, object], fields: list[tuple[str, str]]) -> None:
    async with served(archive().asgi()) as http:
        answer = await find(http, arguments, *fields)
    assert (answer.status_code, answer.json()["result"]["isError"]) == (200, False)


@pytest.mark.requirement("MCP-07")
@pytest.mark.parametrize(
    ("arguments", "fields"),
    [
        ({"region": "north"}, []),
        ({"region": "north"}, [("region", "south")]),
        ({"region": "north"}, [("region", "North")]),
        ({}, [("region", "north")]),
        ({"region": "Hello"}, [("region", "=?base64?SGVsbG8?=")]),
        ({"region": "Hello"}, [("region", "=?base64?SGVs!!!bG8=?=")]),
        ({"region": "a, b"}, [("region", "a"), ("region", "b")]),
        ({"region": "é"}, [("region", "é")]),
        ({"depth": 42}, [("depth", "42.5")]),
        ({"depth": 42}, [("depth", "4_2")]),
        ({"depth": 1}, [("depth", "true")]),
        ({"sealed": True}, [("sealed", "True")]),
        ({"shelf": {"row": 3}}, [("row", "4")]),
        ({"region": ["north"]}, [("region", "north")]),
    ],
)
async def test_a_header_that_says_something_else_than_the_argument_is_refused(
    arguments: dict[str, object], fields: list[tuple[str, str]]
) -> None:
    async with served(archive().asgi()) as http:
        answer = await find(http, arguments, *fields)
    assert (answer.status_code, answer.json()["error"]["code"], answer.json()["id"]) == (400, -32020, 1)


async def test_an_argument_that_no_header_can_carry_is_left_to_its_schema() -> None:
    async with served(archive().asgi()) as http:
        answer = await find(http, {"region": ["north"]})
    assert answer.json()["result"]["isError"] is True


@pytest.mark.requirement("MCP-07")
async def test_names_that_differ_are_refused_and_blanks_around_them_are_not() -> None:
    async with served(archive().asgi()) as http:
        padded = await ask(http, "tools/call", {"name": "find"}, **{"mcp-name": "  find  "})
        coded = await ask(http, "tools/call", {"name": "find"}, **{"mcp-name": encoded("find")})
        other = await ask(http, "tools/call", {"name": "find"}, **{"mcp-name": "Find"})
    assert (padded.status_code, coded.status_code) == (200, 200)
    assert (other.status_code, other.json()["error"]["code"]) == (400, -32020)


async def test_an_author_s_own_input_schema_is_published_as_written() -> None:
    async with served(archive().asgi()) as http:
        tools = {item["name"]: item for item in (await ask(http, "tools/list")).json()["result"]["tools"]}
    assert tools["raw"]["inputSchema"]["properties"] == {"a": {"$ref": "#/$defs/part/properties/inner"}}
    assert list(tools["raw"]["inputSchema"]["$defs"]) == ["part"]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"params": {}}, -32602),
        ({"params": {"_meta": {"io.modelcontextprotocol/clientCapabilities": {}}}}, -32602),
        ({"params": {"_meta": {"io.modelcontextprotocol/protocolVersion": MODERN}}}, -32602),
        ({"params": []}, -32602),
        ({"jsonrpc": "1.0"}, -32600),
        ({"params": {"_meta": {**META, "io.modelcontextprotocol/protocolVersion": "2099-01-01"}}}, -32020),
    ],
)
async def test_a_refused_request_gets_its_id_back(change: dict[str, object], code: int) -> None:
    body = {"jsonrpc": "2.0", "id": 7, "method": "server/discover", "params": {"_meta": META}, **change}
    fields = {"mcp-protocol-version": MODERN, "mcp-method": "server/discover"}
    async with served(archive().asgi()) as http:
        answer = await http.post("/mcp", json=body, headers=fields)
    assert (answer.status_code, answer.json()["error"]["code"], answer.json()["id"]) == (400, code, 7)


async def test_an_id_that_no_answer_could_repeat_is_refused() -> None:
    body = b'{"jsonrpc":"2.0","id":123456789012345678901234567890,"method":"ping"}'
    async with served(archive().asgi()) as http:
        answer = await http.post("/mcp", content=body, headers={"content-type": "application/json"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, -32600)


async def test_an_unknown_revision_is_refused_with_those_that_are_served() -> None:
    future = "2099-01-01"
    meta = {**META, "io.modelcontextprotocol/protocolVersion": future}
    body = {"jsonrpc": "2.0", "id": 7, "method": "server/discover", "params": {"_meta": meta}}
    async with served(archive().asgi()) as http:
        answer = await http.post(
            "/mcp", json=body, headers={"mcp-protocol-version": future, "mcp-method": "server/discover"}
        )
        known = (await ask(http, "server/discover")).json()["result"]["supportedVersions"]
    error = answer.json()["error"]
    assert (answer.status_code, error["code"]) == (400, -32022)
    assert error["data"] == {"supported": known, "requested": future}


@pytest.mark.parametrize("method", ["initialize", "ping", "logging/setLevel", "resources/subscribe", "no/such"])
async def test_methods_that_the_modern_revision_does_not_have_are_404(method: str) -> None:
    async with served(archive().asgi()) as http:
        answer = await ask(http, method)
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, -32601)
