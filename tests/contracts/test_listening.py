"""`subscriptions/listen` on real sockets: who is told what, how many can listen, and how it ends."""

from __future__ import annotations

import asyncio
import json
import socket
import struct
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager

import httpx
import pytest
from tests.contracts.clock import Clock
from tests.contracts.mcp_wire import META, MODERN
from tests.e2e.test_server import WAIT, Listening, serving

from afford import ApiKeys, App, Principal, Tool, anyone, roles
from afford.caller import Caller
from afford.declare.changes import Change, ChangeKind
from afford.surfaces.mcp import listening
from afford.surfaces.mcp.listening import LOOK_INTERVAL, Hub, Subscriber

STAFF = "Authorization: Bearer staff-key-1"
TOOLS = "notifications/tools/list_changed"
RESOURCES = "notifications/resources/list_changed"
PROMPTS = "notifications/prompts/list_changed"
UPDATED = "notifications/resources/updated"
LISTS = {"toolsListChanged": True, "resourcesListChanged": True, "promptsListChanged": True}


class Desk:
    """An app in which things change, some of them for staff alone."""

    def __init__(self, **options: object) -> None:
        keys = ApiKeys({"staff-key-1": Principal("ann", ["staff"])})
        defaults: dict[str, object] = {"roles": ("staff",), "access": anyone(), "authenticate": keys}
        self.app = App("desk", **{**defaults, **options})  # type: ignore[arg-type]
        self.on: set[str] = set()
        self.counter = self.app.shared_state("counter", 0)
        self.secret = self.app.shared_state("secret", 0, access=roles("staff"))
        self.notes = self.app.shared_state("notes/{id}", "")
        self.files = self.app.shared_state("files/{id}", "", access=roles("staff"))
        self.page = self.app.resource("page", name="Page", uri_template="page://{name}", read=self._page)

        @self.app.query(description="Count.")
        async def count() -> int:
            return self.counter.get()

        @self.app.action(description="A switch that everybody sees.", enabled=lambda: "open" in self.on)
        async def open_door() -> None:
            return None

        @self.app.action(description="A switch for staff.", enabled=lambda: "vault" in self.on, access=roles("staff"))
        async def open_vault() -> None:
            return None

        self.app.prompt("tip", handler=lambda: "Be kind.", access=lambda _caller: "tip" in self.on)

    async def _page(self, name: str) -> str:
        return name

    def switch(self, word: str) -> None:
        self.on.symmetric_difference_update({word})


async def nothing() -> None:
    """What a tool does here."""


