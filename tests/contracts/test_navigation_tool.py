"""`afford_navigate`: the caller's screens as a tool, filtered like everything else."""

from __future__ import annotations

import json

import pytest
from tests.contracts.mcp_wire import error, listed, told, tool
from tests.contracts.wire import served

from afford import ApiKeys, App, Principal, anyone, roles

STAFF = {"authorization": "Bearer staff-key-1"}
NAVIGATE = "afford_navigate"


def hotel() -> App:
    keys = ApiKeys({"staff-key-1": Principal("ann", ["staff"])})
    app = App("hotel", roles=("staff",), access=anyone(), authenticate=keys)
    app.tool("ring", handler=lambda: "coming", description="Ring the bell.")
    return app


def furnished() -> App:
    app = hotel()
    app.screen("rooms", type="list", path="/rooms", description="All rooms.")
    app.screen("room", type="detail", path="/floors/{floor}/rooms/{room}", description="One room.")
    app.screen("safe", type="custom", path="/safe", description="The safe.", access=roles("staff"))
    app.screen("cellar", type="custom", path="/cellar", description="Rats.", agent={"expose": False})
    return app


async def directions(app: App, *, key: dict[str, str] | None = None, **arguments: object) -> dict[str, object]:
    async with served(app.asgi(), **(key or {})) as http:
        answer = await tool(http, NAVIGATE, **arguments)
    return told(answer) if answer["isError"] else answer["structuredContent"]


@pytest.mark.requirement("SCRN-01", "SCRN-03")
async def test_it_lists_the_screens_that_the_caller_may_open():
    app = furnished()
    async with served(app.asgi()) as http:
        hints = (await listed(http))[NAVIGATE]["annotations"]
    assert (hints["readOnlyHint"], hints["destructiveHint"]) == (True, False)
    assert [item["screen"] for item in (await directions(app))["screens"]] == ["room", "rooms"]
    assert [item["screen"] for item in (await directions(app, key=STAFF))["screens"]] == ["room", "rooms", "safe"]
    assert (await directions(app))["screens"][0] == {
        "screen": "room",
        "type": "detail",
        "description": "One room.",
        "path": "/floors/{floor}/rooms/{room}",
        "needs": ["floor", "room"],
    }


async def test_it_answers_the_exact_path_once_it_has_what_the_path_needs():
    app = furnished()
    assert (await directions(app, screen="rooms"))["path"] == "/rooms"
    found = await directions(app, screen="room", values={"floor": "2/b", "room": "{floor} 7"})
    assert found["path"] == "/floors/2%2Fb/rooms/%7Bfloor%7D%207"


@pytest.mark.parametrize(
    "values",
    [None, {}, {"floor": "2"}, {"floor": "2", "room": ""}, {"floor": "2", "room": ".."}, {"floor": ".", "room": "1"}],
)
async def test_a_value_that_is_missing_or_steps_out_of_its_place_is_refused(values: dict[str, str] | None):
    arguments = {"screen": "room"} if values is None else {"screen": "room", "values": values}
    refusal = await directions(furnished(), **arguments)
    assert refusal["code"] == "bad_request"
    assert refusal["errors"][0]["pointer"].startswith("/values")


@pytest.mark.requirement("SCRN-02", "ACC-06")
async def test_a_screen_that_is_not_the_callers_is_like_one_that_does_not_exist():
    app = furnished()
    refusals = [await directions(app, screen=name) for name in ("safe", "cellar", "never")]
    assert refusals[0]["code"] == "not_found"
    assert all(refusal == refusals[0] for refusal in refusals)
    assert "safe" not in json.dumps(refusals[0])
    assert (await directions(app, key=STAFF, screen="safe"))["path"] == "/safe"


async def test_it_is_absent_where_there_is_nothing_to_show():
    bare, guarded = hotel(), hotel()
    guarded.screen("safe", type="custom", path="/safe", description="The safe.", access=roles("staff"))
    guarded.screen("cellar", type="custom", path="/cellar", description="Rats.", agent={"expose": False})
    for app in (bare, guarded):
        async with served(app.asgi()) as http:
            assert list(await listed(http)) == ["ring"]
            assert (await error(http, "tools/call", {"name": NAVIGATE}))["message"] == f"Unknown tool: {NAVIGATE}"
    assert [item["screen"] for item in (await directions(guarded, key=STAFF))["screens"]] == ["safe"]


async def test_one_rule_that_raises_hides_its_own_screen_alone():
    def broken(_caller: object) -> bool:
        raise RuntimeError("broken")

    app = hotel()
    app.screen("first", type="list", path="/first", description="First.", access=broken)
    app.screen("second", type="list", path="/second", description="Second.", access=roles("staff"))
    assert [item["screen"] for item in (await directions(app, key=STAFF))["screens"]] == ["second"]


async def test_it_is_not_served_over_http():
    async with served(furnished().asgi()) as http:
        assert (await http.post(f"/{NAVIGATE}", json={})).status_code == 404
