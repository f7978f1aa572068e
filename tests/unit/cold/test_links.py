"""The wires of a cold run: what is sent, and what is made of whatever comes back."""

from __future__ import annotations

import json
from collections.abc import Callable

import httpx
import pytest
from tests.unit.cold.shop import BUY, DETAIL, LIST

from afford.cold.links.http import CatalogNotFoundError, HttpLink, read_catalog
from afford.cold.links.mcp import McpLink, ProtocolError, from_listed
from afford.cold.replies import UNREACHABLE, Reply, Verdict
from afford.errors import JsonObject, JsonValue
from afford.lint.target import Described

BASE = "http://hotels.test/agent/"
CATALOG = {"queries": [{"name": "list_items", "description": "Find."}], "actions": []}
Handler = Callable[[httpx.Request], httpx.Response]


def http(handler: Handler) -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=httpx.MockTransport(handler), headers={"authorization": "Bearer t"})


async def called(handler: Handler, operation: Described = DETAIL, **arguments: JsonValue) -> Reply:
    async with http(handler) as client:
        return await HttpLink(client, BASE).call(operation, arguments)


def answering(status: int, document: object, headers: dict[str, str] | None = None) -> Handler:
    return lambda _request: httpx.Response(status, json=document, headers=headers)


async def test_reads_are_queries_and_writes_are_bodies() -> None:
    seen: list[tuple[str, str, bytes]] = []

    def note(request: httpx.Request) -> httpx.Response:
        seen.append((request.method, str(request.url), request.content))
        return httpx.Response(200, json=[])

    await called(note, LIST, size="a b")
    await called(note, BUY, item_id=3)
    assert seen == [("GET", f"{BASE}list_items?size=a%20b", b""), ("POST", f"{BASE}buy", b'{"item_id":3}')]


async def test_a_name_in_a_catalog_leads_nowhere_but_below_its_address() -> None:
    seen: list[str] = []

    def note(request: httpx.Request) -> httpx.Response:
        seen.append(request.url.raw_path.decode())
        return httpx.Response(200, json=[])

    await called(note, Described(name="../../admin?x=1#y", reads=True))
    assert seen == ["/agent/..%2F..%2Fadmin%3Fx%3D1%23y"]


async def test_a_next_page_is_followed_on_the_same_origin_alone() -> None:
    asked: list[str] = []

    def note(request: httpx.Request) -> httpx.Response:
        asked.append(str(request.url))
        return httpx.Response(200, json=[])

    async with http(note) as client:
        link = HttpLink(client, BASE)
        other = await link.follow(LIST, {}, None, "http://elsewhere.test/agent/list_items?cursor=x")
        same = await link.follow(LIST, {}, None, f"{BASE}list_items?cursor=x")
    assert (other.verdict, same.verdict) == (Verdict.FAILED, Verdict.OK)
    assert asked == [f"{BASE}list_items?cursor=x"]


async def test_link_and_total_come_with_the_rows() -> None:
    headers = {"link": '<?cursor=x>; rel="next"', "x-total-count": "9"}
    reply = await called(answering(200, [1], headers), LIST)
    assert (reply.following, reply.total, list(reply.rows)) == (f"{BASE}list_items?cursor=x", 9, [1])


@pytest.mark.parametrize(
    ("handler", "verdict"),
    [
        (answering(400, {"code": "bad_request", "detail": "no"}), Verdict.MALFORMED),
        (answering(422, {"detail": [{"loc": ["query"]}]}), Verdict.MALFORMED),
        (answering(404, {"code": "not_found", "detail": "no"}), Verdict.STATE),
        (answering(409, {"code": "ROOM_TAKEN", "detail": "no"}), Verdict.STATE),
        (answering(428, {"code": "confirmation_required", "detail": "no"}), Verdict.HELD),
        (answering(401, {"code": "unauthenticated", "detail": "no"}), Verdict.FAILED),
        (answering(500, "oops"), Verdict.FAILED),
        (lambda _request: httpx.Response(502, text="<html>"), Verdict.FAILED),
        (lambda _request: httpx.Response(200, text="<html>"), Verdict.FAILED),
    ],
)
async def test_a_status_and_its_code_decide_what_a_reply_says(handler: Handler, verdict: Verdict) -> None:
    assert (await called(handler)).verdict is verdict


