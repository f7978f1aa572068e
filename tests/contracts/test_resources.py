"""Resources and shared state: what is listed, read, followed and completed, and by whom."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Literal

import pytest
from pydantic import BaseModel, Field
from tests.contracts.mcp_wire import ask, ask_older, error, listed, listening, result
from tests.contracts.wire import served

from afford import (
    Agent,
    ApiKeys,
    App,
    Audio,
    Caller,
    CatalogError,
    Choices,
    DeclarationError,
    Embedded,
    Feature,
    Image,
    NotFoundError,
    Principal,
    Result,
    anyone,
    roles,
    signed_in,
)
from afford.declare.changes import Change, ChangeKind
from afford.surfaces.mcp.exchange import Exchange
from afford.surfaces.mcp.lane import Lane
from afford.surfaces.mcp.listening import Subscriber
from afford.surfaces.mcp.protocol import Era, Incoming, ProtocolError

STAFF = {"authorization": "Bearer staff-key-1"}
PUPIL = {"authorization": "Bearer pupil-key-1"}
UPDATED = "notifications/resources/updated"
LIST = "notifications/resources/list_changed"


class Note(BaseModel):
    title: str
    pages: int = 1


@dataclass
class Chapter:
    number: int


class Colour(Enum):
    RED = "red"
    GREEN = "green"


class Odd:
    """Nothing that JSON could hold."""


def library(**options: object) -> App:
    keys = ApiKeys({"staff-key-1": Principal("ann", ["staff"]), "pupil-key-1": Principal("ben")})
    settings = {"roles": ("staff",), "access": anyone(), "authenticate": keys, **options}
    return App("library", **settings)  # type: ignore[arg-type]


async def read(app: App, uri: str, **headers: str) -> dict[str, object]:
    """The one document under a URI."""
    async with served(app.asgi()) as http:
        (contents,) = (await result(http, "resources/read", {"uri": uri}, **headers))["contents"]
    assert contents["uri"] == uri
    return contents


async def refused(app: App, uri: str, **headers: str) -> dict[str, object]:
    async with served(app.asgi()) as http:
        return await error(http, "resources/read", {"uri": uri}, **headers)


# Listing and reading


@pytest.mark.requirement("RES-01", "FRAME-13", "FRAME-29")
async def test_resources_are_listed_by_uri_and_read_in_both_eras():
    app = library()
    app.resource("today", name="Today", description="What is on. Read before planning.", read=lambda: {"open": True})
    app.resource("about", name="About", read=lambda: "A library.", uri="library://about", mime_type="text/markdown")
    app.resource("shelf", name="Shelf", read=lambda number: number, uri_template="library://shelf/{number}")
    async with served(app.asgi()) as http:
        found = await listed(http, "resources")
        templates = await listed(http, "resourceTemplates")
        older = (await ask_older(http, "resources/list")).json()["result"]
        whole = await result(http, "resources/list")
        contents = await result(http, "resources/read", {"uri": "library://about"})
        older_contents = (await ask_older(http, "resources/read", {"uri": "library://about"})).json()["result"]
    assert found == {
        "afford://resource/today": {
            "uri": "afford://resource/today",
            "name": "Today",
            "description": "What is on. Read before planning.",
        },
        "library://about": {"uri": "library://about", "name": "About", "mimeType": "text/markdown"},
    }
    assert templates == {"library://shelf/{number}": {"uriTemplate": "library://shelf/{number}", "name": "Shelf"}}
    assert older == {"resources": list(found.values())}
    assert (whole["cacheScope"], whole["resultType"]) == ("private", "complete")
    assert contents["contents"] == older_contents["contents"]
    assert contents["contents"] == [{"uri": "library://about", "mimeType": "text/markdown", "text": "A library."}]
    assert contents["ttlMs"] == 0


def written() -> str:
    return "plain"


def counted() -> Note:
    return Note(title="a")


async def drawn() -> bytes:
    return b"\x00\xff"


def either() -> str | dict[str, int]:
    return {"a": 1}


@pytest.mark.requirement("RES-01")
@pytest.mark.parametrize(
    ("reader", "stated", "in_list", "in_contents"),
    [
        (written, None, "text/plain", "text/plain"),
        (written, "text/markdown", "text/markdown", "text/markdown"),
        (counted, None, "application/json", "application/json"),
        (counted, "application/ld+json", "application/ld+json", "application/ld+json"),
        (drawn, None, None, None),
        (drawn, "image/png", "image/png", "image/png"),
        (either, None, None, "application/json"),
        (lambda: "plain", None, None, "text/plain"),
        (lambda: [1, 2], None, None, "application/json"),
        (lambda: None, None, None, "application/json"),
        (lambda: b"\x00", None, None, None),
        (lambda: Image(b"\x00", "image/gif"), None, None, "image/gif"),
    ],
)
async def test_the_media_type_is_the_stated_one_else_what_the_content_is(
    reader: object, stated: str | None, in_list: str | None, in_contents: str | None
):
    app = library()
    app.resource("it", name="It", read=reader, mime_type=stated, uri="it://it")  # type: ignore[arg-type]
    async with served(app.asgi()) as http:
        assert (await listed(http, "resources"))["it://it"].get("mimeType") == in_list
    assert (await read(app, "it://it")).get("mimeType") == in_contents


@pytest.mark.requirement("RES-01", "FRAME-27")
@pytest.mark.parametrize(
    ("content", "member", "seen"),
    [
        ("text", "text", "text"),
        ("", "text", ""),
        (b"\x00\xff", "blob", base64.b64encode(b"\x00\xff").decode()),
        (bytearray(b"a"), "blob", "YQ=="),
        (Audio(b"a"), "blob", "YQ=="),
        (Embedded("it://other", "text"), "text", "text"),
        ({"a": [1, None, "é"]}, "text", '{"a":[1,null,"é"]}'),
        (Note(title="n"), "text", '{"title":"n","pages":1}'),
        ([Chapter(1)], "text", '[{"number":1}]'),
        (7, "text", "7"),
        (None, "text", "null"),
    ],
)
async def test_text_stays_text_bytes_travel_in_base64_and_values_as_json(content: object, member: str, seen: str):
    app = library()
    app.resource("it", name="It", read=lambda: content, uri="it://it")
    contents = await read(app, "it://it")
    assert contents[member] == seen
    assert not {"text", "blob"} - {member} & set(contents)


@pytest.mark.requirement("FRAME-35", "FRAME-62")
@pytest.mark.parametrize(
    "content",
    [Odd(), {"at": Odd()}, float("inf"), "\ud800", {"a": 1 << 70}, Image("text"), Embedded("no uri", "x"), Result("x")],
)
async def test_content_that_cannot_be_written_is_a_coded_refusal(content: object):
    app = library()
    app.resource("it", name="It", read=lambda: content, uri="it://it")
    refusal = await refused(app, "it://it")
    assert refusal["code"] == -32603
    assert refusal["data"]["error"]["code"] == "output_contract"
    assert refusal["data"]["error"]["trace"]


@pytest.mark.requirement("RES-01", "FRAME-66")
async def test_a_resource_of_a_feature_has_its_name_before_its_own():
    feature = Feature("notes", access=signed_in())
    feature.resource("today", name="Today", read=lambda: "today")
    app = library()
    app.include(feature)
    app.tool("open", handler=lambda: 1, description="Open.")
    async with served(app.asgi()) as http:
        assert await listed(http, "resources") == {}
        assert list(await listed(http, "resources", **PUPIL)) == ["afford://resource/notes:today"]
    assert (await read(app, "afford://resource/notes:today", **PUPIL))["text"] == "today"


@pytest.mark.requirement("FRAME-13")
def test_one_uri_cannot_have_two_resources_and_one_resource_no_two_kinds_of_uri():
    app = library()
    with pytest.raises(DeclarationError):
        app.resource("it", name="It", read=lambda: 1, uri="it://it", uri_template="it://{it}")
    app.resource("it", name="It", read=lambda: 1)
    app.resource("other", name="Other", read=lambda: 1, uri="afford://resource/it")
    with pytest.raises(CatalogError) as failed:
        app.build()
    assert [item.code for item in failed.value.diagnostics] == ["RES102"]
    with pytest.raises(CatalogError):
        app.build()


@pytest.mark.parametrize(
    "uri",
    ["notes", "notes:", ":notes", "1a://b", "a b://c", "it://a b", "it://k\u00f6y", "it://%zz", "it://<a>", "é:a"],
)
def test_a_uri_that_no_client_could_ask_for_fails_the_build(uri: str):
    app = library()
    app.resource("it", name="It", read=lambda: "it", uri=uri)
    with pytest.raises(CatalogError) as failed:
        app.build()
    assert [item.code for item in failed.value.diagnostics] == ["RES101"]


@pytest.mark.parametrize("uri", ["urn:isbn:0451450523", "git+ssh://a@b:1/c?d#e", "it://k%C3%B6y", "x:y"])
def test_any_absolute_uri_is_one_that_a_resource_can_have(uri: str):
    app = library()
    app.resource("it", name="It", read=lambda: "it", uri=uri)
    assert [item.uri for item in app.manifest().readables] == [uri]


async def test_a_reader_gets_injected_values_and_can_say_that_there_is_nothing():
    app = library()
    app.provide(Chapter, lambda: Chapter(7))

    async def mine(caller: Caller, chapter: Chapter) -> dict[str, object]:
        if caller.id is None:
            raise NotFoundError("nobody has a desk")
        return {"of": caller.id, "chapter": chapter.number}

    app.resource("desk", name="Desk", read=mine, uri="library://desk")
    assert json.loads((await read(app, "library://desk", **PUPIL))["text"]) == {"of": "ben", "chapter": 7}
    never = await refused(app, "library://nothing")
    assert {**(await refused(app, "library://desk")), "data": None} == {**never, "data": None}


@pytest.mark.requirement("CASE-K27", "FRAME-28", "FRAME-36")
async def test_what_a_reader_raises_stays_in_the_log(caplog: pytest.LogCaptureFixture):
    app = library()

    def broken() -> str:
        raise RuntimeError("password=hunter2")

    app.resource("it", name="It", read=broken, uri="it://it")
    async with served(app.asgi()) as http:
        answers = [await ask(http, "resources/read", {"uri": "it://it"})]
        answers.append(await ask_older(http, "resources/read", {"uri": "it://it"}))
    for answer in answers:
        assert "hunter2" not in answer.text
        refusal = answer.json()["error"]
        assert (refusal["code"], refusal["data"]["error"]["code"]) == (-32603, "internal")
        assert refusal["data"]["error"]["trace"] in caplog.text
    assert "hunter2" in caplog.text


# Templates


def shelf(number: Annotated[int, Field(ge=1, le=9)], kind: Literal["atlas", "novel"]) -> dict[str, object]:
    return {"number": number, "kind": kind}


@pytest.mark.requirement("RES-03")
async def test_placeholders_are_typed_and_spelled_in_one_way():
    app = library()
    app.resource("shelf", name="Shelf", read=shelf, uri_template="library://{kind}/{number}")
    assert json.loads((await read(app, "library://atlas/4"))["text"]) == {"number": 4, "kind": "atlas"}
    for uri, pointer, code in (
        ("library://atlas/01", "/number", "syntax"),
        ("library://atlas/4.0", "/number", "syntax"),
        ("library://atlas/0", "/number", "out_of_range"),
        ("library://poem/4", "/kind", "not_a_choice"),
    ):
        refusal = await refused(app, uri)
        assert refusal["code"] == -32602
        assert refusal["data"]["error"]["code"] == "bad_request"
        assert [(item["pointer"], item["code"]) for item in refusal["data"]["error"]["errors"]] == [(pointer, code)]


@pytest.mark.requirement("RES-03")
@pytest.mark.parametrize(
    ("tail", "value"),
    [
        ("plain", "plain"),
        ("a%2Fb", "a/b"),
        ("a%2fb", "a/b"),
        ("%252E", "%2E"),
        ("a%20b", "a b"),
        ("k%C3%B6y", "köy"),
        ("a?b#c", "a?b#c"),
    ],
)
async def test_a_placeholder_takes_one_segment_percent_decoded_once(tail: str, value: str):
    app = library()
    app.resource("note", name="Note", read=lambda title: {"title": title}, uri_template="note://{title}/text")
    assert json.loads((await read(app, f"note://{tail}/text"))["text"]) == {"title": value}


@pytest.mark.requirement("RES-03", "FRAME-12")
@pytest.mark.parametrize(
    "uri",
    [
        "note:///text",
        "note://a/b/text",
        "note://%zz/text",
        "note://%ff/text",
        "NOTE://a/text",
        "note://../text",
        "note://%2E%2E/text",
        "note://%00/text",
    ],
)
async def test_a_uri_that_does_not_fit_is_unknown(uri: str):
    app = library()
    app.resource("note", name="Note", read=lambda title: title, uri_template="note://{title}/text")
    assert await refused(app, uri) == {"code": -32602, "message": "Resource not found", "data": {"uri": uri}}


async def test_a_plain_uri_stands_before_a_template_and_a_hidden_one_leaves_no_gap():
    app = library()
    app.resource("any", name="Any", read=lambda title: f"any {title}", uri_template="note://{title}")
    app.resource("one", name="One", read=lambda: "the one", uri="note://one", access=roles("staff"))
    assert (await read(app, "note://one", **STAFF))["text"] == "the one"
    assert (await read(app, "note://one"))["text"] == "any one"


# Access


def guarded() -> App:
    app = library()
    app.resource("all", name="All", read=lambda: "all", uri="it://all")
    app.resource("staff", name="Staff", read=lambda: "staff", uri="it://staff", access=roles("staff"))
    app.resource("code", name="Code", read=lambda: "code", uri="it://code", access=lambda caller: caller.id == "ann")
    app.resource("gone", name="Gone", read=lambda: "gone", uri="it://gone", agent={"expose": False})
    app.resource("cli", name="Cli", read=lambda: "cli", uri="it://cli", agent=Agent(surfaces=["cli"]))
    app.resource("each", name="Each", read=lambda it: it, uri_template="each://{it}", access=roles("staff"))
    app.shared_state("secret", 1, access=roles("staff"))
    app.shared_state("session/{id}", 1, access=roles("staff")).get(id="one")
    return app


HIDDEN = ("it://staff", "it://code", "each://one", "afford://state/secret", "afford://state/session/one")


@pytest.mark.requirement("RES-02", "ACC-07")
async def test_the_rule_of_a_resource_decides_who_lists_and_who_reads_it():
    async with served(guarded().asgi()) as http:
        assert list(await listed(http, "resources")) == ["it://all"]
        assert await listed(http, "resourceTemplates") == {}
        assert list(await listed(http, "resources", **PUPIL)) == ["it://all"]
        shown = await listed(http, "resources", **STAFF)
        assert list(shown) == sorted(["it://all", *HIDDEN[:2], *HIDDEN[3:]])
        assert list(await listed(http, "resourceTemplates", **STAFF)) == ["afford://state/session/{id}", "each://{it}"]
        for uri in (*shown, *HIDDEN):
            assert (await ask(http, "resources/read", {"uri": uri}, **STAFF)).status_code == 200, uri


@pytest.mark.requirement("ACC-06", "RES-02", "FRAME-12", "FRAME-34")
async def test_a_hidden_resource_differs_in_no_byte_but_its_uri_from_one_that_does_not_exist():
    uris = (*HIDDEN, "it://gone", "it://cli", "it://nothing", "afford://state/nothing", "nonsense", "")
    async with served(guarded().asgi()) as http:
        modern = [(uri, await ask(http, "resources/read", {"uri": uri}, **PUPIL)) for uri in uris]
        older = [(uri, await ask_older(http, "resources/read", {"uri": uri}, **PUPIL)) for uri in uris]
    assert {answer.json()["error"]["code"] for _, answer in modern} == {-32602}
    assert {answer.json()["error"]["code"] for _, answer in older} == {-32002}
    for answers in (modern, older):
        assert len({answer.content.replace(f'"{uri}"'.encode(), b'""') for uri, answer in answers}) == 1
        assert len({answer.status_code for _, answer in answers}) == 1


async def test_documents_and_prompts_are_not_called_like_tools_nor_served_over_http():
    app = guarded()
    app.prompt("plan", handler=lambda: "plan")
    names = ("resource:all", "resource_all", "all", "prompt:plan", "state:secret")
    async with served(app.asgi(), **STAFF) as http:
        for name in names:
            assert (await error(http, "tools/call", {"name": name}))["code"] == -32602
            assert (await http.get(f"/{name}")).status_code == 404
            assert (await http.post(f"/{name}", json={})).status_code == 404


async def test_an_app_of_documents_alone_answers_anonymous_callers():
    app = library()
    app.resource("all", name="All", read=lambda: "all", uri="it://all")
    async with served(app.asgi()) as http:
        assert list(await listed(http, "resources")) == ["it://all"]
        assert await listed(http) == {}


async def test_a_long_list_of_resources_comes_in_pages_that_hold_each_once():
    app = library()
    for number in range(230):
        app.resource(f"it{number}", name="It", read=lambda: "it", uri=f"it://{number:03}")
    async with served(app.asgi()) as http:
        uris: list[str] = []
        params: dict[str, object] = {}
        while True:
            page = await result(http, "resources/list", params)
            uris += [item["uri"] for item in page["resources"]]
            if "nextCursor" not in page:
                break
            params = {"cursor": page["nextCursor"]}
    assert uris == [f"it://{number:03}" for number in range(230)]


@pytest.mark.parametrize("params", [{}, {"uri": 7}, {"uri": None}, {"uri": ["it://it"]}])
async def test_a_uri_that_is_no_text_is_a_protocol_error(params: dict[str, object]):
    app = library()
    app.resource("it", name="It", read=lambda: "it")
    async with served(app.asgi()) as http:
        answer = await ask_older(http, "resources/read", params)
    assert answer.json()["error"]["code"] == -32602


# Following


@pytest.mark.requirement("RES-04")
async def test_whoever_follows_a_resource_is_told_that_it_changed_and_nobody_is_told_of_hidden_ones():
    app = library()
    plain = app.resource("it", name="It", read=lambda: "it", uri="it://it")
    each = app.resource("each", name="Each", read=lambda it: it, uri_template="each://{it}")
    hidden = app.resource("staff", name="Staff", read=lambda: "staff", uri="it://staff", access=roles("staff"))
    wanted = ["it://it", "each://a%2fb", "it://staff", "it://nothing", 7]
    async with listening(app, resourceSubscriptions=wanted) as client:
        assert client.honoured == {"resourceSubscriptions": ["it://it", "each://a%2fb"]}
        hidden.notify_updated()
        each.notify_updated(it="other")
        each.notify_updated(it="a/b")
        # In the spelling that the client chose.
        assert await client.next() == (UPDATED, "each://a%2fb")
        plain.notify_updated()
        assert await client.next() == (UPDATED, "it://it")


@pytest.mark.requirement("RES-04")
def test_a_handle_wants_the_names_of_its_template():
    app = library()
    plain = app.resource("it", name="It", read=lambda: "it")
    each = app.resource("each", name="Each", read=lambda it: it, uri_template="each://{it}")
    for handle, names in ((plain, {"it": "x"}), (each, {}), (each, {"that": "x"})):
        with pytest.raises(TypeError):
            handle.notify_updated(**names)
    with pytest.raises(ValueError, match="empty"):
        each.notify_updated(it="")


@pytest.mark.requirement("RES-04")
async def test_older_clients_follow_one_resource_at_a_time_and_stop_again():
    app = library()
    each = app.resource("each", name="Each", read=lambda it: it, uri_template="each://{it}")
    app.resource("staff", name="Staff", read=lambda: "staff", uri="it://staff", access=roles("staff"))
    runtime = app.runtime()
    await runtime.start()
    lane = Lane(runtime)
    heard: list[object] = []
    subscriber = Subscriber(lambda method, params: heard.append((method, params)), Caller(None))

    async def send(method: str, uri: str, subscriber: Subscriber | None = subscriber) -> bytes:
        incoming = Incoming(id=1, method=method, params={"uri": uri}, era=Era.HANDSHAKE, version="2025-11-25")
        return await lane.answer(incoming, Exchange(caller=Caller(None), subscriber=subscriber))

    assert await send("resources/subscribe", "each://a%2fb") == b"{}"
    assert subscriber.wants(Change(ChangeKind.RESOURCE, "each://a%2Fb"))
    assert await send("resources/unsubscribe", "each://a%2fb") == b"{}"
    assert not subscriber.wants(Change(ChangeKind.RESOURCE, "each://a%2Fb"))
    for uri in ("it://staff", "it://nothing"):
        with pytest.raises(ProtocolError) as failed:
            await send("resources/subscribe", uri)
        assert (failed.value.code, failed.value.data) == (-32002, {"uri": uri})
    with pytest.raises(ProtocolError) as failed:
        await send("resources/subscribe", "each://a", None)
    assert failed.value.code == -32601
    assert each.uri == "each://{it}"
    await runtime.stop()


# Completion


async def completed(app: App, reference: dict[str, object], name: str, typed: str, **headers: str) -> dict[str, object]:
    params = {"ref": reference, "argument": {"name": name, "value": typed}}
    async with served(app.asgi()) as http:
        return (await result(http, "completion/complete", params, **headers))["completion"]


def atlas() -> App:
    app = library()

    async def cities(typed: str, given: dict[str, object]) -> list[str]:
        return [f"{given.get('country', 'any')}-{city}" for city in ("oslo", "oban", "rome") if city.startswith(typed)]

    def broken(_typed: str) -> list[str]:
        raise RuntimeError("password=hunter2")

    def place(
        country: str,
        city: str,
        many: str,
        broken: str,
        text: str,
        none: str,
        kind: Literal["atlas", "novel", "Art"],
        colour: Colour,
        topic: Annotated[str, Choices(lambda: ["history", "art history"])],
    ) -> str:
        return country

    names = ("country", "city", "many", "broken", "text", "none", "kind", "colour", "topic")
    app.resource(
        "place",
        name="Place",
        read=place,
        uri_template="place://" + "/".join(f"{{{name}}}" for name in names),
        complete={
            "country": lambda typed: (name for name in ("norway", "italy") if name.startswith(typed)),
            "city": cities,
            "many": lambda typed: [str(number) for number in range(150)],
            "broken": broken,
            "text": lambda typed: "text",
            "none": str.casefold,
        },
    )
    app.resource("mine", name="Mine", read=lambda it: it, uri_template="mine://{it}", access=roles("staff"))
    return app


PLACE = {
    "type": "ref/resource",
    "uri": "place://{country}/{city}/{many}/{broken}/{text}/{none}/{kind}/{colour}/{topic}",
}


@pytest.mark.requirement("PROMPT-01")
@pytest.mark.parametrize(
    ("name", "typed", "values"),
    [
        ("country", "n", ["norway"]),
        ("city", "o", ["any-oslo", "any-oban"]),
        ("kind", "", ["atlas", "novel", "Art"]),
        ("kind", "A", ["atlas", "Art"]),
        ("kind", "vel", ["novel"]),
        ("colour", "g", ["green"]),
        ("topic", "hist", ["history"]),
        ("topic", "rt hi", ["art history"]),
        ("none", "x", []),
        ("unheard", "x", []),
        ("broken", "x", []),
        ("text", "t", []),
    ],
)
async def test_candidates_come_from_the_author_or_from_the_closed_set(name: str, typed: str, values: list[str]):
    found = await completed(atlas(), PLACE, name, typed)
    assert found == {"values": values, "total": len(values), "hasMore": False}


async def test_candidates_may_depend_on_what_else_was_filled_in():
    params = {
        "ref": PLACE,
        "argument": {"name": "city", "value": "r"},
        "context": {"arguments": {"country": "italy"}},
    }
    async with served(atlas().asgi()) as http:
        found = (await result(http, "completion/complete", params))["completion"]
    assert found["values"] == ["italy-rome"]


async def test_at_most_a_hundred_candidates_are_sent_and_the_rest_is_counted():
    found = await completed(atlas(), PLACE, "many", "")
    assert (len(found["values"]), found["total"], found["hasMore"]) == (100, 150, True)


@pytest.mark.requirement("RES-02", "ACC-06")
async def test_what_a_caller_may_not_read_completes_like_what_does_not_exist():
    app = atlas()
    mine = {"type": "ref/resource", "uri": "mine://{it}"}
    assert (await completed(app, mine, "it", "", **STAFF))["values"] == []
    async with served(app.asgi()) as http:
        refusals = [
            await error(http, "completion/complete", {"ref": reference, "argument": {"name": "it", "value": ""}})
            for reference in (mine, {"type": "ref/resource", "uri": "never://{it}"}, {"type": "ref/thing"}, {})
        ]
    assert refusals[0]["code"] == -32602
    assert all(refusal == refusals[0] for refusal in refusals)


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"ref": PLACE},
        {"ref": PLACE, "argument": {"name": "city"}},
        {"ref": PLACE, "argument": {"name": 1, "value": "x"}},
        {"ref": "place", "argument": {"name": "city", "value": "x"}},
    ],
)
async def test_a_malformed_completion_is_a_protocol_error(params: dict[str, object]):
    async with served(atlas().asgi()) as http:
        assert (await error(http, "completion/complete", params))["code"] == -32602