class Listener:
    """One client that listens, byte by byte."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def next(self) -> dict[str, object]:
        """The next frame; empty: the answer is over."""
        async with asyncio.timeout(WAIT):
            while line := await self._reader.readline():
                if line.startswith(b"data: "):
                    return json.loads(line.removeprefix(b"data: "))
                if line == b"0\r\n":
                    return {}
        raise ConnectionError

    async def told(self) -> tuple[object, object]:
        """The next notification: its method, and what it is about."""
        frame = await self.next()
        assert frame["params"]["_meta"] == {"io.modelcontextprotocol/subscriptionId": 7}
        return frame["method"], frame["params"].get("uri")

    def kill(self) -> None:
        """End the connection as the kernel does for a process that died."""
        sock = self._writer.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._writer.transport.abort()

    def close(self) -> None:
        self._writer.close()


async def connect(server: Listening, wanted: dict[str, object], *lines: str, buffer: int | None = None) -> Listener:
    """A client that has asked to listen."""
    body = {"jsonrpc": "2.0", "id": 7, "method": "subscriptions/listen"}
    content = json.dumps({**body, "params": {"notifications": wanted, "_meta": META}}).encode()
    sock = socket.socket()
    if buffer is not None:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    sock.settimeout(0)
    await asyncio.get_running_loop().sock_connect(sock, ("127.0.0.1", server.port))
    reader, writer = await asyncio.open_connection(sock=sock, limit=1 << 20)
    head = [
        "POST /agent/mcp HTTP/1.1",
        "Host: localhost",
        "Content-Type: application/json",
        "Accept: application/json, text/event-stream",
        f"MCP-Protocol-Version: {MODERN}",
        "Mcp-Method: subscriptions/listen",
        f"Content-Length: {len(content)}",
        *lines,
    ]
    writer.write("\r\n".join([*head, "", ""]).encode() + content)
    return Listener(reader, writer)


@asynccontextmanager
async def listens(
    server: Listening, wanted: dict[str, object], *lines: str, buffer: int | None = None
) -> AsyncIterator[Listener]:
    """A client that listens and was acknowledged."""
    listener = await connect(server, wanted, *lines, buffer=buffer)
    try:
        await acknowledged(listener)
        yield listener
    finally:
        listener.close()


async def acknowledged(listener: Listener) -> object:
    """What the server says that it will tell."""
    frame = await listener.next()
    assert frame["method"] == "notifications/subscriptions/acknowledged"
    return frame["params"]["notifications"]


@pytest.mark.requirement("LISTEN-01")
async def test_five_hundred_clients_are_acknowledged_and_one_change_reaches_each_of_them():
    desk = Desk()
    wanted = {**LISTS, "resourceSubscriptions": ["afford://state/counter"]}
    async with serving(desk.app) as server, AsyncExitStack() as stack:
        listeners = await asyncio.gather(*(stack.enter_async_context(listens(server, wanted)) for _ in range(500)))
        desk.counter.set(1)
        assert set(await asyncio.gather(*(one.told() for one in listeners))) == {(UPDATED, "afford://state/counter")}
        handle = desk.app.tool_provider(
            lambda _caller: [Tool(id="extra", handler=nothing, description="More.", args=[])]
        )
        assert set(await asyncio.gather(*(one.told() for one in listeners))) == {(TOOLS, None)}
        handle.unregister()
        assert set(await asyncio.gather(*(one.told() for one in listeners))) == {(TOOLS, None)}


async def in_the_end(attempt: Callable[[], Awaitable[bool]]) -> None:
    """Try until it works: when the server notices that a client is gone is the kernel's business."""
    async with asyncio.timeout(WAIT):
        while not await attempt():
            pass


