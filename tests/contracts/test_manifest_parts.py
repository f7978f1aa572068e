"""What the manifest lists beside operations: tools and resources, on every surface, as they are now."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import pytest
from jsonschema_rs import Draft202012Validator
from tests.contracts.test_mcp import ask
from tests.contracts.wire import served

from afford import Agent, App, Caller, Feature, Image, Principal, Rule, Surface, Tool, anyone, roles, signed_in
from afford.errors import JsonObject
from afford.surfaces.http.project import manifest_document

GUEST = Principal("gus", ["guest"])
STAFF = Principal("sam", ["staff"])


async def count() -> list[int]:
    return [1]


def sweep(room: int) -> str:
    return f"swept {room}"


def house_rules() -> str:
    return "No shoes."


def house_app() -> App:
    app = App("house", roles=("guest", "staff"), access=anyone())
    app.query(id="counted", description="Counts.")(count)
    app.tool("sweep", handler=sweep, description="Sweep a room.", risk="low")
    app.tool("look", handler=lambda: {"a": 1}, description="Look around.", safety="read")
    app.tool("lock", handler=sweep, description="Lock a room.", access=roles("staff"), safety="destructive")
    app.tool("gone", handler=sweep, description="Never there.", enabled=False)
    app.tool("hidden", handler=sweep, description="For nobody.", agent=Agent(expose=False))
    app.resource("rules", name="House rules", description="Read them first.", read=house_rules, uri="house://a")
    app.resource("picture", name="Picture", read=lambda: b"...", mime_type="image/png")
    app.resource("room", name="Room", uri_template="house://room/{number}", read=lambda number: {"number": number})
    app.resource("safe", name="Safe", read=lambda: "1234", access=roles("staff"))
    app.shared_state("mood", "fine", description="How the house feels.")
    app.shared_state("guests/{name}", 0)
    app.prompt("greet", description="Greets.", handler=lambda: "Hello.")
    return app


def document(app: App, caller: Caller | None = None) -> JsonObject:
    return manifest_document(app.manifest(caller))


def part(document: JsonObject, key: str, *names: str) -> dict[str, JsonObject]:
    items = document[key]
    assert isinstance(items, list)
    found = [item for item in items if isinstance(item, dict)]
    return {str(next(item[name] for name in names if name in item)): item for item in found}


def tools(document: JsonObject) -> list[str]:
    return list(part(document, "tools", "name"))


def uris(document: JsonObject) -> list[str]:
    return list(part(document, "resources", "uri", "uri_template"))


@asynccontextmanager
async def as_(app: App, principal: Principal | None) -> AsyncIterator[httpx.AsyncClient]:
    async with served(app.asgi(authenticate=[lambda _request: principal])) as http:
        yield http


async def manifest(http: httpx.AsyncClient) -> JsonObject:
    answer = await http.get("/manifest")
    assert answer.status_code == 200
    found: JsonObject = answer.json()
    return found


@pytest.mark.requirement("MAN-05")
@pytest.mark.parametrize("surface", [Surface.HTTP, Surface.MCP, Surface.CLI])
def test_operations_and_tools_are_apart_on_every_surface(surface: Surface) -> None:
    told = document(house_app(), Caller(surface=surface))
    assert list(part(told, "operations", "name")) == ["counted"]
    assert tools(told) == ["afford_state_read", "look", "sweep"]


@pytest.mark.requirement("MAN-05")
def test_a_tool_is_told_with_what_decides_about_a_call() -> None:
    told = part(document(house_app()), "tools", "name")
    assert told["sweep"] == {
        "id": "sweep",
        "name": "sweep",
        "title": "Sweep",
        "description": "Sweep a room.",
        "risk": "low",
        "safety": "action",
        "input_schema": {
            "type": "object",
            "properties": {"room": told["sweep"]["input_schema"]["properties"]["room"]},  # type: ignore[call-overload,index]
            "required": ["room"],
            "additionalProperties": False,
        },
        "output_schema": {"type": "string"},
    }
    assert (told["look"]["safety"], "output_schema" in told["look"]) == ("read", False)
    for item in told.values():
        Draft202012Validator(item["input_schema"])


def test_a_tool_whose_answer_is_content_is_told_with_the_form_that_programs_get() -> None:
    def photograph() -> Image:
        return Image(b"...")

    app = App("house", access=anyone())
    app.tool("photograph", handler=photograph, description="Take a picture.")
    shown = part(document(app), "tools", "name")["photograph"]["output_schema"]
    assert "data" in shown["properties"]  # type: ignore[call-overload,index,operator]


@pytest.mark.requirement("MAN-05")
def test_resources_are_told_plain_ones_first_and_templates_as_templates() -> None:
    app = house_app()
    state = app.shared_state("visits/{day}", 0)
    state.set(1, day="monday")
    told = part(document(app), "resources", "uri", "uri_template")
    assert list(told) == [
        "afford://resource/picture",
        "afford://state/mood",
        "house://a",
        "afford://state/guests/{name}",
        "afford://state/visits/{day}",
        "house://room/{number}",
    ]
    assert told["house://a"] == {
        "uri": "house://a",
        "name": "House rules",
        "description": "Read them first.",
        "mime_type": "text/plain",
    }
    assert told["afford://resource/picture"] == {
        "uri": "afford://resource/picture",
        "name": "Picture",
        "mime_type": "image/png",
    }
    assert set(told["house://room/{number}"]) >= {"uri_template", "name"}


@pytest.mark.requirement("MAN-05")
def test_everybody_is_told_of_what_they_may_call_and_read() -> None:
    app = house_app()
    guest, staff = document(app, Caller(GUEST)), document(app, Caller(STAFF))
    assert set(tools(staff)) - set(tools(guest)) == {"lock"}
    assert set(uris(staff)) - set(uris(guest)) == {"afford://resource/safe"}
    assert set(tools(guest)) <= set(tools(staff))


def test_what_a_feature_declares_has_its_prefix() -> None:
    app, annex = App("house"), Feature("annex", access=anyone())
    annex.tool("sweep", handler=sweep, description="Sweep a room.")
    annex.resource("rules", name="Rules", read=lambda: "None.")
    app.include(annex)
    told = document(app)
    assert part(told, "tools", "name")["annex_sweep"]["id"] == "annex:sweep"
    assert uris(told) == ["afford://resource/annex:rules"]


@pytest.mark.requirement("MAN-05")
@pytest.mark.parametrize("principal", [None, GUEST, STAFF], ids=["anonymous", "guest", "staff"])
async def test_what_the_manifest_lists_is_what_mcp_lists(principal: Principal | None) -> None:
    app = house_app()
    async with as_(app, principal) as http:
        told = await manifest(http)
    mcp = app.manifest(Caller(principal, surface=Surface.MCP))
    assert tools(told) == [item.wire_name for item in mcp.tools]
    shown = {item.uri for item in mcp.readables} | {item.template.text for item in mcp.templates}
    assert set(uris(told)) == shown


@pytest.mark.requirement("MAN-05")
async def test_the_served_manifest_follows_what_providers_hand_out() -> None:
    app = house_app()
    names = ["dust"]
    async with as_(app, None) as http:
        assert "dust" not in tools(await manifest(http))
        handle = app.tool_provider(
            lambda _caller: [Tool(id=name, handler=sweep, description="Clean.", access=anyone()) for name in names]
        )
        assert "dust" in tools(await manifest(http))
        names.append("air")
        assert {"dust", "air"} <= set(tools(await manifest(http)))
        handle.unregister()
        assert tools(await manifest(http)) == ["afford_state_read", "look", "sweep"]


@pytest.mark.requirement("MAN-05")
async def test_the_served_manifest_follows_switches_and_rules_that_are_code() -> None:
    open_: dict[str, bool] = {"switch": True, "rule": True, "state": True}
    app = App("house", access=anyone(), expose_shared_state=lambda _key: open_["state"])
    app.query(id="counted", description="Counts.")(count)
    app.tool("sweep", handler=sweep, description="Sweep.", enabled=lambda: open_["switch"])
    app.resource("rules", name="Rules", read=lambda: "", access=lambda _caller: open_["rule"])
    app.shared_state("mood", "fine")
    async with as_(app, None) as http:
        before = await manifest(http)
        assert "sweep" in tools(before)
        assert uris(before) == ["afford://resource/rules", "afford://state/mood"]
        open_.update(switch=False, rule=False, state=False)
        after = await manifest(http)
    assert "sweep" not in tools(after)
    assert uris(after) == []


@pytest.mark.requirement("MAN-05")
async def test_a_key_that_appears_changes_no_document() -> None:
    app = App("house", access=anyone())
    app.query(id="counted", description="Counts.")(count)
    guests = app.shared_state("guests/{name}", 0)
    async with as_(app, None) as http:
        before = await http.get("/manifest")
        guests.set(1, name="ada")
        after = await http.get("/manifest", headers={"if-none-match": before.headers["etag"]})
    assert after.status_code == 304


async def test_an_app_of_tools_and_resources_alone_serves_its_manifest() -> None:
    app = App("house")
    app.tool("sweep", handler=sweep, description="Sweep.", access=signed_in())
    async with as_(app, GUEST) as http:
        told = await manifest(http)
    assert (told["operations"], tools(told)) == ([], ["sweep"])


@pytest.mark.requirement("AUTH-02", "AUTH-03")
@pytest.mark.parametrize(("access", "status"), [(anyone(), 200), (signed_in(), 401)])
@pytest.mark.parametrize("kind", ["tool", "resource", "prompt"])
async def test_a_visitor_is_turned_away_where_there_is_nothing_to_call_and_nothing_to_read(
    kind: str, access: Rule, status: int
) -> None:
    app = App("house", access=access)
    app.query(id="counted", description="Counts.", access=signed_in())(count)
    if kind == "tool":
        app.tool("sweep", handler=sweep, description="Sweep.")
    elif kind == "resource":
        app.resource("rules", name="Rules", read=house_rules)
    else:
        app.prompt("greet", handler=house_rules)
    async with as_(app, None) as http:
        assert (await http.get("/manifest")).status_code == status
        assert (await http.get("/counted")).status_code == (404 if status == 200 else 401)
        asked = await ask(http, "prompts/list")
    assert asked.status_code == status
