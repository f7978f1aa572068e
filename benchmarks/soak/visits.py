"""What clients of the soak test do, how often, and what they insist on."""

from __future__ import annotations

import json
import random
from collections.abc import Awaitable, Callable
from typing import Any, Final

from wire import Reply, Wire

MODERN: Final = "2026-07-28"
OLDER: Final = "2025-11-25"
ROOT: Final = "/agent"
_META: Final = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}},
}
_OPENING: Final = {"protocolVersion": OLDER, "capabilities": {}, "clientInfo": {"name": "soak", "version": "1"}}


class Visitor:
    """One client: it makes visits over its own connection, and counts its requests."""

    def __init__(self, port: int, seed: int) -> None:
        """Take the server's port, and what decides the visitor's words."""
        self.wire = Wire(port)
        self.requests = 0
        self.chance = random.Random(seed)

    async def ask(
        self,
        method: str,
        params: dict[str, Any] | None = None,
        *,
        meta: dict[str, Any] | None = None,
        as_staff: bool = False,
    ) -> Reply:
        """A modern MCP request, sometimes with credentials."""
        self.requests += 1
        headers = self.headers(method, params) | (self.staff() if as_staff else {})
        return await self.wire.ask("POST", f"{ROOT}/mcp", headers, self.body(method, params, meta))

    def headers(self, method: str, params: dict[str, Any] | None) -> dict[str, str]:
        named = (params or {}).get("uri" if method == "resources/read" else "name")
        fields = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": MODERN,
            "Mcp-Method": method,
        }
        if named is not None:
            fields["Mcp-Name"] = named
        return fields | self.credentials()

    def credentials(self) -> dict[str, str]:
        number = self.chance.randrange(100)
        return {"Authorization": f"Bearer staff-key-{number}"} if number < 50 else {}

    def staff(self) -> dict[str, str]:
        return {"Authorization": f"Bearer staff-key-{self.chance.randrange(50)}"}

    def body(self, method: str, params: dict[str, Any] | None, meta: dict[str, Any] | None) -> bytes:
        members = {**(params or {}), "_meta": {**_META, **(meta or {})}}
        identity = self.chance.randrange(1 << 40)
        return json.dumps({"jsonrpc": "2.0", "id": identity, "method": method, "params": members}).encode()

    def word(self) -> str:
        """A text that hardly ever comes again."""
        return f"{self.chance.getrandbits(60):x}"

    async def tool(self, name: str, **arguments: Any) -> dict[str, Any]:
        reply = await self.ask("tools/call", {"name": name, "arguments": arguments})
        assert reply.status == 200, reply
        result: dict[str, Any] = reply.json["result"]
        return result


async def calls(visitor: Visitor) -> None:
    word = visitor.word()
    assert (await visitor.tool("echo", word=word))["structuredContent"] == {"result": word}


async def reads_pages(visitor: Visitor) -> None:
    first = (await visitor.tool("rows", text=visitor.word()))["structuredContent"]
    assert len(first["rows"]) == 20
    second = await visitor.tool("rows", text=first["rows"][0]["text"], cursor=first["next_cursor"])
    # A cursor is bound to its caller, who may be another one now.
    assert second["isError"] or second["structuredContent"]["rows"][0]["number"] == 20


async def is_refused(visitor: Visitor) -> None:
    assert (await visitor.tool("echo", wrod=visitor.word()))["isError"]
    assert (await visitor.tool("rows", cursor=visitor.word()))["isError"]
    assert (await visitor.ask("tools/call", {"name": f"no-{visitor.word()}"})).json["error"]["code"] == -32602
    assert (await visitor.ask(f"no/{visitor.word()}")).status == 404
    assert (await visitor.ask("resources/read", {"uri": f"nowhere://{visitor.word()}"})).status == 400
    visitor.requests += 1
    broken = await visitor.wire.ask("POST", f"{ROOT}/mcp", visitor.headers("ping", None), b"{")
    assert broken.status == 400
    visitor.requests += 1
    stranger = visitor.headers("ping", None) | {"Authorization": f"Bearer {visitor.word()}"}
    assert (await visitor.wire.ask("POST", f"{ROOT}/mcp", stranger, b"{")).status == 401


async def fails(visitor: Visitor) -> None:
    assert (await visitor.tool("fail", how="problem"))["isError"]
    assert (await visitor.tool("fail", how=visitor.word()))["isError"]


async def lists(visitor: Visitor) -> None:
    for method in ("tools/list", "resources/list", "resources/templates/list", "prompts/list", "server/discover"):
        assert (await visitor.ask(method)).status == 200


async def reads(visitor: Visitor) -> None:
    word = visitor.word()
    reply = await visitor.ask("resources/read", {"uri": f"page://{word}"})
    assert reply.json["result"]["contents"][0]["text"] == f"The page {word}."
    assert (await visitor.ask("prompts/get", {"name": "greet", "arguments": {"name": word}})).status == 200


