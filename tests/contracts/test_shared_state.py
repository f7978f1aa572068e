"""Shared state as agents see it: as a resource and through a tool, under one rule, one exposure and one filter."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel
from tests.contracts.mcp_wire import ask, error, listed, listening, result, told, tool
from tests.contracts.wire import served

from afford import Agent, ApiKeys, App, CatalogError, DeclarationError, Feature, Principal, anyone, roles, signed_in

STAFF = {"authorization": "Bearer staff-key-1"}
UPDATED = "notifications/resources/updated"
LIST = "notifications/resources/list_changed"
STATE = "afford_state_read"


class Basket(BaseModel):
    items: list[str] = []


@dataclass
class Lamp:
    on: bool = False
    marks: list[int] = field(default_factory=list)


class Odd:
    """Nothing that JSON could hold."""


def house(**options: object) -> App:
    """An app whose anonymous callers are offered a tool in any case, so that nobody is sent to a login."""
    keys = ApiKeys({"staff-key-1": Principal("ann", ["staff"])})
    app = App("house", **{"roles": ("staff",), "access": anyone(), "authenticate": keys, **options})  # type: ignore[arg-type]
    app.tool("knock", handler=lambda: "who is there", description="Knock.")
    return app


async def shown(app: App, **headers: str) -> dict[str, list[str]]:
    """What a caller is shown of the state, on every road to it."""
    async with served(app.asgi(), **headers) as http:
        tools = await listed(http)
        found = {
            "resources": list(await listed(http, "resources")),
            "templates": list(await listed(http, "resourceTemplates")),
            "keys": [],
        }
        if STATE in tools:
            found["keys"] = [item["key"] for item in (await tool(http, STATE))["structuredContent"]["keys"]]
            found["tool"] = [STATE]
        else:
            assert (await error(http, "tools/call", {"name": STATE}))["message"] == f"Unknown tool: {STATE}"
    return found


async def at(app: App, uri: str, **headers: str) -> object:
    """The value that a URI shows; the error where it shows none."""
    async with served(app.asgi(), **headers) as http:
        answer = (await ask(http, "resources/read", {"uri": uri})).json()
    return answer["error"] if "error" in answer else json.loads(answer["result"]["contents"][0]["text"])


async def through_tool(app: App, key: str, **headers: str) -> dict[str, object]:
    """What the tool says of a key; the error where it refuses."""
    async with served(app.asgi(), **headers) as http:
        answer = await tool(http, STATE, key=key)
    return told(answer) if answer["isError"] else answer["structuredContent"]


@pytest.mark.requirement("STATE-01", "STATE-02", "FRAME-30", "FRAME-31")
async def test_a_state_is_listed_and_read_as_a_resource_and_through_the_tool():
    app = house()
    app.shared_state("ui/theme", "dark", description="The colours in use.")
    app.shared_state("basket", Basket(items=["tea"]))
    async with served(app.asgi()) as http:
        resources = await listed(http, "resources")
        tools = await listed(http)
        keys = (await tool(http, STATE))["structuredContent"]
        one = await tool(http, STATE, key="basket")
    assert resources == {
        "afford://state/basket": {"uri": "afford://state/basket", "name": "basket", "mimeType": "application/json"},
        "afford://state/ui/theme": {
            "uri": "afford://state/ui/theme",
            "name": "ui/theme",
            "description": "The colours in use.",
            "mimeType": "application/json",
        },
    }
    assert tools[STATE]["annotations"]["readOnlyHint"] is True
    assert list(tools[STATE]["inputSchema"]["properties"]) == ["key"]
    assert keys == {
        "keys": [
            {"key": "basket", "uri": "afford://state/basket"},
            {"key": "ui/theme", "uri": "afford://state/ui/theme", "description": "The colours in use."},
        ]
    }
    assert one["structuredContent"] == json.loads(one["content"][0]["text"])
    assert one["structuredContent"] == {"key": "basket", "version": 1, "value": {"items": ["tea"]}}
    assert await at(app, "afford://state/basket") == {"items": ["tea"]}
    assert await at(app, "afford://state/ui/theme") == await at(app, "afford://state/ui%2Ftheme") == "dark"


@pytest.mark.requirement("STATE-02", "STATE-03", "FRAME-63")
async def test_readers_get_the_value_of_now_and_its_version():
    app = house()
    lamp = app.shared_state("lamp", Lamp())
    assert await through_tool(app, "lamp") == {"key": "lamp", "version": 1, "value": {"on": False, "marks": []}}
    lamp.set(Lamp(on=True))
    lamp.set(Lamp(on=True))
    lamp.update(lambda value: value.marks.append(3))
    assert await through_tool(app, "lamp") == {"key": "lamp", "version": 3, "value": {"on": True, "marks": [3]}}
    assert await at(app, "afford://state/lamp") == {"on": True, "marks": [3]}


@pytest.mark.requirement("STATE-02", "FRAME-31")
async def test_an_unknown_key_is_a_coded_refusal_that_names_the_known_ones():
    app = house()
    app.shared_state("basket", 1)
    app.shared_state("secret", 1, access=roles("staff"))
    refusal = await through_tool(app, "baskt")
    assert refusal["code"] == "not_found"
    assert "`basket`" in refusal["fix"]
    assert "secret" not in json.dumps(refusal)
    # A hidden key is answered like any other that does not exist.
    assert await through_tool(app, "secret") == await through_tool(app, "never") == refusal


@pytest.mark.requirement("STATE-01", "STATE-02", "FRAME-32", "FRAME-34")
async def test_with_shared_state_switched_off_no_road_leads_to_it_and_there_is_no_tool():
    app = house(expose_shared_state=False)
    app.shared_state("basket", 1)
    app.shared_state("session/{id}", 1).get(id="one")
    assert await shown(app, **STAFF) == {"resources": [], "templates": [], "keys": []}
    for key in ("basket", "session/one"):
        never = {"code": -32602, "message": "Resource not found", "data": {"uri": f"afford://state/{key}"}}
        assert await at(app, f"afford://state/{key}", **STAFF) == never


@pytest.mark.requirement("STATE-01", "STATE-02", "FRAME-33", "FRAME-34")
async def test_a_filter_decides_by_the_full_key_on_every_road_and_may_change_its_mind():
    visible = {"basket", "session/one"}
    app = house(expose_shared_state=lambda key: key in visible)
    app.shared_state("basket", 1)
    app.shared_state("other", 2)
    session = app.shared_state("session/{id}", 3)
    session.get(id="one")
    session.get(id="two")
    assert await shown(app) == {
        "resources": ["afford://state/basket", "afford://state/session/one"],
        "templates": ["afford://state/session/{id}"],
        "keys": ["basket", "session/one"],
        "tool": [STATE],
    }
    for key in ("other", "session/two"):
        assert (await through_tool(app, key))["code"] == "not_found"
        for uri in (f"afford://state/{key}", "afford://state/" + key.replace("/", "%2F")):
            assert (await at(app, uri))["code"] == -32602
    visible.add("other")
    assert await at(app, "afford://state/other") == 2
    visible.clear()
    assert await shown(app) == {"resources": [], "templates": ["afford://state/session/{id}"], "keys": []}


@pytest.mark.requirement("STATE-01", "FRAME-33")
@pytest.mark.parametrize("answer", ["yes", 1, None, RuntimeError("password=hunter2")])
async def test_a_filter_that_raises_or_does_not_answer_true_shows_nothing(answer: object):
    def shows(_key: str) -> bool:
        if isinstance(answer, Exception):
            raise answer
        return answer  # type: ignore[return-value]

    app = house(expose_shared_state=shows)
    app.shared_state("basket", 1)
    assert await shown(app) == {"resources": [], "templates": [], "keys": []}
    assert (await at(app, "afford://state/basket"))["code"] == -32602


@pytest.mark.requirement("STATE-01", "STATE-02")
async def test_a_state_that_opted_out_or_is_of_another_surface_is_on_no_road():
    app = house()
    app.shared_state("hidden", 1, agent={"expose": False})
    app.shared_state("shell", 1, agent=Agent(surfaces=["cli"]))
    assert await shown(app, **STAFF) == {"resources": [], "templates": [], "keys": []}
    app = house()
    app.shared_state("hidden", 1, agent={"expose": False})
    app.shared_state("open", 1)
    assert (await shown(app))["keys"] == ["open"]


@pytest.mark.requirement("STATE-01", "STATE-02", "ACC-05")
async def test_access_holds_on_every_road_and_the_tool_is_there_for_whoever_may_see_anything():
    def broken(_caller: object) -> bool:
        raise RuntimeError("broken")

    app = house()
    app.shared_state("secret", 1, access=roles("staff"))
    app.shared_state("mine", 2, access=signed_in())
    app.shared_state("never", 3, access=broken)
    assert await shown(app) == {"resources": [], "templates": [], "keys": []}
    assert (await shown(app, **STAFF))["keys"] == ["mine", "secret"]
    app = house(expose_shared_state=lambda key: key != "secret")
    app.shared_state("secret", 1, access=anyone())
    app.shared_state("mine", 2, access=roles("staff"))
    assert await shown(app) == {"resources": [], "templates": [], "keys": []}
    assert (await shown(app, **STAFF))["keys"] == ["mine"]


async def test_an_app_without_shared_state_has_no_tool_for_it():
    assert await shown(house()) == {"resources": [], "templates": [], "keys": []}


async def test_a_state_of_a_feature_keeps_its_key_and_takes_the_features_rule():
    feature = Feature("hall", access=roles("staff"))
    state = feature.shared_state("lights", {"on": True})
    app = house()
    app.include(feature)
    assert (await shown(app))["keys"] == []
    assert (await shown(app, **STAFF))["keys"] == ["lights"]
    async with listening(
        app, as_=Principal("ann", ["staff"]), resourceSubscriptions=["afford://state/lights"]
    ) as client:
        state.set({"on": False})
        assert await client.next() == (UPDATED, "afford://state/lights")


# Templates


@pytest.mark.requirement("STATE-02", "RES-03", "FRAME-30")
async def test_keys_of_a_template_are_listed_as_they_come_and_read_by_each_spelling_a_client_may_use():
    app = house()
    session = app.shared_state("session/{id}/{part}", initial=lambda id, part: {"id": id, "part": part})
    async with served(app.asgi()) as http:
        assert await listed(http, "resources") == {}
        assert list(await listed(http, "resourceTemplates")) == ["afford://state/session/{id}/{part}"]
        # Reading makes no key.
        assert (await error(http, "resources/read", {"uri": "afford://state/session/a/b"}))["code"] == -32602
        assert session.keys() == ()
        session.get(id="a/b", part="ü %")
        (uri,) = await listed(http, "resources")
        assert uri == "afford://state/session/a%2Fb/%C3%BC%20%25"
        for spelling in (
            uri,
            "afford://state/session/a%2fb/%C3%BC %25",
            "afford://state/session%2Fa%252Fb%2F%25C3%25BC%2520%2525",
        ):
            contents = (await result(http, "resources/read", {"uri": spelling}, **{"mcp-name": spelling}))["contents"]
            assert json.loads(contents[0]["text"]) == {"id": "a/b", "part": "ü %"}
        (listed_key,) = (await tool(http, STATE))["structuredContent"]["keys"]
        assert listed_key == {"key": "session/a%2Fb/%C3%BC%20%25", "uri": uri}
        answer = await tool(http, STATE, key=listed_key["key"])
        assert answer["structuredContent"]["value"] == {"id": "a/b", "part": "ü %"}
        session.delete(id="a/b", part="ü %")
        assert (await error(http, "resources/read", {"uri": uri}))["data"] == {"uri": uri}
        assert told(await tool(http, STATE, key=listed_key["key"]))["code"] == "not_found"
        assert await listed(http, "resources") == {}


SEGMENTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8)


@pytest.mark.requirement("RES-03")
@settings(max_examples=60)
@given(one=SEGMENTS, other=SEGMENTS)
async def test_every_listed_key_is_read_by_its_uri_and_followed_by_it(one: str, other: str):
    app = house()
    session = app.shared_state("session/{one}:{other}", initial=lambda one, other: [one, other])
    session.get(one=one, other=other)
    (uri,) = [item.uri for item in app.manifest().readables]
    found = app.manifest().resource(uri)
    assert found is not None
    assert found[1] == {"one": one, "other": other}
    assert app.manifest().canonical_uri(uri) == uri


async def test_a_plain_key_stands_before_a_template_that_spells_it_too():
    app = house()
    app.shared_state("session/main", "plain")
    app.shared_state("session/{id}", "template").get(id="main")
    assert (await shown(app))["keys"] == ["session/main"]
    assert await at(app, "afford://state/session/main") == "plain"
    assert (await through_tool(app, "session/main"))["value"] == "plain"


@pytest.mark.requirement("STATE-03", "RES-04", "FRAME-63")
async def test_changes_reach_whoever_follows_the_key_and_new_keys_whoever_follows_the_list():
    app = house()
    session = app.shared_state("session/{id}", 0)
    theme = app.shared_state("theme", "dark")
    wanted = ["afford://state/session/a%2Fb", "afford://state/theme"]
    async with listening(app, resourcesListChanged=True, resourceSubscriptions=wanted) as client:
        assert client.honoured == {"resourcesListChanged": True, "resourceSubscriptions": wanted}
        session.get(id="other")
        assert await client.next() == (LIST, None)
        session.get(id="a/b")
        assert await client.next() == (LIST, None)
        assert await client.next() == (UPDATED, "afford://state/session/a%2Fb")
        theme.set("dark")
        theme.set("light")
        assert await client.next() == (UPDATED, "afford://state/theme")
        session.delete(id="a/b")
        assert await client.next() == (LIST, None)
        assert await client.next() == (UPDATED, "afford://state/session/a%2Fb")


async def test_a_hidden_state_is_not_followed():
    app = house(expose_shared_state=lambda key: key == "open")
    shown_one = app.shared_state("open", 1)
    hidden = app.shared_state("hidden", 1)
    wanted = ["afford://state/hidden", "afford://state/open"]
    async with listening(app, resourceSubscriptions=wanted, resourcesListChanged=True) as client:
        assert client.honoured["resourceSubscriptions"] == ["afford://state/open"]
        hidden.set(2)
        shown_one.set(2)
        assert await client.next() == (UPDATED, "afford://state/open")


@pytest.mark.requirement("PROMPT-01")
async def test_the_placeholder_of_a_state_completes_to_the_keys_that_the_caller_may_see():
    app = house(expose_shared_state=lambda key: key != "session/hidden")
    session = app.shared_state("session/{id}", 0)
    for name in ("a/b", "alpha", "beta", "hidden"):
        session.get(id=name)

    async def candidates(typed: str) -> list[str]:
        reference = {"type": "ref/resource", "uri": "afford://state/session/{id}"}
        params = {"ref": reference, "argument": {"name": "id", "value": typed}}
        async with served(app.asgi()) as http:
            return (await result(http, "completion/complete", params))["completion"]["values"]

    assert await candidates("") == ["a/b", "alpha", "beta"]
    assert await candidates("a") == ["a/b", "alpha"]
    assert await candidates("hid") == []


# Values and declarations


@pytest.mark.requirement("FRAME-62", "FRAME-35")
async def test_a_value_that_is_no_json_is_refused_on_both_roads_and_others_are_read_all_the_same():
    app = house()
    app.shared_state("odd", {"at": Odd()})
    app.shared_state("even", {"at": 2})
    assert (await through_tool(app, "odd"))["code"] == "output_contract"
    assert (await at(app, "afford://state/odd"))["data"]["error"]["code"] == "output_contract"
    assert (await shown(app))["keys"] == ["even", "odd"]
    assert (await through_tool(app, "even"))["value"] == {"at": 2}


async def test_an_initial_value_that_cannot_be_made_is_a_refusal_without_its_text():
    def make() -> int:
        raise RuntimeError("password=hunter2")

    app = house()
    app.shared_state("late", make)
    assert "hunter2" not in json.dumps([await through_tool(app, "late"), await at(app, "afford://state/late")])
    assert (await through_tool(app, "late"))["code"] == "internal"


@pytest.mark.requirement("DECL-04")
def test_a_state_is_declared_before_the_build_under_a_key_that_can_be_read():
    app = house()
    for key in ("", "session/{id", "{one}{other}", "{one}x{other}"):
        with pytest.raises(DeclarationError):
            app.shared_state(key, 1)
    app.build()
    with pytest.raises(DeclarationError):
        app.shared_state("late", 1)


def test_two_keys_under_one_uri_fail_the_build():
    app = house()
    app.shared_state("session/{id}", 1)
    app.resource("same", name="Same", read=lambda id: id, uri_template="afford://state/session/{id}")
    with pytest.raises(CatalogError) as failed:
        app.build()
    assert {item.code for item in failed.value.diagnostics} == {"RES102"}