@pytest.mark.requirement("LISTEN-02")
async def test_clients_that_vanish_are_forgotten_and_make_room(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(listening, "MAX_SUBSCRIBERS", 100)
    async with serving(Desk().app) as server:
        for end in (Listener.kill, Listener.close, Listener.kill):
            listeners: list[Listener] = []

            async def another(listeners: list[Listener] = listeners) -> bool:
                listener = await connect(server, LISTS)
                frame = await asyncio.wait_for(first_frame(listener), WAIT)
                if "error" in frame:
                    assert frame["error"]["code"] == -32603
                    listener.close()
                    return False
                listeners.append(listener)
                return True

            for _ in range(100):
                await in_the_end(another)
            assert not await another()
            for listener in listeners:
                end(listener)
        async with httpx.AsyncClient(base_url=server.url) as http:
            assert (await http.get("/agent/count")).json() == [0]


async def first_frame(listener: Listener) -> dict[str, object]:
    """The first frame, of an event stream or as the whole body of an answer."""
    head = await listener._reader.readuntil(b"\r\n\r\n")
    if b"text/event-stream" in head:
        return await listener.next()
    length = int(head.lower().partition(b"content-length: ")[2].split(b"\r\n")[0])
    return json.loads(await listener._reader.readexactly(length))


@pytest.mark.requirement("LISTEN-03")
async def test_a_client_that_does_not_read_holds_up_nobody_and_is_told_equal_news_once(clock: Clock):
    desk = Desk()
    rounds, uris = 60, [f"page://{letter * 8000}" for letter in "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOP"]
    wanted = {"resourceSubscriptions": uris}
    async with (
        serving(desk.app) as server,
        listens(server, wanted, buffer=1 << 16) as slow,
        listens(server, wanted) as quick,
    ):
        # Several times as much as all the buffers between the two ends can hold, told one by one to the quick one.
        for _ in range(rounds):
            for uri in uris:
                desk.app.changes.announce(Change(ChangeKind.RESOURCE, uri))
            assert [await quick.told() for _ in uris] == [(UPDATED, uri) for uri in uris]
        server.should_exit = True
        clock.forward(LOOK_INTERVAL)
        told: list[object] = []
        while "result" not in (frame := await slow.next()):
            told.append(frame["params"]["uri"])
        assert set(told) == set(uris)
        assert len(told) < rounds * len(uris) * 2 // 3


@pytest.mark.requirement("LISTEN-04")
async def test_a_server_that_stops_ends_every_stream_with_a_result(clock: Clock):
    async with serving(Desk().app) as server, AsyncExitStack() as stack:
        listeners = [await stack.enter_async_context(listens(server, LISTS)) for _ in range(50)]
        server.should_exit = True
        clock.forward(LOOK_INTERVAL)
        for listener in listeners:
            last = await listener.next()
            assert (last["id"], last["result"]["resultType"]) == (7, "complete")
            assert last["result"]["_meta"]["io.modelcontextprotocol/subscriptionId"] == 7
            assert await listener.next() == {}


@pytest.mark.requirement("LISTEN-05")
async def test_a_switch_that_turns_is_noticed_and_told_to_those_who_see_the_difference(clock: Clock):
    desk = Desk()
    async with serving(desk.app) as server, listens(server, LISTS) as anybody, listens(server, LISTS, STAFF) as staff:
        desk.switch("vault")
        clock.forward(LOOK_INTERVAL)
        assert await staff.told() == (TOOLS, None)
        desk.switch("open")
        clock.forward(LOOK_INTERVAL)
        assert await staff.told() == (TOOLS, None)
        assert await anybody.told() == (TOOLS, None)
        desk.switch("open")
        desk.switch("vault")
        clock.forward(LOOK_INTERVAL)
        assert await staff.told() == (TOOLS, None)
        assert await anybody.told() == (TOOLS, None)


@pytest.mark.requirement("LISTEN-05")
async def test_what_is_hidden_changes_unheard():
    desk = Desk(expose_shared_state=lambda key: key != "notes/private")
    uris = [
        "afford://state/secret",
        "afford://state/files%2Fa",
        "afford://state/notes%2Fprivate",
        "afford://state/none",
    ]
    async with serving(desk.app) as server:
        anybody = await connect(server, {**LISTS, "resourceSubscriptions": [*uris, "afford://state/counter"]})
        assert await acknowledged(anybody) == {**LISTS, "resourceSubscriptions": ["afford://state/counter"]}
        staff = await connect(server, {**LISTS, "resourceSubscriptions": uris}, STAFF)
        assert await acknowledged(staff) == {**LISTS, "resourceSubscriptions": uris[:2]}
        desk.secret.set(1)
        assert await staff.told() == (UPDATED, uris[0])
        desk.files.set("text", id="a")
        assert [await staff.told(), await staff.told()] == [(RESOURCES, None), (UPDATED, uris[1])]
        desk.notes.set("text", id="private")
        handle = desk.app.tool_provider(
            lambda _caller: [Tool(id="x", handler=nothing, description="X.", args=[], access=roles("staff"))]
        )
        assert await staff.told() == (TOOLS, None)
        handle.notify_changed()
        desk.app.changes.announce(Change(ChangeKind.PROMPTS))
        desk.counter.set(1)
        # The first thing that is heard is the last that happened: nothing before it was for these ears.
        assert await anybody.told() == (UPDATED, "afford://state/counter")
        desk.switch("tip")
        desk.app.changes.announce(Change(ChangeKind.PROMPTS))
        assert [await anybody.told(), await staff.told()] == [(PROMPTS, None), (PROMPTS, None)]
        anybody.close()
        staff.close()


@pytest.mark.requirement("LISTEN-05")
async def test_tools_that_are_made_anew_each_time_are_told_apart_by_what_they_say():
    desk, names = Desk(), ["a", "c"]

    def provide(caller: Caller) -> list[Tool]:
        async def handle() -> None:
            await asyncio.wait_for(nothing(), len(caller.roles))

        shown = names if caller.roles else names[:1]
        return [Tool(id=name, handler=handle, description="Do it.", args=[]) for name in shown]

    handle = desk.app.tool_provider(provide)
    async with serving(desk.app) as server, listens(server, LISTS) as anybody, listens(server, LISTS, STAFF) as staff:
        for change in (lambda: names.__setitem__(1, "d"), lambda: names.append("e"), lambda: names.remove("e")):
            change()
            handle.notify_changed()
            assert await staff.told() == (TOOLS, None)
        handle.notify_changed()
        names[0] = "b"
        handle.notify_changed()
        assert [await anybody.told(), await staff.told()] == [(TOOLS, None), (TOOLS, None)]
        desk.switch("tip")
        desk.app.changes.announce(Change(ChangeKind.PROMPTS))
        assert [await anybody.told(), await staff.told()] == [(PROMPTS, None), (PROMPTS, None)]


@pytest.mark.requirement("LISTEN-05")
async def test_who_may_no_longer_read_a_document_is_told_of_it_no_more():
    trusted = {"anybody"}
    app = App("desk")
    gate = app.shared_state("gate", 0, access=lambda _caller: "anybody" in trusted)
    bell = app.shared_state("bell", 0, access=anyone())
    uris = ["afford://state/gate", "afford://state/bell"]
    async with serving(app) as server, listens(server, {"resourceSubscriptions": uris}) as listener:
        gate.set(1)
        assert await listener.told() == (UPDATED, uris[0])
        trusted.clear()
        gate.set(2)
        bell.set(1)
        assert await listener.told() == (UPDATED, uris[1])


@pytest.mark.requirement("LISTEN-01")
@pytest.mark.parametrize(
    ("spelled", "change"),
    [
        ("afford://state/notes%2Fa%252Fb", lambda desk: desk.notes.set("x", id="a/b")),
        ("afford://state/notes/a%2Fb", lambda desk: desk.notes.set("x", id="a/b")),
        ("afford://state/%63ounter", lambda desk: desk.counter.set(1)),
        ("page://a%20b", lambda desk: desk.page.notify_updated(name="a b")),
        ("page://a b", lambda desk: desk.page.notify_updated(name="a b")),
    ],
)
async def test_a_document_is_told_of_under_the_spelling_that_it_is_followed_by(
    spelled: str, change: Callable[[Desk], object]
):
    desk = Desk()
    async with serving(desk.app) as server, listens(server, {"resourceSubscriptions": [spelled]}) as listener:
        change(desk)
        assert await listener.told() == (UPDATED, spelled)


@pytest.mark.requirement("LISTEN-02")
async def test_strangers_who_crowd_in_leave_room_for_others(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(listening, "MAX_OF_ONE", 2)
    async with serving(Desk().app) as server, listens(server, LISTS), listens(server, LISTS):
        refused = await connect(server, LISTS)
        assert (await first_frame(refused))["error"]["code"] == -32603
        refused.close()
        async with listens(server, LISTS, STAFF), listens(server, LISTS, STAFF):
            pass
        async with listens(server, LISTS, STAFF):
            pass


@pytest.mark.requirement("LISTEN-02")
async def test_only_so_many_documents_are_followed(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("afford.surfaces.mcp.lane.MAX_FOLLOWED", 3)
    uris = [f"page://{number}" for number in range(5)]
    async with serving(Desk().app) as server:
        listener = await connect(server, {"resourceSubscriptions": uris})
        assert await acknowledged(listener) == {"resourceSubscriptions": uris[:3]}
        listener.close()


@pytest.mark.parametrize(
    "wanted",
    [
        {},
        {"toolsListChanged": False},
        {"toolsListChanged": "yes"},
        {"everything": True},
        {"resourceSubscriptions": "afford://state/counter"},
        {"resourceSubscriptions": [7, None, {}, ["page://a"], "page://", "page://%zz", "page://%ff", "", "\x00"]},
    ],
)
async def test_what_makes_no_sense_is_not_acknowledged(wanted: dict[str, object]):
    async with serving(Desk().app) as server:
        listener = await connect(server, wanted)
        told = await acknowledged(listener)
        listener.close()
    assert told in ({}, {"resourceSubscriptions": []})


async def test_one_client_that_cannot_be_told_hurts_no_other():
    desk = Desk()
    runtime = desk.app.runtime()
    await runtime.start()
    hub, told = Hub(runtime), asyncio.Event()

    def broken(_method: str, _params: object) -> None:
        raise ConnectionError

    for tell in (broken, lambda _method, _params: told.set(), broken):
        subscriber = Subscriber(tell, Caller())
        assert subscriber.follow("afford://state/counter", runtime.manifest(Caller()))
        hub.add(subscriber)
    desk.counter.set(1)
    await asyncio.wait_for(told.wait(), WAIT)
    await runtime.stop()