async def calls_what_is_provided(visitor: Visitor) -> None:
    assert not (await visitor.tool("steady"))["isError"]
    colour = visitor.chance.choice(("red", "green"))
    assert (await visitor.tool("paint", colour=colour))["structuredContent"] == {"result": colour}


async def writes_and_forgets(visitor: Visitor) -> None:
    word = visitor.word()
    for name, arguments in (("write", {"id": word, "text": "x" * 100}), ("forget", {"id": word})):
        reply = await visitor.ask("tools/call", {"name": name, "arguments": arguments}, as_staff=True)
        assert not reply.json["result"]["isError"], reply


async def watches_progress(visitor: Visitor) -> None:
    reply = await visitor.ask("tools/call", {"name": "drill"}, meta={"progressToken": visitor.word()})
    assert [frame.get("method") for frame in reply.frames] == ["notifications/progress"] * 5 + [None]


async def answers_a_question(visitor: Visitor) -> None:
    params: dict[str, Any] = {"name": "sure", "arguments": {"number": visitor.chance.randrange(1 << 30)}}
    headers = visitor.headers("tools/call", params)
    visitor.requests += 2
    asked = await visitor.wire.ask("POST", f"{ROOT}/mcp", headers, visitor.body("tools/call", params, None))
    state = asked.json["result"]["requestState"]
    again = {
        **params,
        "requestState": state,
        "inputResponses": {"answer": {"action": "accept", "content": {"yes": True}}},
    }
    done = await visitor.wire.ask("POST", f"{ROOT}/mcp", headers, visitor.body("tools/call", again, None))
    assert done.json["result"]["structuredContent"] == {"result": True}, done


async def listens(visitor: Visitor) -> None:
    wanted = {
        "notifications": {
            "toolsListChanged": True,
            "resourceSubscriptions": [f"afford://state/notes%2F{visitor.word()}"],
        }
    }
    method = "subscriptions/listen"
    visitor.requests += 1
    await visitor.wire.open("POST", f"{ROOT}/mcp", visitor.headers(method, None), visitor.body(method, wanted, None))
    assert (await visitor.wire.event())["method"] == "notifications/subscriptions/acknowledged"
    visitor.wire.vanish()


async def vanishes_in_mid_call(visitor: Visitor) -> None:
    params, streams = {"name": "wait"}, {"progressToken": 1}
    visitor.requests += 1
    body = visitor.body("tools/call", params, streams)
    await visitor.wire.open("POST", f"{ROOT}/mcp", visitor.headers("tools/call", params), body)
    assert (await visitor.wire.event())["method"] == "notifications/progress"
    visitor.wire.vanish()


async def calls_over_http(visitor: Visitor) -> None:
    word = visitor.word()
    visitor.requests += 3
    said = await visitor.wire.ask("GET", f"{ROOT}/echo?word={word}", visitor.credentials())
    assert said.json == [word]
    assert (await visitor.wire.ask("GET", f"{ROOT}/rows?text={word}", visitor.credentials())).status == 200
    assert (await visitor.wire.ask("GET", f"{ROOT}/{word}?x={word}", visitor.credentials())).status == 404


async def reads_documents_over_http(visitor: Visitor) -> None:
    for name in ("schema", "manifest", "openapi.json", "health"):
        visitor.requests += 1
        assert (await visitor.wire.ask("GET", f"{ROOT}/{name}", visitor.credentials())).status == 200


async def is_older(visitor: Visitor) -> None:
    """A client of a handshake revision, with a session that it ends."""
    headers = {
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
    } | visitor.credentials()

    async def ask(method: str, params: dict[str, Any]) -> Reply:
        visitor.requests += 1
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
        return await visitor.wire.ask("POST", f"{ROOT}/mcp", headers, body)

    opened = await ask("initialize", _OPENING)
    assert opened.status == 200, opened
    session = opened.headers.get("mcp-session-id")
    if session is not None:
        headers["Mcp-Session-Id"] = session
    word = visitor.word()
    called = await ask("tools/call", {"name": "echo", "arguments": {"word": word}})
    assert word.encode() in called.body, called
    if session is not None:
        visitor.requests += 1
        assert (await visitor.wire.ask("DELETE", f"{ROOT}/mcp", headers)).status == 200


Visit = Callable[[Visitor], Awaitable[None]]

SHARES: Final[dict[Visit, int]] = {
    calls: 500,
    reads_pages: 60,
    is_refused: 15,
    fails: 15,
    lists: 10,
    reads: 25,
    calls_what_is_provided: 30,
    writes_and_forgets: 15,
    watches_progress: 20,
    answers_a_question: 20,
    listens: 20,
    vanishes_in_mid_call: 10,
    calls_over_http: 30,
    reads_documents_over_http: 3,
    is_older: 5,
}
"""How often each is made, in parts of the whole."""