async def test_a_server_that_is_gone_is_a_failed_reply() -> None:
    def gone(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("gone", request=request)

    reply = await called(gone)
    assert reply.refusal is not None
    assert reply.refusal.code == UNREACHABLE
    assert (await called(answering(200, []), LIST, size=[])).verdict is Verdict.FAILED


async def test_a_wrong_type_that_a_query_string_cannot_say_is_none_there() -> None:
    async with http(answering(200, [])) as client:
        link = HttpLink(client, BASE)
        assert not link.spells(LIST, {"size": {"a": {"b": 1}}})
        assert not link.spells(LIST, {"least": "7"})
        assert link.spells(LIST, {"least": "seven"})
        assert link.spells(BUY, {"item_id": {"a": {"b": 1}}})


@pytest.mark.parametrize(
    "address", ["http://hotels.test", "http://hotels.test/agent", "http://hotels.test/agent/schema"]
)
async def test_a_catalog_is_found_from_its_origin_its_app_and_itself(address: str) -> None:
    def serve(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/agent/schema":
            return httpx.Response(200, json=CATALOG)
        if request.url.path == "/.well-known/afford.json":
            return httpx.Response(200, json={"urls": {"schema": "/agent/schema"}})
        return httpx.Response(404, json={})

    async with http(serve) as client:
        target, _ = await read_catalog(client, address)
    assert [item.name for item in target.operations] == ["list_items"]


async def test_a_document_cannot_send_the_credentials_to_another_origin() -> None:
    asked: list[str] = []

    def note(request: httpx.Request) -> httpx.Response:
        asked.append(request.url.host)
        return httpx.Response(200, json={"urls": {"schema": "http://elsewhere.test/schema"}})

    async with http(note) as client:
        with pytest.raises(CatalogNotFoundError):
            await read_catalog(client, "http://hotels.test/agent")
    assert set(asked) == {"hotels.test"}


@pytest.mark.parametrize("handler", [answering(200, {"openapi": "3.1.0"}), answering(404, {}), answering(401, {})])
async def test_what_is_no_catalog_is_one_error(handler: Handler) -> None:
    async with http(handler) as client:
        with pytest.raises(CatalogNotFoundError, match=r"name the address|--token"):
            await read_catalog(client, "http://hotels.test/schema")


def tool(output: JsonObject | None = None, **meta: JsonValue) -> JsonObject:
    members: JsonObject = {"name": "t", "inputSchema": {"type": "object"}, "_meta": dict(meta)}
    return members if output is None else {**members, "outputSchema": output}


async def tool_reply(described: JsonObject, result: JsonObject | ProtocolError) -> Reply:
    async def call(_name: str, _arguments: JsonObject) -> JsonObject:
        if isinstance(result, ProtocolError):
            raise result
        return result

    target, link = from_listed([described], "server", "", call)
    assert isinstance(link, McpLink)
    return await link.call(target.operations[0], {})


def text(content: str) -> list[JsonValue]:
    return [{"type": "text", "text": content}]


async def test_rows_are_taken_out_of_what_the_protocol_wraps_around_them() -> None:
    output: JsonObject = {"type": "object", "properties": {"rows": {"type": "array"}}, "required": ["rows"]}
    structured: JsonObject = {"rows": [1, 2], "next_cursor": "c", "total": 5}
    reply = await tool_reply(tool(output, **{"afford/kind": "query"}), {"structuredContent": structured, "content": []})
    assert (reply.value, reply.following, reply.total) == ([1, 2], "c", 5)


async def test_an_answer_in_text_alone_is_held_against_no_schema() -> None:
    reply = await tool_reply(tool(), {"content": text("fine")})
    assert (reply.value, reply.is_blank, reply.verdict) == ("fine", True, Verdict.OK)


@pytest.mark.parametrize(
    ("result", "verdict"),
    [
        ({"isError": True, "content": text(json.dumps({"error": {"code": "bad_request"}}))}, Verdict.MALFORMED),
        ({"isError": True, "content": text("1 validation error for x")}, Verdict.MALFORMED),
        ({"isError": True, "content": text("there is no such item")}, Verdict.STATE),
        ({"isError": True, "content": text('{"odd": 1}')}, Verdict.STATE),
        (ProtocolError(-32602, "Invalid arguments for t"), Verdict.MALFORMED),
        (ProtocolError(-32021, "no", {"error": {"code": "input_required", "message": "ask"}}), Verdict.HELD),
        (ProtocolError(-32603, "internal"), Verdict.FAILED),
        (ProtocolError(None, "closed"), Verdict.FAILED),
    ],
    ids=str,
)
async def test_error_results_and_protocol_errors_say_what_they_mean(
    result: JsonObject | ProtocolError, verdict: Verdict
) -> None:
    assert (await tool_reply(tool(), result)).verdict is verdict
